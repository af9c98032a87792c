"""One task's part of a large file of examples: all that the tasks share is the saved graph.

srun --ntasks 64 python examples/python/reason_part.py GRAPH.nmg EXAMPLES.jsonl ANSWERS       writes ANSWERS.0 to ANSWERS.63
"""

import itertools
import json
import os
import sys

import neumann


def main(graph, examples, answers):
    task = int(os.environ.get("SLURM_PROCID", os.environ.get("OMPI_COMM_WORLD_RANK", 0)))
    tasks = int(os.environ.get("SLURM_NTASKS", os.environ.get("OMPI_COMM_WORLD_SIZE", 1)))
    program = neumann.Program(
        graph
    )  # mapped, not read: milliseconds, and one copy in memory for all tasks of a machine
    with open(examples, encoding="utf-8") as lines, open(f"{answers}.{task}", "w", encoding="utf-8") as out:
        mine = (json.loads(line) for line in itertools.islice(lines, task, None, tasks))
        while part := list(itertools.islice(mine, 1000)):
            for one in program.reason(part):
                out.write(json.dumps({"id": one.id, "values": one}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
