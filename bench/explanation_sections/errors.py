"""Errors: those that a network really makes."""
import math
import random
from collections import Counter

from explanation_sections import flips
from explanation_sections.bench import COARSE, FINE
from explanation_sections.truth import ATTRIBUTES, VALUES, described, matched, satisfying, terms_of
from explanation_sections.views import Choice, View
from learning import EXAMPLES


def measure(bench):
    ranks, sure = {}, []
    for size in (FINE, COARSE):
        data, examples, scenes = bench.made_pictures(size)
        images = {example["id"]: (example["images"][0], example["label"]) for example in examples}
        bench.head(f"Positives that pictures of {size[0]}×{size[1]} made false: the atom named first is one that the network got "
                   f"wrong; {len(examples)} pictures, seed {bench.seed}", "right", "share", "claimed", "in the nearest",
                   "right where objects of an instance were all seen")
        for network in ("solids", "slots"):
            seen = bench.seen(data, network)
            rows = {image: matched(scene, seen[image], size) for image, scene in scenes.items()}
            given = distributions(bench, data, network)
            looks = looks_of(images, scenes, rows, seen, given)
            ranks[f"{network}, {size[0]}×{size[1]}"] = looks
            pooled = Counter()
            for label in range(3):
                counts, cases = Counter(), []
                for found in bench.explain_class(label, "--images", data, ["--network", network]):
                    image, its_label = images[found["id"]]
                    if its_label == label and found["value"] < 0.5:
                        judge(found, label, scenes[image], rows[image], given[found["id"]], counts, cases)
                pooled += counts
                print_row(bench, f"{network}, {size[0]}×{size[1]}, class {label}", counts, cases)
            print_row(bench, f"{network}, {size[0]}×{size[1]}, all classes", pooled, [])
            if size == FINE and network == "slots":
                sure = sure_views(images, scenes, rows, seen, given)
    print_ranks(bench, ranks)
    for size, least in ((FINE, 0.95), (COARSE, None)):
        transplants(bench, sure, f"{size[0]}×{size[1]}", ranks, least)


def looks_of(images, scenes, rows, seen, given):
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


def print_ranks(bench, ranks):
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
            bench.rows.append({"section": "errors", "what": f"{what}: truth of a wrong {name}", "seed": bench.seed,
                               "wrong": len(wrong), "total": len(all_of), "second": second, "mean_truth": means[0],
                               "median_truth": truth[len(truth) // 2], "mean_winner": means[1], "others_when_right": quantiles})


def sure_views(images, scenes, rows, seen, given):
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


def transplants(bench, sure, size, ranks, least):
    """Errors that networks made elsewhere, put into pictures that slots saw right."""
    pairs = [(truth, winner) for what, looks in ranks.items() if what.endswith(size)
             for wrong in looks.values() for rank, truth, winner in wrong if rank > 1]
    if not pairs:
        return
    flips.print_head(bench, f"Transplanted errors: what slots saw rightly on {FINE[0]}×{FINE[1]}, with one of the {len(pairs)} errors "
                            f"that both networks made on {size}, as probable as it was there")
    rng = random.Random(bench.seed)
    pooled = Counter()
    for task in flips.tasks():
        if task.world == "solid":
            chosen = flips.choose_flips(bench, task, [view for label, view in sure if label == task.label], rng)
            for flip in chosen:
                flip.pair = rng.choice(pairs)
            pooled += flips.blame(bench, task, f"transplanted from {size}", chosen)
    flips.print_row(bench, f"transplanted from {size}, all", pooled, least, [])


def distributions(bench, data, network):
    """All that the reasoner is told about each picture."""
    queries = [part for atom in ("in(O,I)", "color(O,V)", "shape(O,V)", "size(O,V)", "material(O,V)")
               for part in ("--query", atom)]
    lines = bench.neumann("reason", EXAMPLES / "clevr_hans" / "class0.nm", "--images", data, "--network", network, "--json", *queries)
    return {line["id"]: line["values"] for line in lines}


def judge(found, label, scene, true_of_row, given, counts, cases):
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


def print_row(bench, what, counts, cases):
    bench.row("errors", what, counts["right"], counts["total"], None,
              (counts["nearest"], f"{counts['nameable_right']} of {counts['nameable']}"),
              in_nearest=counts["nearest"], nameable=counts["nameable"], nameable_right=counts["nameable_right"], cases=cases)
