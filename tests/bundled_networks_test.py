#!/usr/bin/env python3
"""The weights that come with the project, on pictures made for this test: bundled_networks_test.py NEUMANN EXAMPLES [REAL]

What they see is compared with the scenes that the pictures were drawn from, and programs are asked about them. REAL is a
folder with public sample pictures; without it that part is left out. The numbers here are far below what
bench/perception.py measures: few pictures are enough to notice broken weights or a broken way to the network.
"""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

SOLID = ["--quality", "training", "--size", "192x128"]


class Test:
    def __init__(self, neumann, examples, folder):
        self.neumann, self.examples, self.folder = neumann, pathlib.Path(examples), folder
        self.failed = 0

    def expect(self, holds, what):
        print(("ok      " if holds else "FAILED  ") + what, flush=True)
        self.failed += not holds

    def run(self, *arguments):
        done = subprocess.run([self.neumann, *map(str, arguments)], capture_output=True, text=True, timeout=300)
        if done.returncode:
            sys.exit(f"{arguments}: exit code {done.returncode}\n{done.stderr}")
        return done

    def generate(self, *arguments):
        folder = self.folder / "_".join(arguments[:2])
        self.run("generate", *arguments, "--split", "test", "--seed", "11", "--images", "-o", folder)
        return folder / "test"

    def share_right(self, program, images, *more):
        done = self.run("reason", program, "--images", images, "--json", *more)
        right, total = re.search(r"([\d,]+) of ([\d,]+)", done.stderr).groups()
        return int(right.replace(",", "")) / int(total.replace(",", ""))

    def figures(self):
        test = self.generate("kandinsky", "twopairs", "-n", "40")
        truth = {line["image"]: line["objects"] for line in map(json.loads, (test / "scenes.jsonl").open())}
        seen = [json.loads(line) for line in self.run("perceive", test / "images", "--json").stdout.splitlines()]
        right = 0
        for picture in seen:
            wanted = truth[pathlib.Path(picture["image"]).name]
            found = [(o["shape"]["value"], o["color"]["value"], o["x"], o["y"]) for o in picture["objects"]]
            right += len(found) == len(wanted) and all(
                any((shape, color) == one[:2] and math.hypot(x - one[2], y - one[3]) < .03 for one in found)
                for shape, color, x, y, _ in wanted)
        self.expect(len(seen) == 40 and right >= 39, f"figures: {right} of {len(seen)} pictures right")
        again = self.run("perceive", test / "images", "--json", "--threads", "1", "--no-cache").stdout
        self.expect([json.loads(line) for line in again.splitlines()] == seen, "one thread sees what several see")
        share = self.share_right(self.examples / "kandinsky" / "twopairs.nm", test)
        self.expect(share >= .975, f"two pairs: {share:.3f} of labels right")

    def solids(self):
        test = self.generate("clevr-hans", "-n", "24", *SOLID)
        wanted = {}
        for scene in map(json.loads, (test / "scenes.jsonl").open()):
            wanted[scene["image"]] = sorted(tuple(o[:4]) for o in scene["objects"])
        for network, least in (("solids", .9), ("slots", .8)):
            lines = self.run("perceive", test / "images", "--json", "--network", network).stdout.splitlines()
            right = sum(sorted(tuple(o[k]["value"] for k in ("shape", "size", "material", "color"))
                               for o in picture["objects"]) == wanted[pathlib.Path(picture["image"]).name]
                        for picture in map(json.loads, lines))
            self.expect(len(lines) == 24 and right >= least * 24, f"{network}: {right} of {len(lines)} scenes right")

    def questions(self):
        test = self.generate("behind-the-scenes", "-n", "8", *SOLID)
        share = self.share_right(self.examples / "behind_the_scenes" / "questions.nm", test)
        self.expect(share >= .95, f"questions: {share:.3f} of answers right")

    def real(self, folder):
        for label in range(3):
            lines = [{"id": f"{k}/{path.name}", "images": [str(path.resolve())], "label": int(k == label)}
                     for k in range(3) for path in sorted((folder / "clevr-hans" / f"class{k}" / "val").iterdir())]
            file = self.folder / f"real{label}.jsonl"
            file.write_text("".join(json.dumps(line) + "\n" for line in lines))
            share = self.share_right(self.examples / "clevr_hans" / f"class{label}.nm", file)
            self.expect(share >= .95, f"real pictures, class {label}: {share:.3f} right")


def main():
    neumann, examples, *real = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        test = Test(neumann, examples, pathlib.Path(folder))
        test.figures()
        test.solids()
        test.questions()
        if real and pathlib.Path(real[0]).is_dir():
            test.real(pathlib.Path(real[0]))
        else:
            print("left out: no real pictures")
    sys.exit(1 if test.failed else 0)


main()
