"""Runs the commands of an experiment one after the other, and goes on where it was stopped."""
import contextlib
import pathlib
import shutil
from dataclasses import dataclass, field
from typing import Callable

from .child import ChildOutcome, run_child
from .errors import RunStopped, StepFailed, ValueNotFound
from .formats import format_duration, plain_number
from .lock import folder_lock, writing_in
from .machine import describe_machine
from .origin import Origin
from .placeholders import bindings_text
from .progress import Progress
from .records import Record, RecordFolder, Results, baseline_file, read_baseline, tail_of, time_of_day, write_baseline
from .selection import chosen_instances
from .spec import combinations
from .steps import RunFolders, expand_steps, needed_for_baselines, quoted_command, run_placeholders
from .values import step_values


@dataclass
class RunOptions:
    folders: RunFolders
    baselines: pathlib.Path  # where their results are kept
    origin: Origin
    stop: Callable[[], bool] = lambda: False
    run_baselines: bool = False  # they and what they need, instead of all steps
    fresh: bool = False  # as if nothing had run before
    only_collect: bool = False  # run nothing
    keep_records: bool = False  # also those of another binary
    partners: tuple = ()  # programs of others whose steps run, too
    only: list = field(default_factory=list)  # choices of baselines; empty: all


@dataclass
class RunOutcome:
    results: Results = field(default_factory=Results)
    ran: int = 0
    reused: int = 0
    of_other_binaries: int = 0  # among those reused
    missing: int = 0  # with only_collect: has not run yet


def run_experiment(experiment, options):
    """Raises StepFailed, RunStopped, UsageError if another run is at work."""
    return Execution(experiment, options).run()


