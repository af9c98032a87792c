"""Runs of neumann learn --popper, and the comparison of two builds on the same tasks."""
import json
import os
import resource
import subprocess

MOST_SECONDS = 1800  # of CPU, until a run counts as stuck


def learn(neumann, task, memory=None, more=()):
    """What the command says of a task, with its CPU seconds and the MiB that it took; or an error. `more` arguments."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

    command = [neumann, "learn", "--popper", str(task), "--json", "-q", *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit)
    out, err = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    lines = [line for line in err.strip().splitlines() if "error" in line] or err.strip().splitlines()
    failed = {"error": " ".join(lines[:1]) or f"exit code {process.returncode}"}
    result = json.loads(out) if out.strip() and process.returncode in (0, 1) else failed
    return {**result, "cpu": usage.ru_utime + usage.ru_stime, "mib": usage.ru_maxrss / 1024}


class Comparison:
    """Old and new results of the same tasks: no program may become longer or worse, nor all of them slower."""

    def __init__(self):
        self.rows = []

    def add(self, name, old, new):
        self.rows.append((name, old, new))

    @staticmethod
    def is_worse(old, new):
        if "error" in old or "error" in new:
            return "error" in new and "error" not in old
        longer = new["right"] and old["right"] and new["size"] > old["size"]
        return longer or new["accuracy"] < old["accuracy"]

    def report(self):
        """Prints a table and the ratio of the sums of CPU seconds; whether nothing is worse."""
        print("\n| task | literals, old | new | accuracy, old | new | CPU s, old | new |\n|---|---:|---:|---:|---:|---:|---:|")
        good = True
        for name, old, new in self.rows:
            worse = self.is_worse(old, new)
            good = good and not worse
            print(f"| {name}{' (worse)' if worse else ''} | {old.get('size', '')} | {new.get('size', '')} "
                  f"| {old.get('accuracy', 0):.4f} | {new.get('accuracy', 0):.4f} | {old['cpu']:.1f} | {new['cpu']:.1f} |")
        before = sum(old["cpu"] for _, old, _ in self.rows)
        after = sum(new["cpu"] for _, _, new in self.rows)
        print(f"\nsums of CPU seconds: {before:.1f} and {after:.1f}, ratio {after / before:.2f}")
        return good and after <= before
