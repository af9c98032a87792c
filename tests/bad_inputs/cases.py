"""Bad inputs as data: a command line, the files it needs beside the good ones of fixtures.py, and what must be said.

A line of a table is (command, says) or (command, says, files). `says` is one text or several, all of them on standard
error. `leaves` are names that may be left behind, where a command fails on the way.
"""
import dataclasses
import json
import struct

import more_cases
from fixtures import EXAMPLES, FIGURES, PROGRAM, SCENES, TASK, Link, picture


@dataclasses.dataclass
class Case:
    name: str
    command: str
    says: list
    files: dict = dataclasses.field(default_factory=dict)
    code: int = 2
    stdout: str = ""
    stdin: bytes = b""
    leaves: tuple = ()


def table(group, rows, **common):
    found = []
    for number, (command, says, *files) in enumerate(rows):
        found.append(Case(f"{group}-{number + 1}", command, [says] if isinstance(says, str) else list(says),
                          files[0] if files else {}, **common))
    return found


def program_with(text):
    return {"bad.nm": PROGRAM + text + "\n"}


# ——— the command line as a whole

COMMANDS = [
    ("", "A subcommand is required"),
    ("bogus", ["there is no command 'bogus'", "known are"]),
    ("reson program.nm", "did you mean 'reason'?"),
    ("--verson", "did you mean '--version'?"),
    ("train foo", ["there is no command 'train foo'", "detector"]),
    ("train slot", "did you mean 'slots'?"),
    ("train", "A subcommand is required"),
    ("scene", "A subcommand is required"),
    ("scene draw figures.jsonl", ["there is no command 'scene draw'", "show"]),
    ("help bogus", "there is no command 'bogus'"),
    ("help train bogus", "there is no command 'train bogus'"),
    ("check", "PROGRAM is required"),
    ("convert", "PROGRAM is required"),
    ("reason", "PROGRAM is required"),
    ("explain", "PROGRAM is required"),
    ("graph program.nm", "--output is required"),
    ("generate kandinsky closeby", "--output is required"),
    ("generate", "DATASET is required"),
    ("learn", "program is required"),
    ("perceive", "IMAGE is required"),
    ("scene show", "FILE is required"),
    ("train predicates", "--output is required"),
    ("train baseline cnn", "--data is required"),
    ("train baseline", "MODEL is required"),
    ("reason program.nm extra", "did not expect 'extra'"),
    ("reason program.nm --querry 'p(X)'", "did you mean '--query'?"),
    ("ground program.nm --jsn", "did you mean '--json'?"),
    ("reason program.nm --query", "--query"),
    ("reason program.nm --steps 3 --steps 4", "--steps"),
]

# ——— programs that cannot be read

FILES = [
    (f"{command} {name}", says, files)
    for command in ("check", "convert", "ground", "reason", "explain")
    for name, says, files in (
        ("missing.nm", ["missing.nm", "no such file"], {}),
        ("empty.nm", "there is no program in this file", {}),
        ("binary.nm", "binary.nm", {"binary.nm": bytes(range(256)) * 4}),
        ("invalid.nm", ["invalid.nm", "UTF-8"], {"invalid.nm": PROGRAM.encode() + b"p(\xff\xfe).\n"}),
        ("folder", "none of the files of a program", {}),
        ("wide.nm", "not UTF-8", {"wide.nm": PROGRAM.encode("utf-16")}),
    )
] + [
    ("graph missing.nm -o out.dot", "no such file"),
    ("learn missing.nm --train train.jsonl", "no such file"),
    ("learn folder --train train.jsonl", "none of the files of a program"),
    ("generate kandinsky closeby -n 2 -o out --program missing.nm", "cannot read missing.nm"),
    ("check loop.nm", "loop.nm", {"loop.nm": Link("loop.nm")}),
    ("check dangling.nm", "dangling.nm", {"dangling.nm": Link("nowhere.nm")}),
    ("check long.nm", "line is longer", {"long.nm": "% " + "x" * 2_000_000}),
    ("check program.nm/inside.nm", "program.nm/inside.nm"),
    ("check nul.nm", "nul.nm", {"nul.nm": PROGRAM + "\0"}),
]

# ——— programs that are wrong

