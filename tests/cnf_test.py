#!/usr/bin/env python3
"""Weighted CNF there and back: counts against enumeration and other counters, programs as clauses and circuits.

    cnf_test.py NEUMANN

pyganak and PySDD count beside, where they are installed.
"""
import importlib.util
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

import cnf_instances

SMALL, LARGE = 60, 20  # how many files
PROGRAMS = [
    "0.3::a. 0.6::b. :- query(a).",  # the circuit is a literal
    "0.3::a. b :- a. :- query(b).",
    "0.3::a. 0.6::b. p :- a. p :- b. :- query(p).",
    "0.3::a. 0.6::b. 0.2::c. p :- a, \\+ b. p :- b, c. q :- \\+ p. :- query(q). evidence(\\+ c).",
    "0.2::d(1,0) ; 0.5::d(1,1) ; 0.1::d(1,2). 0.4::d(2,0) ; 0.6::d(2,1). s(S) :- d(1,X), d(2,Y), S is X+Y. :- query(s(1)).",
    "item(1). item(2). item(3). 0.4::good(X) :- item(X). some :- good(_). all :- good(1), good(2), good(3). "
    ":- query(all). evidence(some).",
    "0.5::e(1,2). 0.5::e(2,3). 0.5::e(1,3). 0.5::e(3,4). path(X,Y) :- e(X,Y). path(X,Y) :- e(X,Z), path(Z,Y). :- query(path(1,4)).",
]


def fail(message):
    sys.exit(f"cnf_test: {message}")


class Neumann:
    def __init__(self, command):
        self.command = command

    def run(self, *arguments):
        result = subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True)
        if result.returncode != 0:
            fail(f"neumann {' '.join(map(str, arguments))}\n{result.stderr}")
        return result.stdout

    def count(self, file):
        return json.loads(self.run("reason", file, "--json"))


def require_close(what, found, expected, tolerance=1e-9):
    if abs(found - expected) > tolerance * max(abs(expected), 1e-300):
        fail(f"{what}: {found} where {expected} is expected")


def holds(clauses, values):
    return all(any((literal > 0) == values[abs(literal)] for literal in clause) for clause in clauses)


def enumerated(cnf):
    """The weights of all models, those with the same shown variables once."""
    shown = cnf.shown or list(range(1, cnf.variables + 1))
    found = {}
    for world in itertools.product((False, True), repeat=cnf.variables):
        values = dict(enumerate(world, 1))
        if not holds(cnf.clauses, values):
            continue
        weight = 1.0
        for v in shown:
            weight *= cnf.weights.get(v if values[v] else -v, 1)
        found[tuple(values[v] for v in shown)] = weight
    return sum(found.values())


def read_cnf(text):
    cnf = cnf_instances.Cnf("read")
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["p", "cnf"]:
            cnf.new(int(words[2]))
        elif words[:3] == ["c", "p", "weight"]:
            cnf.weights[int(words[3])] = float(words[4])
        elif words[0] != "c":
            cnf.clauses.append([int(word) for word in words[:-1]])
    return cnf


def weigh_circuit(text, weights):
    """The value of a circuit in the format nnf, whose conjunctions share no variables and whose disjunctions exclude each other
    by some variable or are of distinct literals of it. A variable that a part leaves out may have either value."""
    lines = text.splitlines()
    nodes, edges, variables = map(int, lines[0].split()[1:])
    if len(lines) != nodes + 1:
        fail(f"a circuit of {nodes} nodes has {len(lines) - 1} lines")
    found, counted = [], 0
    whole = {v: Fraction(weights.get(v, 1.0)) + Fraction(weights.get(-v, 1.0)) for v in range(1, variables + 1)}
    for line in lines[1:]:
        kind, *numbers = line.split()
        numbers = [int(number) for number in numbers]
        if kind == "L":
            found.append((Fraction(weights.get(numbers[0], 1.0)), {abs(numbers[0])}))
            continue
        children = [found[child] for child in (numbers[1:] if kind == "A" else numbers[2:])]
        counted += len(children)
        scope = set().union(*[variables for _, variables in children])
        if kind == "A":
            if len(scope) != sum(len(variables) for _, variables in children):
                fail(f"a conjunction is not decomposable: {line}")
            value = Fraction(1)
            for child, _ in children:
                value *= child
        else:
            value = Fraction(0)
            for child, variables in children:
                for v in scope - variables:
                    child *= whole[v]
                value += child
        found.append((value, scope))
    if counted != edges:
        fail(f"a circuit of {edges} edges has {counted}")
    return found[-1]


