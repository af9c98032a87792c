#!/usr/bin/env python3
"""Learns the classic problems by the search for crisp labels, with everything declared and nothing given away.

    classic.py --neumann build/neumann [--seeds 1] [--only NAME ...] [--keep FOLDER] [--against OLD_NEUMANN]

Each problem of examples/classic becomes a task in Popper's files: all background predicates with their types, bodies of
two goals at most, recursion, and predicates to be invented. A seed shuffles facts, labels and declarations, and renames all
constants. What is learned is run on the test worlds, by a plain evaluation of its clauses here. Prints a table in Markdown;
the exit code is 1 if a program is not right on all worlds. --against runs another build on the same tasks as well: the exit
code is then also 1 if a program is longer or worse, or the sum of CPU seconds larger.
"""
import argparse
import itertools
import pathlib
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True
CLASSIC = pathlib.Path(__file__).resolve().parent.parent / "examples" / "classic"
sys.path.insert(0, str(CLASSIC))
from learn_tasks import Comparison, learn  # noqa: E402
from problems import problems  # noqa: E402


def declarations(text):
    """Predicates with the types of their arguments, and the clauses that are given."""
    found = {name: [t.strip() for t in types.split(",")]
             for name, types in re.findall(r"^:- (?:neural|pred)\((\w+)\(([^)]*)\)\)", text, re.M)}
    clauses = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith((":-", "%"))]
    return found, clauses


def parsed(text):
    """A clause as its head and goals: (negated, predicate, arguments)."""
    head, _, body = text.rstrip(". ").partition(":-")
    goals = []
    for goal in re.findall(r"\w+ \\?= \w+|(?:not )?\w+\([^)]*\)|\w+", head + ";" + body):
        comparison = re.fullmatch(r"(\w+) (\\?=) (\w+)", goal)
        if comparison:
            goals.append((comparison[2] == "\\=", "=", [comparison[1], comparison[3]]))
        else:
            name, _, args = goal.removeprefix("not ").partition("(")
            goals.append((goal.startswith("not "), name, [a.strip() for a in args.rstrip(")").split(",")]))
    return goals[0][1:], goals[1:]


def matches(goals, facts, values):
    """All ways in which the goals hold; what is negated comes last."""
    if not goals:
        yield values
        return
    goal = next((g for g in goals if not g[0] and g[1] != "="), goals[0])
    rest = [g for g in goals if g is not goal]
    negated, name, args = goal
    if name == "=":
        bound = [values[a] for a in args if a in values]
        if len(bound) == 1 and not negated:
            yield from matches(rest, facts, {**values, **dict.fromkeys(args, bound[0])})
        elif len(bound) == 2 and (bound[0] == bound[1]) != negated:
            yield from matches(rest, facts, values)
    elif negated:
        if tuple(values[a] for a in args) not in facts.get(name, ()):
            yield from matches(rest, facts, values)
    else:
        for row in list(facts.get(name, ())):
            extended = dict(values)
            if all(extended.setdefault(a, v) == v for a, v in zip(args, row)):
                yield from matches(rest, facts, extended)


def consequences(atoms, clauses):
    """What follows, by predicate. Clauses with negated goals must not be recursive through them."""
    facts = {}
    for name, *args in atoms:
        facts.setdefault(name, set()).add(tuple(args))
    constants = {a for rows in facts.values() for row in rows for a in row}
    while True:
        added = False
        for (name, args), goals in clauses:
            for values in list(matches(goals, facts, {})):
                free = [a for a in args if a not in values]
                for rest in itertools.product(constants, repeat=len(free)):
                    row = tuple({**values, **dict(zip(free, rest))}[a] for a in args)
                    if row not in facts.setdefault(name, set()):
                        facts[name].add(row)
                        added = True
        if not added:
            return facts


def write_task(folder, problem, program, seed):
    """Constants of different worlds are different, so one background holds all of them."""
    rng = random.Random(seed)
    types, clauses = declarations(program)
    target, arity = problem.target.split("/")
    given = {parsed(clause)[0][0] for clause in clauses if "\\=" not in clause}
    given |= {atom[0] for world in problem.train for atom in world.atoms}
    names = {}

    def renamed(world, atom):
        args = [names.setdefault((world, a), f"k{seed}_{len(names)}") for a in atom[1:]]
        return f"{atom[0]}({','.join(args)})"

    order = list(enumerate(problem.train))
    rng.shuffle(order)
    facts = [f"{renamed(w, atom)}." for w, world in order for atom in rng.sample(world.atoms, len(world.atoms))]
    labels = [f"{'pos' if label else 'neg'}({renamed(w, atom)})." for w, world in order for atom, label in world.targets.items()]
    body = sorted(given & types.keys())
    for lines in (facts, labels, body):
        rng.shuffle(lines)
    facts.sort(key=lambda line: line.split("(")[0])
    bias = ["enable_recursion.", "enable_pi.", "max_body(2).", f"head_pred({target},{arity})."]
    bias += [f"body_pred({name},{len(types[name])})." for name in body]
    bias += [f"type({name},({','.join(types[name])}{',' if len(types[name]) == 1 else ''}))." for name in [target, *body]]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bias.pl").write_text("\n".join(bias) + "\n", encoding="utf-8")
    (folder / "bk.pl").write_text("\n".join(facts + [c for c in clauses if "\\=" not in c]) + "\n", encoding="utf-8")
    (folder / "exs.pl").write_text("\n".join(labels) + "\n", encoding="utf-8")


def mistakes(problem, program, learned):
    _, given = declarations(program)
    clauses = [parsed(text) for text in [c for c in given if "\\=" not in c] + learned]
    target = problem.target.split("/")[0]
    wrong = 0
    for world in problem.test:
        facts = consequences(world.atoms, clauses)
        wrong += sum((atom[1:] in facts.get(target, ())) != label for atom, label in world.targets.items())
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neumann", default="build/neumann")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--against", help="another build of the command")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--keep", type=pathlib.Path, help="write the tasks there")
    options = parser.parse_args()
    print("| problem | right | most CPU s | most MiB | most work, millions | ended | program |")
    print("|---|---:|---:|---:|---:|---|---|", flush=True)
    failed = 0
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as temporary:
        for name, problem in problems().items():
            if options.only and name not in options.only:
                continue
            program = (CLASSIC / f"{name}.nm").read_text(encoding="utf-8")
            right, results = 0, []
            for seed in range(1, options.seeds + 1):
                folder = (options.keep or pathlib.Path(temporary)) / f"{name}-{seed}"
                write_task(folder, problem, program, seed)
                result = learn(options.neumann, folder)
                if "error" in result:
                    sys.exit(f"{name}: {result['error']}")
                right += result["right"] and mistakes(problem, program, result["clauses"]) == 0
                results.append(result)
                if options.against:
                    comparison.add(f"{name}, seed {seed}", learn(options.against, folder), result)
            failed += right < options.seeds
            most = {key: max(one[key] for one in results) for key in ("cpu", "mib", "work")}
            ended = ", ".join(dict.fromkeys(one["ended"] for one in results))
            print(f"| {name} | {right} of {options.seeds} | {most['cpu']:.1f} | {most['mib']:.0f} | {most['work'] / 1e6:.0f} "
                  f"| {ended} | `{' '.join(results[-1]['clauses'])}` |", flush=True)
    better = comparison.report() if options.against else True
    return 1 if failed or not better else 0


if __name__ == "__main__":
    sys.exit(main())