LANGUAGE = [
    ("check bad.nm", says, program_with(text))
    for text, says in (
        ("ancestor(X, Y) :- edge(X, Y), parent(X, Y).", ["unknown predicate 'edge/2'", ":- neural(edge(person, person))."]),
        ("wet :- rain.", ["unknown predicate 'rain/0'", ":- neural(rain)."]),
        ("query(ancestor(ann, X), 1).", "a query is a fact about one atom"),
        ("evidence(ancestor(ann, bob), maybe).", "expected true or false"),
        ("parent(X, Y) :- parent(Y, X), X != Y.", ["an inequality ('!=')", "\\="]),
        ("parent(X, Y) :- parent(Y, X), !.", "the cut"),
        (":- type(number, [1..5]).", "a range of terms ('..')"),
        (":- parent(X, Y), parent(Y, X).", "a constraint"),
        (":- not parent(ann, ann).", "a constraint"),
        ("parent(X, Y) :- #count{Z : parent(X, Z)} > 1.", "an aggregate"),
        ("#show ancestor/2.", "answer set programs"),
        ("1/2::parent(ann, cem).", "a decimal number, not a fraction"),
        ("0.3::parent(ann, cem); 0.8::parent(ann, ann).", "sum up to 1.1"),
        ("parent(X, Y) :- \\+ parent(Y, X).", "negation"),
        ("parent(X, Y) :- not parent(Y, X).", "negation"),
        ("ancestor(X, Y) :- parent(X, Y), 1 is X +.", "expected"),
        ("ancestor(X, Y) :- parent(X, Y), X > tall.", "'tall' is not a number"),
        ("?- ancestor(ann, X).", "a Prolog query"),
        ("parent(ann, \"bob).", "never closed"),
        ("1.5::parent(ann, ann).", "a weight lies between 0 and 1"),
        ("-0.5::parent(ann, ann).", "a weight cannot be negative"),
        ("1e400::parent(ann, ann).", "a weight lies between 0 and 1"),
        ("nan::parent(ann, ann).", "not a number"),
        ("parent(ann).", "it takes 2"),
        ("parent(ann, dan).", "unknown constant 'dan'"),
        ("parent(ann, bob", "never closed"),
        ("parent('ann, bob).", "never closed"),
        ("/* parent(ann, bob).", "never closed"),
        ("parent(ann, bob)", "after this"),
        ("parent(ann, bob)) .", "found ')'"),
        ("Parent(ann, bob).", "lower-case"),
        ("parent(ann, [bob]).", "not a list type"),
        (":- type(person, [dan]).", "declared twice"),
        (":- pred(parent(person, person)).", "declared twice"),
        (":- pred(likes(persn)).", "unknown type 'persn'"),
        (":- facts(parent/2, 'nowhere.csv').", "no such file"),
        (":- facts(parent/2, 'bad.nm').", "field"),
        (":- include('nowhere.nm').", "no such file"),
        ("old(X) :- aggregate_all(oldest, parent(X, _), N).", "expected count"),
        (":- bogus(person).", "unknown directive 'bogus'"),
        (":- max_depth(person, -1).", "whole number"),
        (":- max_depth(person, 99999999999).", "whole number"),
        (":- label(parent(ann, bob)). :- label(parent(bob, cem)).", "declared twice"),
        (":- learn(ancestor/2, 0).", "whole number"),
        (":- query(ancestor(ann, Y, Z)).", "it takes 2"),
        ("parent(" + "f(" * 2000 + "ann" + ")" * 2000 + ", bob).", "nested deeper"),
        (":- type(colour, [red, green).\n:- pred(c(colour)).\nc(red).", "']'"),
        ("ancestor(X, Y) :- parent(X, Y), , parent(Y, X).", "expected"),
        ("parent(ann, bob) :- .", "expected"),
        (":- .", "the name of a directive"),
    )
]

# ——— examples

def example(text):
    return {"bad.jsonl": text}


