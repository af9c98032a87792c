"""Reasoning from arrays to arrays, with gradients."""

from __future__ import annotations

import itertools
import os
import re
import tempfile
import weakref
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Mapping, NamedTuple, Sequence, Union, cast

import numpy as np

from . import _core
from ._arrays import as_array, require_probabilities, require_shape
from ._atoms import AtomKey, indicator, is_ground, parts, pattern
from ._clauses import Clauses, numbers_of
from ._options import Semantics, did_you_mean, given, suggests_keywords
from ._sparse import SparseRows, is_sparse, sparse_rows

if TYPE_CHECKING:
    from ._program import Program

#: Atoms or patterns; or several such groups, by name.
Inputs = Union[str, Sequence[str], Mapping[str, Union[str, Sequence[str]]]]

#: Seconds after which compiling for "exact" stops, unless `time_limit` says otherwise; infinity for no limit.
EXACT_SECONDS = 60.0


#: Reasoners by numbers, for operators of PyTorch, which take no objects.
by_number: weakref.WeakValueDictionary[int, Reasoner] = weakref.WeakValueDictionary()
_numbers = itertools.count()


class Gradients(NamedTuple):
    """Of a loss, by what it depends on."""

    outputs: np.ndarray  #: the values [B, Q] that the gradients are taken at
    inputs: np.ndarray  #: by the inputs, [B, K]
    weights: np.ndarray  #: by the weights of the clauses, summed over the batch, [C], in double precision


