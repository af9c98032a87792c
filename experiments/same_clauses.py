#!/usr/bin/env python3
"""Whether two programs have the same clauses of a predicate, whatever their variables are called.

    same_clauses.py ONE.nm OTHER.nm PREDICATE/ARITY [--symmetric NAME,…]

Weights and the order of clauses and of goals do not count, nor does that of the arguments of predicates that are --symmetric.
Prints a JSON object: `same` is 1 or 0, and the clauses of both, as they stand there.
"""
import argparse
import itertools
import json
import re
from pathlib import Path

from program_text import clauses, head_and_body, name_and_arguments, predicate_of

VARIABLE = re.compile(r"\b[A-Z_]\w*")
WEIGHT = re.compile(r"^[0-9.e-]+\s*::\s*")


def atoms_of(clause):
    """The head, then the goals without repetition, each a name and its arguments."""
    head, body = head_and_body(clause)
    return [name_and_arguments(head), *(name_and_arguments(goal) for goal in dict.fromkeys(body))]


def normal_form(atoms, symmetric, names):
    """With variables renamed: two clauses are the same if these are equal."""
    def renamed(atom):
        name, arguments = atom
        arguments = [VARIABLE.sub(lambda found: names[found[0]], argument) for argument in arguments]
        return name, *(sorted(arguments) if name in symmetric else arguments)
    return renamed(atoms[0]), frozenset(map(renamed, atoms[1:]))


def variables_of(atoms):
    return list(dict.fromkeys(found for _, arguments in atoms for argument in arguments for found in VARIABLE.findall(argument)))


def same_clause(one, other, symmetric):
    first, second = atoms_of(one), atoms_of(other)
    if sorted((name, len(arguments)) for name, arguments in first) != sorted((name, len(arguments)) for name, arguments in second):
        return False
    variables, targets = variables_of(first), variables_of(second)
    if len(variables) != len(targets):
        return False
    wanted = normal_form(second, symmetric, {name: name for name in targets})
    return any(normal_form(first, symmetric, dict(zip(variables, order))) == wanted for order in itertools.permutations(targets))


def same_clauses(ones, others, symmetric):
    """Each of the ones is one of the others, and as many are there."""
    left = list(others)
    for one in ones:
        found = next((other for other in left if same_clause(one, other, symmetric)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("predicate")
    parser.add_argument("--symmetric", default="", metavar="NAME,…")
    options = parser.parse_args()
    found = []
    for file in (options.one, options.other):
        unweighted = (WEIGHT.sub("", one) for one in clauses(file.read_text()))
        found.append([one for one in unweighted if predicate_of(one) == options.predicate])
    same = same_clauses(*found, set(options.symmetric.split(",")))
    print(json.dumps({"same": int(same), "one": found[0], "other": found[1]}))


if __name__ == "__main__":
    main()