BAD_EXAMPLES = (
    ("not json\n", "bad.jsonl:1"),
    ("[]\n", "expected an object"),
    ("42\n", "expected an object"),
    ('{"id": "a"}\n', '"atoms"'),
    ('{"atoms": []}\n', "bad.jsonl:1"),
    ('{"atoms": {"kp(img)": "high"}}\n', "bad.jsonl:1"),
    ('{"atoms": {"color(obj0,red)": "1"}}\n', "expected a probability"),
    ('{"atoms": {"color(obj0,red)": null}}\n', "expected a probability"),
    ('{"atoms": {"color(obj0,red)": true}}\n', "expected a probability"),
    ('{"atoms": {"color(obj0,red)": 1.5}}\n', "bad.jsonl:1"),
    ('{"atoms": {"color(obj0,red)": -0.1}}\n', "bad.jsonl:1"),
    ('{"atoms": {"color(obj0,red)": NaN}}\n', "bad.jsonl:1"),
    ('{"atoms": {"color(obj0,red)": 1e999}}\n', "bad.jsonl:1"),
    ('{"atoms": {"color(obj0,red)": Infinity}}\n', "bad.jsonl:1"),
    ('{"atoms": {"color(obj0,purple)": 1}}\n', "purple"),
    ('{"atoms": {"colour(obj0,red)": 1}}\n', "colour"),
    ('{"atoms": {"color(obj0)": 1}}\n', "color"),
    ('{"atoms": {"color(X,red)": 1}}\n', "X"),
    ('{"atoms": {"": 1}}\n', "bad.jsonl:1"),
    ('{"atoms": {"color(obj0,red)": 1, "color(obj0,red)": 0}}\n', "twice"),
    ('{"atoms": {}, "atoms": {}}\n', "twice"),
    ('{"atoms": {"color(obj0,red)": 1}\n', "bad.jsonl:1"),
    ('{"atoms": {"color(obj0,red)": 1}} trailing\n', "bad.jsonl:1"),
    ("{" * 5000 + "\n", "bad.jsonl:1"),
    ('{"atoms": ' + "[" * 5000 + "]" * 5000 + "}\n", "bad.jsonl:1"),
    (b'{"atoms": {"color(obj0,\xff)": 1}}\n', "bad.jsonl:1"),
    (b"\x00\x01\x02\x03\n", "bad.jsonl:1"),
    (b"\xff\xfe{\x00}\x00", "bad.jsonl"),
)

EXAMPLES_OF_COMMANDS = [(f"reason scenes.nm --examples bad.jsonl", says, example(text)) for text, says in BAD_EXAMPLES] + [
    (f"explain scenes.nm --examples bad.jsonl", says, example(text)) for text, says in BAD_EXAMPLES[::3]] + [
    (f"learn task.nm --train bad.jsonl", says, example(text)) for text, says in BAD_EXAMPLES[::4]] + [
    ("reason scenes.nm --examples missing.jsonl", "missing.jsonl"),
    ("reason scenes.nm --examples folder", "folder"),
    ("explain scenes.nm --examples missing.jsonl", "missing.jsonl"),
    ("explain scenes.nm --examples examples.jsonl --example nobody", "there is no example 'nobody'"),
    ("learn task.nm --train missing.jsonl", "missing.jsonl"),
    ("learn task.nm --train empty.jsonl", "empty.jsonl"),
    ("learn task.nm --train train.jsonl --val missing.jsonl", "missing.jsonl"),
    ("learn task.nm --train train.jsonl --enough 0.9", "give --val"),
    ("learn task.nm --train train.jsonl --val train.jsonl --enough 90", "--enough"),
    ("learn task.nm --train train.jsonl --val train.jsonl --enough nan", "--enough"),
    ("learn task.nm --train bad.jsonl", '"label"', example('{"atoms": {"in(obj0,img)": 1}}\n')),
    ("learn task.nm --train bad.jsonl", "label", example('{"atoms": {"in(obj0,img)": 1}, "label": "yes"}\n')),
    ("learn task.nm --train bad.jsonl", "label", example('{"atoms": {"in(obj0,img)": 1}, "label": 0.5}\n')),
    ("learn task.nm --train bad.jsonl", "label", example('{"atoms": {"in(obj0,img)": 1}, "label": 7}\n')),
    ("learn task.nm --train bad.jsonl", "expected 0 or 1", example('{"atoms": {}, "targets": {"kp(img)": 2}}\n')),
    ("learn task.nm --train bad.jsonl", "either", example('{"atoms": {}, "label": 1, "targets": {"kp(img)": 1}}\n')),
    ("learn program.nm --train train.jsonl", "does not say what to learn"),
    ("learn saved.nmg --train train.jsonl", "a saved graph has nothing left to learn"),
    ("learn task.nm", "there is nothing to learn from"),
    ("learn task.nm --images folder", "there is no folder 'train' in it"),
    ("learn task.nm --train train.jsonl --given program.nm", "program.nm has no clauses of learned predicates"),
    ("learn task.nm --train train.jsonl --resume", "--resume needs to know"),
    ("learn task.nm --train train.jsonl --memory-limit 1K", "memory limit of 1.0 KiB"),
    ("learn task.nm --train train.jsonl --max-numbers many", "--max-numbers"),
]

# ——— saved graphs

