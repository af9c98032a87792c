#!/usr/bin/env python3
"""`neumann train through-logic` around a network that needs no learning: through_logic_test.py NEUMANN FAKE EXAMPLES

The fake component sees objects as they are, so the program's conclusions must agree with the labels from the beginning,
and what is measured must be perfect. What learning itself comes to is measured by bench/joint_training.py.
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

PATIENCE = 300
PICTURES = 20
PAIRS = """
:- type(object_img1, [a0, a1, a2, a3, a4, a5]). :- type(object_img2, [b0, b1, b2, b3, b4, b5]).
:- type(color, [red, yellow, blue]). :- type(image, [img]).
:- neural(color_img1(object_img1, color)). :- neural(left_of_img1(object_img1, object_img1)).
:- neural(color_img2(object_img2, color)). :- neural(left_of_img2(object_img2, object_img2)).
:- distinct(left_of_img1/2). :- distinct(left_of_img2/2).
first(img) :- color_img1(A, red), color_img1(B, blue), left_of_img1(A, B).
second(img) :- color_img2(A, red), color_img2(B, blue), left_of_img2(A, B).
some(img) :- first(img). some(img) :- second(img).
all(img) :- first(img), second(img).
0.5::allowed(img).
good(img) :- all(img), allowed(img).
answer(0) :- \\+ first(img), \\+ second(img).
answer(1) :- first(img), \\+ second(img).
answer(1) :- second(img), \\+ first(img).
answer(2) :- first(img), second(img).
query(answer(N)).
"""


def weights(path, **metadata):
    tensor = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
    header = json.dumps({"__metadata__": metadata, "w": tensor}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<f", 1))


def main(neumann, fake, examples):
    program = examples / "joint" / "red_left_of_blue.nm"
    failed = []

    def expect(holds, what):
        if not holds:
            failed.append(what)
            print(f"FAILED: {what}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        weights(folder / "fake.safetensors", layout="flat")
        subprocess.run([sys.executable, examples / "joint" / "make_pictures.py", neumann, folder / "data", "--pictures",
                        str(PICTURES)], check=True, timeout=PATIENCE, capture_output=True)
        pictures = folder / "data" / "train" / "pictures.jsonl"
        entries = [json.loads(line) for line in pictures.read_text().splitlines()]
        expect(sorted(entry["label"] for entry in entries) == [0] * 10 + [1] * 10, "as many labels of either kind")
        expect(all(set(entry) == {"id", "images", "label"} for entry in entries), "nothing but labels to learn from")

        def learn(*more, of=program, images=pictures, output="out.safetensors", says="", code=0):
            run = subprocess.run([neumann, "train", "through-logic", of, "--images", images, "--network",
                                  folder / "fake.safetensors", "--learn", "color", "-o", folder / output, "--json",
                                  *more], env={**os.environ, "NEUMANN_PERCEPTION_LIBRARY": str(fake)}, text=True,
                                 capture_output=True, timeout=PATIENCE)
            expect(run.returncode == code, f"{more}: exit code {run.returncode}: {run.stderr}")
            expect(says in run.stderr, f"{more}: no '{says}' in: {run.stderr}")
            return json.loads(run.stdout) if run.returncode == 0 and run.stdout else {}

        got = learn("--epochs", "2", "--batch", "8", "--measure-on", folder / "data" / "train", "--validation", "10")
        expect((got.get("pictures"), got.get("steps"), got.get("complete")) == (PICTURES, 6, True), f"counts: {got}")
        # Objects side by side may be a little to the left of each other: a label in twenty may differ.
        expect(got.get("after", {}).get("labels", 0) >= 0.9, f"labels: {got}")
        expect(got.get("after", {}).get("color", 0) >= 0.95, f"colours: {got}")
        expect(got.get("before") and got["before"]["color"] == got["after"]["color"], f"nothing was learned: {got}")
        some = learn("--epochs", "1", "--pictures", "5", "--validation", "0")
        expect(some.get("pictures") == 5, f"only some pictures: {some}")

        learn("--semantics", "paper", code=2, says="nothing is learned through 'paper'")
        learn(output="nowhere/out", code=2, says="there is no folder")
        learn(of=examples / "01_even.nm", code=2, says="error")
        (folder / "two.jsonl").write_text('{"images": ["a.png", "b.png"], "label": 1}\n')
        learn("--validation", "0", images=folder / "two.jsonl", code=2, says="a.png")
        (folder / "none.jsonl").write_text('{"images": ["a.png"]}\n')
        learn(images=folder / "none.jsonl", code=2, says="this example has no label")
        (folder / "class.jsonl").write_text('{"images": ["a.png"], "label": 2}\n')
        learn(images=folder / "class.jsonl", code=2, says="'label': expected 0 or 1, not 2")
        (folder / "gone.jsonl").write_text('{"images": ["gone.png"], "label": 1}\n')
        learn("--validation", "0", images=folder / "gone.jsonl", code=2, says="gone.png")
        text = program.read_text().replace(":- label(kp(img)).", "")
        (folder / "only.nm").write_text(text)
        some = learn("--epochs", "1", "--pictures", "5", "--validation", "0", of=folder / "only.nm")
        expect(some.get("pictures") == 5, f"the only atom that a rule derives is meant: {some}")
        (folder / "no_label.nm").write_text(text + ":- pred(other(image)). other(X) :- in(O, X), color(O, red).\n")
        learn(of=folder / "no_label.nm", code=2, says="does not say which atom the label is for")

        # Two images in an example, and targets of every kind. The fake network sees what is there.
        one_image = {entry["label"]: folder / "data" / "train" / "images" / entry["images"][0] for entry in entries}
        pairs = folder / "pairs.nm"
        pairs.write_text(PAIRS)
        lines = []
        for first in (0, 1):
            for second in (0, 1):
                lines.append({"images": [str(one_image[first]), str(one_image[second])],
                              "targets": {"some(img)": int(first or second), "all(img)": int(first and second),
                                          "good(img)": 0},
                              "atoms": {"allowed(img)": int(first == 0), "color_img1(a0,red)": 0.5},
                              "answer": str(first + second)})
        (folder / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        got = learn("--epochs", "1", "--validation", "0", of=pairs, images=folder / "pairs.jsonl")
        expect((got.get("pictures"), got.get("after", {}).get("labels")) == (8, 1), f"pairs: {got}")
        # Reasoning scores what training learns from.
        scored = subprocess.run([neumann, "reason", pairs, "--images", folder / "pairs.jsonl", "--network",
                                 folder / "fake.safetensors", "--no-cache", "--query", "answer(N)", "--query", "some(img)",
                                 "--query", "all(img)", "--query", "good(img)"], text=True, capture_output=True,
                                env={**os.environ, "NEUMANN_PERCEPTION_LIBRARY": str(fake)}, timeout=PATIENCE)
        for right in ("12 of 12 targets right", "4 of 4 answers right"):
            expect(right in scored.stdout, f"no '{right}' in: {scored.stdout}{scored.stderr}")
        lines[0]["targets"]["none(img)"] = 1
        (folder / "wrong.jsonl").write_text(json.dumps(lines[0]) + "\n")
        learn(of=pairs, images=folder / "wrong.jsonl", code=2, says="'none(img)': unknown predicate")
        lines[0]["targets"] = {"some(img)": 2}
        (folder / "range.jsonl").write_text(json.dumps(lines[0]) + "\n")
        learn(of=pairs, images=folder / "range.jsonl", code=2, says="2 is not in [0,1]")
    print("failed" if failed else "all as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])))
