#!/usr/bin/env python3
"""Counts a reasoning graph as the paper does, and the tensors that would hold the same.

    graph_sizes.py GRAPH.json

GRAPH.json was written by `neumann graph -o GRAPH.json`. Prints one JSON object:

graph    nodes and edges, with what the published program adds to each graph: an atom that is always true, and a
         conjunction with two edges
matrix   the tensor as the paper's text defines it: ground atoms times ground clauses
index    the tensor as its programs build it: clauses × atoms × substitutions × body atoms, where the atoms include one that is
         always true and one that is always false, and where there is room for the most substitutions that a clause has for one
         head and for the longest body
alpha_ilp_bytes, _gigabytes   what αILP's program holds while it reasons on a batch of so many pictures: the index (8 bytes an entry), and for the
         clause that it is at, repeated for every picture, the index (8), the values that it is to gather (4) and those gathered (4)
alpha_ilp_batch       the largest batch that fits 40 GB
"""
import collections
import json
import sys
from pathlib import Path


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    graph = json.loads(Path(sys.argv[1]).read_text())
    conjunctions = graph["conjunctions"]
    atoms = len(graph["atoms"])
    nodes = atoms + len(conjunctions)
    edges = sum(1 + len(one["body"]) for one in conjunctions)
    per_head = collections.Counter((one["clause"], one["head"]) for one in conjunctions)
    clauses = len({one["clause"] for one in conjunctions})
    substitutions = max(per_head.values(), default=0)
    body = max((len(one["body"]) for one in conjunctions), default=0)
    index = clauses * (atoms + 2) * substitutions * body
    per_picture = 16 * index // max(1, clauses)
    print(json.dumps({"atoms": atoms, "clauses": len(conjunctions), "nodes": nodes, "edges": edges,
                      "graph": nodes + 2 + edges + 2, "matrix": atoms * len(conjunctions), "index": index,
                      "index_bytes": 8 * index,
                      "alpha_ilp_bytes": {str(batch): 8 * index + batch * per_picture for batch in (1, 64)},
                      "alpha_ilp_gigabytes": {str(batch): (8 * index + batch * per_picture) / 1e9 for batch in (1, 64)},
                      "alpha_ilp_batch": max(0, int((40e9 - 8 * index) // max(1, per_picture))),
                      "index_factors": f"{clauses} × {atoms + 2} × {substitutions} × {body}"}))


if __name__ == "__main__":
    main()