class Execution:
    def __init__(self, experiment, options):
        self.experiment, self.options = experiment, options
        self.work = options.folders.work(experiment.name, experiment.quick)
        self.records = RecordFolder(self.work / "steps")
        self.placeholders = run_placeholders(experiment, options.folders)

    def run(self):
        with contextlib.ExitStack() as stack:
            if not self.options.only_collect:
                stack.enter_context(folder_lock(self.work))
                if self.options.fresh and not self.options.run_baselines and self.work.exists():
                    shutil.rmtree(self.work)
                (self.work / "steps").mkdir(parents=True, exist_ok=True)
            return self._run_plan(self._plan())

    def _plan(self):
        """The instances that this run is about."""
        instances = expand_steps(self.experiment, self.options.folders)
        if not self.options.run_baselines:
            return [instance for instance in instances if not instance.is_baseline]
        needed = needed_for_baselines(instances, chosen_instances(instances, self.options.only))
        return [instance for instance, runs in zip(instances, needed) if runs]

    def _run_plan(self, plan):
        out = RunOutcome()
        progress = Progress(self.experiment.name, [instance.step.name for instance in plan])
        records = [self._known(instance) for instance in plan]
        for number, record in enumerate(records):
            if record:
                progress.took(number, record.seconds)
                out.reused += 1
                out.of_other_binaries += not plan[number].is_baseline and record.binary != self.options.origin.binary
        try:
            for number, instance in enumerate(plan):
                if records[number] is None and not self.options.only_collect and self._is_asked_for(instance):
                    records[number] = self._run_step(number, instance, progress)
                    out.ran += 1
        finally:
            progress.clear()
        out.missing = sum(record is None and self._is_asked_for(instance) for instance, record in zip(plan, records))
        out.results.steps = [(instance.step.name, record) for instance, record in zip(plan, records)
                             if record and not instance.is_baseline]
        out.results.baselines = [(baseline.name, record) for baseline in self.experiment.baselines
                                 for record in read_baseline(self._baseline_path(baseline.name))]
        return out

    def _is_asked_for(self, instance):
        return not instance.step.program or instance.step.program in self.options.partners

    def _run_step(self, number, instance, progress):
        if self.options.stop():
            raise RunStopped(f"{self.experiment.name}: stopped")
        progress.begins(number, bindings_text(instance.bindings))
        record = self._execute(instance, progress)
        progress.took(number, record.seconds)
        if instance.is_baseline:
            self._keep_baseline(instance, record)
        how = ", stopped at its limit" if record.timed_out else f", exit code {record.exit_code}" if record.failed else ""
        progress.ends(format_duration(record.seconds) + how)
        return record

    def _baseline_path(self, name):
        """Of quick runs they are not worth keeping."""
        return baseline_file(self.work / "baselines" if self.experiment.quick else self.options.baselines,
                             self.experiment, name)

    def _known(self, instance):
        """The record of a run that need not be repeated, or None."""
        if self.options.fresh:
            return None
        if instance.is_baseline:  # perhaps from another machine: whatever binary made it
            for record in read_baseline(self._baseline_path(instance.step.name)):
                if record.bindings == instance.bindings and record.command == instance.shown:
                    return record
        record = self.records.find(instance)
        if record is None:
            return None
        any_binary = self.options.keep_records or self.options.only_collect
        if record.binary != self.options.origin.binary and not any_binary:
            return None
        step = instance.step
        more_time = record.timed_out and (step.limit_seconds == 0 or step.limit_seconds > record.seconds)
        if record.failed and (not step.may_fail or more_time):
            return None
        return record if record.sources == step.values_text else self._with_other_values(instance, record)

    def _with_other_values(self, instance, record):
        """The file declares other values of the same run."""
        outcome = ChildOutcome(record.exit_code, record.timed_out, False, record.seconds, record.peak_bytes)
        try:
            record.values = self._values(instance, outcome, record.failed)
        except ValueNotFound:
            return None
        record.sources = instance.step.values_text
        if not self.options.only_collect:
            self.records.keep(instance, record)
        return record

    def _values(self, instance, outcome, lenient):
        return step_values(instance.step, instance.bindings, self.placeholders, self.records.output(instance),
                           self.records.errors(instance), outcome, lenient)

    def _execute(self, instance, progress):
        if self.records.forget(instance, self.options.origin.binary):
            for path in instance.made:
                remove(self.work / path)
        step = instance.step
        command = list(instance.run)
        if command[0] == "neumann":
            command[0] = self.options.folders.neumann
        outcome = run_child(command, self.records.output(instance), self.records.errors(instance), step.limit_seconds,
                            self.options.stop, progress.waits)
        if outcome.stopped or self.options.stop():
            raise RunStopped(f"{self.experiment.name}: stopped in step '{step.name}'")
        failed = outcome.exit_code != 0 or outcome.timed_out
        if failed and not step.may_fail:
            self._fail(instance, f"stopped at its limit of {plain_number(step.limit_seconds)} s" if outcome.timed_out
                       else f"failed with exit code {outcome.exit_code}")
        try:
            values = self._values(instance, outcome, failed)
        except ValueNotFound as error:
            self._fail(instance, str(error))
        origin = self.options.origin
        record = Record(instance.bindings, instance.shown, values, step.values_text, outcome.seconds, outcome.peak_bytes,
                        outcome.exit_code, outcome.timed_out, time_of_day(), origin.version, origin.commit, origin.binary,
                        describe_machine(), tail_of(self.records.errors(instance)))
        self.records.keep(instance, record)
        return record

    def _fail(self, instance, what):
        errors = tail_of(self.records.errors(instance)).rstrip("\n")
        values = bindings_text(instance.bindings)
        raise StepFailed(
            f"{self.experiment.name}: step '{instance.step.name}'{', ' if values else ''}{values}: {what}\n"
            f"  command: {quoted_command(instance.run)}\n"
            f"  standard output: {self.records.output(instance)}\n"
            f"  standard error: {self.records.errors(instance)}{', which ends with' if errors else ''}\n"
            f"{errors}{chr(10) if errors else ''}"
            "Run the same command again to go on from this step, or with --fresh to begin with an empty folder.")

    def _keep_baseline(self, instance, record):
        """Beside those of the other combinations, in the order of the loops."""
        if not instance.step.values:
            return  # it only made files for others
        path = self._baseline_path(instance.step.name)
        record.errors = ""
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing_in(path.parent):  # runs in other folders of results may be at it, too
            old = read_baseline(path)
            kept = []
            for bindings in combinations(instance.step.loops):
                kept += [record] if bindings == instance.bindings else [one for one in old if one.bindings == bindings]
            write_baseline(path, self.experiment, instance.step.name, kept)


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
