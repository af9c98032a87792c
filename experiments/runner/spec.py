"""An experiment as its file declares it: settings, commands to run, and what is shown of their results."""
import itertools
from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass
class Loop:
    variable: str
    values: list  # with the settings of this run
    full_values: list  # without those of --quick


def combinations(loops, full=False):
    """All bindings of the loop variables, the first loop outermost. No loops: one binding of nothing."""
    lists = [loop.full_values if full else loop.values for loop in loops]
    names = [loop.variable for loop in loops]
    return [dict(zip(names, values)) for values in itertools.product(*lists)]


@dataclass
class ValueSource:
    """Where a value of a step comes from."""
    kind: str  # json, match, text, csv, measured, sum or ratio
    what: str = ""  # JSON pointer, regular expression, column, measured quantity
    parts: list = field(default_factory=list)  # of sums and ratios: values before this one
    from_errors: bool = False  # standard error instead of standard output …
    file: str = ""  # … or a file
    line: Optional[int] = None  # of JSON lines, negative ones from the end
    which: str = "first"  # of the matches: first, last or all


@dataclass
class Step:
    name: str
    loops: list
    run: list
    limit_seconds: float = 0  # 0: none
    may_fail: bool = False
    program: str = ""  # a partner's: the step runs only if that is asked for
    values: dict = field(default_factory=dict)  # ValueSources by name
    values_text: str = ""  # what the file says about them

    def has_variable(self, variable):
        return any(loop.variable == variable for loop in self.loops)


@dataclass
class Lookup:
    """A value of all runs of a step, or of a baseline, that agree with the variables bound."""
    step: str = ""  # empty in a row: the column says it, and the other way round
    baseline: str = ""
    value: str = ""
    where: list = field(default_factory=list)  # pairs of a variable and its value

    def combined_with(self, column):
        """What the cell of this row and a column looks up: the row's step and value if it has them, runs that both want."""
        named = self if self.step or self.baseline else column
        return Lookup(named.step, named.baseline, self.value or column.value, self.where + column.where)


@dataclass
class TableLine:
    """A row or a column, once for each combination of its loops."""
    title: str
    loops: list
    lookup: Lookup
    format: str = ""  # how numbers are written
    failed: str = ""  # what stands where all runs failed
    published: Optional[list] = None  # one for each column of a row, for each row of a column
    ratio: Optional[tuple] = None  # titles of two rows, or columns, that are divided

    @property
    def is_measured(self):
        return self.published is None and self.ratio is None


@dataclass
class Claim:
    of_row: bool  # else of a column
    title: str
    bound: str  # at_least, at_most or equal
    limits: list  # one, or one for each cell; None: none. In the units that the table shows
    times: str = ""  # the title of another row (or column): limits are multiples of its cells
    why: str = ""  # what is said where it does not hold
    quick: bool = False  # holds under --quick, too


@dataclass
class Table:
    title: str
    corner: str
    note: str
    columns: list
    rows: list
    claims: list


@dataclass
class Text:
    title: str
    lookup: Lookup
    by: list  # variables that are told with each text
    names: dict = field(default_factory=dict)  # what stands on the page for a value of theirs


@dataclass
class Series:
    title: str
    loops: list
    lookup: Lookup
    x: str = ""  # "index", a variable or a value
    band: bool = False
    published: list = field(default_factory=list)  # pairs of x and y instead of a lookup


@dataclass
class Plot:
    file: str
    bars: bool
    title: str
    x_title: str
    y_title: str
    log_x: bool
    log_y: bool
    overview: bool  # shown there, too
    series: list


@dataclass
class Figure:
    """Pictures that a step made."""
    step: str
    file: str
    name: str
    caption: str
    loops: list
    overview: bool


@dataclass
class Experiment:
    name: str
    quick: bool
    title: str = ""
    paper: str = ""
    order: float = 0  # among all experiments
    about: list = field(default_factory=list)  # paragraphs of Markdown
    meaning: str = ""  # what came out, for the overview
    needs: list = field(default_factory=list)  # experiments whose files are used
    alone: bool = False  # it measures time: nothing else runs beside it
    minutes: float = 0  # about how long it takes: the longest begin first
    programs: list = field(default_factory=list)  # commands of others that its steps run
    requires: list = field(default_factory=list)  # paths, with placeholders; without one of them it is skipped
    settings: dict = field(default_factory=dict)
    steps: list = field(default_factory=list)
    baselines: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    plots: list = field(default_factory=list)
    figures: list = field(default_factory=list)

    def step_of(self, lookup: Lookup) -> Any:
        """The step or the baseline that a lookup names, which exists."""
        steps, name = (self.steps, lookup.step) if lookup.step else (self.baselines, lookup.baseline)
        return next(step for step in steps if step.name == name)

    def unfilled_folders(self):
        """What only a run knows, each standing for itself."""
        names = ["work", "root", "neumann", "threads", *(f"work[{other}]" for other in self.needs)]
        return {name: f"{{{name}}}" for name in names}
