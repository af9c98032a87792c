"""Reasoning by the equations of the paper in double precision, over a grounding of its own: what engines are held against.

Two readings: the equations as printed, and the formulas of the published program where they differ from them. It takes γ = 0.015
and adds 1e-4 inside the logarithm where an atom's clauses are put together, divides whole vectors by their largest number where
that is above 1, where the text has nothing, and gives ⊤ a clause of its own with the weight of the first one.
"""
import math
import re
from dataclasses import dataclass

from program_text import clauses, head_and_body, name_and_arguments

GAMMA = 0.01
PROGRAM_GAMMA, PROGRAM_EPSILON = 0.015, 1e-4
WEIGHTED = re.compile(r"\s*([0-9.]+)\s*::(.*)", re.DOTALL)


@dataclass
class GroundClause:
    weight: float
    head: int
    body: frozenset  # of atoms' numbers


def matched(pattern, text, bound):
    """The bindings with which a pattern becomes the text, or None. Both are terms or atoms, without spaces."""
    if re.fullmatch(r"[A-Z_]\w*", pattern):
        return bound if bound.get(pattern) == text else None if pattern in bound else {**bound, pattern: text}
    (name, inner), (other_name, other_inner) = name_and_arguments(pattern), name_and_arguments(text)
    if name != other_name or len(inner) != len(other_inner):
        return None
    for one, other in zip(inner, other_inner):
        bound = matched(one, other, bound)
        if bound is None:
            return None
    return bound


def ground_clauses(program, atoms):
    """All instances of the clauses whose head and goals are atoms. Facts are no clauses here: they are initial values."""
    found = []
    for clause in clauses(program):
        weighted = WEIGHTED.match(clause)
        head, body = head_and_body((weighted[2] if weighted else clause).replace(" ", ""))
        if not body:
            continue
        instances = [({}, [])]
        for goal in (head, *body):
            instances = [(bound, [*numbers, number]) for before, numbers in instances for number, atom in enumerate(atoms)
                         if (bound := matched(goal, atom, before)) is not None]
        weight = float(weighted[1]) if weighted else 1.0
        found += [GroundClause(weight, numbers[0], frozenset(numbers[1:])) for _, numbers in instances]
    return found


def soft_or(values, gamma, epsilon=0.0):
    largest = max(values)
    total = sum(math.exp((value - largest) / gamma) for value in values)
    return largest + gamma * math.log(total + epsilon * math.exp(-largest / gamma))


def clamped(values):
    return [min(value, 1.0) for value in values]


def divided(values):
    largest = max(values, default=0.0)
    return [value / largest for value in values] if largest > 1 else values


def history(program, initial, steps, as_program):
    """The values of all atoms after 0, 1, … steps, as dictionaries; `initial` is the first of them."""
    atoms = [*initial, "⊤"]
    ground = ground_clauses(program, list(initial))
    bound, gamma, epsilon = (divided, PROGRAM_GAMMA, PROGRAM_EPSILON) if as_program else (clamped, GAMMA, 0.0)
    if as_program:
        ground.append(GroundClause(ground[0].weight, len(initial), frozenset([len(initial)])))
    of = [[number for number, clause in enumerate(ground) if clause.head == atom] for atom in range(len(atoms))]
    x, held, states = [*initial.values(), 1.0], [0.0] * len(ground), [dict(initial)]
    for _ in range(steps):
        held = bound([soft_or([old, math.prod(x[atom] for atom in clause.body)], GAMMA) for old, clause in zip(held, ground)])
        told = [[ground[number].weight * held[number] for number in numbers] for numbers in of]
        if as_program:
            messages = bound([soft_or(values, gamma, epsilon) if values else gamma * math.log(epsilon) for values in told])
            x = bound([soft_or([old, message], GAMMA) for old, message in zip(x, messages)])
        else:
            x = bound([soft_or([old, min(soft_or(values, gamma), 1.0)], GAMMA) if values else old for old, values in zip(x, told)])
        states.append(dict(zip(initial, x)))
    return states