SAVED = [
    (f"{command} bad.nmg", says, {"bad.nmg": data})
    for command in ("check", "reason", "ground")
    for data, says in (
        (b"NEUMANN", "bad.nmg"),
        (b"\x89NMG\r\n\x1a\n" + b"\0" * 100, "bad.nmg"),
        (b"", "bad.nmg"),
    )
] + [
    ("reason saved.nmg --mode full", "a saved graph is grounded already"),
    ("reason saved.nmg --term-depth 2", "a saved graph"),
    ("reason saved.nmg --query 'nobody(X)'", "nobody"),
    ("check saved.nmg --clauses clauses.txt", "folders"),
    ("graph saved.nmg -o saved.nmg", "would be overwritten"),
]

# ——— numbers and names of options

NOT_NUMBERS = ("nan", "inf", "-1", "0x10", "+5", "1e999", "abc", "''", "1.5.2", "99999999999999999999999")
OPTIONS = [(f"reason program.nm --gamma={value}", "--gamma") for value in NOT_NUMBERS] + [
    (f"reason program.nm --top={value}", "--top") for value in ("nan", "-1", "1.5", "0x10", "99999999999999999999", "ten")] + [
    (f"reason program.nm --semantics topk --k={value}", "--k") for value in ("nan", "-1", "0", "1.5", "0x10", "1000001", "ten")] + [
    (f"{command} --threads={value}", "--threads")
    for command in ("ground program.nm", "generate kandinsky closeby -n 2 -o out", "perceive picture.png")
    for value in ("-1", "nan", "99999", "two")] + [
    (f"reason program.nm --memory-limit={value}", "--memory-limit") for value in ("0", "-1", "nan", "5X", "''")] + [
    (f"learn task.nm --train train.jsonl {option}", option.split("=")[0]) for option in (
        "--time-limit=nan", "--time-limit=-1", "--lr=nan", "--lr=inf", "--epochs=-1", "--epochs=1.5", "--beta=nan",
        "--gamma=0", "--threshold=nan", "--threshold=2", "--trials=-1", "--program-size=0", "--uniform-weight=nan",
        "--seed=-1", "--seed=1.5", "--steps=-1", "--steps=many", "--samples=0", "--search=wide", "--optimiser=magic",
        "--semantics=sofror", "--positive=nan")] + [
    (f"generate kandinsky closeby -o out {option}", says) for option, says in (
        ("-n 0", "--count"), ("-n -1", "--count"), ("-n nan", "--count"), ("-n 1e9", "--count"), ("--seed x", "--seed"),
        ("--noise nan -n 2", "--noise"), ("--noise 0.5 -n 2", "--noise"), ("--flip -0.1 -n 2", "--flip"),
        ("--split bogus -n 2", "--split"), ("--size 12 --images -n 2", "--size"), ("--size 0x0 --images -n 2", "--size"),
        ("--size 9999x9999 --images -n 2", "--size"), ("--size -8x8 --images -n 2", "--size"),
        ("--quality best --images -n 2", "--quality"))] + [
    ("generate bogus -o out", ["there is no data set 'bogus'", "kandinsky"]),
    ("generate kandinsky -o out", "needs a pattern"),
    ("generate kandinsky closby -o out", "did you mean 'closeby'?"),
    ("generate clevr-hans extra -o out", "has no patterns"),
    ("generate kandinsky closeby -n 2 -o out --program program.nm", "program.nm", {"program.nm": "p(X.\n"}),
    ("generate kandinsky closeby -n 2 -o original", "choose another folder"),
    ("scene show figures.jsonl -n -1", "expected a number from 0 on"),
    ("scene show figures.jsonl -n 2", "there is no number 2"),
    ("scene show figures.jsonl -n nan", "--number"),
    ("scene show figures.jsonl -n 0x1", "--number"),
    ("scene show figures.jsonl -o a.png --width 0", "--width"),
    ("scene show figures.jsonl -o a.png --width nan", "--width"),
    ("scene show figures.jsonl -o a.png --height 100000", "--height"),
    ("scene show figures.jsonl -o a.gif", "pictures are PNG"),
    ("reason program.nm --semantics softer", "did you mean 'softor'?"),
    ("reason program.nm --semantics ''", "--semantics"),
    ("reason program.nm --steps -1", "--steps"),
    ("reason program.nm --steps 1.5", "--steps"),
    ("reason program.nm --steps 99999999999", "--steps"),
    ("reason program.nm --semantics paper", "needs --steps N"),
    ("reason program.nm --engine magic", "--engine"),
    ("reason program.nm --engine tensor", "--engine tensor needs --steps"),
    ("reason program.nm --kernel sse", "--kernel"),
    ("reason program.nm --gradients everything", "--gradients"),
    ("reason program.nm --weights nan,1", "--weights"),
    ("reason program.nm --weights 0.5", "weights"),
    ("reason program.nm --weights 2,1", "weight"),
    ("reason program.nm --mode half", "--mode"),
    ("reason program.nm --facts none", "--facts"),
    ("reason program.nm --no-warn bogus", "there is no warning called 'bogus'"),
    ("reason program.nm --max-errors -1", "--max-errors"),
    ("reason program.nm --distinct nobody", "unknown predicate 'nobody'"),
    ("reason program.nm --repeats maybe", "--repeats"),
    ("reason program.nm --term-depth nan", "--term-depth"),
    ("reason program.nm --query ''", "--query"),
    ("reason program.nm --query 'ancestor(ann'", "never closed"),
    ("reason program.nm --query 'ancestor(ann,X) :- true'", "the end of the question"),
    ("reason program.nm --query 'nobody(X)'", "unknown predicate 'nobody/1'"),
    ("reason scenes.nm --examples examples.jsonl --threshold nan", "--threshold"),
    ("reason scenes.nm --examples examples.jsonl --threshold 2", "--threshold"),
    ("reason scenes.nm --examples examples.jsonl --batch 0", "--batch"),
    ("reason scenes.nm --examples examples.jsonl --history", "add --json"),
    ("reason original --clauses missing.txt", "missing.txt"),
    ("explain program.nm --atom 'nobody(X)'", "nobody"),
    ("explain program.nm --atom ''", "--atom"),
    ("explain program.nm --proofs 0", "--proofs"),
    ("explain program.nm --proofs nan", "--proofs"),
    ("explain program.nm --top 0", "--top"),
    ("explain program.nm --threshold nan", "--threshold"),
    ("explain program.nm --why-not --no-why-not", "one of them"),
    ("explain program.nm --trust nobody/9", "nobody/9"),
    ("check program.nm scenes.nm --print", "--print takes one program"),
    ("graph program.nm -o out.xyz", "cannot tell the format"),
    ("graph program.nm -o out --format png", "--format"),
    ("graph program.nm -o - --format nmg", "cannot be written to standard output"),
]

