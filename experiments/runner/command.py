"""The command line of experiments/run.py."""
import argparse
import dataclasses
import json
import os
import pathlib
import sys

from .catalogue import Catalogue
from .errors import JsonFileError, RunStopped, StepFailed, UsageError
from .execution import RunOptions, run_experiment
from .files import write_file
from .formats import counted
from .interrupt import interrupts
from .origin import Origin, find_command, origin_of
from .overview import with_overview
from .partners import PARTNERS, option_of, require_partners, require_programs
from .plots import plotting_python
from .progress import Progress
from .report import Report, write_report
from .scoreboard import write_scoreboard
from .selection import choice_of
from .side_by_side import run_side_by_side
from .steps import RunFolders, run_placeholders
from .tables import finish_table

EXIT_NOT_AS_CLAIMED = 1  # also: a command failed
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130  # as shells have it
MOST_THREADS = 4096

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

EXAMPLES = """examples:
  experiments/run.py --list                 which there are, and what they show
  experiments/run.py sizes                  one of them: docs/results/sizes.md
  experiments/run.py all                    all of them; stopped or killed, the same command goes on
  experiments/run.py all --quick            small settings, to see that everything works
  experiments/run.py sizes --only-report    the page again, from what has run
  experiments/run.py sizes --baselines      networks that are compared with, where there is a GPU

Each experiment is a file experiments/NAME.json with its settings, the commands to run and what is shown of them.
Exit code 0 if all claims hold, 1 if one does not or a command failed, 2 for a file or an option that is wrong, 130 if
stopped. docs/experiments.md"""


def thread_count(text):
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST_THREADS}, not '{text}'")
    return int(text)


def replaced_setting(text):
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=TEXT, not '{text}'")
    return name, value


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="experiments/run.py", description="Runs experiments and writes their tables and plots.", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments, or all")
    parser.add_argument("--list", action="store_true", help="say which experiments there are")
    parser.add_argument("--quick", action="store_true", help="with the small settings of each; pages go to the results")
    parser.add_argument("--only-report", action="store_true", help="run nothing, write pages from what has run")
    parser.add_argument("--fresh", action="store_true", help="forget what has run before: begin with empty folders")
    parser.add_argument("--keep-records", action="store_true",
                        help="use what has run before with another binary of neumann, too")
    parser.add_argument("--baselines", action="store_true",
                        help="run the baselines, and what they need, instead of the steps")
    for program in PARTNERS:
        parser.add_argument(option_of(program), dest="partners", action="append_const", const=program, default=[],
                            help=f"run the steps that are about {program}, too, which must be installed")
    parser.add_argument("--only", metavar="NAME[:VARIABLE=VALUE,…]", action="append", default=[],
                        help="of the baselines this one alone, or these runs of it; may be given again")
    parser.add_argument("--no-plots", action="store_true", help="write pages without plots, which need matplotlib")
    parser.add_argument("--neumann", metavar="PATH", help="the command to run; default: build/neumann")
    parser.add_argument("-o", "--results", metavar="DIR", help="where to keep what the steps make; default: results")
    parser.add_argument("--docs", metavar="DIR", help="where to write pages; default: docs/results")
    parser.add_argument("--experiments", metavar="DIR", help="where the files of experiments are; default: experiments")
    parser.add_argument("--threads", metavar="N", type=thread_count, default=len(os.sched_getaffinity(0)),
                        help="what {threads} stands for in commands, at most the cores of an experiment; default: these")
    parser.add_argument("--jobs", metavar="N", type=thread_count, default=min(2, len(os.sched_getaffinity(0))),
                        help="experiments at a time, which share the cores; those that measure time run alone, on all; default: 2, or 1 on one core")
    parser.add_argument("--set", metavar="NAME=TEXT", type=replaced_setting, action="append", default=[],
                        help="another text for a setting of this name, wherever there is one; repeatable")
    parser.add_argument("--json", action="store_true", help="end with one JSON list: tables and claims")
    options = parser.parse_args(arguments)
    if not options.names and not options.list:
        parser.error("which experiment? --list shows them, all runs all of them")
    for other in ("fresh", "baselines", "keep_records"):
        if options.only_report and getattr(options, other):
            parser.error(f"--only-report runs nothing, so there is nothing for --{other.replace('_', '-')}")
    if options.partners and (options.only_report or options.baselines or options.list):
        parser.error(f"{option_of(options.partners[0])} is about steps, and none are run")
    if options.only and not options.baselines:
        parser.error("--only chooses among baselines: add --baselines")
    if options.fresh and options.keep_records:
        parser.error("--fresh forgets the records that --keep-records would use")
    if options.list and options.names:
        parser.error("--list shows all experiments, so there is nothing for a name")
    return options


