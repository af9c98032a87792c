#!/usr/bin/env python3
"""How far proof histories are apart: those of the engines, of other semantics, and of the paper's equations.

    compare_histories.py NEUMANN PROGRAM.nm --semantics NAME --steps T [--picture FILE.svg]

Runs `neumann reason --history all` over all atoms in full with the graph engine, and prints one JSON object: the largest difference
of any atom at any step to the tensor engine, to the equations of αILP (the semantics `alpha-ilp`), and to what
paper_equations.py computes apart: the paper's equations, and the formulas of its published program. --picture draws the last.
"""
import argparse
import html
import json
import subprocess
import sys
from pathlib import Path

import paper_equations

CELL = 22
TOP, LEFT = 40, 40  # room for the title and for the numbers of steps
LIGHT, DARK = (0xdd, 0xed, 0xfe), (0x0f, 0x2a, 0x5f)  # as in the pictures of `neumann reason`


def history(options, engine, semantics):
    command = [options.neumann, "reason", options.program, "--engine", engine, "--semantics", semantics,
               "--steps", str(options.steps), "--mode", "full", "--history", "all", "--json"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}\n{run.stderr}")
    return json.loads(run.stdout)["history"]


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
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()

    graph = history(options, "graph", options.semantics)
    engines, atom = difference(graph, history(options, "tensor", options.semantics))
    program = Path(options.program).read_text()
    equations, published = (paper_equations.history(program, graph[0], options.steps, as_program) for as_program in (False, True))
    print(json.dumps({"largest_difference": engines, "atom": atom, "atoms": len(graph[0]),
                      "alpha_ilp": difference(graph, history(options, "graph", "alpha-ilp"))[0],
                      "equations": difference(graph, equations)[0], "published": difference(graph, published)[0]}))
    if options.picture:
        title = f"{Path(options.program).stem}, the formulas of the published program"
        options.picture.write_text(picture(published, list(graph[0]), title))


if __name__ == "__main__":
    main()
