"""What the sections share: running neumann, data sets and pictures, tables and the claims in them."""
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

from learning import EXAMPLES

# Width and height of the pictures: as the networks see them, 40 ms a picture and not 2 s; and so coarse that they err.
FINE, COARSE = (192, 128), (60, 40)


def read_lines(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


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

    # Pictures of classes, and what is said of them.

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
                            *more)

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
