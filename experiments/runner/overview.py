"""The overview page: what each experiment showed, between two marks of a page that is otherwise written by hand."""
import html

from .files import replaced_between, text_between
from .formats import counted
from .spec import combinations
from .wrap import wrapped

BEGIN, END, PART = "<!-- results -->", "<!-- end -->", "<!-- experiment: "


def with_overview(page, report, order):
    """The page with this experiment's part put in; other experiments' parts stay, if `order`, which lists all
    experiments, has them. A page without the two marks is returned as it is."""
    old = text_between(page, BEGIN, END)
    parts = {}
    for part in old.split(PART)[1:]:
        parts[part.split(" -->")[0]] = (PART + part).rstrip("\n")
    parts[report.experiment.name] = overview_part(report)
    middle = "".join(f"{parts[name]}\n\n" for name in order if name in parts)
    return replaced_between(page, BEGIN, END, middle)


def overview_part(report):
    """A few lines: tables are on the experiment's own page."""
    experiment = report.experiment
    paper = f" ({experiment.paper})" if experiment.paper else ""
    quick = " **A quick run.**" if experiment.quick else ""
    meaning = f" {experiment.meaning}" if experiment.meaning else ""
    if meaning and not meaning.endswith((".", ".)")):
        meaning += "."
    claims = [claim for table in report.tables for claim in table.claims]
    failed = [claim for claim in claims if not claim.holds]
    told = f" {len(claims) - len(failed)} of {counted(len(claims), 'claim')} {'holds' if len(claims) == 1 else 'hold'}" if claims else ""
    told += f", not those of {', '.join(dict.fromkeys(f'*{claim.subject}*' for claim in failed))}." if failed else "." if told else ""
    pictures = overview_pictures(report)
    line = f"{PART}{experiment.name} -->\n- **[{experiment.title}]({experiment.name}.md)**{paper}:{quick}{meaning}{told}"
    return wrapped(line) + (f"\n\n{pictures}" if pictures else "")


def overview_pictures(report):
    """Side by side: Markdown itself knows no width."""
    pictures = [(plot.title, plot.file) for plot in report.experiment.plots if plot.overview and report.with_plots]
    for figure in report.experiment.figures:
        for bindings in combinations(figure.loops) if figure.overview else []:
            pictures.append((report.placeholders.fill(figure.caption, bindings),
                             report.placeholders.fill(figure.name, bindings)))
    return "\n".join(f'  <img src="{html.escape(file)}" alt="{html.escape(title)}" width="32%">' for title, file in pictures)
