"""What the tests of the experiment runner share: experiments written down in a test, and records made up."""
import json
import pathlib
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "experiments"))

from runner.errors import JsonFileError  # noqa: E402
from runner.records import Record  # noqa: E402
from runner.spec_reader import read_experiment  # noqa: E402


def experiment_from(declared, quick=False):
    """Of a dictionary or a text; the file is called test.json."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "test.json"
        file.write_text(declared if isinstance(declared, str) else json.dumps(declared), encoding="utf-8")
        return read_experiment(file, quick)


def problem_of(declared):
    """What is wrong with it, without the file's name."""
    try:
        experiment_from(declared)
    except JsonFileError as error:
        return str(error).split("test.json: ", 1)[1]
    return "none"


def record_of(bindings, values, exit_code=0):
    return Record(bindings, [], values, exit_code=exit_code)
