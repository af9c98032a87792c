#!/usr/bin/env python3
"""Measures what `neumann learn` learns, how fast, and what disturbs it.

    learning.py NEUMANN [--only SECTION…] [--quick] [--folder DIR] [--picture FILE.svg]

Prints tables in Markdown, and what it is doing on the standard error. Sections: rules, few, label-noise, weights, speed,
steps, classic, search, kills. The exit code is 1 if something did not come out as it should; the last lines then say what.
"""
import argparse
import collections
import csv
import itertools
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import trains
import weight_recovery

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
KANDINSKY = ["twopairs", "closeby", "red-triangle", "online-pair"]
LISTS = ["member", "delete", "is_sorted", "sort"]
NOISE = 0.05  # of perception
FLIPPED = (0, 0.1, 0.2, 0.3)  # of the labels
FEW = 100  # examples of each label
KILLS = 20

# The rules as they were published.
PUBLISHED = {
    "twopairs": ["kp(X):-in(O1,X),in(O2,X),in(O3,X),in(O4,X),same_shape_pair(O1,O2),same_color_pair(O1,O2),"
                 "same_shape_pair(O3,O4),diff_color_pair(O3,O4)."],
    "closeby": ["kp(X):-in(O1,X),in(O2,X),closeby(O1,O2)."],
    "red-triangle": ["kp(X):-in(O1,X),in(O2,X),closeby(O1,O2),color(O1,red),shape(O1,triangle),diff_shape_pair(O1,O2),"
                     "diff_color_pair(O1,O2)."],
    "online-pair": ["kp(X):-in(O1,X),in(O2,X),in(O3,X),in(O4,X),in(O5,X),same_shape_pair(O1,O2),same_color_pair(O1,O2),"
                    "online(O1,O2,O3,O4,O5)."],
    "class 0": ["kp(X):-in(O1,X),in(O2,X),size(O1,large),shape(O1,cube),size(O2,large),shape(O2,cylinder)."],
    "class 1": ["kp(X):-in(O1,X),in(O2,X),size(O1,small),material(O1,metal),shape(O1,cube),size(O2,small),"
                "shape(O2,sphere)."],
    "class 2": ["kp(X):-in(O1,X),in(O2,X),size(O1,large),color(O1,blue),shape(O1,sphere),size(O2,small),"
                "color(O2,yellow),shape(O2,sphere)."],
    "member": ["member(X,[X|Y]).", "member(X,[Y|Z]):-member(X,Z)."],
    "delete": ["delete(X,[X|Y],Y).", "delete(X,[Y|Z],[Y|V]):-delete(X,Z,V)."],
    "is_sorted": ["is_sorted([X]).", "is_sorted([X,Y|Z]):-smaller(X,Y),is_sorted([Y|Z])."],
    "sort": ["sort(X,Y):-permutation(X,Y),is_sorted(Y)."],
}
# Predicates whose arguments may stand in any order.
SYMMETRIC = frozenset(["same_shape_pair", "same_color_pair", "diff_shape_pair", "diff_color_pair", "closeby", "online",
                       "permutation"])

VARIABLE = re.compile(r"\b[A-Z_]\w*")


