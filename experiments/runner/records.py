"""Records of finished commands, so that an experiment goes on where it was stopped."""
import json
import os
import pathlib
import time
from dataclasses import asdict, dataclass, field
from typing import Any

from .checked_json import CheckedJson, is_number, read_json_file, strict_loads
from .files import write_file
from .origin import UNKNOWN

KEPT_ERROR_BYTES = 2000


@dataclass
class Record:
    bindings: dict
    command: list  # as shown
    values: dict
    sources: str = ""  # of the values, as the file declared them
    seconds: float = 0.0
    peak_bytes: int = 0
    exit_code: int = 0
    timed_out: bool = False
    finished: str = ""  # date and time, UTC
    version: str = ""
    commit: str = UNKNOWN  # of the sources, when it ran
    binary: str = UNKNOWN  # digest of the command
    machine: Any = None  # what kind it was
    errors: str = ""  # the end of standard error

    @property
    def failed(self):
        return self.exit_code != 0 or self.timed_out

    def to_json(self):
        members = asdict(self)
        members = {"for": members.pop("bindings"), **members}
        return {key: value for key, value in members.items() if value is not None and (key != "errors" or value)}


FIELDS = {"command": list, "values": dict, "sources": str, "peak_bytes": int, "exit_code": int, "timed_out": bool,
          "finished": str, "version": str}


def record_from(members):
    """None for what is no record."""
    if not isinstance(members, dict) or not isinstance(members.get("for"), dict) or not is_number(members.get("seconds")):
        return None
    if not all(isinstance(members.get(key), kind) for key, kind in FIELDS.items()):
        return None
    return Record(members["for"], seconds=members["seconds"], **{key: members[key] for key in FIELDS},
                  commit=members.get("commit", UNKNOWN), binary=members.get("binary", UNKNOWN),
                  machine=members.get("machine"), errors=members.get("errors", ""))


def time_of_day():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def tail_of(file, most=KEPT_ERROR_BYTES):
    """The last lines of a file, of at most so many bytes."""
    try:
        with open(file, "rb") as stream:
            begin = max(0, os.fstat(stream.fileno()).st_size - most)
            stream.seek(begin)
            data = stream.read(most)
    except OSError:
        return ""
    if begin > 0:  # from the next line on, or at least from the next character
        data = data[data.find(b"\n") + 1:]
        while data and data[0] & 0xC0 == 0x80:
            data = data[1:]
    return data.decode("utf-8", "replace")


class RecordFolder:
    """The records of an experiment: NAME-KEY.json, and standard output and error beside it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def _file(self, instance, ending):
        return self.folder / f"{instance.step.name}-{instance.key}{ending}"

    def output(self, instance):
        return self._file(instance, ".out")

    def errors(self, instance):
        return self._file(instance, ".err")

    def find(self, instance):
        """None if the step has not finished with this command, or with one before it that made its files."""
        return self._read(self._file(instance, ".json"))

    @staticmethod
    def _read(path):
        try:
            return record_from(strict_loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            return None

    def forget(self, instance, binary):
        """Before a step runs: what it left before, also with other commands, is no longer true. Says whether there was a
        run with another command or by another binary, whose files are not to be gone on from."""
        prefix = instance.step.name + "-"
        length = len(prefix) + len(instance.key)  # other steps' names may begin in the same way
        of_another = False
        for path in self.folder.glob("*.json"):
            if len(path.stem) != length or not path.stem.startswith(prefix):
                continue
            record = self._read(path)
            if record and record.bindings != instance.bindings:
                continue
            of_another = of_another or path != self._file(instance, ".json") or (record and record.binary != binary)
            for ending in (".json", ".out", ".err"):
                path.with_suffix(ending).unlink(missing_ok=True)
        return bool(of_another)

    def keep(self, instance, record):
        write_file(self._file(instance, ".json"), json.dumps(record.to_json(), indent=2, ensure_ascii=False) + "\n")


@dataclass
class Results:
    """What an experiment's commands came to: pairs of a step's name and a record."""
    steps: list = field(default_factory=list)
    baselines: list = field(default_factory=list)

    def matching(self, lookup, bound=()):
        """The records that agree with all the pairs of a variable and a value, and with those of the lookup."""
        name, records = (lookup.step, self.steps) if lookup.step else (lookup.baseline, self.baselines)
        wanted = [*bound, *lookup.where]
        return [record for of, record in records
                if of == name and all(key in record.bindings and record.bindings[key] == value for key, value in wanted)]


def baseline_file(folder, experiment, baseline):
    """Results of baselines are kept in files of their own, as other machines need hours for them."""
    return pathlib.Path(folder) / f"{experiment.name}-{baseline}.json"


def read_baseline(file):
    """No records without the file."""
    if not file.exists():
        return []
    records = []
    for run in CheckedJson(file, read_json_file(file)).at("runs").elements():
        record = record_from(run.value)
        if record is None:
            run.fail("not the record of a run")
        records.append(record)
    return records


def write_baseline(file, experiment, baseline, records):
    content = {"experiment": experiment.name, "baseline": baseline, "runs": [record.to_json() for record in records]}
    write_file(file, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
