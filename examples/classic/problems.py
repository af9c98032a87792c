"""The classic problems: how a world of each kind is made and labelled, which worlds there are, what is to be found.

Labels are computed with ordinary code. Hand-made worlds hold the cases that tell right programs from wrong ones, large
ones are drawn at random from fixed seeds.
"""

import itertools
import random
from dataclasses import dataclass

MOST_TARGETS = 200
NODES = list("abcdefghijklmn")
PEOPLE = "ada ben cleo dan eva fred gail hal ivy jon kim leo mia ned oda paul".split()
WOMEN, MEN = PEOPLE[::2], PEOPLE[1::2]
ELEMENTS = "red green blue gray cyan pink".split()
COLOURS = "red green blue".split()


@dataclass
class World:
    name: str
    atoms: list  # tuples: predicate, arguments …
    targets: dict  # tuple → whether it is true


@dataclass
class Problem:
    target: str  # the predicate that is labelled, name/arity
    train: list
    test: list
    solution: str  # a program in the mode language
    rivals: list  # wrong programs that look simple or close; the training worlds rule them out


# Chance. Only random() gives the same numbers with every version of Python, so everything is made of it.


def shuffled(items, rng):
    return sorted(items, key=lambda _: rng.random())


def choice(items, rng):
    return items[int(rng.random() * len(items))]


def labelled(predicate, true, candidates, seed=0):
    """The targets of a world: the tuples of arguments `candidates`, of which those in `true` are."""
    candidates = list(candidates)
    false = [c for c in candidates if c not in true]
    kept = set(shuffled(false, random.Random(seed))[: max(0, MOST_TARGETS - len(true))])
    return {(predicate, *c): c in true for c in candidates if c in true or c in kept}


def pairs(items):
    return list(itertools.product(items, repeat=2))


def singles(items):
    return [(item,) for item in items]


# Numbers.


def numbers(count, seed=None):
    """The first names, or the first of all names in any order: a name is no clue to the number that it stands for."""
    names = [f"n{i}" for i in range(16)]
    return names[:count] if seed is None else shuffled(names, random.Random(seed))[:count]


def chain(line):
    return [("zero", line[0])] + [("succ", x, y) for x, y in zip(line, line[1:])]


def predecessor(name, line):
    true = {(y, x) for x, y in zip(line, line[1:])}
    return World(name, chain(line), labelled("predecessor", true, pairs(line)))


def even(name, line):
    return World(name, chain(line), labelled("even", {(x,) for x in line[::2]}, singles(line)))


def less_than(name, line):
    return World(name, chain(line), labelled("less_than", set(itertools.combinations(line, 2)), pairs(line)))


def multiples(predicate, factor):
    """Numbers that can be divided by `factor`."""
    return lambda name, line: World(name, chain(line), labelled(predicate, {(x,) for x in line[::factor]}, singles(line)))


# Lists.


def length(name, lengths, line):
    """Lists of the given lengths; each ends in a cell of its own, which is empty."""
    atoms, true, cells = chain(line), set(), []
    for size in lengths:
        own = [f"c{len(cells) + i}" for i in range(size + 1)]
        cells += own
        atoms += [("cons", c, d) for c, d in zip(own, own[1:])] + [("empty", own[-1])]
        true |= {(c, line[size - i]) for i, c in enumerate(own)}
    return World(name, atoms, labelled("length", true, itertools.product(cells, line)))


def member(name, lists):
    atoms, true, cells = [], set(), []
    for elements in lists:
        own = [f"c{len(cells) + i}" for i in range(len(elements))]
        cells += own
        atoms += [("cons", c, d) for c, d in zip(own, own[1:])]
        atoms += [("value", c, x) for c, x in zip(own, elements)]
        true |= {(x, c) for i, c in enumerate(own) for x in elements[i:]}
    values = [e for e in ELEMENTS if any(e in elements for elements in lists)]
    return World(name, atoms, labelled("member", true, itertools.product(values, cells)))


# Families.


