"""Learning from examples: clauses, weights and probabilities."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable, Literal

from . import _core
from ._options import Semantics, given, suggests_keywords
from ._program import Examples, Program, examples_text

LearnResult = _core.LearnResult

#: Called with an event ("round", "epoch", "iteration", "program", "note", "warning", "lesson") and its details.
Progress = Callable[[str, "dict[str, Any]"], Any]


class Interrupted(KeyboardInterrupt):
    """Learning was stopped by Ctrl-C; `result` is the best program so far."""

    def __init__(self, result: LearnResult) -> None:
        super().__init__("learning was stopped; .result has the best program so far")
        self.result = result


@suggests_keywords
def learn(
    program: Program | str | os.PathLike[str],
    train: Examples = None,
    validation: Examples = None,
    test: Examples = None,
    *,
    goal: Literal["clauses", "weights", "probabilities"] = "clauses",
    format: Literal["program", "popper", "aleph"] = "program",
    progress: Progress | None = None,
    seed: int | None = None,
    time_limit: float | None = None,
    work_limit: int | None = None,
    semantics: Semantics | None = None,
    gamma: float | None = None,
    steps: int | None = None,
    rate: float | None = None,
    algorithm: str | None = None,
    positive: int | None = None,
    program_size: int | None = None,
    simplify: bool | None = None,
    learning_semantics: Semantics | None = None,
    threshold: float | None = None,
    trials: int | None = None,
    samples: int | None = None,
    max_body: int | None = None,
    max_variables: int | None = None,
    epochs: int | None = None,
    batch: int | None = None,
    journal: str | os.PathLike[str] | None = None,
    resume: bool | None = None,
    iterations: int | None = None,
    tolerance: float | None = None,
    loss: Literal["cross-entropy", "squared"] | None = None,
    method: Literal["em", "gradient"] | None = None,
) -> LearnResult:
    """Learns clauses, weights or probabilities from examples, as `neumann learn` does.

    `goal` is "clauses" (of the program's `learn` directives), "weights" or "probabilities" (marked `t(_)::`). `format` is
    "program", "popper" (the path of a folder with bias.pl, bk.pl and exs.pl) or "aleph" (a stem); tasks of these two have
    their training examples in their own files.

    Examples are dictionaries with "atoms" and a "label" or "targets", or the path of a file. `progress` is called with an
    event and a dictionary. Ctrl-C raises `Interrupted`, which has the best result so far. Options of all goals: `seed`,
    `time_limit`, `work_limit`, `semantics`, `gamma`, `steps`, `rate`; of clauses: `algorithm` ("auto", "search" or "gradient"),
    `positive`, `program_size`, `simplify`, `learning_semantics`, `threshold`, `trials`, `samples`, `max_body`,
    `max_variables`, `epochs`, `batch`, `journal`, `resume`; of weights and probabilities: `iterations`, `tolerance`; of
    weights: `loss` ("cross-entropy" or "squared"); of probabilities: `method` ("em" or "gradient"). docs/learning.md
    explains them.

    >>> import neumann
    >>> program = neumann.Program(text='''
    ... :- type(thing, [it]).  :- type(colour, [red, blue]).  :- neural(colour(thing, colour)).
    ... :- modeb(1, colour(+thing, #colour)).  :- learn(good/1, 1).  :- pred(good(thing)).  :- label(good(it)).
    ... ''')
    >>> train = [{"atoms": {f"colour(it,{colour})": 1}, "label": int(colour == "red")} for colour in ("red", "blue") * 4]
    >>> neumann.learn(program, train)
    <neumann.LearnResult: 1 clause>
    1::good(X) :- colour(X,red).
    >>> coin = neumann.Program(text="t(_)::heads.")
    >>> neumann.learn(coin, [{"heads": 1}, {"heads": 1}, {"heads": 0}, {"heads": 1}], goal="probabilities")
    <neumann.LearnResult: 1 clause>
    0.75::heads
    """
    options = given(
        goal=goal,
        format=format,
        seed=seed,
        time_limit=time_limit,
        work_limit=work_limit,
        semantics=semantics,
        gamma=gamma,
        steps=steps,
        rate=rate,
        algorithm=algorithm,
        positive=positive,
        program_size=program_size,
        simplify=simplify,
        learning_semantics=learning_semantics,
        threshold=threshold,
        trials=trials,
        samples=samples,
        max_body=max_body,
        max_variables=max_variables,
        epochs=epochs,
        batch=batch,
        journal=None if journal is None else os.fspath(journal),
        resume=resume,
        iterations=iterations,
        tolerance=tolerance,
        loss=loss,
        method=method,
    )
    with tempfile.TemporaryDirectory(prefix="neumann-") as folder:
        for name, examples in (("train", train), ("validation", validation), ("test", test)):
            if examples is not None:
                options[name] = _as_file(examples, os.path.join(folder, f"{name}.jsonl"))
        path, model = _files_of(program, format, folder)
        result, interrupted = _core.learn(path, options, model, progress)
    if interrupted:
        raise Interrupted(result)
    return result


def _files_of(program: Program | str | os.PathLike[str], format: str, folder: str) -> tuple[str, dict[str, Any]]:
    """The path of the task, and how its program is read."""
    if not isinstance(program, Program):
        return os.fspath(program), {}
    if format != "program":
        raise TypeError(f"program: format={format!r} takes a path, not a Program")
    if program._saved:
        raise ValueError("program: a saved graph cannot be learned from; take the program that it was made of")
    path = program._path
    if path is None:
        path = os.path.join(folder, program.name + ("" if program.name.endswith(".nm") else ".nm"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(program._source.text)
    return path, program._model_options()


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