# ——— options without effect

IDLE = [
    ("reason program.nm --semantics noisy-or --gamma 0.1", "--gamma does nothing"),
    ("explain program.nm --semantics noisy-or --gamma 0.1", "--gamma does nothing"),
    ("learn task.nm --train train.jsonl --semantics noisy-or --learning-semantics noisy-or --gamma 0.1", "--gamma does nothing"),
    ("generate kandinsky closeby -n 2 -o out --size 64x64", "--size does nothing without --images"),
    ("generate clevr-hans -n 2 -o out --quality training", "--quality does nothing without --images"),
    ("generate kandinsky closeby -n 2 -o out --images --quality training", "flat figures"),
    ("scene show figures.jsonl --width 300", "--width does nothing without --output"),
    ("scene show figures.jsonl --height 300", "--height does nothing without --output"),
    ("reason program.nm --network figures", "--network does nothing without --images"),
    ("reason program.nm --no-cache", "--no-cache does nothing without --images"),
    ("reason program.nm --cache there", "--cache does nothing without --images"),
    ("reason program.nm --device tpu", "expected cpu, cuda or auto"),
    ("reason program.nm --device cuda --engine tensor --steps 2", "is not for --device cuda"),
    ("reason program.nm --batch 8", "--batch does nothing without"),
    ("reason program.nm --threshold 0.7", "--threshold does nothing without"),
    ("reason program.nm --positive 1", "--positive does nothing without"),
    ("reason program.nm --ask 'p(a)'", "--ask"),
    ("reason program.nm --engine reference --kernel baseline", "--kernel does nothing"),
    ("explain program.nm --limit 3", "--limit does nothing without"),
    ("explain program.nm --heat-map where.png", "--heat-map"),
    ("explain program.nm --example a", "--example"),
    ("explain program.nm --json --no-words", "--no-words does nothing"),
    ("explain program.nm --no-why-not --near 3", "--near does nothing"),
    ("check program.nm --print --json", "--print does nothing"),
    ("check program.nm --clauses clauses.txt", "folders"),
    ("train baseline mlp --data pictures --size resnet18", "--size does nothing"),
    ("train baseline cnn --data pictures --network figures", "--network does nothing"),
    ("train baseline mlp --data pictures --explanations 10", "--explanations does nothing"),
    ("train baseline set --data pictures --precision bfloat16", "--precision does nothing"),
    ("train detector -o w.safetensors --render cuda", "--render does nothing"),
    ("train detector -o w.safetensors --rows 0.5", "flat figures have none"),
    ("train slots -o w.safetensors --rows 0.5 --data pictures", "--rows is about pictures that are made"),
]

