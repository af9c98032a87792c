"""The commands that an experiment comes down to: loops run through, placeholders filled in, and who makes whose files."""
import hashlib
import pathlib
import re
from dataclasses import dataclass, field

from .placeholders import Placeholders, bindings_text
from .spec import Step, combinations

PATH_ENDS = r" \t\n'\"<>|;&(),:="


@dataclass
class RunFolders:
    """Where a run keeps and finds things."""
    results: pathlib.Path  # of all experiments
    root: pathlib.Path  # that holds the experiments' folder
    neumann: str  # the command
    threads: int = 1

    def work(self, experiment, quick):
        return self.results / (experiment + (".quick" if quick else ""))


@dataclass
class StepInstance:
    step: Step
    bindings: dict
    shown: list  # {work}, {root} and the like left as they are: the same on every machine
    run: list  # all filled in
    is_baseline: bool = False
    key: str = ""  # changes with the command, what it takes from {root} and other experiments, and what makes its files
    made: list = field(default_factory=list)  # paths in {work} that it makes
    makers: list = field(default_factory=list)  # instances before this one whose files it uses


def run_placeholders(experiment, folders):
    filled = {"work": str(folders.work(experiment.name, experiment.quick)), "root": str(folders.root),
              "neumann": folders.neumann, "threads": str(folders.threads)}
    for other in experiment.needs:
        filled[f"work[{other}]"] = str(folders.work(other, experiment.quick))
    return Placeholders(experiment.settings, filled)


class Digest:
    """Of texts and files, each set apart; the same everywhere, as names of files must be."""

    def __init__(self):
        self._hash = hashlib.blake2b(digest_size=8)

    def add_text(self, text):
        self._add([text.encode("utf-8", "surrogateescape")])

    def add_file(self, path):
        with open(path, "rb") as file:
            self._add(iter(lambda: file.read(1 << 20), b""))

    def _add(self, parts):
        size = 0
        for part in parts:
            self._hash.update(part)
            size += len(part)
        self._hash.update(f"\xff{size}".encode("latin-1"))

    def text(self):
        return self._hash.hexdigest()


def paths_in(folder, shown):
    """All paths in a folder, such as {work}, that a command mentions, also inside of longer arguments such as
    --out={work}/x or a script. Relative to the folder."""
    expression = re.compile(re.escape(folder) + rf"/([^{PATH_ENDS}]*)")
    return [path.rstrip("/*") for argument in shown for path in expression.findall(argument)]


def lies_in(path, folder):
    return path == folder or folder == "" or path.startswith(folder + "/")


class MakerIndex:
    """Who mentioned which path first."""

    def __init__(self):
        self._makers = {}

    def add(self, instance, number):
        for path in paths_in("{work}", instance.shown):
            made = False
            for known, maker in self._makers.items():
                if maker == number or not (lies_in(path, known) or lies_in(known, path)):
                    continue
                made = made or lies_in(path, known)
                instance.makers.append(maker)
            if not made and path not in self._makers:
                self._makers[path] = number
                if path and ".." not in path.split("/"):  # never the whole folder, nor anything beside it
                    instance.made.append(path)
        instance.makers = sorted(set(instance.makers))


def expand_steps(experiment, folders):
    """Steps in the order of the file, then baselines. The command that mentions a path in {work} first is taken to make
    it; later ones that mention the path, a folder above or a file below it use it."""
    unfilled = Placeholders(experiment.settings, experiment.unfilled_folders())
    filled = run_placeholders(experiment, folders)
    others = {"{root}": folders.root}
    others.update((f"{{work[{other}]}}", folders.work(other, experiment.quick)) for other in experiment.needs)
    result, index = [], MakerIndex()
    for steps in (experiment.steps, experiment.baselines):
        for step in steps:
            for bindings in combinations(step.loops):
                instance = StepInstance(step, bindings, unfilled.fill_arguments(step.run, bindings),
                                        filled.fill_arguments(step.run, bindings), steps is experiment.baselines)
                index.add(instance, len(result))
                instance.key = key_of(instance, others, result)
                result.append(instance)
    return result


def key_of(instance, others, before):
    """Files that a file of the command includes in turn go unnoticed."""
    digest = Digest()
    for argument in instance.shown:
        digest.add_text(argument)
    digest.add_text(bindings_text(instance.bindings))
    for mark, folder in others.items():
        for path in paths_in(mark, instance.shown):
            file = folder / path
            if file.is_file():
                digest.add_file(file)
    for maker in instance.makers:
        digest.add_text(before[maker].key)
    return digest.text()


def needed_for_baselines(instances, asked=None):
    """Which instances must run for the baselines, or for those asked for: themselves and, through their files, what they
    need."""
    needed = list(asked) if asked is not None else [instance.is_baseline for instance in instances]
    for number in reversed(range(len(instances))):
        if needed[number]:
            for maker in instances[number].makers:
                needed[maker] = True
    return needed


def quoted_command(arguments):
    """As a shell takes it."""
    def quoted(argument):
        if re.fullmatch(r"[A-Za-z0-9_./=:,+@%{}-]+", argument):
            return argument
        return "'" + argument.replace("'", "'\\''") + "'"
    return " ".join(map(quoted, arguments))
