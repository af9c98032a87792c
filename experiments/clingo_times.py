#!/usr/bin/env python3
"""Times `neumann reason` beside clingo: the same crisp scenes, the same rules, and the answers compared.

    clingo_times.py NEUMANN PROGRAM.nm EXAMPLES.jsonl [--percent P] [--sample N] [--steps T] [--limit SECONDS] [--folder DIR]

The rules for clingo are those of PROGRAM.nm, derived from the file; what holds in a scene is what EXAMPLES.jsonl gives the value 1.
Everything is timed as whole processes on one thread, from starting until the last answer, reading and grounding
included. Scenes are written in clingo's language beforehand, which is not timed.

each  one clingo process for each scene; of N scenes, spread over all of them, and taken times all/N (0: all of them).
      What it takes to start as many processes that do nothing (`true`) is measured beside it.
all   one clingo process for all scenes: every predicate that depends on a scene gets its number as one more argument
ours  one `neumann reason` for all scenes, under both semantics; `paper` takes --steps, and once more the full graph and --full-steps

Runs are interleaved; of `all` the median of the repetitions counts, and of ours, which are short, that of --turns in each. Prints one JSON object; `all` that does not
end within the limit has null for its seconds.
"""
import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from program_text import clauses, directives, head_and_body, name_and_arguments

WORD = re.compile(r"[A-Za-z_]\w*")
SCENE = "Scene_"  # no variable of a program is called so


class Rules:
    """The clauses of a program in clingo's language, for one scene and for many."""

    def __init__(self, file):
        text = file.read_text()
        self.clauses = [head_and_body(one) for one in clauses(text)]
        self.distinct = {arguments[0].replace(" ", "").split("/")[0] for arguments in directives(text, "distinct")}
        self.given = [name_and_arguments(arguments[0]) for arguments in directives(text, "neural")]
        labels = directives(text, "label")
        if len(labels) != 1:
            sys.exit(f"{file} must have one label")
        self.label = labels[0][0].replace(" ", "")
        for head, goals in self.clauses:
            for atom in (head, *goals):
                if not all(WORD.fullmatch(term) for term in name_and_arguments(atom)[1]):
                    sys.exit(f"{file}: only names and variables can be passed on, not {atom}")
        self.in_scenes = {name for name, _ in self.given}
        while more := {name_and_arguments(head)[0] for head, goals in self.clauses
                       if any(name_and_arguments(goal)[0] in self.in_scenes for goal in goals)} - self.in_scenes:
            self.in_scenes |= more

    def text(self, many):
        name, arguments = name_and_arguments(self.label)
        lines = [f"#defined {one}/{len(types) + many}." for one, types in self.given]
        lines += [self.rule(head, goals, many) for head, goals in self.clauses]
        return "\n".join([*lines, f"#show {name}/{len(arguments) + many}.", ""])

    def rule(self, head, goals, many):
        written = lambda atom: self.with_scene(atom, SCENE) if many else atom
        body = [written(goal) for goal in goals]
        name, arguments = name_and_arguments(head)
        if name in self.distinct and goals:  # no atom speaks of the same thing twice
            body += [f"{a} != {b}" for i, a in enumerate(arguments) for b in arguments[i + 1:]]
        return f"{written(head)}{' :- ' if body else ''}{', '.join(body)}."

    def with_scene(self, atom, scene):
        name, arguments = name_and_arguments(atom)
        return f"{name}({','.join([str(scene), *arguments])})" if name in self.in_scenes else atom


def crisp(example):
    values = example["atoms"]
    if not all(value in (0, 1) for value in values.values()):
        sys.exit(f"{example['id']}: not crisp")
    return [atom for atom, value in values.items() if value == 1]


def facts(atoms):
    return "".join(f"{atom}.\n" for atom in atoms)