# ——— scenes and pictures

PICTURES = [
    ("perceive missing.png", "missing.png"),
    ("perceive folder", "there are no pictures"),
    ("perceive program.nm", "program.nm"),
    ("perceive bad.png", "none of the pictures could be read", {"bad.png": b"not a picture"}),
    ("perceive bad.png", "none of the pictures could be read", {"bad.png": b""}),
    ("perceive bad.png", "none of the pictures could be read", {"bad.png": picture()[:60]}),
    ("perceive bad.jpg", "none of the pictures could be read", {"bad.jpg": picture()[::-1]}),
    ("perceive bad.jsonl", "bad.jsonl", {"bad.jsonl": '{"images": "a.png"}\n'}),
    ("perceive bad.jsonl", "bad.jsonl", {"bad.jsonl": '{"images": [7]}\n'}),
    ("perceive picture.png --network bogus", "bogus"),
    ("perceive picture.png --network picture.png", "picture.png"),
    ("perceive picture.png --device tpu", "processor alone"),
    ("perceive picture.png --least nan", "--least"),
    ("perceive picture.png --least 2", "--least"),
    ("perceive picture.png --batch 0", "--batch"),
    ("perceive picture.png --annotate out.bmp", "neither .svg nor .png"),
    ("perceive picture.png --cache program.nm", "is a file"),
    ("perceive picture.png --cache a --no-cache", "--no-cache"),
    ("perceive picture.png --annotate picture.png", "would be overwritten"),
    ("perceive picture.png --scene picture.png", "would be overwritten"),
    ("perceive pictures --annotate one.svg", "name a folder"),
    ("perceive pictures/true --annotate pictures/true/a.png", "would be overwritten"),
    ("perceive picture.png --attention program.nm", "is a file"),
    ("reason scenes.nm --images missing.png", "missing.png"),
    ("reason scenes.nm --images folder", "there are no pictures"),
    ("reason scenes.nm --images picture.png --examples examples.jsonl", "--examples"),
    ("reason program.nm --images picture.png", "no neural predicates"),
    ("reason scenes.nm --images picture.png --ask 'nobody(a)'", "nobody"),
    ("reason bad.nm --images picture.png", "shape", {"bad.nm": SCENES.replace("color(", "form(")}),
    ("reason bad.nm --images picture.png", ["knows none of the program's values", "red"],
     {"bad.nm": SCENES.replace("[red, yellow, blue]", "[pink]").replace("red)", "pink)")}),
    ("learn scenes.nm --images pictures", "train"),
    ("scene show missing.jsonl", "missing.jsonl"),
    ("scene show program.nm", "program.nm"),
    ("scene show empty.jsonl", "empty.jsonl"),
    ("scene show folder", "folder"),
] + [
    ("scene show bad.jsonl", "bad.jsonl", {"bad.jsonl": text}) for text in (
        "{}\n", "[]\n", '{"objects": 7}\n', '{"objects": [["circle", "red", 0.1, 0.1]]}\n',
        '{"objects": [["blob", "red", 0.1, 0.1, 0.1]]}\n', '{"objects": [["circle", "pink", 0.1, 0.1, 0.1]]}\n',
        '{"objects": [["circle", "red", 7, 0.1, 0.1]]}\n', '{"objects": [["circle", "red", null, 0.1, 0.1]]}\n',
        '{"objects": [["circle", "red", 1e999, 0.1, 0.1]]}\n', "not json\n", FIGURES[:40])
] + [
    ("train through-logic missing.nm --images pictures --network own.safetensors --learn color -o w.st", "missing.nm"),
    ("train through-logic scenes.nm --images missing --network own.safetensors --learn color -o w.st", "missing"),
    ("train through-logic scenes.nm --images pictures --network missing.st --learn color -o w.st", "missing.st"),
    ("train through-logic scenes.nm --images pictures --network own.safetensors --learn color -o no/w.st", "there is no folder"),
    ("train through-logic scenes.nm --images pictures --network own.safetensors --learn color -o w.st --lr nan", "--lr"),
    ("train through-logic scenes.nm --images pictures --network own.safetensors --learn color -o w.st --epochs 0", "--epochs"),
    ("train through-logic scenes.nm --images pictures --network own.safetensors --learn color -o w.st --time-limit nan", "--time-limit"),
    ("train through-logic scenes.nm --images pictures --network own.safetensors --learn color -o w.st --semantics paper", "--semantics"),
    ("train through-logic program.nm --images pictures --network own.safetensors --learn color -o w.st", "does not say which atom the label is for"),
    ("train detector -o no/w.st", "there is no folder"),
    ("train detector -o w.st --steps 0", "--steps"),
    ("train detector -o w.st --steps nan", "--steps"),
    ("train detector -o w.st --lr -1", "--lr"),
    ("train detector -o w.st --kind round", "--kind"),
    ("train detector -o w.st --time-limit nan", "--time-limit"),
    ("train detector -o w.st --curves curves.png", "curves.png"),
    ("train detector -o w.st", ["w.st.checkpoint", "--resume"], {"w.st.checkpoint": "unfinished"}),
    ("train slots -o slots.st --detector slots.st", "would both write"),
    ("train predicates -o no/w.st", "there is no folder"),
    ("train predicates -o w.st --samples 1", "--samples"),
    ("train baseline rnn --data pictures", "MODEL"),
    ("train baseline cnn --data pictures --epochs 0", "--epochs"),
    ("train baseline cnn --data pictures --recipe theirs", "--recipe"),
    ("train baseline set --data pictures --explanations 0", "--explanations"),
    ("train baseline cnn --data pictures --time-limit nan", "--time-limit"),
]

