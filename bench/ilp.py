#!/usr/bin/env python3
"""Runs neumann learn --popper on every task below a folder and scores what it learns on test examples.

    ilp.py --neumann build/neumann FOLDER … [--seconds 60 | --work 1G] [--memory 2048] [--only NAME …] [--programs] [--json FILE]

Finds tasks in three forms: a folder with bias.pl, bk.pl and exs.pl; folders with exs.pl whose parent has bias.pl and
bk.pl; files of examples, such as 7.pl, beside bias.pl and bk.pl. Where test_exs.pl is there, it is the test set, with
test_bk.pl as its background if that is there. Prints a table in Markdown: training and test accuracy in percent, the
literals, CPU seconds and MiB of the whole command, the verdict. Tasks that are refused come with the error.
--seconds is the time limit of each task, --work its counted work, the same on any machine; without them a task ends by
the default of counted work. --score and --no-prefer are those of neumann learn.
"""
import argparse
import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from learn_tasks import learn  # noqa: E402

OWN_NAMES = {"bias.pl", "bk.pl", "exs.pl", "test_bk.pl", "test_exs.pl", "test.pl"}


def tasks_below(folder):
    """(name, {file in a task's folder: path}) of each task, by name."""
    found = {}
    for bias in sorted(folder.rglob("bias.pl")):
        home = bias.parent
        common = {"bias.pl": bias, "bk.pl": home / "bk.pl"}
        if (home / "exs.pl").exists():
            files = {**common, "exs.pl": home / "exs.pl"}
            for name in ("test_exs.pl", "test_bk.pl"):
                if (home / name).exists():
                    files[name] = home / name
            found[str(home.relative_to(folder.parent))] = files
            continue
        examples = list(home.glob("*/exs.pl")) + [path for path in home.glob("*.pl") if path.name not in OWN_NAMES]
        for path in examples:
            name = path.parent if path.name == "exs.pl" else path.with_suffix("")
            found[str(name.relative_to(folder.parent))] = {**common, "exs.pl": path}
    return sorted(found.items())


def staged(files, folder):
    """The task as a folder of its own, and the arguments for its test set."""
    for name in ("bias.pl", "bk.pl", "exs.pl"):
        (folder / name).symlink_to(files[name].resolve())
    if "test_exs.pl" not in files:
        return []
    if "test_bk.pl" not in files:
        return ["--test", str(files["test_exs.pl"])]
    test = folder / "test"
    test.mkdir()
    (test / "bk.pl").symlink_to(files["test_bk.pl"].resolve())
    (test / "exs.pl").symlink_to(files["test_exs.pl"].resolve())
    return ["--test", str(test)]


def verdict(result):
    if "error" in result:
        return "refused: " + result["error"]
    if not result.get("clauses"):
        hints = [note for note in result.get("notes", []) if note.startswith("nothing can be found")]
        return "; ".join([f"nothing found ({result['ended']})"] + hints)
    right = "right" if result["right"] else "not right"
    return f"{right}, shortest" if result["shortest"] else f"{right} ({result['ended']})"


def percent(value):
    return "" if value is None else f"{100 * value:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--neumann", default="build/neumann")
    parser.add_argument("--seconds", type=float, help="time limit of each task")
    parser.add_argument("--work", help="counted work of each task, such as 1G")
    parser.add_argument("--score", help="score by which programs are compared")
    parser.add_argument("--no-prefer", action="store_true")
    parser.add_argument("--memory", type=int, default=2048, help="MiB of address space")
    parser.add_argument("--only", nargs="*", help="parts of names")
    parser.add_argument("--programs", action="store_true", help="print the programs, too")
    parser.add_argument("--json", type=pathlib.Path, help="write the results here")
    options = parser.parse_args()
    tasks = [task for folder in options.folders for task in tasks_below(folder.resolve())]
    tasks = [task for task in tasks if not options.only or any(part in task[0] for part in options.only)]
    if not tasks:
        sys.exit("no task: there is no bias.pl with examples below these folders")
    print("| task | training | test | literals | CPU s | MiB | verdict |\n|---|---:|---:|---:|---:|---:|---|", flush=True)
    results = {}
    for name, files in tasks:
        with tempfile.TemporaryDirectory() as folder:
            more = staged(files, pathlib.Path(folder))
            if options.seconds:
                more += ["--time-limit", str(options.seconds)]
            if options.work:
                more += ["--work-limit", options.work]
            if options.score:
                more += ["--score", options.score]
            if options.no_prefer:
                more += ["--no-prefer"]
            result = learn(options.neumann, folder, options.memory, more)
        results[name] = result
        print(f"| {name} | {percent(result.get('accuracy'))} | {percent(result.get('test_accuracy'))} "
              f"| {result.get('size', '')} | {result['cpu']:.1f} | {result['mib']:.0f} | {verdict(result)} |", flush=True)
        if options.programs:
            print("".join(f"    {clause}\n" for clause in result.get("clauses", [])), flush=True)
    read = [result for result in results.values() if "error" not in result]
    tests = [result["test_accuracy"] for result in read if result.get("test_accuracy") is not None]
    print(f"\n{len(tasks)} tasks: {sum(result['right'] for result in read)} right on all labels, "
          f"{len(tasks) - len(read)} refused, {sum(result['cpu'] for result in results.values()):.0f} CPU seconds")
    if tests:
        print(f"mean test accuracy {100 * sum(tests) / len(tests):.1f} %, of {len(tests)} tasks")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
