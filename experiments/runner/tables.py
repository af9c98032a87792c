"""The tables of an experiment: published numbers beside ours."""
from dataclasses import dataclass, field
from typing import Optional

from .checked_json import is_number
from .claims import check_claim
from .formats import format_duration, format_number, format_spread, published_number, shown_units, spread
from .placeholders import plain_text
from .spec import TableLine, combinations

NOTHING = "–"


@dataclass
class Cell:
    text: str
    number: Optional[float] = None  # in the units shown: the mean; none if a run failed


@dataclass
class Line:
    """One of the rows (or columns) that a declared one becomes."""
    declared: TableLine
    bindings: dict
    title: str
    full_index: Optional[int]  # its number without --quick, if it is there


@dataclass
class FinishedTable:
    title: str
    corner: str
    note: str
    columns: list  # Lines
    rows: list
    cells: list = field(default_factory=list)  # by row
    claims: list = field(default_factory=list)  # under --quick only those made for it

    def markdown(self):
        """With neither title nor claims."""
        lines = [[self.corner, *(column.title for column in self.columns)]]
        lines += [[row.title, *(cell.text for cell in cells)] for row, cells in zip(self.rows, self.cells)]
        texts = ["| " + " | ".join(map(markdown_cell, line)) + " |\n" for line in lines]
        return texts[0] + "|---|" + "---:|" * len(self.columns) + "\n" + "".join(texts[1:])


def markdown_cell(text):
    return text.replace("|", "\\|").replace("\n", "<br>")


def expand(lines, placeholders):
    result, before = [], 0
    for declared in lines:
        full = combinations(declared.loops, full=True)
        for bindings in combinations(declared.loops):
            index = before + full.index(bindings) if bindings in full else None
            result.append(Line(declared, bindings, placeholders.fill(declared.title, bindings), index))
        before += len(full)
    return result


def finish_table(declared, experiment, results, placeholders):
    table = FinishedTable(declared.title, declared.corner, declared.note, expand(declared.columns, placeholders),
                          expand(declared.rows, placeholders))
    table.cells = [[first_cell(row, column, results) for column in table.columns] for row in table.rows]
    fill_ratios(table)
    for claim in declared.claims:
        there = any(line.title == claim.title for line in (table.rows if claim.of_row else table.columns))
        if there and (claim.quick or not experiment.quick):
            table.claims.append(check_claim(claim, table))
    return table


def first_cell(row, column, results):
    """Of all but ratios, which need the others."""
    if row.declared.published is not None:
        return published_cell(row.declared, column.full_index)
    if column.declared.published is not None:
        return published_cell(column.declared, row.full_index)
    if row.declared.ratio or column.declared.ratio:
        return Cell(NOTHING)
    lookup = row.declared.lookup.combined_with(column.declared.lookup)
    records = results.matching(lookup, [*row.bindings.items(), *column.bindings.items()])
    return measured_cell(records, lookup.value, row.declared.format or column.declared.format,
                         row.declared.failed or column.declared.failed)


def published_cell(line, index):
    value = None if index is None else line.published[index]
    if value is None:
        return Cell(NOTHING)
    return Cell(value) if isinstance(value, str) else Cell(published_number(value), value)


def measured_cell(records, value, number_format, failed):
    if not records:
        return Cell("not run")
    numbers, texts, failures = [], [], []
    for record in records:
        found = record.values.get(value)
        if is_number(found):
            numbers.append(shown_units(found, number_format))
        elif found is not None:
            texts.append(plain_text(found))
        elif record.failed:
            failures.append(record)
    if numbers:
        text = format_spread(numbers, number_format) + (" s" if number_format == "seconds" else "")
        if failures:
            return Cell(f"{text} ({len(failures)} of {len(records)} failed)")
        return Cell(text, spread(numbers)[0])
    if texts:
        return Cell("; ".join(dict.fromkeys(texts)))
    if failures:
        return Cell(failed or failure_text(failures[-1]))
    return Cell(NOTHING)


def failure_text(record):
    return f"> {format_duration(record.seconds)}" if record.timed_out else f"failed ({record.exit_code})"


def fill_ratios(table):
    def number(lines, title, cell_at):
        index = next((i for i, line in enumerate(lines) if line.title == title), None)
        return None if index is None else cell_at(index).number

    for r, row in enumerate(table.rows):
        for c, column in enumerate(table.columns):
            if row.declared.ratio:
                above, below = (number(table.rows, title, lambda i: table.cells[i][c]) for title in row.declared.ratio)
            elif column.declared.ratio and row.declared.published is None:
                above, below = (number(table.columns, title, lambda i: table.cells[r][i]) for title in column.declared.ratio)
            else:
                continue
            table.cells[r][c] = Cell(NOTHING)
            if above is not None and below:
                table.cells[r][c] = ratio_cell(above / below, (row if row.declared.ratio else column).declared.format)


def ratio_cell(quotient, number_format):
    """As times, unless the line says what kind of number it is."""
    if not number_format:
        return Cell(format_number(quotient, "seconds") + "×", quotient)
    number = shown_units(quotient, number_format)
    return Cell(format_number(number, number_format), number)
