"""Good files that the bad inputs are variations of."""
import dataclasses
import json
import struct
import subprocess
import zlib


@dataclasses.dataclass
class Link:
    to: str


PROGRAM = """:- type(person, [ann, bob, cem]).
:- pred(parent(person, person)).
:- pred(ancestor(person, person)).
:- query(ancestor(ann, X)).
parent(ann, bob).
0.9::parent(bob, cem).
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).
"""

SCENES = """:- type(object, [obj0, obj1]).
:- type(color, [red, yellow, blue]).
:- type(image, [img]).
:- neural(in(object, image)).
:- neural(color(object, color)).
:- pred(kp(image)).
:- pred(pair(object, object)).
:- label(kp(img)).
:- query(kp(img)).
kp(X) :- in(O, X), color(O, red).
"""

TASK = """:- type(object, [obj0, obj1]).
:- type(color, [red, blue]).
:- type(image, [img]).
:- pred(in(object, image)).
:- pred(color(object, color)).
:- pred(kp(image)).
:- learn(kp/1, 1).
:- modeh(1, kp(+image)).
:- modeb(1, in(-object, +image)).
:- modeb(1, color(+object, #color)).
:- initial(kp(X)).
:- label(kp(img)).
:- query(kp(img)).
"""

EXAMPLES = "".join(json.dumps(one) + "\n" for one in (
    {"id": "a", "atoms": {"in(obj0,img)": 1, "color(obj0,red)": 0.9}, "label": 1},
    {"id": "b", "atoms": {"in(obj0,img)": 1, "color(obj0,blue)": 0.9}, "label": 0}))

FIGURES = "".join(json.dumps(one) + "\n" for one in (
    {"image": "a.png", "seed": 1, "objects": [["circle", "red", 0.2, 0.3, 0.1], ["square", "blue", 0.7, 0.6, 0.1]]},
    {"image": "b.png", "seed": 2, "objects": [["triangle", "yellow", 0.5, 0.5, 0.2]]}))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture(size=64, colour=(173, 35, 35), ground=(215, 215, 215)):
    """One square on an even ground, as PNG."""
    rows = b""
    for y in range(size):
        inside = size // 4 <= y < size // 2
        rows += b"\0" + b"".join(bytes(colour if inside and size // 4 <= x < size // 2 else ground) for x in range(size))
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def weights(path, **metadata):
    header = json.dumps({"__metadata__": metadata, "w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<f", 1))


def make(folder, weights_folder, neumann, environment):
    folder.mkdir()
    weights_folder.mkdir()
    for name, layout in (("figures", "flat"), ("solids", "solid"), ("slots", "solid")):
        weights(weights_folder / f"{name}.safetensors", layout=layout)
    weights(folder / "own.safetensors", layout="flat")
    texts = {"program.nm": PROGRAM, "scenes.nm": SCENES, "task.nm": TASK, "examples.jsonl": EXAMPLES,
             "train.jsonl": EXAMPLES, "figures.jsonl": FIGURES, "empty.jsonl": "", "empty.nm": ""}
    for name, text in texts.items():
        (folder / name).write_text(text)
    original = folder / "original"
    original.mkdir()
    for name, text in {"consts.txt": "o:a,b\n", "preds.txt": "p:1:o\nq:1:o\n", "bk.txt": "q(a).\n", "clauses.txt": "p(X):-q(X).\n"}.items():
        (original / name).write_text(text)
    for name in ("picture.png", "pictures/true/a.png", "pictures/false/b.png"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(picture())
    (folder / "folder").mkdir()
    subprocess.run([neumann, "graph", "program.nm", "-o", "saved.nmg"], cwd=folder, env=environment, check=True,
                   capture_output=True)