def require_folder(folder):
    """Noticed before hours of work, not after."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise UsageError(f"cannot write into the folder {folder}: Permission denied")


class Command:
    def __init__(self, options):
        self.options = options
        experiments = pathlib.Path(options.experiments or os.path.relpath(REPOSITORY / "experiments"))
        root = pathlib.Path(os.path.abspath(experiments)).parent
        self.results = pathlib.Path(options.results or os.path.relpath(root / "results"))
        self.docs = pathlib.Path(options.docs or os.path.relpath(root / "docs" / "results"))
        self.baselines = experiments / "baselines"
        self.catalogue = Catalogue(experiments, options.quick, dict(options.set))
        self.folders = RunFolders(self.results, root, "neumann", options.threads)
        self.origin = Origin()
        self.known = {}  # how many records were there before experiments ran side by side

    def run(self):
        """The exit code."""
        if self.options.list:
            self.catalogue.print_list()
            return 0
        chosen = self.catalogue.chosen(self.options.names)
        for name, _ in self.options.set:
            if not any(name in experiment.settings for experiment in chosen):
                raise UsageError(f"--set: no experiment that runs has a setting '{name}'")
        self.prepare(chosen)
        good, said = True, []
        with interrupts() as stop:
            if len(chosen) > 1 and self.options.jobs > 1 and not self.options.only_report and not self.options.baselines:
                self.run_ahead(chosen, stop)
            for experiment in chosen:
                said.append({"experiment": experiment.name})
                try:
                    good = self.perform(experiment, stop, said[-1]) and good
                except StepFailed as failed:
                    print(f"error: {failed}", file=sys.stderr, flush=True)
                    said[-1]["error"] = str(failed)
                    good = False
        if self.options.json:
            print(json.dumps(said, ensure_ascii=False))
        return 0 if good else EXIT_NOT_AS_CLAIMED

    def run_ahead(self, chosen, stop):
        """All that can run, several at a time; what comes after it finds their records, and repeats what failed, to say why."""
        Progress.overwrites = False

        def run(experiment):
            self.folders.threads = min(self.folders.threads, len(os.sched_getaffinity(0)))
            try:
                if not self.missing_paths(experiment):
                    run_experiment(experiment, self.run_options(stop))
            except StepFailed as failed:
                print(f"error: {failed}\n{experiment.name} is tried once more when the others are done", file=sys.stderr, flush=True)
                return EXIT_NOT_AS_CLAIMED
            except RunStopped:
                return EXIT_INTERRUPTED
            return 0

        self.known = {experiment.name: 0 if self.options.fresh else self.collected(experiment, stop).reused for experiment in chosen}
        run_side_by_side(chosen, self.options.jobs, run, stop)
        self.options.fresh = False
        Progress.overwrites = True
        if stop():
            raise RunStopped("stopped")

    def run_options(self, stop):
        options = self.options
        return RunOptions(self.folders, self.baselines, self.origin, stop, options.baselines, options.fresh, options.only_report,
                          options.keep_records, tuple(options.partners), list(map(choice_of, options.only)))

    def collected(self, experiment, stop):
        """What has run before with this binary, or with any if records are kept."""
        options = self.run_options(stop)
        outcome = run_experiment(experiment, dataclasses.replace(options, only_collect=True))
        if not options.keep_records:
            outcome.reused -= outcome.of_other_binaries
        return outcome

    def prepare(self, chosen):
        """All that can be wrong before anything runs."""
        if not self.options.only_report:
            self.folders.neumann = find_command(self.options.neumann or os.path.relpath(REPOSITORY / "build" / "neumann"))
            self.origin = origin_of(self.folders.neumann, self.folders.root)
            require_partners(self.options.partners)
            if not self.options.baselines:
                require_programs(chosen)
            require_folder(self.results)
        if not self.options.baselines:
            if any(experiment.plots for experiment in chosen) and not self.options.no_plots:
                plotting_python()
            if not self.options.quick or self.options.docs:
                require_folder(self.docs)

    def page_folder(self, experiment):
        if self.options.quick and not self.options.docs:
            return self.folders.work(experiment.name, True) / "report"
        return self.docs

    def perform(self, experiment, stop, said):
        """False if a claim does not hold."""
        options = self.options
        missing = [] if options.only_report else self.missing_paths(experiment)
        if missing:
            said["skipped"] = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not there"
            print(f"note: {experiment.name}: skipped, as {said['skipped']}", file=sys.stderr, flush=True)
            return True
        outcome = run_experiment(experiment, self.run_options(stop))
        if experiment.name in self.known:  # the others have just run
            new = outcome.reused - self.known[experiment.name]
            outcome.ran, outcome.reused = outcome.ran + new, outcome.reused - new
        if options.only_report and outcome.reused == 0:
            raise StepFailed(f"{experiment.name}: nothing of it has run in "
                             f"{self.folders.work(experiment.name, experiment.quick)}, so its page stays as it is")
        self.warn(experiment, outcome)
        said.update(quick=experiment.quick, ran=outcome.ran, reused=outcome.reused)
        if options.baselines:
            if not options.json:
                print(f"{experiment.name}: baselines done; --only-report shows them", flush=True)
            return True
        placeholders = run_placeholders(experiment, self.folders)
        tables = [finish_table(table, experiment, outcome.results, placeholders) for table in experiment.tables]
        report = Report(experiment, outcome.results, placeholders, tables, not options.no_plots)
        said["tables"] = list(map(table_json, tables))
        failed = [claim for table in tables for claim in table.claims if not claim.holds]
        for claim in failed:
            print(f"{experiment.name}: does not hold: {claim.text}; found {claim.problem}", file=sys.stderr)
        said["page"] = str(self.write_pages(report))
        if not options.json:
            print(f"{experiment.name}: {counted(outcome.ran, 'run')}, {outcome.reused} from before: {said['page']}",
                  flush=True)  # the next one may take an hour
        return not [claim for claim in failed if not claim.why]  # a reason says that it is known

    def missing_paths(self, experiment):
        """What the experiment requires and is not here: data that are not part of the sources."""
        placeholders = run_placeholders(experiment, self.folders)
        paths = [placeholders.fill(path, {}) for path in experiment.requires]
        return [os.path.normpath(path) for path in paths if not os.path.exists(path)]

    def warn(self, experiment, outcome):
        if outcome.missing:
            print(f"warning: {experiment.name}: {outcome.missing} of "
                  f"{counted(outcome.missing + outcome.reused, 'command')} have not run yet; the page is made of the others",
                  file=sys.stderr)
        if outcome.of_other_binaries and self.options.keep_records:
            print(f"warning: {experiment.name}: used {counted(outcome.of_other_binaries, 'result')} of another binary of "
                  "neumann; the page says of which", file=sys.stderr)

    def write_pages(self, report):
        folder = self.page_folder(report.experiment)
        page = write_report(report, folder)
        overview = folder / "README.md"
        if overview.exists():
            old = overview.read_text(encoding="utf-8")
            # What files that are wrong now had to say stays.
            new = with_overview(old, report, [*self.catalogue.order, *self.catalogue.wrong])
            if new != old:
                write_file(overview, new)
        if not report.experiment.quick:
            write_scoreboard(self.catalogue.folder, folder)
        return page


def table_json(table):
    cells = {row.title: {column.title: cell.text for column, cell in zip(table.columns, line)}
             for row, line in zip(table.rows, table.cells)}
    claims = [{"claim": claim.text, "holds": claim.holds, **({} if claim.holds else {"found": claim.problem})}
              for claim in table.claims]
    return {"title": table.title, "cells": cells, "claims": claims}


def main(arguments=None):
    """The exit code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # for terminals that cannot show everything
    options = parse_arguments(arguments)
    try:
        return Command(options).run()
    except RunStopped as stopped:
        print(f"{stopped}; the same command goes on from there", file=sys.stderr)
        return EXIT_INTERRUPTED
    except KeyboardInterrupt:
        print("stopped before anything ran", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (UsageError, JsonFileError) as error:
        print(f"error: {error}", file=sys.stderr)
    except OSError as error:
        print(f"error: {error.filename or 'input or output'}: {error.strerror or error}", file=sys.stderr)
    return EXIT_BAD_INPUT
