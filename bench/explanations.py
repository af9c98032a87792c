#!/usr/bin/env python3
"""Measures explanations: do they name the right objects, find a wrong perception, stream, and what do they cost?

    explanations.py BUILD [--only SECTION…] [--quick] [--seed N] [--cost BINARY] [--json FILE] [--folder DIR]

BUILD is a build folder with `neumann`. Prints tables in Markdown, and what it is doing on the standard error; --json has
the same rows, with the cases that failed. Sections:

agreement  scenes of a class: the objects that the class's rule is about must weigh more than all others
flips      one attribute of a scene is made wrong such that the answer becomes false: why-not must name it first
errors     the same with errors that networks make on pictures, where they happen and put into other pictures
stream     memory and speed of many explanations
cost       an explanation against one forward pass; needs --cost, the path of bench_explanations

The exit code is 1 if something falls short of what is claimed; the last lines then say what.
"""
import argparse
import itertools
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import make_questions
from learning import EXAMPLES

# Width and height of the pictures: as the networks see them, 40 ms a picture and not 2 s; and so coarse that they err.
FINE, COARSE = (192, 128), (60, 40)
NEAR = 0.1  # an object that was seen further away from where it is, in shares of the picture, is another one
ATTRIBUTES = ("shape", "size", "material", "color")  # the order of scenes.jsonl
VALUES = {
    "solid": {"color": ["cyan", "blue", "yellow", "purple", "red", "green", "gray", "brown"],
              "shape": ["sphere", "cube", "cylinder"], "size": ["large", "small"], "material": ["rubber", "metal"]},
    "figure": {"color": ["red", "yellow", "blue"], "shape": ["square", "circle", "triangle"]},
    "row": {"color": make_questions.COLORS},
}
# What the two objects of a class look like.
CLASS_RULES = [
    ({"size": "large", "shape": "cube"}, {"size": "large", "shape": "cylinder"}),
    ({"size": "small", "material": "metal", "shape": "cube"}, {"size": "small", "shape": "sphere"}),
    ({"size": "large", "color": "blue", "shape": "sphere"}, {"size": "small", "color": "yellow", "shape": "sphere"}),
]

CLEAR = (10, 1.5)  # how far the true value is ahead of the others, in logits, and the scale of the noise: as the networks
HAZY = (5, 1)      # … much less sure than they are: now and then a right value looks worse than the wrong one
KINDS = {  # how an attribute is wrong, in which views, the share of cases in which it must be named first (None: no claim)
    "runner-up": ("the wrong value gets about 0.9, the true one about 0.08", CLEAR, 0.95),
    "close call": ("the wrong value gets 0.55, the true one 0.40", CLEAR, 0.95),
    "hazy runner-up": ("the same as runner-up, the rest less certain", HAZY, None),
    "hazy close call": ("the same as close call, the rest less certain", HAZY, None),
    "no trace": ("the true value is as improbable as every other", HAZY, None),
    "crisp": ("everything is 0 or 1: all repairs of one atom are equally near", HAZY, None),
}
BEHIND = 2.5  # how far a runner-up is behind, in logits


def satisfying(label, objects):
    """The pairs of objects that the rule of a class is true of. objects: a dictionary of attributes each."""
    one, other = CLASS_RULES[label]
    fits = lambda seen, wanted: all(seen[name] == value for name, value in wanted.items())
    return [(a, b) for a, b in itertools.permutations(range(len(objects)), 2)
            if fits(objects[a], one) and fits(objects[b], other)]


def described(scene):
    return [dict(zip(ATTRIBUTES, entry)) for entry in scene["objects"]]


