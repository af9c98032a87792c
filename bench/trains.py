"""Worlds of trains that go east or west: a generator for bench/learning.py.

A train has two to four cars, each with a shape, a length, a roof and a load. Whether it goes east is decided by one of
RULES. Worlds are examples as JSON Lines, one train each, half of them eastbound.
"""
import json
import random

SHAPES = ("rectangle", "hexagon", "ellipse", "bucket")
ROOFS = ("none", "flat", "peaked", "jagged")
LOADS = ("circle", "triangle", "square")
CARS = ("c1", "c2", "c3", "c4")

PROGRAM = f"""% Trains: which of them go east?
:- type(train, [t]).
:- type(car, [{", ".join(CARS)}]).
:- type(shape, [{", ".join(SHAPES)}]).
:- type(roof, [{", ".join(ROOFS)}]).
:- type(goods, [{", ".join(LOADS)}]).
:- neural(has_car(train, car)).
:- neural(short(car)).
:- neural(long(car)).
:- neural(closed(car)).
:- neural(open_car(car)).
:- neural(shape(car, shape)).
:- neural(roof(car, roof)).
:- neural(load(car, goods)).
:- neural(in_front(car, car)).
:- pred(eastbound(train)).
:- label(eastbound(t)).
:- modeh(1, eastbound(+train)).
:- modeb(2, has_car(+train, -car)).
:- modeb(1, in_front(+car, +car)).
:- modeb(1, short(+car)).
:- modeb(1, long(+car)).
:- modeb(1, closed(+car)).
:- modeb(1, open_car(+car)).
:- modeb(1, shape(+car, #shape)).
:- modeb(1, roof(+car, #roof)).
:- modeb(1, load(+car, #goods)).
:- initial((eastbound(T) :- has_car(T, C))).
:- learn(eastbound/1, CLAUSES).
"""

# Name: how many clauses it takes, and what decides.
RULES = {
    "a short closed car": (1, lambda cars: any(car["short"] and car["roof"] != "none" for car in cars)),
    "a short closed car, or triangles behind a long car": (2, lambda cars: any(
        car["short"] and car["roof"] != "none" for car in cars) or any(
            not front["short"] and back["load"] == "triangle" for front, back in zip(cars, cars[1:]))),
}


def train(rng):
    return [{"shape": rng.choice(SHAPES), "short": rng.random() < 0.5, "roof": rng.choice((*ROOFS, "none", "none")),
             "load": rng.choice(LOADS)} for _ in range(rng.randint(2, 4))]


def atoms(cars):
    given = {}
    for name, car in zip(CARS, cars):
        given[f"has_car(t,{name})"] = 1
        given[f"{'short' if car['short'] else 'long'}({name})"] = 1
        given[f"{'open_car' if car['roof'] == 'none' else 'closed'}({name})"] = 1
        for what in ("shape", "roof", "load"):
            given[f"{what}({name},{car[what]})"] = 1
    for front, back in zip(CARS, CARS[1:len(cars)]):
        given[f"in_front({front},{back})"] = 1
    return given


def examples(rule, count, rng):
    """As many of each label as there are of the other."""
    left = {0: count // 2, 1: count - count // 2}
    while any(left.values()):
        cars = train(rng)
        label = int(RULES[rule][1](cars))
        if left[label]:
            left[label] -= 1
            yield {"atoms": atoms(cars), "label": label}


def write(folder, rule, sizes, seed):
    """A data set as `neumann generate` makes them: program.nm, train, val and test."""
    (folder / "train").mkdir(parents=True, exist_ok=True)
    (folder / "program.nm").write_text(PROGRAM.replace("CLAUSES", str(RULES[rule][0])))
    for part, count in sizes.items():
        (folder / part).mkdir(exist_ok=True)
        worlds = list(examples(rule, count, random.Random(f"{seed} {part}")))
        random.Random(seed).shuffle(worlds)
        (folder / part / "examples.jsonl").write_text("".join(json.dumps(world) + "\n" for world in worlds))
    return folder