@dataclass
class Family:
    women: list
    men: list
    children: dict  # child → mother, father; None: not on record

    def people(self):
        return sorted(self.women + self.men)

    def atoms(self):
        for child, (mother, father) in self.children.items():
            if mother:
                yield "mother", mother, child
            if father:
                yield "father", father, child

    def parents(self, person):
        return {p for p in self.children.get(person, ()) if p}


def random_family(founders, generations, seed):
    """So many couples and their descendants in generations of the given sizes, girls and boys in turn. In each but the last
    generation all except one marry somebody from elsewhere. One parent in six is not on record, but never both."""
    rng = random.Random(seed)
    family = Family(WOMEN[:founders], MEN[:founders], {})

    def newcomer(is_woman):
        known, names = (family.women, WOMEN) if is_woman else (family.men, MEN)
        known.append(names[len(known)])
        return known[-1]

    couples = list(zip(family.women, family.men))
    is_girl = True
    for generation, size in enumerate(generations, 1):
        married = []
        for place in range(1, size + 1):
            child = newcomer(is_girl)
            mother, father = couples[place % len(couples)]
            unknown = int(rng.random() * 6)
            family.children[child] = (None if unknown == 0 else mother, None if unknown == 1 else father)
            if generation < len(generations) and place < size:
                married.append((child, newcomer(False)) if is_girl else (newcomer(True), child))
            is_girl = not is_girl
        couples = married
    return family


def grandparent(name, family):
    true = {(g, x) for x in family.people() for p in family.parents(x) for g in family.parents(p)}
    return World(name, list(family.atoms()), labelled("grandparent", true, pairs(family.people())))


def son(name, family):
    true = {(x, p) for x in family.men for p in family.parents(x)}
    people = family.people()
    genders = [("female" if person in family.women else "male", person) for person in people]
    return World(name, list(family.atoms()) + genders, labelled("son", true, pairs(people)))


def husband(name, family):
    true = {(father, mother) for mother, father in family.children.values() if mother and father}
    return World(name, list(family.atoms()), labelled("husband", true, pairs(family.people())))


def brothers(family):
    return {(x, y) for x, y in pairs(family.people()) if x != y and x in family.men and family.parents(x) & family.parents(y)}


def brother_atoms(family):
    return [("brother", x, y) for x, y in sorted(brothers(family))]


def uncle(name, family):
    true = {(x, z) for x, y in brothers(family) for z in family.people() if y in family.parents(z)}
    return World(name, list(family.atoms()) + brother_atoms(family), labelled("uncle", true, pairs(family.people())))


def father(name, family):
    """Of children whose mother and father are both known; what is given is who is married to whom."""
    couples = {(f, m) for m, f in family.children.values() if m and f}
    mothers = {(m, child) for child, (m, _) in family.children.items() if m}
    atoms = [("mother", m, child) for m, child in sorted(mothers)] + [("husband", f, m) for f, m in sorted(couples)]
    true = {(f, child) for f, m in couples for m2, child in mothers if m == m2}
    return World(name, atoms + brother_atoms(family), labelled("father", true, pairs(family.people())))


def related(name, family):
    """Connected by steps from parent to child and from child to parent."""
    steps = {(p, x) for x in family.people() for p in family.parents(x)}
    true = path_ends(steps | {(y, x) for x, y in steps})
    return World(name, [("parent", x, y) for x, y in sorted(steps)], labelled("related", true, pairs(family.people())))


# Graphs.


def edges(text):
    """'abc de' is a → b → c and d → e."""
    return sorted({(x, y) for path in text.split() for x, y in zip(path, path[1:])})


def random_edges(nodes, count, seed, forward=False):
    """So many edges, no loops; `forward`: from the left to the right, so that there are no cycles."""
    possible = itertools.combinations(nodes, 2) if forward else itertools.permutations(nodes, 2)
    return sorted(shuffled(possible, random.Random(seed))[:count])


def path_ends(graph):
    """Pairs of nodes with a path of at least one edge from the first to the second."""
    found = set(graph)
    while True:
        further = found | {(x, z) for x, y in found for y2, z in graph if y == y2}
        if further == found:
            return found
        found = further


