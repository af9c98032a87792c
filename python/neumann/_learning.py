"""Learning clauses from labelled examples."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable

from . import _core
from ._program import Examples, Program, examples_text

LearnResult = _core.LearnResult

#: Told what is going on: an event ("round", "epoch", "program", "note", "warning", "lesson") and what belongs to it.
Progress = Callable[[str, "dict[str, Any]"], Any]


class Interrupted(KeyboardInterrupt):
    """Learning was stopped by Ctrl-C; `result` is the best program so far."""

    def __init__(self, result: LearnResult) -> None:
        super().__init__("learning was stopped; .result has the best program so far")
        self.result = result


def learn(
    program: Program,
    train: Examples,
    validation: Examples = None,
    test: Examples = None,
    *,
    progress: Progress | None = None,
    **options: Any,
) -> LearnResult:
    """Learns the clauses that the program's `learn` directives ask for, as `neumann learn` does.

    Examples are dictionaries with "atoms" and a "label" or "targets", or a file of JSON Lines. `progress` is called with
    an event and a dictionary. Ctrl-C raises `Interrupted`, which has the best program so far. Options: `algorithm`
    ("auto", "search" or "gradient"), `time_limit` (of the search), `seed`, `positive`, `program_size`, `semantics`,
    `gamma`, `steps`, `threshold`, `trials`, `samples`, `max_body`, `max_variables`, `epochs`, `batch`, `rate`, `journal`,
    `resume`. docs/learning.md tells what they mean.

    >>> import neumann
    >>> program = neumann.Program(text='''
    ... :- type(thing, [it]).  :- type(colour, [red, blue]).  :- neural(colour(thing, colour)).
    ... :- modeb(1, colour(+thing, #colour)).  :- learn(good/1, 1).  :- pred(good(thing)).  :- label(good(it)).
    ... ''')
    >>> train = [{"atoms": {f"colour(it,{colour})": 1}, "label": int(colour == "red")} for colour in ("red", "blue") * 4]
    >>> neumann.learn(program, train).clauses
    [1::good(X) :- colour(X,red).]
    """
    if program._saved:
        raise ValueError("program: a saved graph cannot be learned from; take the program that it was made of")
    with tempfile.TemporaryDirectory(prefix="neumann-") as folder:
        for name, examples in (("train", train), ("validation", validation), ("test", test)):
            if examples is not None:
                options[name] = _as_file(examples, os.path.join(folder, f"{name}.jsonl"))
        if "journal" in options:
            options["journal"] = os.fspath(options["journal"])
        path = program._path
        if path is None:
            path = os.path.join(folder, program.name + ("" if program.name.endswith(".nm") else ".nm"))
            with open(path, "w", encoding="utf-8") as file:
                file.write(program._source.text)
        result, interrupted = _core.learn(path, options, program._model_options(), progress)
    if interrupted:
        raise Interrupted(result)
    return result


def _as_file(examples: Examples, path: str) -> str:
    if isinstance(examples, (str, os.PathLike)):
        if os.path.isdir(examples):
            raise ValueError(
                f"{os.fspath(examples)}: a folder of pictures is learned from by the command: neumann learn"
            )
        return os.fspath(examples)
    with open(path, "w", encoding="utf-8") as file:
        file.write(examples_text(examples))
    return path