def read_lines(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def terms_of(atom):
    """color(obj0,red) as (color, [obj0, red])."""
    name, rest = atom.rstrip(")").split("(", 1)
    return name, rest.split(",")


def matched(scene, seen, size):
    """Which true object each row of what was seen shows, each object once; what is seen faintly gets what is left."""
    places = [(x / size[0], y / size[1]) for x, y, _ in scene["pixels"]]
    pairs = sorted((row["presence"] < 0.5, math.dist(place, (row["x"], row["y"])), r, t)
                   for r, row in enumerate(seen["objects"]) for t, place in enumerate(places))
    found = {}
    for _, distance, row, true in pairs:
        if distance <= NEAR and row not in found and true not in found.values():
            found[row] = true
    return found


@dataclass
class Choice:
    """Values of which one is true, with a logit each. A value is the text of an atom, or None: no atom says so."""
    true: str
    logits: dict
    noise: float = 0  # of a flip
    twins: dict = field(default_factory=dict)  # atoms that are as probable as another

    def probabilities(self, crisp=False):
        if crisp:
            best = max(self.logits, key=self.logits.get)
            found = {atom: float(atom == best) for atom in self.logits}
        else:
            odds = {atom: math.exp(logit) for atom, logit in self.logits.items()}
            found = {atom: one / sum(odds.values()) for atom, one in odds.items()}
        found |= {twin: found[atom] for twin, atom in self.twins.items()}
        return {atom: round(value, 6) for atom, value in found.items() if atom}

    def flipped(self, wrong, kind, pair=None):
        """With the truth taken for something else. pair: the probabilities of both."""
        logits = dict(self.logits)
        if kind.endswith("close call"):
            pair = (0.40, 0.55)
        if pair:
            rest = [atom for atom in logits if atom not in (self.true, wrong)]
            logits = {atom: math.log(max(1 - sum(pair), 1e-6) / len(rest)) for atom in rest}
            logits |= {self.true: math.log(max(pair[0], 1e-9)), wrong: math.log(pair[1])}
        else:
            logits[self.true], logits[wrong] = logits[wrong], logits[self.true]
            if kind.endswith("runner-up"):
                logits[self.true] = logits[wrong] - BEHIND + self.noise
        return Choice(self.true, logits, twins=self.twins)


@dataclass
class Task:
    """Scenes about which something is true, and what may be flipped in them."""
    name: str
    program: Path
    generate: list
    world: str            # key of VALUES
    flips: tuple          # predicates that are flipped
    label: int = None     # of the positives; None: every example is one, with an answer


@dataclass
class View:
    """What is seen of an example of which an atom is true."""
    id: str
    atom: str
    choices: list

    def example(self, number, kind=None, flip=None):
        """With one choice flipped; kind None: none."""
        atoms = {}
        for c, choice in enumerate(self.choices):
            one = choice.flipped(flip.wrong, kind, flip.pair) if kind and c == flip.choice else choice
            atoms |= one.probabilities(kind == "crisp")
        return {"id": number, "atoms": {atom: value for atom, value in atoms.items() if value > 0}}


@dataclass
class Flip:
    view: View
    choice: int
    wrong: str
    pair: tuple = None
    repairs: list = field(default_factory=list)  # choice, value: what else would make the answer true when all is crisp

    def truth(self):
        return self.view.choices[self.choice].true

    def ideal(self, kind):
        """What a reader would blame who knows that one choice is wrong: of all that would help, the least improbable."""
        def nearness(repair):
            c, value = repair
            choice = self.view.choices[c]
            logits = (choice.flipped(self.wrong, kind, self.pair) if c == self.choice else choice).logits
            return logits[value] - max(logits.values())
        return max(self.repairs, key=nearness)


def choices_of(example, world, sureness, rng):
    """A noisy view of a crisp example: what a network with these logits would see."""
    margin, scale = sureness
    def choose(true, others):
        logits = {true: margin + rng.gauss(0, scale), **{other: rng.gauss(0, scale) for other in others}}
        return Choice(true, logits, rng.gauss(0, 1))

    given = set(example["atoms"])
    objects = sorted({term for atom in given for term in terms_of(atom)[1] if term.startswith("obj")})
    choices = []
    for atom in sorted(given):
        name, terms = terms_of(atom)
        if name in VALUES[world]:
            rest = [value for value in VALUES[world][name] if value != terms[1]]
            choices.append(choose(atom, [f"{name}({terms[0]},{value})" for value in rest]))
        elif name == "in":
            choices.append(choose(atom, [None]))
        elif name == "left_of":
            choices.append(choose(atom, [f"left_of({terms[1]},{terms[0]})"]))
        elif name.startswith("query"):
            choices.append(Choice(atom, {atom: 0}))
    if world == "figure":
        for a, b in itertools.combinations(objects, 2):
            close, twin = f"closeby({a},{b})", f"closeby({b},{a})"
            one = choose(close, [None]) if close in given else choose(None, [close])
            one.twins[twin] = close
            choices.append(one)
    return choices


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.build = Path(options.build).resolve()
        self.seed = options.seed
        self.rows = []
        self.broken = []
        self.files = itertools.count()
        self.pictures = {}

    def say(self, *words):
        print(*words, file=sys.stderr, flush=True)

    def neumann(self, *arguments):
        command = [str(part) for part in (self.build / "neumann", *arguments)]
        self.say("$ " + " ".join(command))
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"exit code {done.returncode}: {done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def generate(self, *arguments):
        folder = self.folder / re.sub(r"[^a-z0-9]+", "_", "_".join(map(str, arguments)))
        self.neumann("generate", *arguments, "--split", "test", "--seed", self.seed, "-o", folder)
        return folder / "test"

    def write(self, examples):
        path = self.folder / f"examples{next(self.files)}.jsonl"
        path.write_text("".join(json.dumps(example) + "\n" for example in examples))
        return path

    # Tables.

    def head(self, title, *columns):
        print(f"\n{title}\n\n| what | " + " | ".join(columns) + " |\n|---|" + "---:|" * len(columns), flush=True)

    def row(self, section, what, right, total, least=None, cells=(), **more):
        """least: the share that is claimed."""
        share = right / total if total else None
        shown = "–" if share is None else f"{100 * share:.2f} %"
        claim = "" if least is None else f"{100 * least:.0f} %"
        print(f"| {what} | {right:,} of {total:,} | {shown} | {claim} |" + "".join(f" {cell} |" for cell in cells), flush=True)
        self.rows.append({"section": section, "what": what, "seed": self.seed, "right": right, "total": total,
                          "share": share, "claimed": least, **more})
        if least is not None and not (share is not None and share >= least):
            self.broken.append(f"{section}, {what}: {shown} of {total}, at least {claim} claimed")

    # Agreement: the objects of the rule get the highest weights.

    def agreement(self):
        count = 300 if self.options.quick else 3000
        data = self.generate("clevr-hans", "-n", count, "--noise", "0.05")
        scenes = {scene["image"]: scene for scene in read_lines(data / "scenes.jsonl")}
        columns = ("right", "share", "claimed", "one instance", "several instances", "right of them", "an object not seen")
        self.head(f"Objects of the rule weigh more than all others: scenes of symbols, noise 0.05, {count} scenes, seed {self.seed}",
                  *columns)
        examples = read_lines(data / "examples.jsonl")
        rows_of = lambda _, scene: {i: i for i in range(len(scene["objects"]))}
        self.agree("symbols", data / "examples.jsonl", examples, scenes, "--examples", rows_of, [])
        data, examples, scenes = self.made_pictures(FINE)
        for network in ("solids", "slots"):
            seen = self.seen(data, network)
            self.head(f"… and pictures, network {network}, {len(examples)} pictures, seed {self.seed}", *columns)
            rows_of = lambda image, scene: matched(scene, seen[image], FINE)
            self.agree(network, data, examples, scenes, "--images", rows_of, ["--network", network])

    def made_pictures(self, size):
        if size not in self.pictures:
            count = 90 if self.options.quick else self.options.pictures
            data = self.generate("clevr-hans", "-n", count, "--images", "--quality", "training", "--size", f"{size[0]}x{size[1]}")
            self.pictures[size] = (data, read_lines(data / "examples.jsonl"),
                                   {scene["image"]: scene for scene in read_lines(data / "scenes.jsonl")})
        return self.pictures[size]

    def seen(self, data, network):
        lines = self.neumann("perceive", data / "images", "--network", network, "--json", "--least", "0", "--cache",
                             data / ".neumann-seen")
        return {Path(line["image"]).name: line for line in lines}

    def explain_class(self, label, how, data, more):
        return self.neumann("explain", EXAMPLES / "clevr_hans" / f"class{label}.nm", how, data, "--atom", "kp(img)", "--json",
                            "--no-words", *more)

    def agree(self, what, data, examples, scenes, how, rows_of, more):
        images = {example["id"]: (example["images"][0], example["label"]) for example in examples}
        pooled = Counter()
        for label in range(3):
            counts, failed = Counter(), []
            for found in self.explain_class(label, how, data, more):
                image, its_label = images[found["id"]]
                if its_label != label:
                    continue
                counts["positives"] += 1
                if found["value"] < 0.5:
                    continue
                counts["total"] += 1
                self.judge(found, label, scenes[image], rows_of(image, scenes[image]), counts, failed)
            pooled += counts
            self.agreement_row(f"{what}, class {label}", counts, None, failed)
        self.agreement_row(f"{what}, all classes", pooled, 0.97, [])

    def judge(self, found, label, scene, true_of_row, counts, failed):
        instances = satisfying(label, described(scene))
        rule = {obj for pair in instances for obj in pair}
        weight = dict.fromkeys(range(len(scene["objects"])), 0)
        others = [0]
        for one in found["objects"]:
            true = true_of_row.get(one["row"])
            if true is not None:
                weight[true] = one["weight"]
            if true not in rule:
                others.append(one["weight"])
        right = min((weight[obj] for obj in rule), default=0) > max(others)
        loose = any(min(weight[a], weight[b]) > max(others) for a, b in instances)
        several = len(instances) > 1
        unseen = any(obj not in true_of_row.values() for obj in rule)
        for name, holds in (("right", right), ("loose", loose), ("several", several), ("several_right", several and right),
                            ("unseen", unseen)):
            counts[name] += holds
        if not right:
            failed.append({"id": found["id"], "value": found["value"], "instances": instances, "unseen": unseen,
                           "weights": weight, "others": max(others), "loose": loose})

    def agreement_row(self, what, counts, least, failed):
        self.row("agreement", what, counts["right"], counts["total"], least,
                 (counts["loose"], counts["several"], counts["several_right"], counts["unseen"]),
                 positives=counts["positives"], one_instance=counts["loose"], several_instances=counts["several"],
                 several_right=counts["several_right"], unseen=counts["unseen"], failed=failed)

    # Flips: why-not names the attribute that was made wrong.

    def tasks(self):
        hans = [Task(f"clevr-hans class {k}", EXAMPLES / "clevr_hans" / f"class{k}.nm", ["clevr-hans"], "solid",
                     ATTRIBUTES, k) for k in range(3)]
        figures = [Task(f"kandinsky {name}", EXAMPLES / "kandinsky" / f"{name.replace('-', '_')}.nm", ["kandinsky", name],
                        "figure", ("color", "shape"), 1) for name in ("red-triangle", "twopairs")]
        rows = [Task(f"behind the scenes, {what}", EXAMPLES / "behind_the_scenes" / "questions.nm", ["behind-the-scenes"],
                     "row", (predicate,)) for what, predicate in (("a colour", "color"), ("the order", "left_of"))]
        return hans + figures + rows

    def flips(self):
        count = 40 if self.options.quick else 200
        drawn = {}
        for kind, (meaning, sureness, least) in KINDS.items():
            margin, scale = sureness
            self.flip_head(f"Flips, {kind}: {meaning}. Margin {margin}, noise {scale}")
            pooled = Counter()
            for task in self.tasks():
                if (task.name, sureness) not in drawn:
                    drawn[task.name, sureness] = self.draw(task, count, sureness)
                pooled += self.blame(task, kind, drawn[task.name, sureness])
            self.flip_row(f"{kind}, all", pooled, least, [])

    def flip_head(self, title):
        self.head(f"{title}. The flipped atom is named first; seed {self.seed}", "first", "share", "claimed", "ideal reader",
                  "repairs of one atom", "in the nearest, or tied with it", "mean value of the truth")

    def draw(self, task, count, sureness):
        """Positives as noisy views, and for each a flip that makes the crisp answer false."""
        data = self.generate(*task.generate, "-n", count * {"solid": 3, "figure": 2, "row": 1}[task.world])
        rng = random.Random(f"{self.seed} {task.name}")
        views = []
        for example in read_lines(data / "examples.jsonl"):
            if task.label in (None, example.get("label")):
                atom = f"answer({example['answer']})" if task.label is None else "kp(img)"
                views.append(View(example["id"], atom, choices_of(example, task.world, sureness, rng)))
        return self.choose_flips(task, views, rng)

    def choose_flips(self, task, views, rng):
        """For each view a flip, at random among those that make the answer false when everything is certain."""
        candidates = []
        for view in views:
            options = [Flip(view, c, wrong) for c, choice in enumerate(view.choices)
                       if choice.true and terms_of(choice.true)[0] in task.flips
                       for wrong in choice.logits if wrong != choice.true]
            rng.shuffle(options)
            candidates += options
        chosen = {}
        examples = [flip.view.example(number, "crisp", flip) for number, flip in enumerate(candidates)]
        for flip, values in zip(candidates, self.values(task, examples), strict=True):
            if values[flip.view.atom] < 0.5:
                chosen.setdefault(flip.view.id, flip)
        flips = list(chosen.values())
        self.find_repairs(task, flips)
        return flips

    def find_repairs(self, task, flips):
        tried, examples = [], []
        for flip in flips:
            crisp = flip.view.example(0, "crisp", flip)["atoms"]
            for c, choice in enumerate(flip.view.choices):
                now = next((atom for atom in choice.logits if atom in crisp), None)
                for value in choice.logits:
                    if value is None or value == now:
                        continue
                    changed = {atom: p for atom, p in crisp.items() if atom not in choice.logits} | {value: 1.0}
                    changed |= {twin: 1.0 for twin, atom in choice.twins.items() if atom == value}
                    tried.append((flip, c, value))
                    examples.append({"id": len(examples), "atoms": changed})
        for (flip, c, value), values in zip(tried, self.values(task, examples), strict=True):
            if values[flip.view.atom] >= 0.5:
                flip.repairs.append((c, value))

    def values(self, task, examples):
        query = "answer(X)" if task.label is None else "kp(img)"
        lines = self.neumann("reason", task.program, "--examples", self.write(examples), "--query", query, "--json")
        return [line["values"] for line in lines]

    def blame(self, task, kind, flips):
        clean = self.values(task, [flip.view.example(n) for n, flip in enumerate(flips)])
        by_atom = defaultdict(list)
        for n, (flip, values) in enumerate(zip(flips, clean, strict=True)):
            if values[flip.view.atom] >= 0.5:
                by_atom[flip.view.atom].append(flip.view.example(n, kind, flip))
        counts, failed = Counter(), []
        for atom, examples in sorted(by_atom.items()):
            for found in self.neumann("explain", task.program, "--examples", self.write(examples), "--atom", atom, "--json",
                                      "--near", 20, "--no-words"):
                if found["value"] < 0.5:
                    self.judge_blame(found, flips[found["id"]], kind, counts, failed)
        self.flip_row(f"{kind}, {task.name}", counts, None, failed)
        return counts

    def judge_blame(self, found, flip, kind, counts, failed):
        truth = flip.truth()
        value = flip.view.example(0, kind, flip)["atoms"].get(truth, 0)
        nearest = found["why_not"]["nearest"]
        blamed = [[failure["atom"] for failure in miss["failures"]] for miss in nearest]
        lacks = [sorted(failure["value"] for failure in miss["failures"]) for miss in nearest]
        ties = [miss for miss, lack in zip(blamed, lacks) if lack == lacks[0]]  # the nearest, and others as near
        first = bool(blamed and blamed[0] and blamed[0][0] == truth)
        ideal = flip.ideal(kind)[1]
        for name, amount in (("total", 1), ("right", first), ("ideal", ideal == truth), ("repairs", len(flip.repairs)),
                             ("tied", any(truth in miss for miss in ties)), ("value", value)):
            counts[name] += amount
        if not first:
            rank = next((place for place, miss in enumerate(blamed, 1) if truth in miss), None)
            failed.append({"id": flip.view.id, "atom": found["atom"], "truth": truth, "seen": flip.wrong, "truth_value": value,
                           "ideal": ideal, "blamed": blamed[0] if blamed else [], "rank_of_truth": rank,
                           "blamed_values": [failure["value"] for failure in nearest[0]["failures"]] if nearest else []})

    def flip_row(self, what, counts, least, failed):
        total = max(counts["total"], 1)
        ideal, tied, repairs, value = (counts[name] / total for name in ("ideal", "tied", "repairs", "value"))
        shown = "–" if what.startswith("crisp") else f"{100 * ideal:.2f} %"
        self.row("flips", what, counts["right"], counts["total"], least,
                 (shown, f"{repairs:.1f}", f"{100 * tied:.2f} %", f"{value:.4f}"),
                 ideal=ideal, mean_repairs=repairs, in_nearest_or_tied=tied, mean_truth=value, failed=failed)

    # Errors: those that a network really makes.

    def errors(self):
        ranks, sure = {}, []
        for size in (FINE, COARSE):
            data, examples, scenes = self.made_pictures(size)
            images = {example["id"]: (example["images"][0], example["label"]) for example in examples}
            self.head(f"Positives that pictures of {size[0]}×{size[1]} made false: the atom named first is one that the network got "
                      f"wrong; {len(examples)} pictures, seed {self.seed}", "right", "share", "claimed", "in the nearest",
                      "right where objects of an instance were all seen")
            for network in ("solids", "slots"):
                seen = self.seen(data, network)
                rows = {image: matched(scene, seen[image], size) for image, scene in scenes.items()}
                given = self.distributions(data, network)
                looks = self.looks(images, scenes, rows, seen, given)
                ranks[f"{network}, {size[0]}×{size[1]}"] = looks
                pooled = Counter()
                for label in range(3):
                    counts, cases = Counter(), []
                    for found in self.explain_class(label, "--images", data, ["--network", network]):
                        image, its_label = images[found["id"]]
                        if its_label == label and found["value"] < 0.5:
                            self.judge_error(found, label, scenes[image], rows[image], given[found["id"]], counts, cases)
                    pooled += counts
                    self.error_row(f"{network}, {size[0]}×{size[1]}, class {label}", counts, cases)
                self.error_row(f"{network}, {size[0]}×{size[1]}, all classes", pooled, [])
                if size == FINE and network == "slots":
                    sure = self.sure_views(images, scenes, rows, seen, given)
        self.print_ranks(ranks)
        for size, least in ((FINE, 0.95), (COARSE, None)):
            self.transplants(sure, f"{size[0]}×{size[1]}", ranks, least)

    def looks(self, images, scenes, rows, seen, given):
        """Per attribute, for every object: rank and value of the truth, value of the best, or of the second if it is right."""
        found = {name: [] for name in ATTRIBUTES}
        for number, (image, _) in images.items():
            objects = described(scenes[image])
            if len(seen[image]["objects"]) > 10:
                continue  # the program has ten names: rows and names differ
            for row, true in rows[image].items():
                for name in ATTRIBUTES:
                    values = {v: given[number][f"{name}(obj{row},{v})"] for v in VALUES["solid"][name]}
                    truth = values.pop(objects[true][name])
                    found[name].append((1 + sum(value > truth for value in values.values()), truth, max(values.values())))
        return found

    def print_ranks(self, ranks):
        for what, looks in ranks.items():
            print(f"\nWhere the truth is when {what} is wrong, all objects that were seen; and the best of the others when it is right\n\n"
                  "| attribute | wrong | truth second | mean p of the truth | median | mean p of what won | right: second best, median | "
                  "90 % | 99 % |\n|---|" + "---:|" * 8)
            for name, all_of in looks.items():
                wrong = [one for one in all_of if one[0] > 1]
                second = sum(rank == 2 for rank, _, _ in wrong)
                truth, won = (sorted(one[column] for one in wrong) or [0] for column in (1, 2))
                others = sorted(one[2] for one in all_of if one[0] == 1)
                quantiles = [others[int(q * (len(others) - 1))] for q in (0.5, 0.9, 0.99)]
                means = [sum(values) / len(values) for values in (truth, won)]
                print(f"| {name} | {len(wrong):,} of {len(all_of):,} | {second} | {means[0]:.4f} | {truth[len(truth) // 2]:.4f} | "
                      f"{means[1]:.4f} |" + "".join(f" {q:.2g} |" for q in quantiles), flush=True)
                self.rows.append({"section": "errors", "what": f"{what}: truth of a wrong {name}", "seed": self.seed,
                                  "wrong": len(wrong), "total": len(all_of), "second": second, "mean_truth": means[0],
                                  "median_truth": truth[len(truth) // 2], "mean_winner": means[1], "others_when_right": quantiles})

    def sure_views(self, images, scenes, rows, seen, given):
        """Pictures whose objects were all seen right, as views: label, view."""
        found = []
        for number, (image, label) in images.items():
            objects, row_of = described(scenes[image]), rows[image]
            if len(row_of) < len(objects) or len(seen[image]["objects"]) > len(objects) or len(objects) > 10:
                continue
            choices, right = [], True
            for row, true in row_of.items():
                present = given[number][f"in(obj{row},img)"]
                logits = lambda values: {atom: math.log(max(p, 1e-9)) for atom, p in values.items()}
                choices.append(Choice(f"in(obj{row},img)", logits({f"in(obj{row},img)": present, None: 1 - present})))
                for name in ATTRIBUTES:
                    values = {atom: given[number][atom] for v in VALUES["solid"][name] for atom in [f"{name}(obj{row},{v})"]}
                    truth = f"{name}(obj{row},{objects[true][name]})"
                    right = right and max(values, key=values.get) == truth
                    choices.append(Choice(truth, logits(values)))
            if right:
                found.append((label, View(number, "kp(img)", choices)))
        return found

    def transplants(self, sure, size, ranks, least):
        """Errors that networks made elsewhere, put into pictures that slots saw right."""
        pairs = [(truth, winner) for what, looks in ranks.items() if what.endswith(size)
                 for wrong in looks.values() for rank, truth, winner in wrong if rank > 1]
        if not pairs:
            return
        self.flip_head(f"Transplanted errors: what slots saw rightly on {FINE[0]}×{FINE[1]}, with one of the {len(pairs)} errors that "
                       f"both networks made on {size}, as probable as it was there")
        rng = random.Random(self.seed)
        pooled = Counter()
        for task in self.tasks():
            if task.world == "solid":
                flips = self.choose_flips(task, [view for label, view in sure if label == task.label], rng)
                for flip in flips:
                    flip.pair = rng.choice(pairs)
                pooled += self.blame(task, f"transplanted from {size}", flips)
        self.flip_row(f"transplanted from {size}, all", pooled, least, [])

    def distributions(self, data, network):
        """All that the reasoner is told about each picture."""
        queries = [part for atom in ("in(O,I)", "color(O,V)", "shape(O,V)", "size(O,V)", "material(O,V)")
                   for part in ("--query", atom)]
        lines = self.neumann("reason", EXAMPLES / "clevr_hans" / "class0.nm", "--images", data, "--network", network, "--json", *queries)
        return {line["id"]: line["values"] for line in lines}

    def judge_error(self, found, label, scene, true_of_row, given, counts, cases):
        objects = described(scene)
        rows = {one["name"]: one["row"] for one in found["objects"]}
        row_of = lambda name: rows.get(name, int(name.removeprefix("obj")))

        def wrong(failure):
            """Whether the atom is true, though the network does not say so, or not plainly."""
            name, terms = terms_of(failure["atom"])
            true = true_of_row.get(row_of(terms[0]))
            return true is not None and (name == "in" or objects[true][name] == terms[1])

        needed = {obj for pair in satisfying(label, objects) for obj in pair}
        unseen = [obj for obj in needed if obj not in true_of_row.values()]
        # Something can be named if the objects of an instance of the rule all have a row.
        nameable = any(all(obj in true_of_row.values() for obj in pair) for pair in satisfying(label, objects))
        failures = found["why_not"]["nearest"][0]["failures"] if found["why_not"]["nearest"] else []
        first = bool(failures) and wrong(failures[0])
        counts["total"] += 1
        counts["right"] += first
        counts["nearest"] += any(map(wrong, failures))
        counts["nameable"] += nameable
        counts["nameable_right"] += nameable and first
        cases.append({"id": found["id"], "value": found["value"], "right": first, "nameable": nameable, "unseen": unseen,
                      "blamed": [(failure["atom"], failure["value"], wrong(failure)) for failure in failures],
                      "wrong_of_needed": [
                          (row, obj, name, objects[obj][name], given.get(f"{name}(obj{row},{objects[obj][name]})"))
                          for row, obj in true_of_row.items() if obj in needed for name in ATTRIBUTES
                          if (given.get(f"{name}(obj{row},{objects[obj][name]})") or 0) < 0.5]})

    def error_row(self, what, counts, cases):
        self.row("errors", what, counts["right"], counts["total"], None,
                 (counts["nearest"], f"{counts['nameable_right']} of {counts['nameable']}"),
                 in_nearest=counts["nearest"], nameable=counts["nameable"], nameable_right=counts["nameable_right"], cases=cases)

    # Many explanations.

    def stream(self):
        few, many = 1000, 8000 if self.options.quick else 20000
        rng = random.Random(self.seed)
        questions = [make_questions.example(number, rng, 0, confusion=1) for number in range(many)]
        print(f"\nQuestions explained as JSON, behind_the_scenes/all.nm, confusion 1, seed {self.seed}\n\n"
              "| explanations | seconds | per second | peak memory after a quarter, MiB | in the end, MiB |\n|---:|---:|---:|---:|---:|",
              flush=True)
        for count in (few, many):
            seconds, quarter, end = self.explain_all(questions[:count])
            print(f"| {count:,} | {seconds:.2f} | {count / seconds:,.0f} | {quarter:.1f} | {end:.1f} |", flush=True)
            self.rows.append({"section": "stream", "what": f"{count} explanations", "seed": self.seed, "seconds": seconds,
                              "per_second": count / seconds, "quarter_mib": quarter, "peak_mib": end})
        # Buffers are as large as they get after a few thousand; a leak would go on.
        if end > 1.05 * quarter:
            self.broken.append(f"stream: memory grows from {quarter:.1f} to {end:.1f} MiB after a quarter of {many} explanations")

    def explain_all(self, questions):
        """Seconds, and the peak of the memory after a quarter of the questions and in the end."""
        command = [str(self.build / "neumann"), "explain", str(EXAMPLES / "behind_the_scenes" / "all.nm"), "--examples",
                   str(self.write(questions)), "--atom", "answer(X)", "--json"]
        self.say("$ " + " ".join(command))
        begin = time.perf_counter()
        peaks = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            # The kernel's high-water mark of the running process; getrusage would count the memory of this one in.
            status = Path(f"/proc/{process.pid}/status")
            for lines, _ in enumerate(process.stdout, 1):
                if lines % 50 == 0:
                    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
                    peaks.append(int(found[1]) / 1024 if found else peaks[-1])  # none: it has just ended
        seconds = time.perf_counter() - begin
        if process.returncode or lines != len(questions):
            sys.exit(f"{lines} lines of {len(questions)}, exit code {process.returncode}")
        return seconds, peaks[len(peaks) // 4], peaks[-1]

    # The cost of one: measured in the library, without reading and writing.

    def cost(self):
        if not self.options.cost:
            self.say("cost: passed over, no --cost")
            return
        rng = random.Random(self.seed)
        questions = self.write([make_questions.example(number, rng, 0, confusion=1) for number in range(256)])
        scenes = self.generate("clevr-hans", "-n", 255, "--noise", "0.05") / "examples.jsonl"
        programs = [(EXAMPLES / "behind_the_scenes" / "all.nm", questions, "answer(X)"),
                    (EXAMPLES / "clevr_hans" / "class0.nm", scenes, "kp(img)")]
        print("\nCost of an explanation against one forward pass, as bench_explanations prints it\n\n```", flush=True)
        for (program, examples, atom), batch in itertools.product(programs, ("1", "64")):
            command = [str(part) for part in (self.options.cost, program, examples, atom, batch)]
            self.say("$ " + " ".join(command))
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                self.broken.append(f"cost: exit code {done.returncode}: {done.stderr.strip()}")
            print(done.stdout, end="", flush=True)
            for line in map(json.loads, done.stdout.splitlines()):
                self.rows.append({"section": "cost", "batch": int(batch), **line})
                if batch == "1" and line["explained_ratio"] > 3:  # of one answer
                    self.broken.append(f"cost, {program.name}: {line['explained_ratio']} forward passes, at most 3 claimed")
        print("```")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    sections = ["agreement", "flips", "errors", "stream", "cost"]
    parser.add_argument("--only", nargs="+", choices=sections, default=sections)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pictures", type=int, default=600, help="of all classes together; --quick takes 90")
    parser.add_argument("--cost", metavar="BINARY")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--folder", help="where data sets are made and kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(options, Path(options.folder or temporary))
        bench.folder.mkdir(parents=True, exist_ok=True)
        for section in options.only:
            getattr(bench, section)()
    if options.json:
        Path(options.json).write_text(json.dumps({"quick": options.quick, "seed": options.seed, "broken": bench.broken,
                                                  "rows": bench.rows}, indent=1) + "\n")
    if bench.broken:
        print("\nfell short:\n  " + "\n  ".join(bench.broken))
        sys.exit(1)
    passed_over = [] if options.cost else ["cost"]
    measured = [section for section in options.only if section not in passed_over]
    print(f"\nall claims hold; measured: {', '.join(measured)}")


if __name__ == "__main__":
    main()