def graph_atoms(graph):
    return [("edge", x, y) for x, y in graph]


def connected(name, nodes, graph):
    return World(name, graph_atoms(graph), labelled("connected", path_ends(graph), pairs(nodes)))


def cyclic(name, nodes, graph):
    true = {(x,) for x, y in path_ends(graph) if x == y}
    return World(name, graph_atoms(graph), labelled("cyclic", true, singles(nodes)))


def colouring(name, colours, graph):
    """colours: node → colour"""
    alike = [(x, y) for x, y in graph if colours[x] == colours[y]]
    atoms = graph_atoms(graph) + [("colour", node, colour) for node, colour in colours.items()]
    return World(name, atoms, labelled("clash", {(x,) for pair in alike for x in pair}, singles(colours)))


def random_colouring(name, nodes, count, seed):
    rng = random.Random(seed)
    return colouring(name, {node: choice(COLOURS, rng) for node in nodes}, random_edges(nodes, count, seed + 1))


def two_children(name, nodes, graph):
    true = {(x,) for x in nodes if sum(parent == x for parent, _ in graph) >= 2}
    return World(name, [("child", x, y) for x, y in graph], labelled("two_children", true, singles(nodes)))


def undirected(name, nodes, graph):
    true = set(graph) | {(y, x) for x, y in graph}
    return World(name, graph_atoms(graph), labelled("undirected", true, pairs(nodes)))


def near_red(name, colours, graph):
    """colours: node → colour"""
    atoms = graph_atoms(graph) + [("colour", node, colour) for node, colour in colours.items()]
    atoms += [(colour, colour) for colour in COLOURS]
    true = {(x,) for x, y in graph if colours[y] == "red"}
    return World(name, atoms, labelled("near_red", true, singles(colours)))


def random_near_red(name, nodes, count, seed):
    rng = random.Random(seed)
    return near_red(name, {node: choice(COLOURS, rng) for node in nodes}, random_edges(nodes, count, seed + 1))


