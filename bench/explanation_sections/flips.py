"""Flips: why-not names the attribute that was made wrong."""
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from explanation_sections.bench import read_lines
from explanation_sections.truth import ATTRIBUTES, terms_of
from explanation_sections.views import Flip, View, choices_of
from learning import EXAMPLES

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


@dataclass
class Task:
    """Scenes about which something is true, and what may be flipped in them."""
    name: str
    program: Path
    generate: list
    world: str            # key of VALUES
    flips: tuple          # predicates that are flipped
    label: int = None     # of the positives; None: every example is one, with an answer


def measure(bench):
    count = 40 if bench.options.quick else 200
    drawn = {}
    for kind, (meaning, sureness, least) in KINDS.items():
        margin, scale = sureness
        print_head(bench, f"Flips, {kind}: {meaning}. Margin {margin}, noise {scale}")
        pooled = Counter()
        for task in tasks():
            if (task.name, sureness) not in drawn:
                drawn[task.name, sureness] = draw(bench, task, count, sureness)
            pooled += blame(bench, task, kind, drawn[task.name, sureness])
        print_row(bench, f"{kind}, all", pooled, least, [])


def print_head(bench, title):
    bench.head(f"{title}. The flipped atom is named first; seed {bench.seed}", "first", "share", "claimed", "ideal reader",
               "repairs of one atom", "in the nearest, or tied with it", "mean value of the truth")


def tasks():
    hans = [Task(f"clevr-hans class {k}", EXAMPLES / "clevr_hans" / f"class{k}.nm", ["clevr-hans"], "solid",
                 ATTRIBUTES, k) for k in range(3)]
    figures = [Task(f"kandinsky {name}", EXAMPLES / "kandinsky" / f"{name.replace('-', '_')}.nm", ["kandinsky", name],
                    "figure", ("color", "shape"), 1) for name in ("red-triangle", "twopairs")]
    rows = [Task(f"behind the scenes, {what}", EXAMPLES / "behind_the_scenes" / "questions.nm", ["behind-the-scenes"],
                 "row", (predicate,)) for what, predicate in (("a colour", "color"), ("the order", "left_of"))]
    return hans + figures + rows


def draw(bench, task, count, sureness):
    """Positives as noisy views, and for each a flip that makes the crisp answer false."""
    data = bench.generate(*task.generate, "-n", count * {"solid": 3, "figure": 2, "row": 1}[task.world])
    rng = random.Random(f"{bench.seed} {task.name}")
    views = []
    for example in read_lines(data / "examples.jsonl"):
        if task.label in (None, example.get("label")):
            atom = f"answer({example['answer']})" if task.label is None else "kp(img)"
            views.append(View(example["id"], atom, choices_of(example, task.world, sureness, rng)))
    return choose_flips(bench, task, views, rng)


def choose_flips(bench, task, views, rng):
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
    for flip, values in zip(candidates, reasoned_values(bench, task, examples), strict=True):
        if values[flip.view.atom] < 0.5:
            chosen.setdefault(flip.view.id, flip)
    flips = list(chosen.values())
    find_repairs(bench, task, flips)
    return flips


def find_repairs(bench, task, flips):
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
    for (flip, c, value), values in zip(tried, reasoned_values(bench, task, examples), strict=True):
        if values[flip.view.atom] >= 0.5:
            flip.repairs.append((c, value))


def reasoned_values(bench, task, examples):
    query = "answer(X)" if task.label is None else "kp(img)"
    lines = bench.neumann("reason", task.program, "--examples", bench.write(examples), "--query", query, "--json")
    return [line["values"] for line in lines]


def blame(bench, task, kind, flips):
    clean = reasoned_values(bench, task, [flip.view.example(n) for n, flip in enumerate(flips)])
    by_atom = defaultdict(list)
    for n, (flip, values) in enumerate(zip(flips, clean, strict=True)):
        if values[flip.view.atom] >= 0.5:
            by_atom[flip.view.atom].append(flip.view.example(n, kind, flip))
    counts, failed = Counter(), []
    for atom, examples in sorted(by_atom.items()):
        for found in bench.neumann("explain", task.program, "--examples", bench.write(examples), "--atom", atom, "--json",
                                   "--near", 20):
            if found["value"] < 0.5:
                judge(found, flips[found["id"]], kind, counts, failed)
    print_row(bench, f"{kind}, {task.name}", counts, None, failed)
    return counts


def judge(found, flip, kind, counts, failed):
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


def print_row(bench, what, counts, least, failed):
    total = max(counts["total"], 1)
    ideal, tied, repairs, value = (counts[name] / total for name in ("ideal", "tied", "repairs", "value"))
    shown = "–" if what.startswith("crisp") else f"{100 * ideal:.2f} %"
    bench.row("flips", what, counts["right"], counts["total"], least,
              (shown, f"{repairs:.1f}", f"{100 * tied:.2f} %", f"{value:.4f}"),
              ideal=ideal, mean_repairs=repairs, in_nearest_or_tied=tied, mean_truth=value, failed=failed)