def _key(atom: str) -> AtomKey:
    try:
        return parts(atom)
    except ValueError:  # with operators: only its text identifies it
        return (atom,)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def as_list(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


class Reasoner:
    """A program as a function from probabilities [B, K] of input atoms to probabilities [B, Q] of output atoms.

    Made by `Program.reasoner`. May be called from several threads at once; Python's lock is free while it computes.

    >>> import neumann, numpy as np
    >>> program = neumann.Program(text='''
    ... :- type(image, [a, b]).  :- type(digit, 0..2).
    ... :- neural(digit(image, digit)).
    ... sum(S) :- digit(a, X), digit(b, Y), S is X + Y.
    ... ''')
    >>> reasoner = program.reasoner(inputs=["digit(a,D)", "digit(b,D)"], outputs=["sum(S)"], semantics="exact")
    >>> reasoner.output_atoms
    ['sum(0)', 'sum(1)', 'sum(2)', 'sum(3)', 'sum(4)']
    >>> x = np.array([[0.5, 0.5, 0, 1, 0, 0], [0, 0.25, 0.75, 0, 0, 1]], dtype=np.float32)
    >>> reasoner(x)
    array([[0.5 , 0.5 , 0.  , 0.  , 0.  ],
           [0.  , 0.  , 0.  , 0.25, 0.75]], dtype=float32)
    >>> reasoner.output_values, reasoner.index("sum", 3)
    ([0, 1, 2, 3, 4], 3)
    """

    @suggests_keywords
    def __init__(
        self,
        program: Program,
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
    ) -> None:
        options = given(
            gamma=gamma,
            k=k,
            samples=samples,
            seed=seed,
            threads=threads,
            time_limit=time_limit,
            memory_limit=memory_limit,
            memory_budget=memory_budget,
        )
        if semantics == "exact" and time_limit is None:
            options["time_limit"] = EXACT_SECONDS
        elif time_limit == float("inf"):
            del options["time_limit"]
        self._arguments = dict(
            inputs=inputs, outputs=outputs, semantics=semantics, steps=steps, device=device, varying=varying, **options
        )
        self.program, self.semantics = program, semantics
        self._model = program._model_for(inputs, outputs, semantics)
        names, atoms = self._input_columns(inputs)
        #: The atoms of the columns of the inputs and of the outputs.
        self.input_atoms: list[str] = names
        self.output_atoms, found = self._output_columns(outputs)
        #: The clauses of the program, as they are written, and where their weights are in `weights`.
        self.clauses: list[str] = self._model.clauses
        #: "cpu", "cuda" or "auto".
        self.device = str(device).removesuffix(":0")
        options["device"] = self.device
        options["semantics"] = semantics
        options["steps"] = None if steps in ("auto", None) else steps
        if semantics == "exact" and not varying and not program._saved and not isinstance(program, _WithModel):
            self._model.compile_exact(options)  # which is then a part of it: saved and pickled with it
        self._core = _core.ArrayReasoner(self._model, atoms, found, self.clause_numbers(varying), options)
        self._weights: np.ndarray | None = None
        self.number = next(_numbers)
        by_number[self.number] = self

    def _input_columns(self, inputs: Inputs | None) -> tuple[list[str], list[int | None]]:
        if inputs is None:
            inputs = self.program.neural
        groups = inputs if isinstance(inputs, Mapping) else {"x": inputs}
        names: list[str] = []
        atoms: list[int | None] = []
        #: How many columns each group of inputs has, by its name.
        self.groups: dict[str, int] = {}
        for group, patterns in groups.items():
            before = len(names)
            for one in as_list(patterns):
                instances = self._model.instances(pattern(one))
                if not instances:
                    raise ValueError(f"inputs: nothing matches '{one}'")
                for text, atom, can_be_given in instances:
                    if not can_be_given:
                        raise ValueError(f"inputs: this graph was saved as if {text} had no values of its own")
                    names.append(text)
                    atoms.append(atom)
            self.groups[group] = len(names) - before
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"inputs: {twice} is there twice")
        return names, atoms

    def _output_columns(self, outputs: str | Sequence[str] | None) -> tuple[list[str], list[int | None]]:
        names: list[str] = []
        atoms: list[int | None] = []
        for one in self._model.queries if outputs is None else as_list(outputs):
            found = self._model.matching(pattern(one))
            names += [self._model.atom_name(atom) for atom in found]
            atoms += found
            if not found and is_ground(one):  # it cannot be derived: always 0
                names += [text for text, _, _ in self._model.instances(pattern(one))]
                atoms.append(None)
            elif not found:
                raise ValueError(f"outputs: nothing that can be derived matches '{one}'")
        if not names:
            raise ValueError("outputs: the program has no queries; say which atoms are wanted")
        return names, atoms

    @property
    def output_values(self) -> list[Any]:
        """The arguments of the output atoms as Python values: of predicates with one argument the value, else a tuple."""
        return [one[1] if len(one) == 2 else one[1:] for one in self._output_keys]

    def index(self, predicate: str, *arguments: Any) -> int:
        """The column of an output atom: `reasoner.index("sum", 7)`, or of its text: `reasoner.index("sum(7)")`."""
        return self._place(self._output_keys, "output", predicate, arguments)

    def input_index(self, predicate: str, *arguments: Any) -> int:
        """The column of an input atom."""
        return self._place(self._input_keys, "input", predicate, arguments)

    @cached_property
    def _output_keys(self) -> list[AtomKey]:
        return [_key(one) for one in self.output_atoms]

    @cached_property
    def _input_keys(self) -> list[AtomKey]:
        return [_key(one) for one in self.input_atoms]

    @cached_property
    def _input_places(self) -> dict[AtomKey, int]:
        return {key: place for place, key in enumerate(self._input_keys)}

    def _sparse(self, x: Any) -> SparseRows:
        return sparse_rows(x, self._input_places, _key)

    @staticmethod
    def _place(keys: list[AtomKey], what: str, predicate: str, arguments: tuple[Any, ...]) -> int:
        wanted = (predicate, *(_plain(one) for one in arguments)) if arguments else _key(predicate)
        if wanted in keys:
            return keys.index(wanted)
        of_predicate = [one for one in keys if one[0] == wanted[0]]
        if not of_predicate:
            raise KeyError(f"no {what} atom has the predicate '{wanted[0]}'{did_you_mean(str(wanted[0]), {str(one[0]): 0 for one in keys})}")
        raise KeyError(
            f"no {what} atom is {wanted}; the {len(of_predicate)} of '{wanted[0]}' are {of_predicate[0]} to {of_predicate[-1]}"
        )

    @cached_property
    def exclusive_groups(self) -> np.ndarray:
        """For each column of the inputs the number of its group: of atoms of which one holds at most, as `:- exclusive` says."""
        directives = re.findall(r"^:- exclusive\((\w+)/(\d+), *(\d+)\)", self.program.text, re.MULTILINE)
        place = {(name, int(arity)): int(argument) for name, arity, argument in directives}
        groups: dict[Any, int] = {}
        found = []
        for column, key in enumerate(self._input_keys):
            argument = place.get((key[0], len(key) - 1))
            group = column if argument is None else (*key[:argument], None, *key[argument + 1 :])
            found.append(groups.setdefault(group, len(groups)))
        return np.array(found, dtype=np.int64)

    def clause_numbers(self, which: Clauses) -> list[int]:
        """The numbers of clauses, in their order: True for all, numbers, texts of clauses, or predicates of heads ("wet", "wet/1").

        >>> import neumann
        >>> reasoner = neumann.Program(text="0.3::a :- b. 0.4::a :- c. d :- a. :- neural(b). :- neural(c).").reasoner(outputs="d")
        >>> reasoner.clause_numbers("a"), reasoner.clause_numbers(["d/0", 0]), reasoner.clause_numbers(reasoner.clauses[1])
        ([0, 1], [0, 2], [1])
        """
        return numbers_of(which, self.clauses)

    @property
    def weights(self) -> np.ndarray:
        """The weight of each clause, in double precision. They may be set."""
        return np.array(self._model.weights if self._weights is None else self._weights)

    @weights.setter
    def weights(self, values: Any) -> None:
        self._weights = self._checked_weights(values)

    def _checked_weights(self, values: Any) -> np.ndarray | None:
        if values is None:
            return None
        weights = np.array(values, dtype=np.float64)
        if weights.shape != (len(self.clauses),):
            raise ValueError(
                f"weights: expected one for each of the {len(self.clauses)} clauses, not an array of shape {list(weights.shape)}"
            )
        for clause, weight in zip(self.clauses, weights):
            if not 0 <= weight <= 1:
                raise ValueError(f"weights: the weight {weight} of the clause '{clause}' is not in [0, 1]")
        return weights

    def _checked(self, x: Any, groups: dict[str, Any]) -> np.ndarray:
        if groups:
            x = self._joined(x, groups)
        elif x is None:
            raise TypeError("expected an array of inputs")
        array = as_array("x", x)
        require_shape("x", array, None, len(self.input_atoms), "input atoms")
        return array

    def _joined(self, x: Any, groups: dict[str, Any]) -> np.ndarray:
        require_groups(groups, self.groups, x is not None)
        parts = [as_array(name, groups[name]) for name in self.groups]
        for (name, width), part in zip(self.groups.items(), parts):
            require_shape(name, part, len(parts[0]), width, "atoms of this group")
        if len({part.dtype for part in parts}) > 1:
            raise TypeError(f"{next(iter(self.groups))}: all groups must have the same type, float32 or float64")
        return np.concatenate(parts, axis=1)

    def _explain_inputs(self, x: np.ndarray, weights: Any) -> None:
        """Raises the error that the core told in numbers, in names."""
        require_probabilities("x", x, self.input_atoms)
        self._checked_weights(weights)

    def __call__(self, x: Any = None, /, *, weights: Any = None, **groups: Any) -> np.ndarray:
        """The outputs [B, Q] for inputs [B, K], float32 or float64, or for groups of them by name.

        float64 is computed in double precision, by an engine that is slower. Inputs may be sparse: a matrix of SciPy, or
        a dictionary of atoms for each example; all others are 0 then.

        >>> import neumann
        >>> program = neumann.Program(text=":- pred(edge(node, node)). path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z).")
        >>> roads = program.reasoner(["edge(ulm,bonn)", "edge(bonn,kiel)", "edge(ulm,kiel)"], "path(ulm,kiel)", "exact")
        >>> roads([{"edge(ulm,bonn)": 0.5, "edge(bonn,kiel)": 0.5}, {("edge", "ulm", "kiel"): 0.75}])
        array([[0.25],
               [0.75]])
        """
        if is_sparse(x):
            return self._sparse_forward(self._sparse(x), weights)[0]
        array = self._checked(x, groups)
        return self._checked_forward(array, self._weights if weights is None else self._checked_weights(weights))

    def _checked_forward(self, array: np.ndarray, used: np.ndarray | None) -> np.ndarray:
        try:
            return self._core.forward(array, used)
        except ValueError:
            self._explain_inputs(array, used)
            raise

    def _sparse_forward(self, rows: SparseRows, weights: Any) -> tuple[np.ndarray, Any]:
        used = self._weights if weights is None else self._checked_weights(weights)
        return self._core.sparse_forward(*rows, used)

    def gradients(self, x: Any = None, /, by_output: Any = None, *, weights: Any = None, **groups: Any) -> Gradients:
        """The gradients of a loss whose derivative by the outputs is `by_output` [B, Q]; without it, of their sum.

        >>> import neumann, numpy as np
        >>> program = neumann.Program(text=":- neural(a). :- neural(b). 0.5::c :- a, b.")
        >>> reasoner = program.reasoner(inputs=["a", "b"], outputs=["c"], semantics="max-product")
        >>> found = reasoner.gradients(np.array([[0.5, 0.25]]))
        >>> found.outputs, found.inputs, found.weights
        (array([[0.0625]]), array([[0.125, 0.25 ]]), array([0.125]))
        """
        if is_sparse(x):
            return self._sparse_gradients(self._sparse(x), by_output, weights)
        array = self._checked(x, groups)
        used = self._weights if weights is None else self._checked_weights(weights)
        try:
            outputs, kept = self._core.forward_and_keep(array, used)
        except ValueError:
            self._explain_inputs(array, used)
            raise
        return Gradients(outputs, *kept.backward(self._seeds(by_output, outputs), True, True))

    def _sparse_gradients(self, rows: SparseRows, by_output: Any, weights: Any) -> Gradients:
        """Those by the inputs are by the given values, in their order."""
        outputs, kept = self._sparse_forward(rows, weights)
        return Gradients(outputs, *kept.sparse_backward(*rows, self._seeds(by_output, outputs), True, True))

    def _seeds(self, by_output: Any, outputs: np.ndarray) -> np.ndarray:
        seeds = np.ones_like(outputs) if by_output is None else as_array("by_output", by_output)
        require_shape("by_output", seeds, len(outputs), len(self.output_atoms), "output atoms")
        if not np.isfinite(seeds).all():
            raise ValueError("by_output: a gradient is not finite")
        return seeds.astype(outputs.dtype, copy=False)

    def __reduce__(self) -> Any:
        return _remake, (self.program, self._arguments, self._weights, self._saved_model())

    def _saved_model(self) -> bytes | None:
        """The graph with its circuit, so that a copy in another process does not compile it again."""
        if self.semantics != "exact":
            return None
        with tempfile.TemporaryDirectory(prefix="neumann-") as folder:
            path = os.path.join(folder, "model.nmg")
            self._model.save(path)
            with open(path, "rb") as file:
                return file.read()

    def __repr__(self) -> str:
        return f"<neumann.Reasoner: {len(self.input_atoms)} inputs, {len(self.output_atoms)} outputs, {len(self.clauses)} clauses, {self.semantics}>"


