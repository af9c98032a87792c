"""Whether the parts of an experiment's file fit together: tables name steps, values and variables that exist.

All raise JsonFileError with file and key path.
"""
import contextlib

from .checked_json import compact
from .errors import PlaceholderError
from .formats import NUMBER_FORMATS
from .placeholders import Placeholders, plain_text
from .spec import combinations
from .suggest import did_you_mean


@contextlib.contextmanager
def placeholder_errors_at(json):
    try:
        yield
    except PlaceholderError as error:
        json.fail(str(error))


def unfilled(experiment):
    return Placeholders(experiment.settings, experiment.unfilled_folders())


def check_filled(json, experiment):
    """A text whose placeholders are settings or folders."""
    with placeholder_errors_at(json):
        unfilled(experiment).fill(json.text(), {})


def suggestion(name, known):
    return did_you_mean(name, known) if known else "it has none"


def require_step(json, name, steps, kind):
    known = [step.name for step in steps]
    if name not in known:
        json.fail(f"there is no {kind} '{name}'; {did_you_mean(name, known) if known else 'the file has none'}")


def require_format(json, name):
    if name not in NUMBER_FORMATS:
        json.fail(f"unknown format '{name}'; {did_you_mean(name, NUMBER_FORMATS)}")


def check_lookup(json, lookup, bound, experiment):
    """The step exists, has the value and loops over the variables of the pairs bound; a value None is any."""
    if not lookup.step and not lookup.baseline:
        json.fail("a step or a baseline is missing")
    if not lookup.value:
        json.fail("'value' is missing")
    step = experiment.step_of(lookup)
    if lookup.value not in step.values:
        json.fail(f"'{step.name}' has no value '{lookup.value}'; {suggestion(lookup.value, list(step.values))}")
    # 1 is not "1". (A value that the loop never has is fine: its cell says that nothing has run.)
    for loop in step.loops:
        wanted = next((value for variable, value in bound if variable == loop.variable), None)
        for known in loop.full_values if wanted is not None else []:
            if known != wanted and plain_text(known) == plain_text(wanted):
                json.fail(f"'{loop.variable}' of '{step.name}' is {compact(known)}, not {compact(wanted)}")
    for variable, _ in bound:
        if not step.has_variable(variable):
            variables = [loop.variable for loop in step.loops]
            json.fail(f"'{step.name}' has no loop variable '{variable}'; {suggestion(variable, variables)}")


def check_placeholders(json, step, experiment):
    placeholders = unfilled(experiment)
    for bindings in combinations(step.loops):
        with placeholder_errors_at(json.at("run")):
            if not placeholders.fill_arguments(step.run, bindings):
                json.at("run").fail("nothing is left of the command")
        for name, source in step.values.items():
            with placeholder_errors_at(json.at("values").at(name)):
                placeholders.fill(source.file, bindings)
                if source.kind == "json":
                    placeholders.fill(source.what, bindings)


def titles(lines, placeholders, full):
    return [placeholders.fill(line.title, bindings) for line in lines for bindings in combinations(line.loops, full)]


def require_title(json, title, known):
    if title not in known:
        json.fail(f"there is no '{title}' in this table; {suggestion(title, known)}")


def check_titles(json, table, placeholders):
    """Claims and ratios name rows and columns by their titles. Those that only exist without --quick are fine."""
    rows, columns = titles(table.rows, placeholders, True), titles(table.columns, placeholders, True)
    for claim, place in zip(table.claims, json.elements_of("claims")):
        known, across = (rows, columns) if claim.of_row else (columns, rows)
        require_title(place, claim.title, known)
        if claim.times:
            require_title(place.at("times"), claim.times, known)
        if len(claim.limits) not in (1, len(across)):
            place.fail(f"{len(claim.limits)} limits for {len(across)} cells")
    for key, lines, known, across in (("rows", table.rows, rows, columns), ("columns", table.columns, columns, rows)):
        for line, place in zip(lines, json.at(key).elements()):
            if line.published is not None and len(line.published) != len(across):
                place.at("published").fail(
                    f"{len(line.published)} numbers for {len(across)} {'columns' if key == 'rows' else 'rows'}")
            for title in line.ratio or ():
                require_title(place.at("ratio"), title, known)


def any_of(loops):
    return [(loop.variable, None) for loop in loops]


def check_table(json, table, experiment):
    with placeholder_errors_at(json):
        placeholders = unfilled(experiment)
        titles(table.rows, placeholders, False)
        titles(table.columns, placeholders, False)
        check_titles(json, table, placeholders)
    for row, place in zip(table.rows, json.at("rows").elements()):
        for column in table.columns:
            if row.is_measured and column.is_measured:
                lookup = row.lookup.combined_with(column.lookup)
                check_lookup(place, lookup, lookup.where + any_of(row.loops) + any_of(column.loops), experiment)


def check_series(json, series, experiment):
    check_lookup(json, series.lookup, series.lookup.where + any_of(series.loops), experiment)
    step = experiment.step_of(series.lookup)
    if series.x != "index" and not step.has_variable(series.x) and series.x not in step.values:
        json.at("x").fail(f"expected index, or a loop variable or a value of '{step.name}'")
    with placeholder_errors_at(json):
        for bindings in combinations(series.loops):
            unfilled(experiment).fill(series.title, bindings)


def check_figure(json, figure, experiment):
    placeholders = unfilled(experiment)
    with placeholder_errors_at(json):
        for bindings in combinations(figure.loops):
            placeholders.fill(figure.file, bindings)
            placeholders.fill(figure.caption, bindings)
            name = placeholders.fill(figure.name, bindings)
            if "/" in name or name.startswith("."):
                json.at("as").fail("expected a plain file name")