def problems():
    """All of them, by name."""
    found = {}
    found["predecessor"] = Problem(
        "predecessor/2",
        [predecessor("0 to 6", numbers(7))],
        [predecessor("0 to 15", numbers(16)), predecessor("shuffled names", numbers(9, seed=1))],
        "predecessor(X, Y) :- succ(Y, X).",
        [
            "predecessor(X, Y) :- succ(X, Y).",
            "predecessor(X, Y) :- succ(Y, Z), succ(Z, X).",
            "predecessor(X, Y) :- zero(Y), succ(Y, X).",
            "predecessor(X, Y) :- succ(Y, X), succ(X, Z).",
        ],
    )
    found["even"] = Problem(
        "even/1",
        [even("0 to 6", numbers(7))],
        [even("0 to 15", numbers(16)), even("shuffled names", numbers(13, seed=2))],
        "even(X) :- zero(X). even(X) :- succ(Z, X), succ(Y, Z), even(Y).",
        [
            "even(X) :- zero(X).",
            "even(X) :- zero(X). even(X) :- succ(Y, X), even(Y).",
            "even(X) :- zero(X). even(X) :- succ(Z, X), succ(Y, Z).",
            "even(X) :- zero(X). even(X) :- succ(Z, X), succ(Y, Z), zero(Y).",
        ],
    )
    found["less_than"] = Problem(
        "less_than/2",
        [less_than("0 to 6", numbers(7))],
        [less_than("0 to 15", numbers(16)), less_than("shuffled names", numbers(12, seed=3))],
        "less_than(X, Y) :- succ(X, Y). less_than(X, Y) :- succ(X, Z), less_than(Z, Y).",
        [
            "less_than(X, Y) :- succ(X, Y).",
            "less_than(X, Y) :- zero(X). less_than(X, Y) :- succ(X, Y).",
            "less_than(X, Y) :- succ(X, Y). less_than(X, Y) :- succ(X, Z), succ(Z, Y).",
            "less_than(X, Y) :- succ(X, Y). less_than(X, Y) :- succ(X, Z), less_than(Z, W), succ(W, Y).",
        ],
    )
    rng = random.Random(4)
    found["member"] = Problem(
        "member/2",
        [member("four and two", [["red", "green", "blue", "gray"], ["blue", "red"]]),
         member("repeats", [["gray"], ["red", "red", "green"], ["green", "blue", "green"]])],
        [member("eight and six", [[choice(ELEMENTS, rng) for _ in range(n)] for n in (8, 6)]),
         member("short ones", [shuffled(ELEMENTS, rng)[:n] for n in (5, 1, 3, 4)])],
        "member(X, C) :- value(C, X). member(X, C) :- cons(C, D), member(X, D).",
        [
            "member(X, C) :- value(C, X).",
            "member(X, C) :- value(C, X). member(X, C) :- cons(C, D), value(D, X).",
            "member(X, C) :- value(C, X). member(X, C) :- cons(C, D), cons(D, E), member(X, E).",
            "member(X, C) :- cons(C, D), value(D, X). member(X, C) :- cons(C, D), member(X, D).",
        ],
    )
    # Grandparents on all four sides and great-grandparents; sons and daughters of one known parent and of two, with
    # children of their own and without.
    village = Family(
        women=["ada", "cleo", "eva", "gail", "ivy"],
        men=["ben", "dan", "fred", "hal", "jon", "leo"],
        children={
            "cleo": ("ada", "ben"),
            "dan": ("ada", "ben"),
            "eva": ("cleo", "fred"),
            "hal": ("gail", "dan"),
            "leo": ("gail", "dan"),
            "ivy": (None, "hal"),
            "jon": ("eva", None),
        },
    )
    found["grandparent"] = Problem(
        "grandparent/2",
        [grandparent("village", village)],
        [grandparent("four generations", random_family(2, [3, 3, 2], seed=5)),
         grandparent("many cousins", random_family(1, [4, 5], seed=6))],
        "grandparent(X, Y) :- parent(X, Z), parent(Z, Y).",
        [
            "grandparent(X, Y) :- parent(X, Y).",
            "grandparent(X, Y) :- mother(X, Z), parent(Z, Y).",
            "grandparent(X, Y) :- parent(X, Z), father(Z, Y).",
            "grandparent(X, Y) :- mother(X, Z), father(Z, Y).",
            "grandparent(X, Y) :- parent(X, Z), parent(Y, Z).",
        ],
    )
    found["son"] = Problem(
        "son/2",
        [son("village", village)],
        [son("four generations", random_family(2, [3, 3, 2], seed=7)),
         son("many cousins", random_family(1, [4, 5], seed=8))],
        "son(X, Y) :- father(Y, X), male(X). son(X, Y) :- mother(Y, X), male(X).",
        [
            "son(X, Y) :- father(Y, X), male(X).",
            "son(X, Y) :- father(Y, X). son(X, Y) :- mother(Y, X).",
            "son(X, Y) :- father(Y, X), male(X). son(X, Y) :- mother(Y, X).",
            "son(X, Y) :- father(Y, X), male(Y). son(X, Y) :- mother(Y, X), female(Y).",
            "son(X, Y) :- father(Y, X), male(X). son(X, Y) :- mother(Y, X), father(X, Z).",
        ],
    )
    found["connected"] = Problem(
        "connected/2",
        [connected("branches and a cycle", NODES[:9], edges("abcdef bg hih"))],
        [connected("a long path", NODES, edges("nabmcldkejfi cg mh")),
         connected("any edges", NODES[:13], random_edges(NODES[:13], 15, seed=9))],
        "connected(X, Y) :- edge(X, Y). connected(X, Y) :- edge(X, Z), connected(Z, Y).",
        [
            "connected(X, Y) :- edge(X, Y).",
            "connected(X, Y) :- edge(X, Y). connected(X, Y) :- edge(Y, X).",
            "connected(X, Y) :- edge(X, Y). connected(X, Y) :- edge(X, Z), edge(Z, Y).",
            "connected(X, Y) :- edge(X, Y). connected(X, Y) :- edge(X, Z), edge(Z, W), connected(W, Y).",
        ],
    )
    # Cycles of five, three, two and one; nodes before, behind and between them; forks that join again.
    rounds = [cyclic("a cycle of five", NODES[:10], edges("abcdea fa cgh ii ij")),
              cyclic("one between two", NODES[:11], edges("aba bkc cdec efgh fih ja"))]
    larger = [cyclic("a cycle of eight", NODES, edges("mblcndkem ag gb cg hi ih ij jfa nn")),
              cyclic("any edges", NODES, random_edges(NODES, 17, seed=10)),
              cyclic("none", NODES, random_edges(NODES, 20, seed=11, forward=True))]
    reach = "reach(X, Y) :- edge(X, Y). reach(X, Y) :- edge(X, Z), reach(Z, Y)."
    found["cyclic"] = Problem(
        "cyclic/1",
        rounds,
        larger,
        reach + " cyclic(X) :- reach(X, X).",
        [
            "cyclic(X) :- edge(X, Y).",
            "cyclic(X) :- edge(X, X).",
            "reach(X, Y) :- edge(X, Y). cyclic(X) :- edge(X, Y), reach(Y, X).",
            reach + " cyclic(X) :- reach(X, Y), reach(Y, Y).",
            reach + " cyclic(X) :- reach(X, Y), edge(Y, Y).",
            "reach(X, Y) :- edge(X, Y). reach(X, Y) :- edge(X, Z), edge(Z, Y). cyclic(X) :- edge(X, Y), reach(Y, X).",
        ],
    )
    found["cyclic_given"] = Problem(
        "cyclic/1",
        rounds,
        larger,
        "cyclic(X) :- reach(X, X).",
        [
            "cyclic(X) :- edge(X, Y), edge(Y, X).",
            "cyclic(X) :- edge(X, Y), edge(Y, Z).",
            "cyclic(X) :- reach(X, Y), reach(Y, Y).",
            "cyclic(X) :- edge(X, Y), reach(Y, Y).",
        ],
    )
    found["colouring"] = Problem(
        "clash/1",
        [colouring("a ring", dict(zip(NODES, "red red green blue green blue blue red".split())), edges("abcdef gf ga hd")),
         colouring("a star", dict(zip(NODES, "red green green blue green green blue".split())), edges("ab ac da ef"))],
        [random_colouring("14 nodes", NODES, 11, seed=12),
         random_colouring("12 nodes", NODES[:12], 12, seed=14),
         random_colouring("10 nodes", NODES[:10], 8, seed=16)],
        "clash(X) :- next_to(X, Y), colour(X, C), colour(Y, C).",
        [
            "clash(X) :- next_to(X, Y).",
            "clash(X) :- next_to(X, Y), next_to(X, Z), colour(Y, C), colour(Z, C).",
            "clash(X) :- next_to(X, Y), next_to(Y, Z), colour(X, C), colour(Z, C).",
            "clash(X) :- edge(X, Y), colour(X, C), colour(Y, C).",
        ],
    )
    found["two_children"] = Problem(
        "two_children/1",
        [two_children("a tree", NODES[:10], edges("ab ac ad be bf cg gh gi ij")),
         two_children("shared children", NODES[:8], edges("ac bc bd ce de ef fg fh"))],
        [two_children("14 nodes", NODES, random_edges(NODES, 15, seed=17, forward=True)),
         two_children("12 nodes", NODES[:12], random_edges(NODES[:12], 12, seed=18, forward=True)),
         two_children("a binary tree", NODES[:13], edges("ab ac bd be cf cg dh di ej ek fl gm"))],
        "two_children(X) :- child(X, Y), child(X, Z), different(Y, Z).",
        [
            "two_children(X) :- child(X, Y), child(X, Z).",
            "two_children(X) :- child(X, Y), child(Y, Z).",
            "two_children(X) :- child(X, Y), child(Y, Z), different(X, Z).",
        ],
    )
    found["even_odd"] = Problem(
        "even/1",
        [even("0 to 6", numbers(7))],
        [even("0 to 15", numbers(16)), even("shuffled names", numbers(13, seed=2))],
        "even(X) :- zero(X). even(X) :- succ(Y, X), odd(Y). odd(X) :- succ(Y, X), even(Y).",
        [
            "even(X) :- zero(X). even(X) :- succ(Y, X), odd(Y). odd(X) :- succ(Y, X), zero(Y).",
            "even(X) :- zero(X). even(X) :- succ(Y, X), odd(Y). odd(X) :- succ(X, Y), even(X).",
        ],
    )
    for name, factor, size in (("fizz", 3, 10), ("buzz", 5, 11)):
        world = multiples(name, factor)
        variables = [f"Y{i}" for i in range(factor)] + ["X"]

        def steps(count):
            return ", ".join(f"succ({x}, {y})" for x, y in zip(variables[-count - 1:], variables[-count:]))

        found[name] = Problem(
            f"{name}/1",
            [world(f"0 to {size - 1}", numbers(size))],
            [world("0 to 15", numbers(16)), world("shuffled names", numbers(13, seed=19))],
            f"{name}(X) :- zero(X). {name}(X) :- {steps(factor)}, {name}(Y0).",
            [
                f"{name}(X) :- zero(X).",
                f"{name}(X) :- zero(X). {name}(X) :- {steps(factor)}.",
                f"{name}(X) :- zero(X). {name}(X) :- {steps(factor - 1)}, {name}(Y1).",
                f"{name}(X) :- zero(X). {name}(X) :- {steps(factor)}, zero(Y0).",
            ],
        )
    found["length"] = Problem(
        "length/2",
        [length("three and one", [3, 1], numbers(5)), length("two and none", [2, 0], numbers(4))],
        [length("eight", [8, 2], numbers(10)), length("shuffled names", [5, 0, 3], numbers(8, seed=20))],
        "length(C, N) :- empty(C), zero(N). length(C, N) :- cons(C, D), succ(M, N), length(D, M).",
        [
            "length(C, N) :- empty(C), zero(N).",
            "length(C, N) :- empty(C), zero(N). length(C, N) :- cons(C, D), succ(M, N).",
            "length(C, N) :- empty(C), zero(N). length(C, N) :- cons(C, D), length(D, N).",
            "length(C, N) :- empty(C), zero(N). length(C, N) :- cons(C, D), succ(M, N), empty(D), zero(M).",
        ],
    )
    # A brother and a sister of a mother, two brothers of a father, and families that are not related.
    town = Family(
        women=["ada", "cleo", "eva", "gail", "ivy", "kim", "mia"],
        men=["ben", "dan", "fred", "hal", "jon", "leo", "ned"],
        children={
            "cleo": ("ada", "ben"),
            "dan": ("ada", "ben"),
            "leo": ("ada", "ben"),
            "eva": ("cleo", "fred"),
            "jon": ("cleo", "fred"),
            "hal": ("gail", "dan"),
            "ivy": ("gail", "dan"),
            "kim": ("eva", "ned"),
            "mia": ("ivy", None),
        },
    )
    halves = Family(
        women=["ada", "cleo", "eva", "gail"],
        men=["ben", "dan", "fred", "hal", "jon"],
        children={"cleo": ("ada", "ben"), "dan": ("cleo", None), "gail": ("eva", "fred"), "hal": (None, "fred"),
                  "jon": ("gail", None)},
    )
    small = [("mother and son", Family(["ada"], ["ben"], {"ben": ("ada", None)})),
             ("parents and child", Family(["ada", "cleo"], ["ben"], {"cleo": ("ada", "ben")})),
             ("sisters", Family(["ada", "cleo", "eva"], [], {"cleo": ("ada", None), "eva": ("ada", None)})),
             ("three generations", Family(["ada", "cleo", "eva"], ["ben"], {"cleo": ("ada", "ben"), "eva": ("cleo", None)}))]
    unseen = [("four generations", random_family(2, [3, 3, 2], seed=21)), ("many cousins", random_family(1, [4, 5], seed=22))]
    found["husband"] = Problem(
        "husband/2",
        [husband("town", town), husband("halves", halves)],
        [husband(*one) for one in unseen],
        "husband(X, Y) :- father(X, Z), mother(Y, Z).",
        [
            "husband(X, Y) :- father(X, Y).",
            "husband(X, Y) :- father(X, Z), mother(Z, Y).",
            "husband(X, Y) :- father(X, Z), father(Z, W), mother(Y, Z).",
            "husband(X, Y) :- mother(X, Z), father(Y, Z).",
        ],
    )
    found["uncle"] = Problem(
        "uncle/2",
        [uncle("town", town), uncle("halves", halves)],
        [uncle(*one) for one in unseen],
        "uncle(X, Y) :- brother(X, Z), father(Z, Y). uncle(X, Y) :- brother(X, Z), mother(Z, Y).",
        [
            "uncle(X, Y) :- brother(X, Z), father(Z, Y).",
            "uncle(X, Y) :- brother(X, Z), mother(Z, Y).",
            "uncle(X, Y) :- brother(X, Y).",
            "uncle(X, Y) :- brother(Z, X), father(Z, Y). uncle(X, Y) :- brother(Z, X), mother(Z, Y).",
        ],
    )
    found["father"] = Problem(
        "father/2",
        [father("town", town), father("halves", halves)],
        [father(*one) for one in unseen],
        "father(X, Y) :- husband(X, Z), mother(Z, Y).",
        [
            "father(X, Y) :- husband(X, Y).",
            "father(X, Y) :- husband(X, Z), brother(Z, Y).",
            "father(X, Y) :- husband(X, Z), mother(Z, Y), brother(X, W).",
        ],
    )
    found["related"] = Problem(
        "related/2",
        [related("town", town), related("halves", halves)] + [related(name, one) for name, one in small],
        [related(*one) for one in unseen],
        "related(X, Y) :- parent(X, Y). related(X, Y) :- parent(Y, X). related(X, Y) :- related(X, Z), related(Z, Y).",
        [
            "related(X, Y) :- parent(X, Y). related(X, Y) :- parent(Y, X).",
            "related(X, Y) :- parent(X, Y). related(X, Y) :- parent(X, Z), related(Z, Y).",
            "related(X, Y) :- parent(Z, X), parent(Z, Y).",
        ],
    )
    found["undirected"] = Problem(
        "undirected/2",
        [undirected("branches and a cycle", NODES[:9], edges("abcdef bg hih"))],
        [undirected("any edges", NODES, random_edges(NODES, 20, seed=23)),
         undirected("few edges", NODES[:12], random_edges(NODES[:12], 7, seed=24))],
        "undirected(X, Y) :- edge(X, Y). undirected(X, Y) :- edge(Y, X).",
        [
            "undirected(X, Y) :- edge(X, Y).",
            "undirected(X, Y) :- edge(Y, X).",
            "undirected(X, Y) :- edge(X, Z), edge(Z, Y).",
        ],
    )
    found["near_red"] = Problem(
        "near_red/1",
        [near_red("a ring", dict(zip(NODES, "red red green blue green blue blue red".split())), edges("abcdef gf ga hd")),
         near_red("a star", dict(zip(NODES, "red green green blue green red blue".split())), edges("ab ac da ef ge ff"))],
        [random_near_red("14 nodes", NODES, 12, seed=25),
         random_near_red("12 nodes", NODES[:12], 14, seed=27),
         random_near_red("10 nodes", NODES[:10], 8, seed=29)],
        "near_red(X) :- edge(X, Y), colour(Y, C), red(C).",
        [
            "near_red(X) :- edge(X, Y).",
            "near_red(X) :- edge(Y, X), colour(Y, C), red(C).",
            "near_red(X) :- edge(X, Y), colour(X, C), red(C).",
            "near_red(X) :- edge(X, Y), colour(Y, C), green(C).",
        ],
    )
    return found
