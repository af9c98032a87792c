#!/usr/bin/env python3
"""Compares the semantics on questions about scenes: how often they are right, and what false answers get.

    semantics.py --neumann build/neumann --examples examples

Prints three tables in Markdown. Accuracy: questions of make_questions.py with growing confusion; the best answer counts, a
tie for the best is wrong. Leak: crisp scenes, where every false answer should be 0. Crowd: what many weak proofs make of an
atom.
"""
import argparse
import json
import random
import subprocess
import tempfile

import make_questions

# name, its options. The paper's semantics has no automatic number of steps; 6 is what the others take.
VARIANTS = [
    ("softor", ["--semantics", "softor"]),
    *((f"softor, γ = {gamma}", ["--semantics", "softor", "--gamma", str(gamma)]) for gamma in (0.005, 0.02, 0.05, 0.2)),
    ("paper, full", ["--semantics", "paper", "--mode", "full"]),
    ("paper, relevant", ["--semantics", "paper", "--mode", "relevant"]),
    *((name, ["--semantics", name]) for name in ("max-product", "noisy-or", "godel", "lukasiewicz", "clausewise")),
]
STEPS = 6


def reason(args, program, steps, options):
    command = [args.neumann, "reason", program, "--steps", str(steps), "--json", *options]
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return [json.loads(line)["values"] for line in out.splitlines()]


def ask(args, options, steps, questions):
    """For each question the value of its right answer and the largest of a wrong one."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(question) + "\n" for question in questions)
        file.flush()
        program = f"{args.examples}/behind_the_scenes/all.nm"
        answers = reason(args, program, steps, ["--examples", file.name, *options])
    result = []
    for question, values in zip(questions, answers, strict=True):
        right = values.pop(f"answer({question['answer']})")
        result.append((right, max(values.values())))
    return result


def make(count, seed, **perception):
    rng = random.Random(seed)
    return [make_questions.example(number, rng, 0, **perception) for number in range(count)]


def accuracy(args):
    print(f"Accuracy: {args.count} questions for each confusion, seed {args.seed}, T = {STEPS}. Questions answered right, "
          "mean value of the right answer, mean of the largest wrong one\n")
    print("| semantics |" + "".join(f" S = {s} | right | wrong |" for s in args.confusion))
    print("|---|" + "---:|" * (3 * len(args.confusion)))
    sets = [make(args.count, args.seed, confusion=scale) for scale in args.confusion]
    for name, options in VARIANTS:
        print(f"| {name} |", end="", flush=True)
        for questions in sets:
            answers = ask(args, options, STEPS, questions)
            best = sum(right > wrong for right, wrong in answers) / len(answers)
            right, wrong = (sum(column) / len(answers) for column in zip(*answers))
            print(f" {best:.2%} | {right:.3f} | {wrong:.3f} |", end="", flush=True)
        print()
    print()


def leak(args):
    print(f"Leak: the largest value of a false answer to {args.crisp} questions about crisp scenes, seed {args.seed}\n")
    print("| semantics |" + "".join(f" T = {steps} |" for steps in args.steps))
    print("|---|" + "---:|" * len(args.steps))
    questions = make(args.crisp, args.seed)
    for name, options in VARIANTS:
        print(f"| {name} |", end="", flush=True)
        for steps in args.steps:
            print(f" {max(wrong for _, wrong in ask(args, options, steps, questions)):.4g} |", end="", flush=True)
        print()


def crowd(args):
    cases = [(count, value) for value in (0.001, 0.01) for count in (10, 100, 1000)]
    print("\nCrowd: the value of p in p :- q(X), where q(X) is weakly true of N objects, T = 1\n")
    print("| semantics |" + "".join(f" {count} of {value} |" for count, value in cases))
    print("|---|" + "---:|" * len(cases))
    for name, options in VARIANTS:
        print(f"| {name} |", end="")
        for count, value in cases:
            objects = [f"x{i}" for i in range(count)]
            with tempfile.NamedTemporaryFile("w", suffix=".nm") as file:
                file.write(f":- type(t, [{', '.join(objects)}]).\n:- pred(q(t)).\n:- pred(p).\np :- q(X).\n:- query(p).\n")
                file.writelines(f"{value}::q({x}).\n" for x in objects)
                file.flush()
                print(f" {reason(args, file.name, 1, options)[0]['p']:.3f} |", end="")
        print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neumann", required=True)
    parser.add_argument("--examples", required=True)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--crisp", type=int, default=128)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--confusion", type=float, nargs="+", default=[0, 1, 2, 3])
    parser.add_argument("--steps", type=int, nargs="+", default=[6, 20, 100])
    args = parser.parse_args()
    accuracy(args)
    leak(args)
    crowd(args)


if __name__ == "__main__":
    main()
