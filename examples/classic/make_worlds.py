#!/usr/bin/env python3
"""Writes the worlds of the classic problems, NAME.train.jsonl and NAME.test.jsonl for each NAME.nm.

    make_worlds.py [FOLDER]          into FOLDER; default: the folder of this script
    make_worlds.py --check NEUMANN   writes nothing: runs `neumann reason` on each program with its solution added

A line is a world: what is given as "atoms", what is to be derived as "targets". Targets are all atoms of the target
predicate over the constants of the world; beyond MOST_TARGETS some of those that are false are left out.

The check confirms that the solution of each problem gets every label right in every world, and that each of its rivals
gets at least one wrong in the training worlds.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the folder holds what is kept, and nothing else
from problems import problems

HERE = pathlib.Path(__file__).resolve().parent


def atom_text(atom):
    return f"{atom[0]}({','.join(atom[1:])})"


def lines(worlds):
    return "".join(
        json.dumps(
            {
                "id": world.name,
                "atoms": {atom_text(atom): 1 for atom in world.atoms},
                "targets": {atom_text(atom): int(label) for atom, label in world.targets.items()},
            }
        )
        + "\n"
        for world in worlds
    )


def write(folder):
    for name, problem in problems().items():
        for part in ("train", "test"):
            (folder / f"{name}.{part}.jsonl").write_text(lines(getattr(problem, part)), encoding="utf-8", newline="\n")


# The check.


def values(neumann, program, worlds, target, folder):
    """For each world what the program makes of the atoms of `target`; an atom that is absent is worth 0."""
    (folder / "program.nm").write_text(program, encoding="utf-8")
    (folder / "worlds.jsonl").write_text(lines(worlds), encoding="utf-8")
    predicate, arity = target.split("/")
    query = f"{predicate}({','.join(f'X{i}' for i in range(int(arity)))})"
    command = [neumann, "reason", folder / "program.nm", "--examples", folder / "worlds.jsonl", "--query", query]
    run = subprocess.run([*command, "--json", "--no-warn", "all"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{program}\n{run.stderr}")
    return [json.loads(line)["values"] for line in run.stdout.splitlines()]


def mistakes(neumann, program, worlds, target, folder):
    """Targets with a value on the wrong side of 0.5."""
    answers = values(neumann, program, worlds, target, folder)
    if len(answers) != len(worlds):
        sys.exit(f"{len(worlds)} worlds, {len(answers)} answers\n{program}")
    return [
        f"{world.name}: {atom_text(atom)} should be {int(label)}"
        for world, answer in zip(worlds, answers)
        for atom, label in world.targets.items()
        if (answer.get(atom_text(atom), 0) >= 0.5) != label
    ]


def check(neumann):
    """Says what is wrong; the exit code."""
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for name, problem in problems().items():
            program = (HERE / f"{name}.nm").read_text(encoding="utf-8")
            worlds = problem.train + problem.test
            wrong = mistakes(neumann, f"{program}\n{problem.solution}\n", worlds, problem.target, folder)
            for rival in problem.rivals:
                if not mistakes(neumann, f"{program}\n{rival}\n", problem.train, problem.target, folder):
                    wrong.append(f"the training worlds do not rule out: {rival}")
            failed += bool(wrong)
            labels = [label for world in worlds for label in world.targets.values()]
            print(f"{name}: {len(worlds)} worlds, {len(labels)} targets, {sum(labels)} of them true,",
                  f"{len(problem.rivals)} rivals: " + ("ok" if not wrong else f"{len(wrong)} mistakes"))
            for line in wrong[:5]:
                print(f"  {line}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description="Writes the worlds of the classic problems, or checks them.")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=HERE, help="where to; default: where this script is")
    parser.add_argument("--check", metavar="NEUMANN", help="check the solutions with this command; nothing is written")
    arguments = parser.parse_args()
    if arguments.check:
        return check(arguments.check)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    write(arguments.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
