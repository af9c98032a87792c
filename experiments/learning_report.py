#!/usr/bin/env python3
"""What a report of `neumann learn --report DIR` says about the first search and about the weights.

    learning_report.py DIR

Prints one JSON object: the program; seconds and clauses for each round of the first search (later ones begin again at round 1, around a
clause that was found), seconds of all rounds together, milliseconds per clause; and losses and accuracies over the epochs
of that start of the weights which ended with the least validation loss.
"""
import csv
import json
import sys
from pathlib import Path


def rows_of(file):
    return list(csv.DictReader(file.open()))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    rounds = rows_of(folder / "rounds.csv")
    first = []
    for row in rounds:
        if int(row["round"]) != len(first) + 1:
            break
        first.append(row)
    seconds = sum(float(row["seconds"]) for row in rounds)
    clauses = sum(int(row["clauses"]) for row in rounds)
    starts = {}
    for row in rows_of(folder / "epochs.csv"):
        starts.setdefault((row["lesson"], row["start"], row["restart"]), []).append(row)
    curve = min(starts.values(), key=lambda rows: float(rows[-1]["validation_loss"] or rows[-1]["train_loss"]), default=[])
    program = json.loads((folder / "metrics.json").read_text())["program"]
    print(json.dumps({
        "program": "\n".join(program),
        "round": list(range(1, len(first) + 1)),
        "round_seconds": [float(row["seconds"]) for row in first],
        "round_clauses": [int(row["clauses"]) for row in first],
        "last_seconds": float(first[-1]["seconds"]) if first else 0.0, "last_clauses": int(first[-1]["clauses"]) if first else 0,
        "rounds": len(rounds), "search_seconds": seconds, "mean_round_seconds": seconds / max(1, len(rounds)),
        "clauses": clauses, "clause_milliseconds": 1000 * seconds / max(1, clauses),
        "epoch": [int(row["epoch"]) for row in curve],
        "train_loss": [float(row["train_loss"]) for row in curve],
        "validation_accuracy": [float(row["validation_accuracy"] or "nan") for row in curve],
    }, allow_nan=False))


if __name__ == "__main__":
    main()
