#!/usr/bin/env python3
"""Makes a program that starts with so many clauses, all of which a search then scores in its first round.

    clause_pool.py PROGRAM.nm COUNT -o POOL.nm

The clauses are the program's initial one with one, two, three … goals more, in the order of its modeb declarations: '+' places hold
variables of the initial clause, '#' places constants of their type. The same count gives the same clauses. Prints how many there are.
"""
import argparse
import itertools
import sys
from pathlib import Path

from program_text import directives, head_and_body, name_and_arguments, split_outside, statements


def constants_of(text):
    """The constants of each type that lists them."""
    return {arguments[0]: split_outside(arguments[1].strip("[]")) for arguments in directives(text, "type") if len(arguments) == 2}


def further_goals(text, variables):
    """Every goal that a modeb without '-' places allows over these variables, by their type."""
    constants = constants_of(text)
    for _, goal, *order in directives(text, "modeb"):
        name, places = name_and_arguments(goal)
        if any(place.startswith("-") for place in places):
            continue
        choices = [variables.get(place[1:], []) if place.startswith("+") else constants.get(place[1:], []) for place in places]
        for arguments in itertools.product(*choices):
            if len(set(arguments)) == len(arguments) and (not order or list(arguments) == sorted(arguments)):
                yield f"{name}({','.join(arguments)})"


def pool(text, count):
    starts = directives(text, "initial")
    if len(starts) != 1:
        sys.exit("the program must have one initial clause")
    head, body = head_and_body(starts[0][0].strip("()") + ")")
    brought_in = {}
    generators = {name_and_arguments(goal)[0]: name_and_arguments(goal)[1] for _, goal, *_ in directives(text, "modeb") if "-" in goal}
    for goal in body:
        name, arguments = name_and_arguments(goal)
        for argument, place in zip(arguments, generators.get(name, [])):
            if place.startswith("-"):
                brought_in.setdefault(place[1:], []).append(argument)
    goals = list(further_goals(text, brought_in))
    longer = (added for length in range(1, len(goals) + 1) for added in itertools.combinations(goals, length))
    return [f"{head} :- {', '.join([*body, *added])}" for added in itertools.islice(longer, count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    text = options.program.read_text()
    clauses = pool(text, options.count)
    kept = [one for one in statements(text) if not one.startswith(":- initial(")]
    options.output.write_text("".join(f"{one}.\n" for one in kept) + "".join(f":- initial(({one})).\n" for one in clauses))
    print(len(clauses))


if __name__ == "__main__":
    main()
