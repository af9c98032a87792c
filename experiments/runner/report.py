"""The page of an experiment: tables, plots and pictures, and how they were made."""
from dataclasses import dataclass, field

from .claims import claims_markdown
from .files import write_file
from .formats import counted, format_bytes, format_duration, spread
from .machine import machine_text
from .origin import UNKNOWN
from .partners import left_out, option_of
from .placeholders import Placeholders, bindings_text, plain_text
from .plots import draw_plots
from .records import Results
from .series import plot_data
from .spec import Experiment, combinations
from .steps import quoted_command
from .wrap import wrapped


@dataclass
class Report:
    experiment: Experiment
    results: Results
    placeholders: Placeholders  # filled in, to find pictures
    tables: list = field(default_factory=list)
    with_plots: bool = True

    def date(self):
        """The day of the last run."""
        return max((record.finished for _, record in self.results.steps), default="").split("T")[0]


def write_report(report, folder):
    """Writes NAME.md and its pictures into a folder; the same results give the same bytes. Returns the page's path."""
    experiment = report.experiment
    folder.mkdir(parents=True, exist_ok=True)
    page = f"# {experiment.title}\n\n"
    if experiment.quick:
        page += "**A quick run: small settings, to see that everything works. Its numbers mean nothing.**\n\n"
    if experiment.paper:
        page += f"*{experiment.paper} of the paper.*\n\n"
    if experiment.meaning:
        page += f"**{experiment.meaning}**\n\n"
    page += "".join(f"{paragraph}\n\n" for paragraph in experiment.about)
    page += "".join(map(table_section, report.tables))
    page += plots_section(report, folder)
    pictures = figures_section(report, folder)
    page += f"## Pictures\n\n{pictures}" if pictures else ""
    page += making_section(report)
    page += "".join(texts_section(text, report.results) for text in experiment.texts)
    path = folder / f"{experiment.name}.md"
    write_file(path, wrapped(page))
    return path


def table_section(table):
    note = f"{table.note}\n\n" if table.note else ""
    claims = claims_markdown(table.claims)
    return f"## {table.title}\n\n{table.markdown()}\n{note}{claims}{chr(10) if claims else ''}"


def plots_section(report, folder):
    plots = report.experiment.plots
    if not report.with_plots:
        return "".join(f"## {plot.title}\n\n*Not drawn, as this page was made with --no-plots.*\n\n" for plot in plots)
    draw_plots([plot_data(plot, report.results, report.placeholders, report.experiment.quick) for plot in plots], folder)
    return "".join(f"## {plot.title}\n\n![{plot.title}]({plot.file})\n\n" for plot in plots)


def figures_section(report, folder):
    out = ""
    for figure in report.experiment.figures:
        for bindings in combinations(figure.loops):
            file, name, caption = (report.placeholders.fill(text, bindings)
                                   for text in (figure.file, figure.name, figure.caption))
            try:
                with open(file, "rb") as picture:
                    write_file(folder / name, picture.read())
            except FileNotFoundError:
                out += f"*{caption or name}: not there, as step '{figure.step}' did not make it.*\n\n"
                continue
            out += f"![{caption}]({name})\n\n{caption}\n\n"
    return out


def code_block(text):
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}\n"


def texts_section(text, results):
    """Equal texts once, with the runs that they are of."""
    runs_of = {}
    for record in results.matching(text.lookup):
        value = record.values.get(text.lookup.value)
        if value is not None:
            told = {variable: text.names.get(plain_text(bound), bound) for variable, bound in record.bindings.items() if variable in text.by}
            runs_of.setdefault(plain_text(value), []).append(told)
    out = f"## {text.title}\n\n"
    if not runs_of:
        return out + "None.\n\n"
    out += f"<details><summary>{counted(len(runs_of), 'text')}</summary>\n\n"
    for content, runs in runs_of.items():
        of = told_together(runs) if text.by else ""
        if len(runs) > 1:
            of = f"{len(runs)} times{': ' if of else ''}{of}"
        out += f"{of}\n\n" if of else ""
        out += code_block(content) + "\n"
    return out + "</details>\n\n"


def told_together(runs):
    """"pattern a; seed 1, 2" for runs that are all combinations of some values, otherwise one by one."""
    distinct, values = [], {}
    for run in runs:
        if run not in distinct:
            distinct.append(run)
            for variable, bound in run.items():
                values.setdefault(variable, {})[plain_text(bound)] = None
    combined = 1
    for texts in values.values():
        combined *= len(texts)
    if combined != len(distinct):
        return "; ".join(map(bindings_text, distinct))
    return "; ".join(f"{variable} {', '.join(texts)}" for variable, texts in values.items())


def distinct_texts(records, text):
    """What differs between records, in the order in which it first came."""
    return list(dict.fromkeys(text(record) for _, record in records))


def origin_text(record):
    known = [f"{what} {value}" for what, value in (("commit", record.commit), ("binary", record.binary)) if value != UNKNOWN]
    return record.version + (f" ({', '.join(known)})" if known else "")


def making_section(report):
    experiment, results = report.experiment, report.results
    command = f"experiments/run.py {experiment.name}{' --quick' if experiment.quick else ''}"
    machines = "; ".join(distinct_texts(results.steps, lambda record: machine_text(record.machine)))
    versions = ", ".join(distinct_texts(results.steps, origin_text))
    out = f"## How this page was made\n\n{code_block(command)}\n"
    out += f"Date: {report.date()}. Machine: {machines}. Version: neumann {versions}.\n\n"
    if experiment.settings:
        out += "Settings:\n\n" + settings_text(experiment.settings) + "\n"
    out += durations(report) + "\n"
    for program in left_out(experiment, results):
        out += f"Steps that are about `{program}` were left out: `{option_of(program)}` runs them, where it is installed.\n\n"
    if results.baselines:
        apart = "; ".join(distinct_texts(results.baselines, lambda record: machine_text(record.machine)))
        out += f"Baselines were run apart, on {apart}; their commands and results are in experiments/baselines.\n\n"
    out += "The first command of each step, where {work} is the folder of results and {root} that of the sources:\n\n"
    firsts = {}
    for name, record in results.steps:
        firsts.setdefault(name, quoted_command(record.command))
    return out + code_block("\n".join(firsts[step.name] for step in experiment.steps if step.name in firsts))


def settings_text(settings):
    def text(value):
        return ", ".join(map(plain_text, value)) if isinstance(value, list) else plain_text(value)
    return "".join(f"- {name}: `{text(value)}`\n" for name, value in settings.items())


def durations(report):
    out = "| step | runs | each | together | peak memory |\n|---|---:|---:|---:|---:|\n"
    total = 0.0
    for step in report.experiment.steps:
        records = [record for name, record in report.results.steps if name == step.name]
        if not records:
            out += f"| {step.name} | 0 | – | – | – |\n"
            continue
        seconds = [record.seconds for record in records]
        peak = max(record.peak_bytes for record in records)
        total += sum(seconds)
        out += (f"| {step.name} | {len(records)} | {format_duration(spread(seconds)[0])} | "
                f"{format_duration(sum(seconds))} | {format_bytes(peak)} |\n")
    return out + f"| all | {len(report.results.steps)} |  | {format_duration(total)} |  |\n"
