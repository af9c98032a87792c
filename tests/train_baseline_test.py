#!/usr/bin/env python3
"""Trains the networks without logic on a dozen pictures: train_baseline_test.py NEUMANN

Each model learns from generated pictures and from folders of classes, comes to the same numbers for the same seed, and
refuses what it cannot learn from. Exits with 77, to be skipped, where the command has no networks.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PATIENCE = 300  # seconds until a run counts as stuck
SKIPPED = 77
COUNT = 12  # pictures in each split


class Test:
    def __init__(self, neumann, folder):
        self.neumann, self.folder = neumann, folder
        self.failed = 0
        self.data = folder / "figures"
        self.must("generate", "kandinsky", "closeby", "-n", str(COUNT), "--images", "--size", "64x64", "-o", self.data)
        self.detector = folder / "figures.safetensors"

    def expect(self, holds, what):
        if not holds:
            self.failed += 1
            print(f"FAILED: {what}")

    def run(self, *arguments, environment=None):
        return subprocess.run([self.neumann, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
                              env={**os.environ, **(environment or {})})

    def must(self, *arguments):
        run = self.run(*arguments)
        if run.returncode != 0:
            sys.exit(f"FAILED: {arguments}: {run.stderr}")

    def make_detector(self):
        """Sees next to nothing, which is all that is needed. False: there are no networks in this build."""
        run = self.run("train", "detector", "--steps", "2", "--pictures", "8", "--batch", "4", "--validation", "2",
                       "--threads", "1", "-o", self.detector)
        if "no perception" in run.stderr:
            return False
        self.expect(run.returncode == 0, f"a detector: {run.stderr}")
        return True

    def train(self, model, *options, data=None, environment=None):
        return self.run("train", "baseline", model, "--data", data or self.data, "--threads", "1", "--json", *options,
                        environment=environment)

    def result(self, model, *options, data=None):
        """What it says, but for the time that it took."""
        run = self.train(model, *options, data=data)
        self.expect(run.returncode == 0, f"{model} {options}: exit code {run.returncode}: {run.stderr}")
        if run.returncode != 0:
            return None
        said = json.loads(run.stdout)
        self.expect(said.pop("seconds") > 0, f"{model}: it takes time")
        return said

    def objects(self, model):
        return [] if model == "cnn" else ["--network", self.detector]

    def numbers(self, model, most_parameters):
        options = ["--epochs", "2", "--batch", "5", *self.objects(model)]
        first, again = (self.result(model, *options, "--seed", "7") for _ in range(2))
        if not first:
            return
        self.expect(first == again, f"{model}, the same seed twice:\n{first}\n{again}")
        self.expect(first["model"] == model and first["size"] == "small", f"{model}: {first}")
        self.expect(0 < first["parameters"] <= most_parameters, f"{model}: {first['parameters']} parameters")
        self.expect(first["complete"] and first["epochs"] == 2 and first["best_epoch"] in (1, 2), f"{model}: {first}")
        curve = first["curve"]
        self.expect(len(curve["loss"]) == 2 and all(loss > 0 for loss in curve["loss"]), f"{model}: losses {curve}")
        self.expect(len(curve["val"]) == 2 and curve["val"][first["best_epoch"] - 1] == max(curve["val"]) == first["val_accuracy"],
                    f"{model}: the best epoch is that of the best validation: {first}")
        for split in ("train", "val", "test"):
            right = first[f"{split}_accuracy"] * COUNT
            self.expect(abs(right - round(right)) < 1e-6 and 0 <= right <= COUNT, f"{model}: {right} of {COUNT} right")
        self.expect(list(first["per_class"]) == ["0", "1"], f"{model}: {first['per_class']}")
        mean = sum(first["per_class"].values()) / 2  # both classes have as many pictures
        self.expect(abs(mean - first["test_accuracy"]) < 1e-6, f"{model}: classes and test accuracy differ: {first}")

    def learns(self):
        """A network that is shown the same few pictures long enough knows them."""
        said = self.result("cnn", "--epochs", "40", "--batch", "6", "--lr", "0.003")
        self.expect(said and said["train_accuracy"] >= 0.75, f"cnn does not learn its own pictures: {said}")

    def recipes(self):
        """As published, but for what options say; every value is told."""
        for model, rate in (("cnn", 1e-5), ("mlp", 1e-5), ("set", 1e-4)):
            said = self.result(model, "--recipe", "paper", "--epochs", "3", "--batch", "5", *self.objects(model))
            if not said:
                continue
            recipe = said["recipe"]
            self.expect((recipe["name"], recipe["optimiser"], recipe["learning_rate"]) == ("paper", "adam", rate), f"{model}: {recipe}")
            self.expect((recipe["epochs"], recipe["batch"], recipe["augmented"]) == (3, 5, False), f"{model}: {recipe}")
            if recipe["kept"] == "last":
                self.expect(said["best_epoch"] == 3 and said["curve"]["epoch"] == [3], f"{model}: the last epoch is kept: {said}")
            for split, accuracy in said["batchwise"].items():
                self.expect(0 <= accuracy <= 1, f"{model}: {split} {accuracy}")

    def half_precision(self):
        """Processors that cannot do it are told from others before any work: this one, and what is left of it without newer instructions."""
        for environment in ({}, {"DNNL_MAX_CPU_ISA": "AVX2"}):
            run = self.train("cnn", "--epochs", "1", "--precision", "bfloat16", environment=environment)
            can = run.returncode == 0 and json.loads(run.stdout)["recipe"]["precision"] == "bfloat16"
            cannot = run.returncode == 2 and "cannot compute with 16 bits on this processor" in run.stderr and not run.stdout
            self.expect(can or cannot, f"16 bits, {environment}: exit code {run.returncode}: {run.stdout} {run.stderr}")

    def explanations(self):
        data = self.folder / "solids"
        self.must("generate", "clevr-hans", "-n", str(COUNT), "--images", "--size", "96x64", "--quality", "training", "-o", data)
        detector = self.folder / "solids.safetensors"
        self.must("train", "detector", "--kind", "solid", "--steps", "2", "--pictures", "8", "--batch", "4", "--validation",
                  "2", "--threads", "1", "-o", detector)
        options = ["--network", detector, "--explanations", "100"]
        said = self.result("set", "--epochs", "4", "--batch", "6", *options, data=data)
        self.expect(said and said["recipe"]["explanations"] == 100 and len(said["wrong_reasons"]) == 2, f"explained: {said}")
        self.refused("nothing explains them", "set", *self.objects("set"), "--explanations", "1")
        scenes = data / "train" / "scenes.jsonl"
        lines = scenes.read_text().splitlines(keepends=True)
        scenes.write_text("".join(lines[1:]))
        self.refused("its scene is not in scenes.jsonl", "set", *options, data=data)
        scenes.unlink()
        self.refused("scenes.jsonl", "set", *options, data=data)

    def sizes(self):
        """The larger one has the layers of ResNet-18, of which the number of weights is known: with 1000 classes they
        are 11,689,512, and each class has 513 of them."""
        said = self.result("cnn", "--epochs", "1", "--size", "resnet18")
        self.expect(said and said["parameters"] == 11_689_512 - 998 * 513, f"resnet18: {said}")

    def folders(self):
        """Classes as folders, inside splits and around them; without test pictures, as there are none."""
        inside, around = self.folder / "inside", self.folder / "around"
        for split in ("train", "val"):
            for line in (self.data / split / "examples.jsonl").read_text().splitlines():
                example = json.loads(line)
                name = ["false", "true"][example["label"]]
                for place in (inside / split / name, around / name / split):
                    place.mkdir(parents=True, exist_ok=True)
                    shutil.copy(self.data / split / "images" / example["images"][0], place)
        results = [self.result("cnn", "--epochs", "1", data=data) for data in (inside, around)]
        self.expect(results[0] == results[1], f"folders inside and around differ: {results}")
        if results[0]:
            self.expect(results[0]["test_accuracy"] is None, f"no test pictures: {results[0]}")
            self.expect(list(results[0]["per_class"]) == ["false", "true"], f"folders: {results[0]}")

    def files(self):
        weights, curves = self.folder / "cnn.safetensors", self.folder / "curves.svg"
        self.result("cnn", "--epochs", "1", "-o", weights, "--curves", curves)
        self.expect(weights.exists() and curves.read_text().startswith("<svg"), "weights and curves are written")
        seen = self.folder / "seen"
        options = ["--epochs", "1", *self.objects("set"), "--cache", seen]
        first, cached = self.result("set", *options), self.result("set", *options)
        self.expect(first == cached and any(seen.iterdir()), f"what was seen before changes nothing: {first}, {cached}")
        run = self.train("set", "--network", weights)
        self.expect(run.returncode == 2 and "not the weights of an object network" in run.stderr, run.stderr)

    def refused(self, message, model, *options, data=None):
        run = self.train(model, "--epochs", "1", *options, data=data)
        self.expect(run.returncode == 2 and message in run.stderr and not run.stdout,
                    f"{model} {options} {data}: exit code {run.returncode}, '{message}' expected: {run.stderr}")

    def refusals(self):
        self.refused("MODEL", "tree")
        self.refused("--size does nothing", "mlp", "--size", "resnet18", *self.objects("mlp"))
        self.refused("there is no folder", "cnn", data=self.folder / "nowhere")
        self.refused("has no folder val", "cnn", data=self.broken("no_val", lambda data: shutil.rmtree(data / "val")))
        self.refused("nowhere.safetensors", "set", "--network", self.folder / "nowhere.safetensors")
        self.refused("cannot", "cnn", "-o", self.folder / "nowhere" / "cnn.safetensors")
        self.refused("--device", "cnn", "--device", "abacus")
        self.refused("one class", "cnn", data=self.broken("one_class", self.listed(lambda e: {**e, "label": 1})))
        self.refused("has no label", "cnn", data=self.broken(
            "no_label", self.listed(lambda e: {k: v for k, v in e.items() if k != "label"})))
        self.refused("baselines look at one", "cnn", data=self.broken(
            "two_pictures", self.listed(lambda e: {**e, "images": e["images"] * 2})))
        self.refused("class 2 is in val", "cnn", data=self.broken(
            "other_class", self.listed(lambda e: {**e, "label": 2}, "val")))
        for model in ("cnn", "mlp"):
            self.refused("train_000003.png", model, *self.objects(model), data=self.broken(
                f"torn_{model}", lambda data: (data / "train" / "images" / "train_000003.png").write_bytes(b"torn")))

    def broken(self, name, damage):
        data = self.folder / name
        shutil.copytree(self.data, data)
        damage(data)
        return data

    def listed(self, change, split="train"):
        def damage(data):
            path = data / split / "examples.jsonl"
            lines = [json.dumps(change(json.loads(line))) for line in path.read_text().splitlines()]
            path.write_text("\n".join(lines) + "\n")
        return damage


def main():
    with tempfile.TemporaryDirectory() as folder:
        test = Test(sys.argv[1], pathlib.Path(folder))
        if not test.make_detector():
            print("skipped: this build has no networks")
            return SKIPPED
        for model in ("cnn", "mlp", "set"):
            test.numbers(model, 1_000_000)
        test.learns()
        test.recipes()
        test.half_precision()
        test.explanations()
        test.sizes()
        test.folders()
        test.files()
        test.refusals()
    print(f"{test.failed} failed" if test.failed else "all passed")
    return 1 if test.failed else 0


sys.exit(main())
