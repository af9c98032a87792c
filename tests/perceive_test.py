#!/usr/bin/env python3
"""Pictures through the commands, with a component that needs no network: perceive_test.py NEUMANN FAKE EXAMPLES

The fake component finds blobs of colour, so flat figures that neumann draws itself are seen as they are: what perceive,
reason and learn make of the pictures is compared with the scenes that the pictures were drawn from.
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

PATIENCE = 300


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, colour_type, rows):
    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def square(size, colour=(173, 35, 35), ground=(215, 215, 215)):
    """One square in the middle."""
    def pixel(x, y):
        return colour if size // 4 <= x < size // 2 and size // 4 <= y < size // 2 else ground
    return [[pixel(x, y) for x in range(size)] for y in range(size)]


def colour_png(pixels):
    return png(len(pixels[0]), len(pixels), 8, 2, [bytes(v for p in row for v in p) for row in pixels])


def weights(path, **metadata):
    header = json.dumps({"__metadata__": metadata, "w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<f", 1))


class Test:
    def __init__(self, neumann, fake, examples, folder):
        self.neumann, self.examples, self.folder = neumann, examples, folder
        self.failed = 0
        self.weights = folder / "weights"
        self.weights.mkdir()
        self.fill_weights()
        self.environment = {**os.environ, "NEUMANN_PERCEPTION_LIBRARY": str(fake), "NEUMANN_WEIGHTS": str(self.weights),
                            "XDG_CACHE_HOME": str(folder / "user-cache")}

    def fill_weights(self, **more):
        weights(self.weights / "figures.safetensors", layout="flat", **more)
        weights(self.weights / "solids.safetensors", layout="solid", **more)
        weights(self.weights / "slots.safetensors", layout="solid", **more)

    def expect(self, holds, what):
        if not holds:
            self.failed += 1
            print(f"FAILED: {what}")

    def run(self, *arguments, code=0, says=(), **environment):
        run = subprocess.run([self.neumann, *map(str, arguments)], env={**self.environment, **environment},
                             capture_output=True, timeout=PATIENCE, text=True)
        self.expect(run.returncode == code, f"{arguments}: exit code {run.returncode}: {run.stderr}")
        for text in [says] if isinstance(says, str) else says:
            self.expect(text in run.stderr, f"{arguments}: no '{text}' in: {run.stderr}")
        return run

    def lines(self, run):
        return [json.loads(line) for line in run.stdout.splitlines()]

    def generate(self, pattern, name, count, size="128x128"):
        self.run("generate", "kandinsky", pattern, "-n", count, "--images", "--size", size, "-o", self.folder / name)
        return self.folder / name

    # ——— the component and its weights

    def component(self):
        picture = self.folder / "picture.png"
        picture.write_bytes(colour_png(square(64)))
        self.run("perceive", picture, code=2, says="there is no such file", NEUMANN_PERCEPTION_LIBRARY="/nowhere/at.so")
        self.run("perceive", picture, code=2, says="cannot load perception", NEUMANN_PERCEPTION_LIBRARY=str(picture))
        self.run("perceive", picture, code=2, says=["is of version 0.0.9", "build both again"],
                 FAKE_PERCEPTION_VERSION="0.0.9 interface 0")
        self.run("perceive", picture, "--device", "cuda", code=2, says="processor alone")
        self.run("perceive", picture, "--network", picture, code=2, says="picture.png")
        self.run("perceive", picture, "--network", "/nowhere/at.safetensors", code=2, says="/nowhere/at.safetensors")
        self.fill_weights(fail="open")
        self.run("perceive", picture, code=2, says="does not like these weights")
        self.fill_weights(fail="look")
        self.run("perceive", picture, code=2, says="fails, as it was told to")
        self.fill_weights()
        for name in ("figures", "solids"):
            (self.weights / f"{name}.safetensors").rename(self.weights / name)
        if not (self.examples.parent / "weights").exists():
            self.run("perceive", picture, code=2, says=["no weights for 'figures'", str(self.weights)])
        for name in ("figures", "solids"):
            (self.weights / name).rename(self.weights / f"{name}.safetensors")

    # ——— perceive

    def same_scene(self, objects, scene, what):
        def nearest(one):
            return min(scene, key=lambda o: (o[2] - one["x"]) ** 2 + (o[3] - one["y"]) ** 2)
        self.expect(len(objects) == len(scene), f"{what}: {len(objects)} objects of {len(scene)}")
        for one in objects:
            shape, colour, x, y, _ = nearest(one)
            self.expect((one["shape"]["value"], one["color"]["value"]) == (shape, colour), f"{what}: {one}")
            self.expect(abs(x - one["x"]) < .04 and abs(y - one["y"]) < .04, f"{what}: {one} is elsewhere")

    def perceive(self):
        data = self.generate("twopairs", "twopairs", 6, "256x256")
        train = data / "train"
        scenes = {s["image"]: s["objects"] for s in map(json.loads, (train / "scenes.jsonl").read_text().splitlines())}
        seen = self.lines(self.run("perceive", train, "--json", "--scene", self.folder / "seen.jsonl"))
        self.expect(len(seen) == 6, f"{len(seen)} lines")
        for line in seen:
            self.same_scene(line["objects"], scenes[pathlib.Path(line["image"]).name], line["image"])
        written = [json.loads(line) for line in (self.folder / "seen.jsonl").read_text().splitlines()]
        self.expect([w["image"] for w in written] == [pathlib.Path(s["image"]).name for s in seen], "scenes in order")
        self.expect({"circle", "square", "triangle"} >= {o[0] for w in written for o in w["objects"]}, "flat scenes")
        shown = self.run("scene", "show", self.folder / "seen.jsonl", "-n", "2").stdout
        self.expect("colour" in shown, "scenes that were seen can be shown")
        picture = train / "images" / sorted(os.listdir(train / "images"))[0]
        table = self.run("perceive", picture).stdout
        self.expect("shape" in table and "4 objects" in table and "0.990" in table, table)
        solid = self.run("perceive", picture, "--network", "solids").stdout
        self.expect("material" in solid and "0.75" in solid, solid)
        for options in (["--batch", "1"], ["--batch", "5"], ["--no-cache"], ["--cache", self.folder / "kept"]):
            self.expect(self.lines(self.run("perceive", train, "--json", *options)) == seen, f"{options} change nothing")
        self.expect(list((self.folder / "kept").iterdir()) != [], "--cache keeps")
        self.drawings(train, picture)

    def drawings(self, train, picture):
        out = self.folder / "drawn"
        self.run("perceive", train, "--annotate", out)
        drawn = sorted(out.rglob("*.svg"))
        self.expect(len(drawn) == 6, f"{len(drawn)} drawings")
        text = drawn[0].read_text()
        self.expect(text.count("<text") == 12 and "base64" in text and text.endswith("</svg>\n"), "a drawing")
        self.run("perceive", picture, "--annotate", self.folder / "one.png")
        again = self.run("perceive", self.folder / "one.png", "--json")
        self.expect(len(self.lines(again)) == 1, "the drawing is a picture")
        self.run("perceive", train, "--annotate", self.folder / "one.svg", code=2, says="name a folder")
        self.run("perceive", picture, "--network", "slots", "--attention", self.folder / "masks")
        self.expect(len(list((self.folder / "masks").iterdir())) == 4, "a mask for each object")
        self.run("perceive", picture, "--attention", self.folder / "none", says="no masks of attention")

    def odd_pictures(self):
        odd = self.folder / "odd"
        (odd / "below" / "masks").mkdir(parents=True)
        whole = colour_png(square(64))
        (odd / "below" / "masks" / "mask.png").write_bytes(whole)
        (odd / "below" / "good.png").write_bytes(whole)
        (odd / "notes.txt").write_text("not a picture")
        (odd / "empty.png").write_bytes(b"")
        (odd / "text.png").write_text("not a picture either")
        (odd / "truncated.png").write_bytes(whole[:len(whole) // 2])
        (odd / "huge.png").write_bytes(png(100000, 100000, 8, 2, [b"\0" * 30]))
        (odd / "tiny.png").write_bytes(colour_png([[(1, 2, 3)] * 2] * 2))
        (odd / "folder.png").mkdir()
        pixels = square(64)
        (odd / "deep.png").write_bytes(
            png(64, 64, 16, 2, [b"".join(struct.pack(">3H", *(v * 257 for v in p)) for p in row) for row in pixels]))
        (odd / "grey.png").write_bytes(png(64, 64, 8, 0, [bytes(p[0] for p in row) for row in pixels]))
        run = self.run("perceive", odd, "--json",
                       says=["empty.png", "text.png", "truncated.png", "huge.png", "tiny.png", "1 other file"])
        names = [pathlib.Path(line["image"]).name for line in self.lines(run)]
        self.expect(names == ["good.png", "deep.png", "grey.png"], f"pictures that can be read: {names}")
        for line in self.lines(run):
            self.expect(len(line["objects"]) == 1, f"{line}")
        self.expect(len(self.lines(self.run("perceive", odd / "empty.png", odd / "deep.png", "--json"))) == 1, "goes on")
        self.run("perceive", odd / "empty.png", odd / "tiny.png", code=2, says=["skipped:", "none of the pictures"])
        self.run("perceive", odd / "folder.png", code=2, says="no pictures in")
        self.run("perceive", odd / "missing.png", code=2, says="there is no '")
        program = self.examples / "kandinsky" / "closeby.nm"
        run = self.run("reason", program, "--images", odd, "--json", says="skipped:")
        self.expect(len(self.lines(run)) == 3, "reasons about what can be read")
        self.run("reason", program, "--images", odd / "empty.png", code=2, says="none of the pictures")
        (odd / "list.jsonl").write_text('{"images": ["deep.png"], "label": 0}\n{"images": "deep.png"}\n')
        self.run("perceive", odd / "list.jsonl", code=2, says="list.jsonl:2: images")

    # ——— what was seen is kept

    def cache(self):
        folder = self.folder / "cached"
        folder.mkdir()
        for i, colour in enumerate([(173, 35, 35), (255, 238, 51), (42, 75, 215)]):
            (folder / f"{i}.png").write_bytes(colour_png(square(64, colour)))
        seen = self.run("perceive", folder, "--json").stdout
        self.fill_weights(fail="look")  # with the same fingerprint: whoever looks, fails
        self.expect(self.run("perceive", folder, "--json").stdout == seen, "from the cache")
        self.run("perceive", folder, "--no-cache", code=2, says="told to")
        self.expect(sorted(p.name for p in folder.iterdir()) == ["0.png", "1.png", "2.png"], "nothing beside the data")
        cache = self.folder / "user-cache" / "neumann" / "seen"
        (kept,) = (path for path in cache.iterdir() if b"cached" in path.read_bytes())
        lines = kept.read_bytes().splitlines(True)
        kept.write_bytes(lines[0] + lines[1][:40] + b"\n" + lines[2].replace(b"3f", b"3e", 1)[:-1])
        self.run("perceive", folder, code=2, says="told to")
        self.fill_weights()
        self.expect(self.run("perceive", folder, "--json").stdout == seen, "after damage")
        self.fill_weights(fail="look")
        self.expect(self.run("perceive", folder, "--json").stdout == seen, "and mended")
        (folder / "1.png").write_bytes(colour_png(square(66, (42, 75, 215))))
        self.run("perceive", folder, code=2, says="told to")
        self.fill_weights()
        other = self.lines(self.run("perceive", folder, "--json"))
        self.expect(other[1]["objects"][0]["color"]["value"] == "blue", "a picture that has changed is looked at")
        own = self.folder / "own-cache"
        self.run("perceive", folder, "--cache", own)
        self.expect(own.is_dir() and any(own.iterdir()), "kept where it was asked for")
        shutil.rmtree(cache)
        cache.write_text("in the way")
        self.run("perceive", folder)
        cache.unlink()

    # ——— reason and learn

    def unknown_words(self):
        """A word that the network does not know is named, with what it knows instead."""
        picture, program = self.folder / "word.png", self.folder / "word.nm"
        picture.write_bytes(colour_png(square(64)))
        text = (":- type(object, [obj0]). :- type(color, [red, {}]). :- type(image, [img]).\n"
                ":- neural(in(object, image)). :- neural(color(object, color)). :- pred(kp(image)). :- query(kp(img)).\n"
                "kp(X) :- in(O, X), color(O, {}).\n")
        program.write_text(text.format("crimson", "crimson"))
        self.run("reason", program, "--images", picture, says=["warning", "'crimson'", "known are red, yellow, blue"])
        program.write_text(text.format("blu", "blu"))
        self.run("explain", program, "--images", picture, says=["'blu'", "did you mean 'blue'?"])
        program.write_text(text.format("blue", "blue"))
        run = self.run("reason", program, "--images", picture)
        self.expect("warning" not in run.stderr, f"nothing to warn of: {run.stderr}")

    def class_folders(self):
        for number in (0, 1, 12):
            (self.folder / "classes" / f"class{number}").mkdir(parents=True)
            (self.folder / "classes" / f"class{number}" / "a.png").write_bytes(colour_png(square(64)))
        self.run("perceive", self.folder / "classes", "--scene", self.folder / "classes.jsonl")
        labels = [json.loads(line).get("label") for line in (self.folder / "classes.jsonl").read_text().splitlines()]
        self.expect(labels == [0, 1, 12], f"labels of class folders: {labels}")

    def reason(self):
        data = self.generate("closeby", "closeby", 40)
        program, test = data / "program.nm", data / "test"
        from_pictures = self.run("reason", program, "--images", test, "--json", says="accuracy: 40 of 40 labels right")
        from_scenes = self.run("reason", program, "--examples", test / "examples.jsonl", "--json",
                               says="accuracy: 40 of 40 labels right")
        values = [[(l["id"], v > .5) for l in self.lines(run) for v in l["values"].values()]
                  for run in (from_pictures, from_scenes)]
        self.expect(values[0] == values[1], "pictures and scenes say the same")
        text = self.run("reason", program, "--images", test).stdout
        self.expect(text.endswith("accuracy: 40 of 40 labels right (1.0000)\nlabels: precision 1.0000, recall 1.0000, F1 1.0000\n"), text[-300:])
        for options in (["--picture-batch", "1"], ["--batch", "3", "--picture-batch", "7", "--no-cache"]):
            again = self.run("reason", program, "--images", test, "--json", *options)
            self.expect(again.stdout == from_pictures.stdout, f"{options} change nothing")
        sorted_folder = self.folder / "sorted"
        for line in map(json.loads, (test / "examples.jsonl").read_text().splitlines()):
            place = sorted_folder / ("true" if line["label"] else "false")
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(test / "images" / line["images"][0], place)
        self.run("reason", program, "--images", sorted_folder, "--json", says="accuracy: 40 of 40 labels right")
        self.run("reason", program, "--images", sorted_folder / "true", "--json", says="accuracy: 20 of 20 labels right")
        self.run("reason", program, "--images", test, "--ask", "query(q)", code=2, says="no atom of a neural predicate")
        self.run("reason", self.examples / "03_family.nm", "--images", test, code=2, says="no neural predicates")
        self.run("reason", program, "--images", test, "--examples", test / "examples.jsonl", code=2)
        self.run("reason", program, "--ask", "query(q)", code=2, says="--images")
        self.run("reason", program, "--images", test, "--network", "solids", code=2, says="network for solid objects")
        graph = self.folder / "closeby.nmg"
        self.run("graph", program, "-o", graph)
        saved = self.run("reason", graph, "--images", test, "--json")
        self.expect(saved.stdout == from_pictures.stdout, "a saved graph says the same")
        self.learn(data, program)

    def learn(self, data, program):
        options = ["-q", "--json", "--samples", "4", "--trials", "2", "--epochs", "20"]
        learned = self.folder / "learned.nm"
        result = json.loads(self.run("learn", program, "--images", data, "--out", learned, *options).stdout)
        self.expect(result["test_accuracy"] == 1.0, f"{result}")
        self.run("reason", learned, "--images", data / "test", "--json", says="40 of 40")
        listed = data / "val" / "list.jsonl"
        lines = [json.loads(line) for line in (data / "val" / "examples.jsonl").read_text().splitlines()]
        listed.write_text("".join(json.dumps({k: v for k, v in l.items() if k != "atoms"}) + "\n" for l in lines))
        mixed = self.run("learn", program, "--train", data / "train" / "examples.jsonl", "--val", listed, *options)
        self.expect(json.loads(mixed.stdout)["val_accuracy"] == 1.0, mixed.stdout)
        self.run("learn", program, code=2, says="--train")
        self.run("learn", program, "--images", data / "train", code=2, says="'train'")

    def questions(self):
        """Several pictures in an example, a question with an answer."""
        program = self.folder / "questions.nm"
        program.write_text(
            ":- type(object, [obj0, obj1]).\n:- type(color, [red, yellow, blue]).\n:- type(query, [q]).\n"
            ":- type(query_type, [q_first, q_second]).\n:- type(position, [1st]).\n"
            ":- neural(color_img1(object, color)).\n:- neural(color_img2(object, color)).\n"
            ":- neural(query2(query, query_type, position)).\n:- pred(answer(color)).\n"
            "answer(X) :- query2(q, q_first, 1st), color_img1(obj0, X).\n"
            "answer(X) :- query2(q, q_second, 1st), color_img2(obj0, X).\n:- query(answer(X)).\n")
        folder = self.folder / "questions"
        folder.mkdir()
        (folder / "red.png").write_bytes(colour_png(square(64)))
        (folder / "blue.png").write_bytes(colour_png(square(64, (42, 75, 215))))
        both = {"images": ["red.png", "blue.png"]}
        examples = [{**both, "query": "query2(q, q_first, 1st)", "answer": "red"},
                    {**both, "query": "query2(q,q_second,1st)", "answer": "blue"},
                    {**both, "query": "query2(q,q_second,1st)", "answer": "red"},
                    {"images": ["red.png", "missing.png"], "query": "query2(q,q_first,1st)", "answer": "red"}]
        (folder / "list.jsonl").write_text("".join(json.dumps(e) + "\n" for e in examples))
        run = self.run("reason", program, "--images", folder / "list.jsonl", "--json",
                       says=["accuracy: 2 of 3 answers right", "missing.png"])
        self.expect(len(self.lines(run)) == 3, run.stdout)
        for line in examples:
            line.pop("query")
        (folder / "plain.jsonl").write_text("".join(json.dumps(e) + "\n" for e in examples[:3]))
        self.run("reason", program, "--images", folder / "plain.jsonl", "--ask", "query2(q, q_second, 1st)", "--json",
                 says="accuracy: 1 of 3 answers right")
        self.run("reason", program, "--images", folder / "red.png", "--ask", "query2(q,q_first,1st)", code=2,
                 says="image 2")


def main():
    neumann, fake, examples = (pathlib.Path(name).resolve() for name in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as name:
        test = Test(neumann, fake, examples, pathlib.Path(name))
        for part in (test.component, test.perceive, test.odd_pictures, test.cache, test.unknown_words, test.class_folders,
                     test.reason, test.questions):
            part()
    print(f"{test.failed} checks failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
