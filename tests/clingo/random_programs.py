"""Random stratified programs, written in two languages: NEUMANN's and clingo's.

Predicates stand in layers. Those of layer 0 have facts only; clauses of a higher layer use their own layer (recursion) and those below, negate
and aggregate those below, compare and compute numbers. Every variable is bound by a positive goal, so that both languages accept the program,
and numbers stay between 0 and `largest`, so that both grounders end.
"""
import random
from dataclasses import dataclass, field

LARGEST = 9  # numbers are 0 to 9


@dataclass
class Predicate:
    name: str
    types: str  # a letter for each argument: n (number) or c (constant)
    layer: int


@dataclass
class Clause:
    head: str
    ours: list
    asp: list


@dataclass
class RandomProgram:
    seed: int
    facts: list = field(default_factory=list)
    clauses: list = field(default_factory=list)
    predicates: list = field(default_factory=list)

    def ours(self):
        lines = [f"{fact}." for fact in self.facts]
        lines += [f"{c.head} :- {', '.join(c.ours)}." for c in self.clauses]
        lines += [f":- query({atom_pattern(p)})." for p in self.predicates if p.layer > 0]
        return "\n".join(lines) + "\n"

    def asp(self):
        lines = [f"{fact}." for fact in self.facts]
        lines += [f"{c.head} :- {', '.join(c.asp)}." for c in self.clauses]
        lines += [f"#show {p.name}/{len(p.types)}." for p in self.predicates if p.layer > 0]
        lines += [f"#defined {p.name}/{len(p.types)}." for p in self.predicates]
        return "\n".join(lines) + "\n"


def atom_pattern(predicate):
    return predicate.name + "(" + ",".join(f"V{i}" for i in range(len(predicate.types))) + ")"


class Maker:
    """One program. `prefix` keeps the predicates of several programs in one file apart."""

    def __init__(self, seed, prefix, features):
        self.random = random.Random(seed)
        self.features = features
        self.prefix = prefix
        self.program = RandomProgram(seed)

    def make(self):
        pick = self.random
        layers = pick.randint(1, 3)
        for layer in range(layers + 1):
            for number in range(pick.randint(1, 2) if layer else 3):
                types = "".join(pick.choice("nc") for _ in range(pick.randint(1, 2)))
                self.program.predicates.append(Predicate(f"{self.prefix}p{layer}{'abc'[number]}", types, layer))
        for predicate in self.program.predicates:
            if predicate.layer == 0:
                self.add_facts(predicate)
            else:
                for _ in range(pick.randint(1, 2)):
                    self.add_clause(predicate)
        return self.program

    def term(self, type_):
        return str(self.random.randint(0, LARGEST)) if type_ == "n" else self.random.choice("abcd")

    def add_facts(self, predicate):
        facts = {f"{predicate.name}({','.join(self.term(t) for t in predicate.types)})" for _ in range(self.random.randint(1, 6))}
        self.program.facts += sorted(facts)

    def below(self, layer):
        return [p for p in self.program.predicates if p.layer < layer]

    def add_clause(self, head):
        pick = self.random
        variables = {}  # name → type, bound by positive goals
        ours, asp = [], []

        def variable(type_):
            same = [v for v, t in variables.items() if t == type_]
            if same and pick.random() < 0.5:
                return pick.choice(same)
            name = f"X{len(variables)}"
            variables[name] = type_
            return name

        def both(text, other=None):
            ours.append(text)
            asp.append(text if other is None else other)

        usable = self.below(head.layer) + [p for p in self.program.predicates if p.layer == head.layer and pick.random() < 0.4]
        for index in range(pick.randint(1, 3)):
            goal = pick.choice(self.below(head.layer) if index == 0 else usable)
            arguments = [variable(t) if pick.random() < 0.85 else self.term(t) for t in goal.types]
            both(f"{goal.name}({','.join(arguments)})")
        if "arithmetic" in self.features and pick.random() < 0.6:
            self.add_arithmetic(variables, both)
        if "negation" in self.features and pick.random() < 0.5:
            goal = pick.choice(self.below(head.layer))
            arguments = [pick.choice([v for v, t in variables.items() if t == type_] or [self.term(type_)]) for type_ in goal.types]
            atom = f"{goal.name}({','.join(arguments)})"
            both(f"\\+ {atom}", f"not {atom}")
        if "aggregates" in self.features and pick.random() < 0.5:
            self.add_aggregate(head, variables, both)
        arguments = []
        for type_ in head.types:
            bound = [v for v, t in variables.items() if t == type_]
            arguments.append(pick.choice(bound) if bound and pick.random() < 0.9 else self.term(type_))
        self.program.clauses.append(Clause(f"{head.name}({','.join(arguments)})", ours, asp))

    def add_arithmetic(self, variables, both):
        pick = self.random
        numbers = [v for v, t in variables.items() if t == "n"]
        if not numbers:
            return
        left = pick.choice(numbers)
        if pick.random() < 0.5:
            ours, asp = pick.choice([("<", "<"), ("=<", "<="), (">", ">"), (">=", ">="), ("=:=", "="), ("=\\=", "!=")])
            right = pick.choice(numbers + [self.term("n"), f"{pick.choice(numbers)} + 1"])
            both(f"{left} {ours} {right}", f"{left} {asp} {right}")
            return
        result = f"X{len(variables)}"
        other = pick.choice(numbers + [str(pick.randint(0, 3))])
        ours, asp = pick.choice([(f"{left} + {other}", None), (f"{left} * {other}", None), (f"{left} - {other}", None),
                                 (f"abs({left} - {other})", f"|{left} - {other}|"),
                                 (f"{left} // {pick.randint(1, 3)}", "/"), (f"{left} mod {pick.randint(1, 4)}", "\\")])
        if asp in ("/", "\\"):
            asp = ours.replace("//", "/").replace("mod", "\\")
        variables[result] = "n"
        both(f"{result} is {ours}", f"{result} = {asp or ours}")
        both(f"{result} >= 0")
        both(f"{result} =< {LARGEST}", f"{result} <= {LARGEST}")

    def add_aggregate(self, head, variables, both):
        """A number about the goals of a group; its group is bound, so that an empty one counts too."""
        pick = self.random
        goal = pick.choice(self.below(head.layer))
        arguments, local = [], []
        for index, type_ in enumerate(goal.types):
            bound = [v for v, t in variables.items() if t == type_]
            if bound and pick.random() < 0.4:
                arguments.append(pick.choice(bound))
            else:
                arguments.append(f"L{index}")
                local.append((f"L{index}", type_))
        if not local:
            return
        atom = f"{goal.name}({','.join(arguments)})"
        names = ",".join(name for name, _ in local)
        numbers = [name for name, type_ in local if type_ == "n"]
        kind = pick.choice(["count", "sum", "min", "max"] if numbers else ["count"])
        result = f"X{len(variables)}"
        variables[result] = "n"
        if kind == "count":
            both(f"aggregate_all(count, {atom}, {result})", f"{result} = #count {{ {names} : {atom} }}")
        else:
            weight = pick.choice(numbers)
            both(f"aggregate_all({kind}({weight}), {atom}, {result})", f"{result} = #{kind} {{ {weight},{names} : {atom} }}")
            if kind in ("min", "max"):  # of nothing: clingo says #sup or #inf, Prolog fails
                both(f"{result} >= 0", f"{result} >= 0, {result} < #sup")


def random_program(seed, prefix="", features=("negation", "arithmetic", "aggregates")):
    return Maker(seed, prefix, features).make()
