"""All experiments of a folder, and which of them a run takes, in what order."""
import pathlib

from .errors import JsonFileError, UsageError
from .spec_reader import read_experiment
from .suggest import did_you_mean


class Catalogue:
    def __init__(self, folder, quick, replaced=None):
        self.folder = pathlib.Path(folder)
        self.experiments = {}
        self.wrong = {}  # files that disturb only those who want them
        try:
            files = sorted(file for file in self.folder.iterdir() if file.suffix == ".json")
        except OSError as error:
            raise UsageError(f"cannot read the folder {folder}: {error.strerror}; say where the files of the experiments "
                             "are with --experiments DIR") from None
        for file in files:
            try:
                self.experiments[file.stem] = read_experiment(file, quick, replaced)
            except JsonFileError as problem:
                self.wrong[file.stem] = problem
        self.order = sorted(self.experiments, key=lambda name: self.experiments[name].order)

    def require_all_right(self):
        if self.wrong:
            raise next(iter(self.wrong.values()))

    def chosen(self, names):
        """Each experiment once, behind those that it needs."""
        result = []
        for name in names:
            if name == "all":
                self.require_all_right()
            for one in self.order if name == "all" else [name]:
                self._add_with_needs(one, "", result, [])
        return [self.experiments[name] for name in result]

    def _add_with_needs(self, name, wanted_by, result, above):
        if name in result:
            return
        if name in self.wrong:
            raise self.wrong[name]
        if name not in self.experiments:
            raise UsageError(f"{wanted_by}there is no experiment '{name}' in {self.folder}; "
                             f"{did_you_mean(name, [*self.order, 'all'])}")
        if name in above:
            raise UsageError(f"{wanted_by}experiment '{name}' needs itself")
        for other in self.experiments[name].needs:
            self._add_with_needs(other, f"{self.folder / name}.json: /needs: ", result, [*above, name])
        result.append(name)

    def print_list(self):
        rows = [("name", "paper", "title")]
        rows += [(name, self.experiments[name].paper, self.experiments[name].title) for name in self.order]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        rows.insert(1, tuple("─" * width for width in widths))
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        self.require_all_right()