def split(text):
    """What stands between the commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def canonical(clause, symmetric):
    """The same text for clauses that differ in names of variables, the order of goals, and that of symmetric arguments."""
    numbers = itertools.count()
    text = re.sub(r"\b_\b", lambda _: f"_{next(numbers)}", "".join(clause.split()).removesuffix("."))
    head, _, body = text.partition(":-")
    goals = split(body)
    names = {name: f"V{i}" for i, name in enumerate(dict.fromkeys(VARIABLE.findall(head)))}
    others = sorted(set(VARIABLE.findall(body)) - names.keys())

    def renamed(goal):
        goal = VARIABLE.sub(lambda match: names[match[0]], goal)
        name, bracket, rest = goal.partition("(")
        return f"{name}({','.join(sorted(split(rest[:-1])))})" if bracket and name in symmetric else goal

    forms = []
    for order in itertools.permutations(range(len(others))):
        names.update((name, f"W{i}") for name, i in zip(others, order))
        forms.append(sorted(map(renamed, goals)))
    return renamed(head) + ":-" + ",".join(min(forms))


def program_form(clauses, symmetric=SYMMETRIC):
    return frozenset(canonical(clause, symmetric) for clause in clauses)


def code(clauses):
    return "<br>".join(f"`{clause}`".replace("|", r"\|") for clause in clauses)


def mean(numbers):
    return sum(numbers) / len(numbers)


def percent(share):
    return f"{share:.2%}".replace("%", " %")


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.seeds = range(1, 3 if options.quick else 6)
        self.speed_seeds = range(1, 3 if options.quick else 4)
        self.section = ""
        self.claims = 0
        self.broken = []
        # What `neumann generate` makes unless it is told how many.
        self.count = ["-n", "1000"] if options.quick else []
        self.hans_count = ["-n", "600"] if options.quick else []

    def claim(self, holds, what):
        self.claims += 1
        if not holds:
            self.broken.append(f"{self.section}: {what}")

    def say(self, text):
        print(text, file=sys.stderr, flush=True)

    def generate(self, *arguments):
        folder = self.folder / "_".join(arguments).replace("-", "").replace("__", "_")
        subprocess.run([self.options.neumann, "generate", *arguments, "-o", folder], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return folder

    def derive(self, data, name, change):
        """A data set like another one but for training and validation."""
        folder = self.folder / f"{data.name}_{name}"
        shutil.rmtree(folder, ignore_errors=True)
        for part in ("train", "val"):
            (folder / part).mkdir(parents=True)
            examples = [json.loads(line) for line in (data / part / "examples.jsonl").open()]
            with (folder / part / "examples.jsonl").open("w") as file:
                file.writelines(json.dumps(example) + "\n" for example in change(part, examples))
        (folder / "test").symlink_to(data / "test")
        (folder / "program.nm").symlink_to(data / "program.nm")
        return folder

    def command(self, data, *options, program=None):
        parts = itertools.chain(*((f"--{part}", data / part / "examples.jsonl") for part in ("train", "val", "test")))
        return [self.options.neumann, "learn", program or data / "program.nm", *parts, "--json", "-q", *options]

    def learn(self, what, command):
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{' '.join(map(str, command))}\nexit code {run.returncode}: {run.stderr}")
        result = json.loads(run.stdout)
        self.say(f"{what}: test {result['test_accuracy']:.4f}, {result['seconds']:.2f} s, {' '.join(result['program'])}")
        return result

    def seeds_of(self, what, data, *options, seeds=None, program=None):
        """A run for each seed; `data` and `options` may depend on it."""
        return [self.learn(f"{what}, seed {seed}", self.command(
            data(seed) if callable(data) else data, "--seed", str(seed),
            *(option(seed) if callable(option) else option for option in options), program=program))
            for seed in seeds or self.seeds]

    def head(self, title, *lines):
        print(f"{title}\n\n" + "".join(f"    {line}\n" for line in lines))
        print("| task | program | as published | up to symmetry | test, least | test, mean | seconds |")
        print("|---|---|---:|---:|---:|---:|---:|", flush=True)

    def row(self, name, results, published, certain=True):
        """`published` is a name in PUBLISHED or None; if `certain`, it has to be found each time, and be right."""
        found = collections.defaultdict(list)
        for result in results:
            found[program_form(result["program"])].append(result["program"])
        programs = "<br>".join(f"{len(same)} × {code(same[0])}" if len(found) > 1 else code(same[0])
                               for same in found.values())
        counts = ["–", "–"]
        if published:
            counts = [sum(program_form(result["program"], symmetric) == program_form(PUBLISHED[published], symmetric)
                          for result in results) for symmetric in (frozenset(), SYMMETRIC)]
        if published and certain:
            self.claim(counts[1] == len(results), f"{name}: the published program is found with every seed")
        accuracies = [result["test_accuracy"] for result in results]
        if certain:
            self.claim(min(accuracies) == 1, f"{name}: every test example is right with every seed")
        cells = [name, programs, *(f"{count} of {len(results)}" if published else count for count in counts),
                 percent(min(accuracies)), percent(mean(accuracies)),
                 f"{mean([result['seconds'] for result in results]):.3f}"]
        print(f"| {' | '.join(cells)} |", flush=True)

    def kandinsky(self, pattern, *options):
        return self.generate("kandinsky", pattern, *self.count, *options)

    def sizes(self, data):
        counts = [sum(1 for _ in (data / part / "examples.jsonl").open()) for part in ("train", "val", "test")]
        return "{:,} training, {:,} validation, {:,} test examples".format(*counts)

    def generate_line(self, what, count, options):
        return " ".join(["neumann generate", what, *count, options])

    def learn_line(self, data, options):
        return f"neumann learn {data}/program.nm --train {data}/train/examples.jsonl --val … --test … {options}"

    # The sections.

    def rules(self):
        self.head(f"Rules of Kandinsky patterns: {self.sizes(self.kandinsky('closeby'))}, data seed 1, learning seeds "
                  f"1 to {self.seeds[-1]}. As published: but for names of variables and the order of goals; up to "
                  "symmetry: but for the order of symmetric arguments, too",
                  self.generate_line("kandinsky PATTERN", self.count, "--noise P -o DATA"),
                  self.learn_line("DATA", "--seed S"))
        for pattern, noise in itertools.product(KANDINSKY, (0, NOISE)):
            data = self.kandinsky(pattern, *(["--noise", str(noise)] if noise else []))
            name = f"{pattern}, {f'noise {noise}' if noise else 'crisp'}"
            self.row(name, self.seeds_of(name, data), pattern)
        data = self.generate("clevr-hans", *self.hans_count)
        print()
        self.head(f"Classes of CLEVR-Hans: {self.sizes(data)}, data seed 1, learning seeds 1 to {self.seeds[-1]}",
                  self.generate_line("clevr-hans", self.hans_count, "-o DATA"),
                  "neumann learn examples/clevr_hans/classK.nm --positive K --train DATA/train/examples.jsonl --val … "
                  "--test … --seed S")
        for k in range(3):
            program = EXAMPLES / "clevr_hans" / f"class{k}.nm"
            results = self.seeds_of(f"clevr-hans {k}", data, "--positive", str(k), program=program)
            self.row(f"class {k}", results, f"class {k}")
        print()
        self.head(f"CLEVR-List: {self.sizes(self.generate('clevr-list', 'member'))}, data seed 1, learning seeds 1 to "
                  f"{self.seeds[-1]}; sort takes over the is_sorted that was learned with the same seed",
                  "neumann generate clevr-list TASK -o DATA", self.learn_line("DATA", "--seed S --out LEARNED"),
                  self.learn_line("sort", "--seed S --given is_sorted.learned.nm"))
        for task in LISTS:
            file = lambda seed, of=task: self.folder / f"{of}_{seed}.learned.nm"
            options = ["--out", file]
            if task == "sort":
                options += ["--given", lambda seed: file(seed, "is_sorted")]
            self.row(task, self.seeds_of(task, self.generate("clevr-list", task), *options), task)

    def sample(self, data, seed, each, name):
        def change(part, examples):
            rng = random.Random(f"{seed} {part}")
            chosen = [rng.sample([i for i, example in enumerate(examples) if example["label"] == label], each)
                      for label in (0, 1)]
            return [examples[i] for i in sorted(chosen[0] + chosen[1])]
        return self.derive(data, f"{name}_{seed}", change)

    def few(self):
        whole = self.kandinsky("red-triangle")
        data = lambda seed: self.sample(whole, seed, FEW, "few")
        self.head(f"Few examples: {self.sizes(data(1))}, half of them positive; learning seeds 1 to {self.seeds[-1]}, each "
                  "with examples of its own", self.generate_line("kandinsky red-triangle", self.count, "-o ALL"),
                  self.learn_line("SAMPLE", "--seed S"))
        self.row(f"red-triangle, {2 * FEW} examples", self.seeds_of("few", data), "red-triangle")

    def flipped(self, data, share, seed):
        """The same data with a share of the training and validation labels turned round."""
        def change(part, examples):
            for i in random.Random(f"{seed} {part}").sample(range(len(examples)), round(share * len(examples))):
                examples[i]["label"] = 1 - examples[i]["label"]
            return examples
        return self.derive(data, f"flipped_{share}_{seed}", change)

    def train_worlds(self, rule):
        sizes = {"train": 600, "val": 200, "test": 1000} if self.options.quick else {"train": 2000, "val": 500, "test": 5000}
        return trains.write(self.folder / f"trains_{trains.RULES[rule][0]}", rule, sizes, 1)

    def label_noise(self):
        print("Wrong labels: so many of the training and of the validation labels turned round, those of the test as they "
              f"are; learning seeds 1 to {self.seeds[-1]}, each with other wrong labels. Test accuracy, the mean over the "
              "seeds, and the least where it differs; in brackets how often the program is the published one")
        print("".join(f"\n    {line}" for line in [
            self.generate_line("kandinsky PATTERN", self.count, "-o DATA"), "neumann generate clevr-list TASK -o DATA",
            "bench/trains.py", self.learn_line("FLIPPED", "--seed S")]))
        print(f"\n| task | {' | '.join(f'{share:.0%} wrong' for share in FLIPPED)} | seconds |")
        print(f"|---|{'---|' * len(FLIPPED)}---:|", flush=True)
        patterns = ["closeby", "red-triangle"] if self.options.quick else KANDINSKY
        tasks = [(f"Kandinsky, {task}", self.kandinsky(task), task) for task in patterns]
        tasks += [(f"trains, {rule}", self.train_worlds(rule), None) for rule in trains.RULES]
        tasks += [(f"lists, {task}", self.generate("clevr-list", task), task) for task in ("member", "delete")]
        for name, data, published in tasks:
            cells, seconds = [], []
            for share in FLIPPED:
                results = self.seeds_of(f"{name}, {share:.0%} wrong", lambda seed: self.flipped(data, share, seed))
                cells.append(self.noise_cell(results, published))
                seconds += [result["seconds"] for result in results]
                if share <= 0.1 and published:
                    self.claim(min(result["test_accuracy"] for result in results) == 1,
                               f"{name}, {share:.0%} wrong: every test example is right with every seed")
            print(f"| {name} | {' | '.join(cells)} | {mean(seconds):.2f} |", flush=True)

    def noise_cell(self, results, published):
        accuracies = [result["test_accuracy"] for result in results]
        text = percent(mean(accuracies))
        if min(accuracies) < mean(accuracies):
            text += f", least {percent(min(accuracies))}"
        if not published:
            return text
        same = sum(program_form(result["program"]) == program_form(PUBLISHED[published]) for result in results)
        return f"{text} ({same} of {len(results)})"

    def weights(self):
        weight_recovery.run(self)

    def speed(self):
        triangle, delete = self.kandinsky("red-triangle"), self.generate("clevr-list", "delete")
        tenth = lambda seed: self.sample(triangle, seed, 50 if self.options.quick else 1000, "tenth")
        self.head(f"Speed: seconds of learning, mean of the seeds 1 to {self.speed_seeds[-1]}. Red-triangle: "
                  f"{self.sizes(triangle)}; a tenth: {self.sizes(tenth(1))}; delete: {self.sizes(delete)}",
                  self.generate_line("kandinsky red-triangle", self.count, "-o red-triangle"),
                  "neumann generate clevr-list delete -o delete",
                  self.learn_line("red-triangle", "--trials T --samples 10 --epochs 20 --batch 200 --seed S"),
                  self.learn_line("delete", "--trials 5 --samples 10 --epochs 50 --seed S"))
        options = ["--samples", "10", "--epochs", "20", "--batch", "200"]
        for name, data, trials in [("red-triangle, 5 trials", triangle, 5), ("a tenth of it, 5 trials", tenth, 5),
                                   ("red-triangle, 4 trials: a goal too few", triangle, 4)]:
            results = self.seeds_of(name, data, "--trials", str(trials), *options, seeds=self.speed_seeds)
            self.row(name, results, "red-triangle", certain=trials == 5)
        options = ["--trials", "5", "--samples", "10", "--epochs", "50"]
        self.row("delete", self.seeds_of("delete", delete, *options, seeds=self.speed_seeds), "delete")

    def rounds(self, data, search):
        """Clauses and the least seconds of three equal runs for each round of the first search."""
        runs = []
        for repeat in range(3):
            report = self.folder / f"report_{data.name}_{search}_{repeat}"
            self.learn(f"steps, {data.name}, {search}", self.command(data, "--seed", "1", "--search", search,
                                                                     "--report", report))
            rows = [row for row in csv.DictReader((report / "rounds.csv").open()) if row["lesson"] == row["start"] == "1"]
            first = [row for place, row in enumerate(rows) if row["round"] == str(place + 1)]
            runs.append([(int(row["clauses"]), float(row["seconds"])) for row in first])
        return [(same[0][0], min(seconds for _, seconds in same)) for same in zip(*runs)]

    def steps(self):
        delete = self.generate("clevr-list", "delete")
        triangle = self.sample(self.kandinsky("red-triangle"), 1, 250 if self.options.quick else 1000, "some")
        for name, data in [("delete", delete), ("red-triangle", triangle)]:
            print(f"Time per round, {name}: {self.sizes(data)}, seed 1, least of three runs\n")
            print("    neumann generate clevr-list delete -o DATA" if name == "delete" else
                  "    " + self.generate_line("kandinsky red-triangle", self.count, "-o ALL") + "    # DATA: some of it")
            print(f"    {self.learn_line('DATA', '--seed 1 --search gradient|beam --report DIR')}\n")
            print("| round | gradient: clauses | seconds | per clause, ms | beam: clauses | seconds | per clause, ms |")
            print("|---:|---:|---:|---:|---:|---:|---:|")
            times = {search: self.rounds(data, search) for search in ("gradient", "beam")}
            cells = [[f"{clauses} | {seconds:.4f} | {1000 * seconds / clauses:.2f}" for clauses, seconds in rounds]
                     for rounds in times.values()]
            for number, both in enumerate(itertools.zip_longest(*cells, fillvalue="– | – | –"), 1):
                print(f"| {number} | {' | '.join(both)} |")
            print(flush=True)
            if name == "delete" and self.options.picture:
                draw(self.options.picture, "Learning delete: seconds per round of search",
                     {search: [seconds for _, seconds in rounds] for search, rounds in times.items()})

    def classic(self):
        self.head(f"Classic problems: examples/classic, seeds 1 to {self.seeds[-1]}; the test has larger worlds",
                  "neumann learn PROBLEM.nm --train PROBLEM.train.jsonl --test PROBLEM.test.jsonl --seed S")
        for program in sorted((EXAMPLES / "classic").glob("*.nm")):
            files = [f"--{part}={program.with_suffix(f'.{part}.jsonl')}" for part in ("train", "test")]
            command = [self.options.neumann, "learn", program, *files, "--json", "-q", "--seed"]
            results = [self.learn(f"{program.stem}, seed {seed}", [*command, str(seed)]) for seed in self.seeds]
            self.row(program.stem, results, None)

    def without_modes(self, program):
        """The program without modes and numbers of clauses; nothing if a predicate has to be found without labels."""
        lines = [line for line in program.read_text().splitlines() if not line.startswith((":- modeh", ":- modeb"))]
        text = re.sub(r"(:- learn\(\w+/\d), \d+\)", r"\1)", "\n".join(lines) + "\n")
        return text if text.count(":- learn(") == 1 else None

    def search(self):
        """The search: everybody's modes, and worlds of one size and another."""
        print("Search, without any modes (`:- learn(p/2).` and no `modeb`), and one large world\n")
        print("| task | program | test | candidates | seconds | peak memory |\n|---|---|---:|---:|---:|---:|", flush=True)
        folder = self.folder / "search"
        folder.mkdir(exist_ok=True)
        for program in sorted((EXAMPLES / "classic").glob("*.nm")):
            if text := self.without_modes(program):
                (folder / program.name).write_text(text)
                files = [program.with_suffix(f".{part}.jsonl") for part in ("train", "test")]
                self.search_row(program.stem, folder / program.name, *files)
        self.search_row("grandparents of many", *self.large_world(folder, 10000 if self.options.quick else 100000))

    def search_row(self, name, program, train, test):
        command = [self.options.neumann, "learn", program, "--train", train, "--test", test, "--json", "-q"]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        output, errors = run.stdout.read(), run.stderr.read()
        _, status, usage = os.wait4(run.pid, 0)
        if status:
            sys.exit(f"{' '.join(map(str, command))}\n{errors}")
        result = json.loads(output)
        self.claim(result["test_accuracy"] == 1, f"{name}: every test label is right")
        self.claim(result["seconds"] <= 30, f"{name}: within 30 s")
        print(f"| {name} | {code(result['program'])} | {percent(result['test_accuracy'])} | {result['clauses_scored']:,} | "
              f"{result['seconds']:.2f} | {usage.ru_maxrss / 1024:.0f} MiB |", flush=True)

    def large_world(self, folder, size):
        """So many facts and so many labels in one world: children have two parents among those before them."""
        rng = random.Random(1)
        (folder / "large.nm").write_text(":- type(person).\n:- neural(parent(person, person)).\n"
                                         ":- pred(grandparent(person, person)).\n:- learn(grandparent/2).\n")
        for part in ("train", "test"):
            people = size // 2
            parents = [(rng.randrange(child), child) for child in range(1, people) for _ in range(2)]
            children = collections.defaultdict(set)
            for parent, child in parents:
                children[parent].add(child)
            true = sorted({(a, c) for a in list(children) for b in list(children[a]) for c in children.get(b, ())})
            chosen = set(rng.sample(true, min(len(true), size // 2)))
            true = set(true)
            false = {pair for pair in ((rng.randrange(people), rng.randrange(people)) for _ in range(size // 2))
                     if pair not in true}
            labels = {f"grandparent(p{a},p{b})": int((a, b) in true) for a, b in sorted(chosen | false)}
            world = {"atoms": {f"parent(p{a},p{b})": 1 for a, b in parents}, "targets": labels}
            (folder / f"large.{part}.jsonl").write_text(json.dumps(world) + "\n")
        return folder / "large.nm", folder / "large.train.jsonl", folder / "large.test.jsonl"

    def kills(self):
        data = self.generate("clevr-list", "delete")
        file = self.folder / "kills" / "delete.learned.nm"
        file.parent.mkdir(exist_ok=True)
        command = self.command(data, "--seed", "1", "--out", file, "--report", file.parent / "report")
        undisturbed = self.learn("kills, undisturbed", command)

        def written():
            epochs = file.parent / "report" / "epochs.csv"
            return file.read_bytes(), epochs.read_bytes()
        before = written()
        rng = random.Random(1)
        runs = killed = 0
        while killed < KILLS:
            file.unlink()
            runs += 1
            resume = []
            while True:
                run = subprocess.Popen([*command, *resume], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                try:
                    wait = rng.uniform(0, undisturbed["seconds"] / 4) if killed < KILLS else None
                    output, errors = run.communicate(timeout=wait)
                    break
                except subprocess.TimeoutExpired:
                    run.send_signal(signal.SIGKILL)
                    output, errors = run.communicate()
                    if run.returncode != -signal.SIGKILL:
                        break  # it came first
                    killed += 1
                    self.say(f"kills: kill {killed} after {wait:.2f} s")
                resume = ["--resume"]
            if run.returncode:
                sys.exit(f"{' '.join(map(str, command))} --resume\nexit code {run.returncode}: {errors}")
            result = json.loads(output)
            same = {**result, "seconds": 0} == {**undisturbed, "seconds": 0} and written() == before
            self.claim(same, f"run {runs} writes the same as the undisturbed one")
        outcome = "NOT all the same" if any(what.startswith("kills") for what in self.broken) else "each time the same"
        print(f"Kills: delete, {self.sizes(data)}, seed 1; {runs} runs, killed {killed} times in all at random moments "
              f"(seed 1) and resumed until they ended: program file, clauses, weights, accuracies and the losses of "
              f"all epochs {outcome} as those of the undisturbed run ({undisturbed['seconds']:.2f} s)\n\n"
              f"    {self.learn_line('delete', '--seed 1 --out FILE --report DIR --resume')}")


def ticks(low, high, logarithmic):
    """Round numbers from below the lowest value to above the highest."""
    if logarithmic:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        values = [digit * 10.0**power for power in powers for digit in ((1,) if high > 1000 * low else (1, 2, 5))]
    else:
        step = 10.0 ** math.floor(math.log10(high / 4))
        step *= next(factor for factor in (1, 2, 5, 10) if high <= 6 * factor * step)
        values = [step * i for i in range(8)]
    least = max(value for value in values if value <= low)
    greatest = min(value for value in values if value >= high)
    return [value for value in values if least <= value <= greatest]


def draw(file, title, lines):
    """Lines over the rounds as SVG."""
    width, height, left, right, top, bottom = 640, 360, 70, 20, 50, 50
    values = [max(value, 1e-6) for line in lines.values() for value in line]
    logarithmic = max(values) / min(values) > 30
    marks = ticks(min(values) if logarithmic else 0, max(values), logarithmic)
    scale = math.log10 if logarithmic else float
    rounds = max(map(len, lines.values()))
    x = lambda number: left + (width - left - right) * (number - 0.5) / rounds
    y = lambda value: height - bottom - (height - top - bottom) * (
        (scale(max(value, marks[0])) - scale(marks[0])) / (scale(marks[-1]) - scale(marks[0])))
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" '
           f'fill="#333">', f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="22" font-size="15">{title}</text>']
    text = lambda x, y, what, more="": svg.append(f'<text x="{x:.1f}" y="{y:.1f}" {more}>{what}</text>')
    for mark in marks:
        svg.append(f'<path d="M{left} {y(mark):.1f}H{width - right}" stroke="#ddd"/>')
        text(left - 8, y(mark) + 4, f"{mark:g} s", 'text-anchor="end"')
    for number in range(1, rounds + 1):
        text(x(number), height - bottom + 18, number, 'text-anchor="middle"')
    text((left + width - right) / 2, height - 12, "round" + (", logarithmic scale" if logarithmic else ""),
         'text-anchor="middle"')
    svg.append(f'<path d="M{left} {top}V{height - bottom}H{width - right}" fill="none" stroke="#333"/>')
    for place, ((name, line), colour) in enumerate(zip(lines.items(), ("#1f77b4", "#d95f02"))):
        points = [(x(number), y(value)) for number, value in enumerate(line, 1)]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        svg.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        svg += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3.5" fill="{colour}"/>' for px, py in points]
        svg.append(f'<path d="M{left + 110 * place} 38h24" stroke="{colour}" stroke-width="2"/>')
        text(left + 110 * place + 30, 42, name)
    Path(file).write_text("\n".join([*svg, "</svg>\n"]))


def main():
    sections = {"rules": Bench.rules, "few": Bench.few, "label-noise": Bench.label_noise, "weights": Bench.weights,
                "speed": Bench.speed, "steps": Bench.steps, "classic": Bench.classic, "search": Bench.search,
                "kills": Bench.kills}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann", type=lambda name: Path(name).resolve())
    parser.add_argument("--only", nargs="+", choices=sections, default=list(sections), metavar="SECTION")
    parser.add_argument("--quick", action="store_true", help="less data and two seeds, to see whether it works")
    parser.add_argument("--folder", help="where data are made and kept; otherwise a temporary folder")
    parser.add_argument("--picture", help="where to draw the time per round")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(options, folder)
        version = subprocess.run([options.neumann, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        print(f"{version}, {os.cpu_count()} cores{', quick' if options.quick else ''}\n")
        for name in options.only:
            bench.section = name
            sections[name](bench)
            print(flush=True)
    print(f"{bench.claims} claims checked, {len(bench.broken)} do not hold")
    print("".join(f"does not hold: {what}\n" for what in bench.broken), end="")
    return 1 if bench.broken else 0


if __name__ == "__main__":
    sys.exit(main())