def spread_over(everything, count):
    """So many of them, evenly spread."""
    return [everything[i * len(everything) // count] for i in range(count)]


def shown_atoms(output):
    return set(output.split("\n", 1)[0].split())


class Comparison:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.rules = Rules(options.program)
        lines = options.examples.read_text().splitlines()
        self.lines = spread_over(lines, max(1, round(len(lines) * options.percent / 100)))
        examples = [json.loads(line) for line in self.lines]
        self.count = len(examples)
        self.labels = [example["label"] == options.positive for example in examples]
        sample = min(options.sample or self.count, self.count)
        self.sample = spread_over(range(self.count), sample)
        (folder / "scenes.jsonl").write_text("".join(line + "\n" for line in self.lines))
        (folder / "rules.lp").write_text(self.rules.text(0))
        (folder / "all_rules.lp").write_text(self.rules.text(1))
        for number in self.sample:
            (folder / f"scene_{number}.lp").write_text(facts(crisp(examples[number])))
        with (folder / "all_scenes.lp").open("w") as file:
            for number, example in enumerate(examples):
                # Every atom of an example is of a scene: the name and one bracket are all there is to know.
                file.write(facts(atom.replace("(", f"({number},", 1) for atom in crisp(example)))

    def reasoning(self, way):
        return {"paper": ["--semantics", "paper", "--steps", str(self.options.steps)],
                "full": ["--semantics", "paper", "--mode", "full", "--steps", str(self.options.full_steps)],
                "softor": ["--semantics", "softor"]}[way]

    def ours(self, way):
        """Seconds, and the answer for each scene."""
        command = [self.options.neumann, "reason", self.options.program, "--examples", self.folder / "scenes.jsonl", "--query",
                   self.rules.label, *self.reasoning(way), "--batch", str(self.options.batch), "--threads", "1", "--json"]
        answers = self.folder / "answers.jsonl"
        begin = time.perf_counter()
        with answers.open("w") as file:
            done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - begin
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}: {done.stderr}")
        values = [json.loads(line)["values"][self.rules.label] for line in answers.open()]
        return seconds, [value >= 0.5 for value in values]

    def clingo(self, *files, limit=None):
        """What it shows, or None when the time is up."""
        try:
            done = subprocess.run(["clingo", "--verbose=0", *files], capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 30:  # satisfiable, all answer sets seen
            sys.exit(f"clingo {' '.join(map(str, files))}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def each(self, numbers):
        shown, begin = {}, time.perf_counter()
        for number in numbers:
            shown[number] = self.clingo(self.folder / "rules.lp", self.folder / f"scene_{number}.lp")
        seconds = time.perf_counter() - begin
        return seconds, {number: self.rules.label in shown_atoms(output) for number, output in shown.items()}

    @staticmethod
    def starts(count):
        begin = time.perf_counter()
        for _ in range(count):
            subprocess.run(["true"], capture_output=True, text=True)
        return time.perf_counter() - begin

    def all_at_once(self):
        begin = time.perf_counter()
        shown = self.clingo(self.folder / "all_rules.lp", self.folder / "all_scenes.lp", limit=self.options.limit)
        seconds = time.perf_counter() - begin
        if shown is None:
            return None, {}
        atoms = shown_atoms(shown)
        return seconds, {number: self.rules.with_scene(self.rules.label, number) in atoms for number in range(self.count)}

    def run(self):
        repeats = self.options.repeats
        times = {"paper": [], "full": [], "softor": []}
        answers = {}
        each_seconds, start_seconds, each = 0.0, 0.0, {}
        all_times, everything = [], {}
        for turn in range(repeats):
            for way, seconds in list(times.items()) * self.options.turns:
                took, answers[way] = self.ours(way)
                seconds.append(took)
            took, found = self.each(self.sample[turn::repeats])
            each_seconds += took
            each |= found
            start_seconds += self.starts(len(found))
            if turn == 0 or all_times[0] is not None:  # what took too long once is not tried again
                took, everything = self.all_at_once()
                all_times.append(took)
        all_seconds = None if None in all_times else statistics.median(all_times)
        each_total = each_seconds * self.count / len(self.sample)
        ours = {way: statistics.median(seconds) for way, seconds in times.items()}
        different = sum(answers[way][number] != value for way in answers for found in (each, everything)
                        for number, value in found.items())
        return {
            "scenes": self.count, "each_sampled": len(each), "answers_compared": len(everything) or len(each), "different": different,
            "right": sum(value == label for value, label in zip(answers["softor"], self.labels)),
            "positive": sum(answers["softor"]), "seconds": ours, "each_seconds": each_total, "each_measured_seconds": each_seconds,
            "start_seconds": start_seconds * self.count / len(self.sample),
            "each_within_limit": each_total <= self.options.limit, "all_seconds": all_seconds,
            "each_ratio": {way: each_total / seconds for way, seconds in ours.items()},
            "all_ratio": {way: all_seconds and all_seconds / seconds for way, seconds in ours.items()},
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann")
    parser.add_argument("program", type=Path)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--percent", type=float, default=100, help="of the examples, evenly spread")
    parser.add_argument("--positive", type=int, default=1, help="the label of positive examples")
    parser.add_argument("--sample", type=int, default=200, help="scenes that get a clingo process each; 0: all")
    parser.add_argument("--steps", type=int, default=2, help="of reasoning under the paper's semantics")
    parser.add_argument("--full-steps", type=int, default=6, help="the same on the full graph")
    parser.add_argument("--batch", type=int, default=200, help="scenes that ours takes at a time")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--turns", type=int, default=1, help="runs of ours in each repetition")
    parser.add_argument("--limit", type=float, default=1000)
    parser.add_argument("--folder", help="where files are written and kept; otherwise a temporary folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        result = Comparison(options, folder).run()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