# ——— outputs

OUTPUTS = [
    ("graph program.nm -o program.nm", "would be overwritten"),
    ("graph program.nm -o program.nm --format dot", "would be overwritten"),
    ("graph program.nm -o link.dot", "would be overwritten", {"link.dot": Link("program.nm")}),
    ("graph program.nm -o ./folder/../program.nm --format json", "would be overwritten"),
    ("graph program.nm --out program.nm --format dot", "would be overwritten"),
    ("graph original -o original/clauses.txt --format dot", "would be overwritten"),
    ("graph program.nm -o no/out.dot", "there is no folder 'no'"),
    ("graph program.nm -o folder --format dot", "is a folder"),
    ("graph program.nm -o program.nm/out.dot", "there is no folder"),
    ("learn task.nm --train train.jsonl --out task.nm", "would be overwritten"),
    ("learn task.nm --train train.jsonl --out train.jsonl", "would be overwritten"),
    ("learn task.nm --train train.jsonl --output train.jsonl", "would be overwritten"),
    ("learn task.nm --train train.jsonl --val examples.jsonl --out examples.jsonl", "would be overwritten"),
    ("learn task.nm --train train.jsonl --given program.nm --out program.nm", "would be overwritten"),
    ("learn task.nm --train train.jsonl --out link.nm", "would be overwritten", {"link.nm": Link("task.nm")}),
    ("learn task.nm --train train.jsonl --out no/learned.nm", "there is no folder"),
    ("learn task.nm --train train.jsonl --out folder", "is a folder"),
    ("learn task.nm --train train.jsonl --report task.nm", "would be overwritten"),
    ("learn task.nm --train train.jsonl --checkpoint train.jsonl", "would be overwritten"),
    ("learn task.nm --train out.nm.journal --out out.nm", "would be overwritten", {"out.nm.journal": EXAMPLES}),
    ("learn task.nm --train train.jsonl --out out.nm", ["out.nm.journal", "--resume"], {"out.nm.journal": "{}"}),
    ("learn task.nm --train train.jsonl --out same.nm --checkpoint same.nm", "would both write"),
    ("convert program.nm --to asp -o program.nm", "would be overwritten"),
    ("convert program.nm --to asp -o no/program.lp", "there is no folder"),
    ("convert program.nm --to folder -o task.nm", "is a file"),
    ("convert program.nm --to folder", "name their folder"),
    ("reason program.nm --history-picture program.nm", "program.nm"),
    ("reason program.nm --history-picture no/h.svg", "there is no folder"),
    ("reason program.nm --history-picture link.svg", "would be overwritten", {"link.svg": Link("program.nm")}),
    ("explain program.nm --svg program.nm", "program.nm"),
    ("explain program.nm --svg no/p.svg", "there is no folder"),
    ("explain program.nm --html no/p.html", "there is no folder"),
    ("explain program.nm --dot p.svg", "--dot"),
    ("explain program.nm --html p.txt", "--html"),
    ("explain program.nm --svg p.png", "p.png"),
    ("explain program.nm --svg link.svg", "would be overwritten", {"link.svg": Link("program.nm")}),
    ("explain scenes.nm --images picture.png --heat-map picture.png", "would be overwritten"),
    ("generate kandinsky closeby -n 2 -o program.nm", "is a file"),
    ("generate kandinsky closeby -n 2 -o program.nm/set", "is a file"),
    ("scene show figures.jsonl -o no/a.png", "there is no folder"),
    ("scene show figures.jsonl -o link.png", "would be overwritten", {"link.png": Link("figures.jsonl")}),
    ("train through-logic scenes.nm --images pictures --network own.safetensors --learn color -o own.safetensors", "would be overwritten"),
    ("train through-logic scenes.nm --images pictures --network own.safetensors --learn color -o scenes.nm", "would be overwritten"),
]

