"""The cost of one explanation: measured in the library, without reading and writing."""
import itertools
import json
import random
import subprocess

import make_questions
from learning import EXAMPLES


def measure(bench):
    if not bench.options.cost:
        bench.say("cost: passed over, no --cost")
        return
    rng = random.Random(bench.seed)
    questions = bench.write([make_questions.example(number, rng, 0, confusion=1) for number in range(256)])
    scenes = bench.generate("clevr-hans", "-n", 255, "--noise", "0.05") / "examples.jsonl"
    programs = [(EXAMPLES / "behind_the_scenes" / "all.nm", questions, "answer(X)"),
                (EXAMPLES / "clevr_hans" / "class0.nm", scenes, "kp(img)")]
    print("\nCost of an explanation against one forward pass, as bench_explanations prints it\n\n```", flush=True)
    for (program, examples, atom), batch in itertools.product(programs, ("1", "64")):
        command = [str(part) for part in (bench.options.cost, program, examples, atom, batch)]
        bench.say("$ " + " ".join(command))
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            bench.broken.append(f"cost: exit code {done.returncode}: {done.stderr.strip()}")
        print(done.stdout, end="", flush=True)
        for line in map(json.loads, done.stdout.splitlines()):
            bench.rows.append({"section": "cost", "batch": int(batch), **line})
            if batch == "1" and line["explained_ratio"] > 3:  # of one answer
                bench.broken.append(f"cost, {program.name}: {line['explained_ratio']} forward passes, at most 3 claimed")
    print("```")
