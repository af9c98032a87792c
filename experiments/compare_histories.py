#!/usr/bin/env python3
"""How far proof histories are apart: those of the engines, and the one that the published program computed.

    compare_histories.py NEUMANN PROGRAM.nm --semantics NAME --steps T [--published FILE.json] [--picture FILE.svg]

Runs `neumann reason --history all` with the graph engine and with the tensor engine, over all atoms in full, and prints one
JSON object: the largest difference of any atom at any step, the same against the published program, and against the paper's
equations as others computed them from the same file. Without that file these two are null. --picture draws the published history.
"""
import argparse
import html
import json
import subprocess
import sys
from pathlib import Path

CELL = 22
TOP, LEFT = 40, 40  # room for the title and for the numbers of steps
LIGHT, DARK = (0xdd, 0xed, 0xfe), (0x0f, 0x2a, 0x5f)  # as in the pictures of `neumann reason`


def history(options, engine):
    command = [options.neumann, "reason", options.program, "--engine", engine, "--semantics", options.semantics,
               "--steps", str(options.steps), "--mode", "full", "--history", "all", "--json"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}\n{run.stderr}")
    return json.loads(run.stdout)["history"]


def published_history(published, key):
    return [dict(zip(published["atoms"], step)) for step in published[key]]


def difference(one, other):
    """Of all atoms that both have, at every step; and which atom it is."""
    if len(one) != len(other):
        sys.exit(f"the histories have {len(one)} and {len(other)} states")
    if one[0].keys() != other[0].keys():
        sys.exit("the histories are about different atoms")
    return max((abs(a[atom] - b[atom]), atom) for a, b in zip(one, other) for atom in a)


def colour(value):
    """White for what is exactly 0, else from light to dark."""
    if value == 0:
        return "#ffffff"
    shares = zip(LIGHT, DARK)
    return "#%02x%02x%02x" % tuple(round(light + min(max(value, 0), 1) * (dark - light)) for light, dark in shares)


def picture(states, atoms, title):
    width, bottom = LEFT + CELL * len(atoms) + 20, TOP + CELL * len(states)
    height = bottom + 6 * max(map(len, atoms)) + 10
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             f'font-size="11"><rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{LEFT}" y="{TOP - 14}" font-size="14">{html.escape(title)}</text>']
    for column, atom in enumerate(atoms):
        x = LEFT + CELL * column + CELL / 2 + 4
        parts.append(f'<text transform="translate({x},{bottom + 8}) rotate(-90)" text-anchor="end">{html.escape(atom)}</text>')
    for row, state in enumerate(states):
        y = TOP + CELL * row
        parts.append(f'<text x="{LEFT - 8}" y="{y + CELL / 2 + 4}" text-anchor="end">{row}</text>')
        for column, atom in enumerate(atoms):
            parts.append(f'<rect x="{LEFT + CELL * column}" y="{y}" width="{CELL}" height="{CELL}" '
                         f'fill="{colour(state[atom])}" stroke="#dddddd">'
                         f'<title>{html.escape(atom)}, step {row}: {state[atom]:.4g}</title></rect>')
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neumann")
    parser.add_argument("program")
    parser.add_argument("--semantics", required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--published", type=Path)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()

    graph, tensor = history(options, "graph"), history(options, "tensor")
    engines, atom = difference(graph, tensor)
    result = {"largest_difference": engines, "atom": atom, "atoms": len(graph[0]), "published": None, "equations": None}
    if options.published and options.published.exists():
        published = json.loads(options.published.read_text())
        result["published"] = difference(graph, published_history(published, "original"))[0]
        result["equations"] = difference(graph, published_history(published, "literal_gamma_0.01"))[0]
        if options.picture:
            title = f"{Path(options.program).stem}, the published program"
            options.picture.write_text(picture(published_history(published, "original"), list(graph[0]), title))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
