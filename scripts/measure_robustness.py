#!/usr/bin/env python3
"""How much a network still sees in pictures that have been changed: measure_robustness.py BUILD figures|solids [PICTURES]

Makes pictures with `neumann generate`, changes them with bench_change_pictures, has `neumann perceive` look at them and
prints, for each change, the share of objects that are seen as they are, that of pictures entirely right, how sure the
network is where it is wrong, and pictures per second of the whole command. The tables of the model cards are its output.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

CHANGES = {
    "as it is": ("brightness", 1),
    "brightness × 0.5": ("brightness", 0.5),
    "brightness × 0.8": ("brightness", 0.8),
    "brightness × 1.2": ("brightness", 1.2),
    "JPEG, quality 50": ("jpeg", 50),
    "JPEG, quality 20": ("jpeg", 20),
    "JPEG, quality 10": ("jpeg", 10),
    "JPEG, quality 5": ("jpeg", 5),
    "turned by 90°": ("turn", 90),
    "turned by 180°": ("turn", 180),
}
NEAR = 0.05  # of the picture's side: an object there is the same object


def turned(place, how):
    x, y = place
    return (1 - y, x) if "90" in how else (1 - x, 1 - y) if "180" in how else (x, y)


def flat_objects(scene, how):
    return [(turned((x, y), how), {"shape": shape, "color": color}) for shape, color, x, y, side in scene["objects"]]


def solid_objects(scene, size):
    return [((x / size[0], y / size[1]), {"shape": shape, "size": large, "material": material, "color": color})
            for (shape, large, material, color, *_), (x, y, _) in zip(scene["objects"], scene["pixels"])]


def compare(truth, seen, sure_when_wrong):
    """How many objects of the truth are seen as they are; whether all are, and nothing else."""
    right = 0
    for place, attributes in truth:
        near = [one for one in seen if math.dist(place, (one["x"], one["y"])) < NEAR]
        one = min(near, key=lambda o: math.dist(place, (o["x"], o["y"])), default=None)
        wrong = [name for name, value in attributes.items() if one and one[name]["value"] != value]
        sure_when_wrong.extend(one[name]["probability"] for name in wrong)
        right += one is not None and not wrong
    return right, right == len(truth) == len(seen)


def main():
    build, network, count = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "100"
    neumann, change_pictures = build / "neumann", build / "bench/bench_change_pictures"
    flat = network == "figures"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        what = ["kandinsky", "pattern-free"] if flat else ["clevr-hans", "--quality", "training", "--size", "192x128"]
        subprocess.run([neumann, "generate", *what, "-n", count, "--split", "test", "--seed", "9002", "--images",
                        *(["--size", "128x128"] if flat else []), "-o", folder / "set"], check=True, capture_output=True)
        scenes = [json.loads(line) for line in (folder / "set/test/scenes.jsonl").read_text().splitlines()]
        print("| picture | objects right | pictures entirely right | sure of what is wrong | pictures per second |\n|---|---|---|---|---|")
        for how, options in CHANGES.items():
            if not flat and "turned" in how:
                continue
            changed = folder / "changed"
            changed.mkdir()
            subprocess.run([change_pictures, *map(str, options), folder / "set/test/images", changed], check=True)
            begin = time.monotonic()
            run = subprocess.run([neumann, "perceive", changed, "--network", network, "--no-cache", "--json"],
                                 check=True, capture_output=True, text=True)
            seconds = time.monotonic() - begin
            seen = {pathlib.Path(one["image"]).stem: one["objects"] for one in map(json.loads, run.stdout.splitlines())}
            objects = right = perfect = 0
            sure = []
            for scene in scenes:
                truth = flat_objects(scene, how) if flat else solid_objects(scene, (192, 128))
                found, all_right = compare(truth, seen.get(pathlib.Path(scene["image"]).stem, []), sure)
                objects, right, perfect = objects + len(truth), right + found, perfect + all_right
            confidence = f"{sum(sure) / len(sure):.2f} ({len(sure)} times)" if sure else "–"
            print(f"| {how} | {100 * right / objects:.1f} % | {100 * perfect / len(scenes):.1f} % | {confidence} |"
                  f" {len(scenes) / seconds:.0f} |", flush=True)
            for path in changed.iterdir():
                path.unlink()
            changed.rmdir()


if __name__ == "__main__":
    main()