# ——— tasks of Popper and Aleph

def popper(bias="head_pred(f,1). body_pred(g,1).", background="g(a).", examples="pos(f(a)). neg(f(b))."):
    return {"task/bias.pl": bias + "\n", "task/bk.pl": background + "\n", "task/exs.pl": examples + "\n"}


def aleph(background, positives="f(a)."):
    return {"task.b": background + "\n", "task.f": positives + "\n"}


TASKS = [
    ("learn --popper task", "no such file"),
    ("learn --popper task", ["bias.pl: error", "head_pred(f,2) is missing"], popper("body_pred(g,1).")),
    ("learn --popper task", "bias.pl:2:", popper("head_pred(f,1).\nbody_pred(g,,1).")),
    ("learn --popper task", ["head_pred(f,-1)", "the number of arguments"], popper("head_pred(f,-1).")),
    ("learn --popper task", ["max_body(-1)", "a whole number"], popper("head_pred(f,1). max_body(-1).")),
    ("learn --popper task", "expected in or out, not inn", popper("head_pred(f,1). direction(f,(inn,)).")),
    ("learn --popper task", "body_pred/2 cannot be evaluated", popper("head_pred(f,1). body_pred(g,1). body_pred(P,N) :- body_pred(P,M), N = M+1.")),
    ("learn --popper task", "exs.pl:2:", popper(examples="pos(f(a)).\nneg(f(b.")),
    ("learn --popper task", ["exs.pl:1:", "the example f(_1) has variables"], popper(examples="pos(f(X)). neg(f(a)).")),
    ("learn --popper task", "nested too deep", popper(examples=f"pos(f(1{'+1' * 60_000})).")),
    ("learn --popper task", ["bias.pl:2:", "unknown predicate 'shape/2'"], popper("head_pred(f,1). body_pred(g,1).\n:- clause(C), shape(C,3).")),
    ("learn --popper task", ["bias.pl:2:", "'#avg' is not understood"], popper("head_pred(f,1). body_pred(g,1).\n:- clause(C), #avg{V : clause_var(C,V)} > 1.")),
    ("learn --popper task", ["bk.pl:1:", "unknown predicate 'h/1'"], popper(background="g(X) :- \\+ h(X).")),
    ("learn --aleph task", "expected task.b with task.f"),
    ("learn --aleph task", "task.b:1:1-18: error: 't' in a mode", aleph(":- modeh(1, f(t)).")),
    ("learn --aleph task", ["task.b:2:", "a whole number from 1 on"], aleph(":- modeh(1, f(+t)).\n:- set(clauselength, 0).")),
    ("learn --aleph task", "no positive example of f/1", aleph(":- modeh(1, f(+t)).", "g(a).")),
    ("reason long.pl", "nested too deep", {"long.pl": f"p :- X is 1{'+1' * 60_000}, X > 0.\nquery(p).\n"}),
]

# ——— standard output that cannot be written

PRINTING = [
    (command, "standard output") for command in (
        "check program.nm", "check program.nm --print", "check program.nm --json", "convert program.nm", "ground program.nm", "ground program.nm --json",
        "graph program.nm -o - --format dot", "graph program.nm -o - --format json", "reason program.nm",
        "reason program.nm --json", "reason scenes.nm --examples examples.jsonl", "explain program.nm --atom 'ancestor(ann,cem)'",
        "explain program.nm --json", "scene show figures.jsonl", "perceive picture.png", "perceive picture.png --json",
        "--help", "--version", "help reason", "learn task.nm --train train.jsonl -q")
]


def all_cases():
    groups = {"commands": COMMANDS, "files": FILES, "language": LANGUAGE, "examples": EXAMPLES_OF_COMMANDS,
              "saved": SAVED, "options": OPTIONS, "idle": IDLE, "pictures": PICTURES, "outputs": OUTPUTS,
              "tasks": TASKS}
    found = [case for name, rows in groups.items() for case in table(name, rows)]
    found += table("full", PRINTING, stdout="/dev/full")
    found += table("closed", PRINTING[::2], stdout="closed")
    return found + more_cases.more_cases(table, Case)
