"""Weighted CNF files of mixed structure, from seeds: random clauses of three, grids, chains, blocks, at most one of many."""

import random


class Cnf:
    def __init__(self, name):
        self.name = name
        self.variables = 0
        self.clauses = []
        self.weights = {}  # per literal
        self.shown = []

    def new(self, count):
        first = self.variables + 1
        self.variables += count
        return list(range(first, first + count))

    def weigh(self, draw):
        for v in range(1, self.variables + 1):
            if draw.random() < 0.8:
                weight = draw.choice([0.5, draw.random(), draw.uniform(0.01, 3)])
                self.weights[v] = weight
                self.weights[-v] = draw.choice([1 - weight if weight < 1 else 1, draw.random()])

    def kind(self):
        return ("p" if self.shown else "") + ("wmc" if self.weights else "mc")

    def text(self):
        lines = [f"c {self.name}", f"p cnf {self.variables} {len(self.clauses)}", f"c t {self.kind()}"]
        lines += [f"c p weight {literal} {weight!r} 0" for literal, weight in self.weights.items()]
        if self.shown:
            lines.append("c p show " + " ".join(map(str, self.shown)) + " 0")
        lines += [" ".join(map(str, clause)) + " 0" for clause in self.clauses]
        return "\n".join(lines) + "\n"


def add_random(cnf, draw, variables, ratio, size=3):
    for _ in range(round(ratio * len(variables))):
        some = draw.sample(variables, min(size, len(variables)))
        cnf.clauses.append([draw.choice([-1, 1]) * v for v in some])


def add_at_most_one(cnf, draw, variables):
    """Pairs, or a chain of auxiliary variables: one of them holds from there on."""
    if draw.random() < 0.5:
        cnf.clauses += [[-a, -b] for i, a in enumerate(variables) for b in variables[:i]]
        return
    since = cnf.new(len(variables))
    for i, v in enumerate(variables):
        cnf.clauses.append([-v, since[i]])
        if i > 0:
            cnf.clauses += [[-since[i - 1], since[i]], [-v, -since[i - 1]], [v, since[i - 1], -since[i]]]
        else:
            cnf.clauses.append([v, -since[i]])


def random_threes(draw, size):
    cnf = Cnf("random")
    add_random(cnf, draw, cnf.new(size), draw.choice([1.5, 2.5, 3.4, 4.2]))
    return cnf


def grid(draw, size):
    cnf = Cnf("grid")
    width = max(2, round(size**0.5))
    rows = [cnf.new(width) for _ in range(max(2, size // width))]
    for i, row in enumerate(rows):
        for j, v in enumerate(row):
            for other in ([row[j + 1]] if j + 1 < width else []) + ([rows[i + 1][j]] if i + 1 < len(rows) else []):
                cnf.clauses.append([draw.choice([-1, 1]) * v, draw.choice([-1, 1]) * other])
    return cnf


def chain(draw, size):
    cnf = Cnf("chain")
    variables = cnf.new(size)
    for i in range(size - 3):
        for _ in range(draw.randint(1, 2)):
            some = draw.sample(variables[i : i + 5], min(3, len(variables[i : i + 5])))
            cnf.clauses.append([draw.choice([-1, 1]) * v for v in some])
    return cnf


def blocks(draw, size):
    cnf = Cnf("blocks")
    parts = [cnf.new(draw.randint(8, 14)) for _ in range(max(2, size // 11))]
    for part in parts:
        add_random(cnf, draw, part, draw.uniform(1.5, 3.5))
    for before, after in zip(parts, parts[1:]):
        cnf.clauses.append([draw.choice([-1, 1]) * draw.choice(before), draw.choice([-1, 1]) * draw.choice(after)])
    return cnf


def colours(draw, size):
    cnf = Cnf("at most one")
    groups = [cnf.new(draw.randint(3, 6)) for _ in range(max(2, size // 5))]
    for group in groups:
        if draw.random() < 0.8:
            cnf.clauses.append(list(group))
        add_at_most_one(cnf, draw, group)
    for i, group in enumerate(groups):
        for other in groups[max(0, i - 3) : i]:
            if draw.random() < 0.6:
                cnf.clauses += [[-a, -b] for a, b in zip(group, other)]
    return cnf


FAMILIES = (random_threes, grid, chain, blocks, colours)


def instance(seed, size, projected=False):
    draw = random.Random(seed)
    cnf = FAMILIES[seed % len(FAMILIES)](draw, size)
    if draw.random() < 0.7:
        cnf.weigh(draw)
    if projected:
        cnf.shown = sorted(draw.sample(range(1, cnf.variables + 1), max(1, cnf.variables // 2)))
        cnf.weights = {literal: weight for literal, weight in cnf.weights.items() if abs(literal) in cnf.shown}
    return cnf
