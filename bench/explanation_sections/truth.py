"""What is true of a scene: its attributes, the objects that the rule of its class is about, and which of them were seen."""
import itertools
import math

import make_questions

NEAR = 0.1  # an object that was seen further away from where it is, in shares of the picture, is another one
ATTRIBUTES = ("shape", "size", "material", "color")  # the order of scenes.jsonl
VALUES = {
    "solid": {"color": ["cyan", "blue", "yellow", "purple", "red", "green", "gray", "brown"],
              "shape": ["sphere", "cube", "cylinder"], "size": ["large", "small"], "material": ["rubber", "metal"]},
    "figure": {"color": ["red", "yellow", "blue"], "shape": ["square", "circle", "triangle"]},
    "row": {"color": make_questions.COLORS},
}
# What the two objects of a class look like.
CLASS_RULES = [
    ({"size": "large", "shape": "cube"}, {"size": "large", "shape": "cylinder"}),
    ({"size": "small", "material": "metal", "shape": "cube"}, {"size": "small", "shape": "sphere"}),
    ({"size": "large", "color": "blue", "shape": "sphere"}, {"size": "small", "color": "yellow", "shape": "sphere"}),
]


def satisfying(label, objects):
    """The pairs of objects that the rule of a class is true of. objects: a dictionary of attributes each."""
    one, other = CLASS_RULES[label]
    fits = lambda seen, wanted: all(seen[name] == value for name, value in wanted.items())
    return [(a, b) for a, b in itertools.permutations(range(len(objects)), 2)
            if fits(objects[a], one) and fits(objects[b], other)]


def described(scene):
    return [dict(zip(ATTRIBUTES, entry)) for entry in scene["objects"]]


def terms_of(atom):
    """color(obj0,red) as (color, [obj0, red])."""
    name, rest = atom.rstrip(")").split("(", 1)
    return name, rest.split(",")


def matched(scene, seen, size):
    """Which true object each row of what was seen shows, each object once; what is seen faintly gets what is left."""
    places = [(x / size[0], y / size[1]) for x, y, _ in scene["pixels"]]
    pairs = sorted((row["presence"] < 0.5, math.dist(place, (row["x"], row["y"])), r, t)
                   for r, row in enumerate(seen["objects"]) for t, place in enumerate(places))
    found = {}
    for _, distance, row, true in pairs:
        if distance <= NEAR and row not in found and true not in found.values():
            found[row] = true
    return found
