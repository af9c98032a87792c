"""Many explanations: their speed, and whether memory grows."""
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import make_questions
from learning import EXAMPLES


def measure(bench):
    few, many = 1000, 8000 if bench.options.quick else 20000
    rng = random.Random(bench.seed)
    questions = [make_questions.example(number, rng, 0, confusion=1) for number in range(many)]
    print(f"\nQuestions explained as JSON, behind_the_scenes/all.nm, confusion 1, seed {bench.seed}\n\n"
          "| explanations | seconds | per second | peak memory after a quarter, MiB | in the end, MiB |\n|---:|---:|---:|---:|---:|",
          flush=True)
    for count in (few, many):
        seconds, quarter, end = explain_all(bench, questions[:count])
        print(f"| {count:,} | {seconds:.2f} | {count / seconds:,.0f} | {quarter:.1f} | {end:.1f} |", flush=True)
        bench.rows.append({"section": "stream", "what": f"{count} explanations", "seed": bench.seed, "seconds": seconds,
                           "per_second": count / seconds, "quarter_mib": quarter, "peak_mib": end})
    # Buffers are as large as they get after a few thousand; a leak would go on.
    if end > 1.05 * quarter:
        bench.broken.append(f"stream: memory grows from {quarter:.1f} to {end:.1f} MiB after a quarter of {many} explanations")


def explain_all(bench, questions):
    """Seconds, and the peak of the memory after a quarter of the questions and in the end."""
    command = [str(bench.build / "neumann"), "explain", str(EXAMPLES / "behind_the_scenes" / "all.nm"), "--examples",
               str(bench.write(questions)), "--atom", "answer(X)", "--json"]
    bench.say("$ " + " ".join(command))
    begin = time.perf_counter()
    peaks = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        # The kernel's high-water mark of the running process; getrusage would count the memory of this one in.
        status = Path(f"/proc/{process.pid}/status")
        for lines, _ in enumerate(process.stdout, 1):
            if lines % 50 == 0:
                found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
                peaks.append(int(found[1]) / 1024 if found else peaks[-1])  # none: it has just ended
    seconds = time.perf_counter() - begin
    if process.returncode or lines != len(questions):
        sys.exit(f"{lines} lines of {len(questions)}, exit code {process.returncode}")
    return seconds, peaks[len(peaks) // 4], peaks[-1]