class _WithModel:
    """A program that is compiled already."""

    def __init__(self, program: Program, model: _core.Model) -> None:
        self._program, self._model = program, model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._program, name)

    def _model_for(self, *_: Any) -> _core.Model:
        return self._model


def _remake(program: Program, arguments: dict[str, Any], weights: np.ndarray | None, saved: bytes | None) -> Reasoner:
    if saved is None:
        reasoner = Reasoner(program, **arguments)
    else:
        with tempfile.TemporaryDirectory(prefix="neumann-") as folder:
            path = os.path.join(folder, "model.nmg")
            with open(path, "wb") as file:
                file.write(saved)
            model = _core.Model.load(path)
        reasoner = Reasoner(cast("Program", _WithModel(program, model)), **arguments)
        reasoner.program = program
    reasoner._weights = weights
    return reasoner


def require_groups(given: dict[str, Any], known: dict[str, int], positional: bool) -> None:
    if positional:
        raise TypeError("inputs are given either as one array or as groups by name")
    for name in given:
        if name not in known:
            raise TypeError(f"there is no group of inputs '{name}'; known are {', '.join(known)}")
    for name in known:
        if name not in given:
            raise TypeError(f"the group of inputs '{name}' is missing")


def input_options(inputs: Inputs | None) -> list[str]:
    """What a model has to be compiled for: single atoms, and the predicates of patterns."""
    if inputs is None:
        return []
    groups = inputs.values() if isinstance(inputs, Mapping) else [inputs]
    atoms = [one for group in groups for one in as_list(group)]
    listed = {one: "(" in one and is_ground(one) for one in atoms}
    return list(dict.fromkeys(one if is_listed else indicator(one) for one, is_listed in listed.items()))
