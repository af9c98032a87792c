"""More than one process: the layer under DistributedDataParallel, and examples spread with nothing shared but the graph."""

import json
import os
import pathlib
import subprocess
import sys

import learn_test
import neumann
import pytest

torch = pytest.importorskip("torch")

PROGRAM = """
:- neural(rain).  :- neural(sprinkler).
0.3::wet :- rain, sprinkler.
0.4::wet :- sprinkler.
"""


def train(rank, size, folder):
    """Three steps on this process's part of the batch; the weights that come out."""
    torch.manual_seed(1)
    network = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.Sigmoid())
    layer = neumann.torch.Reasoner(
        neumann.Program(text=PROGRAM),
        inputs=["rain", "sprinkler"],
        outputs="wet",
        semantics="noisy-or",
        learn_weights=True,
    )
    model = torch.nn.Sequential(network, layer)
    x, y = torch.rand(32, 4), torch.rand(32, 1)
    if size > 1:
        torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=size)
        parallel = torch.nn.parallel.DistributedDataParallel(model)
    else:
        parallel = model
    optimiser = torch.optim.SGD(model.parameters(), lr=1.0)
    for _ in range(3):
        optimiser.zero_grad()
        ((parallel(x[rank::size]) - y[rank::size]) ** 2).mean().backward()
        optimiser.step()
    torch.save(model.state_dict(), f"{folder}/weights{size}.{rank}")


def test_two_processes_learn_what_one_does(tmp_path):
    train(0, 1, tmp_path)
    workers = [subprocess.Popen([sys.executable, __file__, str(rank), "2", str(tmp_path)]) for rank in (0, 1)]
    assert [one.wait(timeout=120) for one in workers] == [0, 0]
    alone, first, second = (torch.load(tmp_path / name) for name in ("weights1.0", "weights2.0", "weights2.1"))
    for name, value in alone.items():
        torch.testing.assert_close(value, first[name], rtol=1e-5, atol=1e-6)
        assert torch.equal(first[name], second[name])


def test_examples_are_spread_with_the_saved_graph(tmp_path):
    from concurrent.futures import ProcessPoolExecutor

    program = neumann.Program(text=PROGRAM)
    saved = program.save(tmp_path / "wet.nmg", outputs="wet")
    examples = [{"rain": i / 20, "sprinkler": 1 - i / 20} for i in range(20)]
    parts = [examples[i::3] for i in range(3)]
    with ProcessPoolExecutor(3) as pool:  # as a map of Dask or Spark, or the tasks of a Slurm job
        found = list(pool.map(saved.reason, parts))
    assert [found[i % 3][i // 3] for i in range(20)] == program.reason(examples, queries="wet")


def learn_one(seed):
    """What is sent back: how good it is, and the program as text."""
    result = neumann.learn(neumann.Program(text=learn_test.PROGRAM), learn_test.pictures(), seed=seed)
    return result.wrong_labels, result.program


def test_learning_is_spread_over_seeds():
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(2) as pool:
        wrong, program = min(pool.map(learn_one, (1, 2, 3)))
    assert wrong == 0 and "good(" in neumann.Program(text=program).text


def test_parts_by_the_command(tmp_path):
    """What docs/python.md shows for Slurm: every task takes its part of the lines."""
    script = pathlib.Path(__file__).parents[2] / "examples" / "python" / "reason_part.py"
    neumann.Program(text=PROGRAM).save(tmp_path / "wet.nmg", outputs="wet")
    lines = [f'{{"atoms": {{"rain": {i / 10}, "sprinkler": 1}}, "id": {i}}}\n' for i in range(7)]
    (tmp_path / "examples.jsonl").write_text("".join(lines))
    found = {}
    for task in range(3):
        environment = {"SLURM_PROCID": str(task), "SLURM_NTASKS": "3"}
        run = subprocess.run(
            [sys.executable, script, tmp_path / "wet.nmg", tmp_path / "examples.jsonl", tmp_path / "answers"],
            env={**os.environ, **environment}, check=True,
        )  # fmt: skip
        assert run.returncode == 0
        for line in (tmp_path / f"answers.{task}").read_text().splitlines():
            one = json.loads(line)
            found[one["id"]] = one["values"]
    expected = neumann.Program(tmp_path / "wet.nmg").reason(tmp_path / "examples.jsonl")
    assert found == {one.id: dict(one) for one in expected}


if __name__ == "__main__":
    train(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
