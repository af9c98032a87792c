"""Agreement: the objects of the rule get the highest weights."""
from collections import Counter

from explanation_sections.bench import FINE, read_lines
from explanation_sections.truth import described, matched, satisfying


def measure(bench):
    count = 300 if bench.options.quick else 3000
    data = bench.generate("clevr-hans", "-n", count, "--noise", "0.05")
    scenes = {scene["image"]: scene for scene in read_lines(data / "scenes.jsonl")}
    columns = ("right", "share", "claimed", "one instance", "several instances", "right of them", "an object not seen")
    bench.head(f"Objects of the rule weigh more than all others: scenes of symbols, noise 0.05, {count} scenes, seed {bench.seed}",
               *columns)
    examples = read_lines(data / "examples.jsonl")
    rows_of = lambda _, scene: {i: i for i in range(len(scene["objects"]))}
    agree(bench, "symbols", data / "examples.jsonl", examples, scenes, "--examples", rows_of, [])
    data, examples, scenes = bench.made_pictures(FINE)
    for network in ("solids", "slots"):
        seen = bench.seen(data, network)
        bench.head(f"… and pictures, network {network}, {len(examples)} pictures, seed {bench.seed}", *columns)
        rows_of = lambda image, scene: matched(scene, seen[image], FINE)
        agree(bench, network, data, examples, scenes, "--images", rows_of, ["--network", network])


def agree(bench, what, data, examples, scenes, how, rows_of, more):
    images = {example["id"]: (example["images"][0], example["label"]) for example in examples}
    pooled = Counter()
    for label in range(3):
        counts, failed = Counter(), []
        for found in bench.explain_class(label, how, data, more):
            image, its_label = images[found["id"]]
            if its_label != label:
                continue
            counts["positives"] += 1
            if found["value"] < 0.5:
                continue
            counts["total"] += 1
            judge(found, label, scenes[image], rows_of(image, scenes[image]), counts, failed)
        pooled += counts
        print_row(bench, f"{what}, class {label}", counts, None, failed)
    print_row(bench, f"{what}, all classes", pooled, 0.97, [])


def judge(found, label, scene, true_of_row, counts, failed):
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


def print_row(bench, what, counts, least, failed):
    bench.row("agreement", what, counts["right"], counts["total"], least,
              (counts["loose"], counts["several"], counts["several_right"], counts["unseen"]),
              positives=counts["positives"], one_instance=counts["loose"], several_instances=counts["several"],
              several_right=counts["several_right"], unseen=counts["unseen"], failed=failed)
