"""Logic programs: read, checked, asked."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Iterable, Literal, Mapping, Sequence, TypeVar

import numpy as np

from . import _core
from ._atoms import indicator, pattern
from ._clauses import Clauses
from ._errors import Diagnostic, Error
from ._explanation import Explanation
from ._foreign import constant_text, read_declaration, rows_of, values_of
from ._graph import Graph
from ._options import Semantics, did_you_mean, given, suggests_keywords
from ._reasoner import EXACT_SECONDS, Inputs, Reasoner, as_list, input_options
from ._tables import Table, make_table


_Function = TypeVar("_Function", bound=Callable[..., Any])


class Answer(Dict[str, float]):
    """The probabilities of the atoms that were asked, by their texts, for one example."""

    def __init__(self, values: Iterable[tuple[str, float]], id: Any, steps: int, history: list[list[float]]) -> None:
        super().__init__(values)
        #: Of the example: what it says itself, else its number from 1; None for the program as it stands.
        self.id = id
        #: How many steps of reasoning were made.
        self.steps = steps
        #: The values at every step, initial values first, in the order of the atoms; empty unless it was asked for.
        self.history = np.array(history)

    def best(self) -> str:
        """The most probable atom.

        >>> Answer([("a", 0.25), ("b", 0.5)], None, 1, []).best()
        'b'
        """
        return str(max(self, key=self.__getitem__))

    def __reduce__(self) -> Any:
        return Answer, (list(self.items()), self.id, self.steps, self.history.tolist())


#: One example, or several: {"atoms": {atom: probability}, "id": …}, or just {atom: probability}; or JSON Lines in a file.
Examples = Any


def examples_text(examples: Examples) -> str:
    """As JSON Lines."""
    if isinstance(examples, (str, os.PathLike)):
        with open(examples, encoding="utf-8") as file:
            return file.read()
    if isinstance(examples, Mapping):
        examples = [examples]
    lines = []
    for number, one in enumerate(examples):
        if not isinstance(one, Mapping):
            raise TypeError(
                f"examples: expected a dictionary of atoms and probabilities, not {type(one).__name__} (example {number})"
            )
        whole = one if isinstance(one.get("atoms"), Mapping) else {"atoms": one}
        lines.append(json.dumps(whole, default=_plain, allow_nan=True) + "\n")
    return "".join(lines)


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):  # a number of NumPy or PyTorch
        return value.item()
    raise TypeError(f"examples: a value of type {type(value).__name__} is no number")


class Program:
    """A logic program: a file, a folder in the format of the original code, a saved graph, or a text.

    Reading it checks it; what is wrong raises `Error`. Options are those of the command by their names: `term_depth`,
    `distinct`, `allow_repeats`, `memory_limit`, `threads`, `no_warnings`, `tables`.

    >>> program = Program(text="edge(a,b). edge(b,c). path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z).")
    >>> program
    <neumann.Program: 2 clauses, 2 predicates>
    >>> program.reason(queries=["path(a,X)"])
    [{'path(a,b)': 1.0, 'path(a,c)': 1.0}]
    """

    @suggests_keywords
    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        text: str | None = None,
        name: str = "program",
        term_depth: int | None = None,
        distinct: str | None = None,
        allow_repeats: bool | None = None,
        memory_limit: int | None = None,
        threads: int | None = None,
        no_warnings: Sequence[str] | None = None,
        tables: Sequence[str] | None = None,
    ) -> None:
        if (path is None) == (text is None):
            raise TypeError("Program takes either a path or a text")
        self._options = given(
            term_depth=term_depth,
            distinct=distinct,
            allow_repeats=allow_repeats,
            memory_limit=memory_limit,
            threads=threads,
            no_warnings=no_warnings,
            tables=tables,
        )
        self._tables: tuple[Table, ...] = ()
        self._path = None if path is None else os.fspath(path)
        self._source = _core.Source(path=self._path, text=text or "", name=name)
        self._read()

    def _read(self) -> None:
        self._saved = self._path is not None and os.path.isfile(self._path) and _core.Model.is_saved(self._path)
        #: What the command warns about.
        self.warnings: list[Diagnostic] = []
        #: The program in canonical form; empty for a saved graph.
        self.text: str = ""
        #: Its predicates with the types of their arguments, and where they come from: declared, neural, inferred.
        self.predicates: dict[str, str] = {}
        if self._saved:
            return
        check = self._source.check(self._model_options())
        if not check["good"]:
            raise Error(self._shown(check["text"].rstrip("\n")), check["problems"])
        self.warnings = [Diagnostic.of(one) for one in check["problems"]]
        self.text = check["program"]
        self.predicates = dict(check["predicates"])
        self._clauses = int(check["clauses"])

    def _shown(self, text: str) -> str:
        """Tables of ours are called by their names: nobody knows the folders that they are in."""
        for table in self._tables:
            text = text.replace(table.folder, "")
        return text

    def _model_options(self, **more: Any) -> dict[str, Any]:
        tables = [table.directive for table in self._tables] + list(self._options.get("tables", ()))
        return {**self._options, "tables": tables, **more}

    def _model_for(self, inputs: Inputs | None, outputs: str | Sequence[str] | None, semantics: str) -> _core.Model:
        if self._saved:
            assert self._path is not None
            return _core.Model.load(self._path)
        known = {one["name"]: one for one in _core.semantics()}
        more: dict[str, Any] = {"inputs": input_options(inputs), "no_warnings": ["all"]}
        if semantics in known and not known[semantics]["keeps_zero"]:
            more["full"] = True
        if outputs is not None:
            more["queries"] = [pattern(one) for one in as_list(outputs)]
        return self._source.compile(self._model_options(**more))

    @property
    def neural(self) -> list[str]:
        """Its neural predicates, whose probabilities come with each example.

        >>> Program(text=":- neural(digit(image, number)). :- type(image, [a]). :- type(number, 0..9).").neural
        ['digit/2']
        """
        return [indicator(one) for one, origin in self.predicates.items() if origin == "neural"]

    def with_facts(self, predicate: str, facts: Any, probability: Any = None) -> Program:
        """The program with further facts: a row of values for each, from a frame of pandas or Polars, an Arrow table, a
        NumPy array or a list. The program has to use the predicate, so that a misspelt one is an error.

        `probability` is a column, by name or number, or one number for each row.

        >>> program = Program(text=":- pred(edge(node, node)). path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z).")
        >>> roads = program.with_facts("edge", [("ulm", "bonn"), ("bonn", "kiel")], probability=[0.5, 0.5])
        >>> roads.reason(queries=["path(ulm,kiel)"], semantics="exact")
        [{'path(ulm,kiel)': 0.25}]
        """
        if self._saved:
            raise ValueError("with_facts: a saved graph is grounded already")
        table = make_table(predicate, facts, probability)
        self._require_used("with_facts", table.predicate)
        program = Program.__new__(Program)
        program._options, program._path, program._source = self._options, self._path, self._source
        program._tables = (*self._tables, table)
        program._read()
        return program

    def _require_used(self, asking: str, predicate: str) -> None:
        known = [indicator(one) for one in self.predicates]
        if known and predicate not in known:
            raise ValueError(f"{asking}: the program does not use {predicate}{did_you_mean(predicate, known)}")

    def predicate(self, declaration: str) -> Callable[[_Function], _Function]:
        """Defines a predicate of this program by a function of Python: `+` marks an input and its type, `-` an output.

        The function is called once, with an array for each input: together they have all combinations of the types'
        values. It returns an array for each output (None and NaN: there is no answer), or an array of bool if there are
        none. The answers are facts from then on, so graphs that are saved have them. The program has to use the predicate.

        >>> import numpy as np
        >>> program = Program(text=":- type(n, [1, 4, 6]). :- pred(gap(n, n, number)). near(X,Y) :- gap(X,Y,D), D < 3, X < Y.")
        >>> @program.predicate("gap(+n, +n, -number)")
        ... def gap(x, y):
        ...     return np.abs(x - y)
        >>> program.reason(queries="near(X,Y)")
        [{'near(4,6)': 1.0}]
        """
        if self._saved:
            raise ValueError("predicate: a saved graph is grounded already")
        name, places = read_declaration(declaration)
        self._require_used("predicate", f"{name}/{len(places)}")

        def define(function: _Function) -> _Function:
            values = values_of(self, [one for sign, one in places if sign == "+"])
            rows = rows_of(declaration, places, values, function)
            facts = [f"{name}({','.join(map(constant_text, row))})." for row in rows]
            self.__dict__.update(self._with_text("\n".join([self.text, *facts])).__dict__)
            return function

        return define

    def _with_text(self, text: str) -> Program:
        """Another program, read in the same way."""
        program = Program.__new__(Program)
        program._options = {name: value for name, value in self._options.items() if name != "tables"}
        program._tables, program._path = (), None  # their facts are in the text
        program._source = _core.Source(text=text, name=self.name)
        program._read()
        return program

    @suggests_keywords
    def reasoner(
        self,
        inputs: Inputs | None = None,
        outputs: str | Sequence[str] | None = None,
        semantics: Semantics = "softor",
        steps: int | Literal["auto"] | None = "auto",
        device: str = "cpu",
        varying: Clauses = False,
        *,
        gamma: float | None = None,
        k: int | None = None,
        samples: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        memory_budget: int | None = None,
    ) -> Reasoner:
        """The program as a function from arrays to arrays, computed on the processor ("cpu"), a GPU ("cuda"), or
        there where it pays ("auto").

        `inputs` are atoms, or patterns such as "digit(a,D)" that stand for an atom for each value of their variables,
        in the order in which the types declare them; several groups of them may have names. Without them the neural
        predicates are inputs. `outputs` are atoms or patterns, the program's own queries without them. Further options:
        `gamma`, `k` (proofs of each answer, for "topk"), `samples` and `seed` (for "sample"), `threads`, `time_limit`,
        `memory_limit`, `memory_budget`; `varying`, the clauses whose weights will change (True for all, numbers, texts,
        or predicates of heads): under "exact" a clause of weight 1 is certain otherwise.
        """
        return Reasoner(
            self,
            inputs,
            outputs,
            semantics,
            steps,
            device,
            varying,
            gamma=gamma,
            k=k,
            samples=samples,
            seed=seed,
            threads=threads,
            time_limit=time_limit,
            memory_limit=memory_limit,
            memory_budget=memory_budget,
        )

    @suggests_keywords
    def reason(
        self,
        examples: Examples = None,
        *,
        queries: str | Sequence[str] = (),
        semantics: Semantics = "softor",
        steps: int | Literal["auto"] | None = "auto",
        device: str = "cpu",
        weights: Sequence[float] = (),
        history: bool = False,
        batch: int = 64,
        gamma: float | None = None,
        k: int | None = None,
        samples: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        memory_budget: int | None = None,
    ) -> list[Answer]:
        """The probabilities of what is asked in each example, as `neumann reason` computes them.

        >>> program = Program(text=":- neural(rain). wet :- rain. :- query(wet).")
        >>> program.reason([{"rain": 0.25}, {"atoms": {"rain": 0.5}, "id": "monday"}])
        [{'wet': 0.25}, {'wet': 0.5}]
        """
        text = None if examples is None else examples_text(examples)
        reasoner = given(
            semantics=semantics,
            device=device,
            gamma=gamma,
            k=k,
            samples=samples,
            seed=seed,
            threads=threads,
            time_limit=time_limit,
            memory_limit=memory_limit,
            memory_budget=memory_budget,
        )
        reasoner["steps"] = None if steps in ("auto", None) else steps
        full = any(one["name"] == semantics and not one["keeps_zero"] for one in _core.semantics())
        found = _core.reason(
            self._source,
            text,
            as_list(queries),
            list(weights),
            history,
            {} if self._saved else self._model_options(full=full),
            reasoner,
            batch,
        )
        return [Answer(one.values, json.loads(one.id), one.steps, one.history) for one in found]

    def explain(self, atom: str, example: Examples = None, **options: Any) -> Explanation:
        """Why an atom has its value in an example, or in the program as it stands.

        Options: `semantics`, `gamma`, `steps`, `proofs`, `threshold`, `why_not`, `leave_one_out`, `trusted`.

        >>> program = Program(text="0.5::rain. wet :- rain.")
        >>> explanation = program.explain("wet")
        >>> explanation.value, explanation.holds
        (0.5, True)
        """
        found = self.explain_all([atom], None if example is None else [example], **options)
        if not found:
            raise ValueError(f"atom: there is nothing to explain about '{atom}'")
        return found[0]

    @suggests_keywords
    def explain_all(
        self,
        atoms: str | Sequence[str],
        examples: Examples = None,
        *,
        semantics: Semantics | None = None,
        steps: int | Literal["auto"] | None = None,
        answers: int | None = None,
        proofs: int | None = None,
        threshold: float | None = None,
        why_not: bool | None = None,
        leave_one_out: bool | None = None,
        trusted: Sequence[str] | None = None,
        history: bool | None = None,
        gamma: float | None = None,
        k: int | None = None,
        samples: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> list[Explanation]:
        """An explanation for each atom in each example."""
        options = given(
            semantics=semantics,
            steps=None if steps == "auto" else steps,
            answers=answers,
            proofs=proofs,
            threshold=threshold,
            why_not=why_not,
            leave_one_out=leave_one_out,
            trusted=trusted,
            history=history,
            gamma=gamma,
            k=k,
            samples=samples,
            seed=seed,
            threads=threads,
            time_limit=time_limit,
            memory_limit=memory_limit,
        )
        text = None if examples is None else examples_text(examples)
        found = _core.explain(self._source, as_list(atoms), text, {} if self._saved else self._model_options(), options)
        return [Explanation(one, self.name, self._shown) for one in found]

    def graph(self, outputs: str | Sequence[str] | None = None, inputs: Inputs | None = None) -> Graph:
        """The forward reasoning graph: a picture in a notebook.

        >>> graph = Program(text="0.5::rain. wet :- rain.").graph()
        >>> [atom["atom"] for atom in graph.atoms], len(graph.conjunctions)
        (['rain', 'wet'], 1)
        """
        return Graph(self._model_for(inputs, outputs, "softor"))

    def save(
        self,
        path: str | os.PathLike[str],
        outputs: str | Sequence[str] | None = None,
        inputs: Inputs | None = None,
        semantics: Semantics = "softor",
        time_limit: float | None = None,
    ) -> Program:
        """Saves the compiled graph to a file, which `Program(path)` opens in milliseconds, on any number of machines.

        With `semantics="exact"` its circuits are compiled and saved, too, within `time_limit` seconds (60 without it).
        """
        model = self._model_for(inputs, outputs, semantics)
        if semantics == "exact":
            limit = EXACT_SECONDS if time_limit is None else time_limit
            model.compile_exact({} if limit == float("inf") else {"time_limit": limit})
        model.save(os.fspath(path))
        return Program(path)

    @property
    def name(self) -> str:
        return self._path or self._source.name

    def __reduce__(self) -> Any:
        return _remake, (self._path, self._source.text, self._source.name, self._options, self._tables)

    def __repr__(self) -> str:
        if self._saved:
            return f"<neumann.Program: the saved graph {self._path}>"
        return f"<neumann.Program: {self._clauses} clauses, {len(self.predicates)} predicates>"


def _remake(path: str | None, text: str, name: str, options: dict[str, Any], tables: tuple[Table, ...]) -> Program:
    program = Program.__new__(Program)
    program._options, program._path, program._tables = options, path, tables
    program._source = _core.Source(path=path, text=text, name=name)
    program._read()
    return program
