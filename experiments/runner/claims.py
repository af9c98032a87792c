"""Claims about the rows and columns of a table, and whether they hold."""
from dataclasses import dataclass

from .formats import published_number

WORDS = {"at_least": "at least", "at_most": "at most", "equal": "exactly"}
SLACK = 1e-9  # relative: the last digits of means are noise


@dataclass
class CheckedClaim:
    subject: str  # the row or the column that it is about
    text: str  # what is claimed of it
    problem: str  # where it does not hold
    why: str

    @property
    def holds(self):
        return not self.problem

    def markdown(self):
        if self.holds:
            return f"- ✓ **holds**: {self.text}\n"
        why = f" {self.why}" if self.why else ""
        return f"- ✗ **does not hold**: {self.text}. Found: {self.problem}.{why}\n"


def claims_markdown(claims):
    """A line for each claim. Those that fail for the same reason share one, where the first of them stands."""
    alike = {}
    for claim in claims:
        if not claim.holds and claim.why:
            alike.setdefault(claim.why, []).append(claim)
    out = ""
    for claim in claims:
        same = alike.get(claim.why, []) if not claim.holds else []
        if len(same) < 2:
            out += claim.markdown()
        elif claim is same[0]:
            told = "; ".join(f"{one.text} (found: {one.problem})" for one in same)
            out += f"- ✗ **do not hold**: {told}. {claim.why}\n"
    return out


def check_claim(claim, table):
    """A claim about nothing does not hold."""
    lines, across = (table.rows, table.columns) if claim.of_row else (table.columns, table.rows)
    titles = [line.title for line in lines]
    one = len(claim.limits) == 1
    limits = [published_number(claim.limits[0])] if one and claim.limits[0] is not None else []
    problems, checked = [], 0
    for k, line in enumerate(across):
        place = 0 if one else line.full_index
        limit = None if place is None else claim.limits[place]
        if limit is None:
            continue
        checked += 1
        if not one:
            limits.append(f"{published_number(limit)} ({line.title})")
        problem = problem_of(claim, limit, titles, cells_at(table, claim.of_row, k))
        if problem:
            problems.append(f"{line.title}: {problem}")
    if checked == 0:
        problems = ["nothing to check"]
    times = f" times '{claim.times}'" if claim.times else ""
    return CheckedClaim(claim.title, f"{claim.title}: {WORDS[claim.bound]} {', '.join(limits)}{times}", "; ".join(problems), claim.why)


def cells_at(table, of_row, k):
    """The cells of column k, for a claim about a row; else of row k."""
    return [cells[k] for cells in table.cells] if of_row else table.cells[k]


def problem_of(claim, limit, titles, cells):
    """What is wrong with the cell of a claim; empty if it is as claimed."""
    bound = limit
    if claim.times:
        factor = cells[titles.index(claim.times)].number if claim.times in titles else None
        if factor is None:
            return f"'{claim.times}' has no number"
        bound *= factor
    cell = cells[titles.index(claim.title)]
    if cell.number is None:
        return cell.text
    slack = SLACK * abs(bound)
    low = cell.number < bound - slack and claim.bound != "at_most"
    high = cell.number > bound + slack and claim.bound != "at_least"
    return cell.text if low or high else ""