def check_counts(neumann, folder):
    file = folder / "small.cnf"
    for seed in range(1, SMALL + 1):
        cnf = cnf_instances.instance(seed, random.Random(seed).randint(5, 9), projected=seed % 3 == 0)
        if cnf.variables > 14:
            continue
        file.write_text(cnf.text(), encoding="utf-8")
        found, expected = neumann.count(file), enumerated(cnf)
        require_close(f"seed {seed}", found["count"], expected)
        if found["kind"] != cnf.kind():
            fail(f"seed {seed} is {cnf.kind()}, and counted as {found['kind']}")
        if not cnf.weights and found["digits"] != str(round(expected)):
            fail(f"seed {seed}: {found['digits']} is not {expected}")
        if not cnf.shown and cnf.clauses and all(cnf.weights.get(v, 1) + cnf.weights.get(-v, 1) > 0 for v in range(1, cnf.variables + 1)):
            check_as_program(neumann, file, cnf, expected, seed)


def check_as_program(neumann, file, cnf, expected, seed):
    values = json.loads(neumann.run("reason", file, "--engine", "reference", "--json", "--all-answers"))["values"]
    scale = 1.0
    for v in range(1, cnf.variables + 1):
        scale *= cnf.weights.get(v, 1) + cnf.weights.get(-v, 1)
    require_close(f"seed {seed} as a program", values["models"] * scale, expected, 1e-6)


def check_programs(neumann, folder):
    for number, text in enumerate(PROGRAMS):
        program, clauses = folder / "program.nm", folder / "program.cnf"
        program.write_text(text.replace(". ", ".\n") + "\n", encoding="utf-8")
        answer = json.loads(neumann.run("reason", program, "--semantics", "exact", "--engine", "reference", "--json"))
        value = next(iter(answer["values"].values()))
        clauses.write_text(neumann.run("convert", program, "--to", "cnf"), encoding="utf-8")
        cnf = read_cnf(clauses.read_text(encoding="utf-8"))
        joint = neumann.count(clauses)["count"]
        require_close(f"program {number} by enumeration", joint, enumerated(cnf))
        if "evidence" not in text:
            require_close(f"program {number}", joint, value)
        circuit = neumann.run("graph", program, "--format", "nnf", "-o", "-")
        weighed, _ = weigh_circuit(circuit, cnf.weights)
        require_close(f"program {number} as a circuit", float(weighed), joint)
        check_sdd(clauses, joint)


def check_sdd(clauses, expected):
    if importlib.util.find_spec("pysdd") is None:
        return
    from pysdd.sdd import SddManager

    cnf = read_cnf(clauses.read_text(encoding="utf-8"))
    manager = SddManager(var_count=cnf.variables)
    formula = manager.true()
    for clause in cnf.clauses:
        one = manager.false()
        for literal in clause:
            one = one | manager.literal(literal)
        formula = formula & one
    counter = formula.wmc(log_mode=False)
    for v in range(1, cnf.variables + 1):
        counter.set_literal_weight(manager.literal(v), cnf.weights.get(v, 1.0))
        counter.set_literal_weight(manager.literal(-v), cnf.weights.get(-v, 1.0))
    require_close("PySDD", counter.propagate(), expected)


def check_ganak(neumann, folder):
    if importlib.util.find_spec("pyganak") is None:
        return
    import pyganak

    file = folder / "large.cnf"
    for seed in range(1001, 1001 + LARGE):
        cnf = cnf_instances.instance(seed, 40, projected=seed % 4 == 0)
        file.write_text(cnf.text(), encoding="utf-8")
        counter = pyganak.WeightedCounter() if cnf.weights else pyganak.Counter()
        counter.new_vars(cnf.variables)
        counter.add_clauses(cnf.clauses)
        for literal, weight in cnf.weights.items():
            counter.set_lit_weight(literal, weight)
        if cnf.shown:
            counter.set_sampling_set(cnf.shown)
        require_close(f"seed {seed} by Ganak", neumann.count(file)["count"], float(counter.count()))


def main():
    neumann = Neumann(sys.argv[1])
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        check_counts(neumann, folder)
        check_programs(neumann, folder)
        check_ganak(neumann, folder)


if __name__ == "__main__":
    main()
