#!/usr/bin/env python3
"""The command on the GPU of this machine: real_gpu_test.py NEUMANN EXAMPLES; 77 where there is none.

What gpu_test.py asks of an emulated gpu, where it can be asked of a real one: the values of the processor, two processes
at once, a gpu whose memory another process holds, a process that is killed in the middle.
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from gpu_test import Test

HOLD = """
import torch, time
held = []
while True:
    free = torch.cuda.mem_get_info()[0] - (1000 << 20)
    if free <= 0: break
    try: held.append(torch.empty(min(free, 8 << 30), dtype=torch.uint8, device="cuda"))
    except torch.OutOfMemoryError: break
print("held", flush=True)
time.sleep(600)
"""


class RealTest(Test):
    def many(self):
        program = self.folder / "reach.nm"
        program.write_text(":- type(place, 0..59).\n:- neural(edge(place,place)).\n"
                           "0.9::path(X,Y) :- edge(X,Y).\n0.8::path(X,Z) :- path(X,Y), edge(Y,Z).\n")
        lines = self.folder / "reach.jsonl"
        lines.write_text("".join(
            json.dumps({"id": i, "atoms": {f"edge({j},{(j * 7 + i) % 60})": 0.5 for j in range(60)}}) + "\n" for i in range(4096)))
        return ("reason", program, "--examples", lines, "--query", "path(0,59)", "--steps", "100", "--json", "--device", "cuda",
                "--gradients", "weights")

    def together(self):
        words = self.many()
        expected = self.run(*words)
        self.expect(expected[0] == 0, f"many examples: {expected[2]}")
        for run in [self.start(*words) for _ in range(2)]:
            output, errors = run.communicate(timeout=300)
            self.expect(run.returncode == 0 and output == expected[1], f"two at once: {errors}")
        for moment in (0.2, 0.6, 1.0):
            run = self.start(*words)
            time.sleep(moment)
            run.send_signal(signal.SIGKILL)
            run.communicate(timeout=300)
        again = self.run(*words)
        self.expect(again[:2] == expected[:2], f"after processes were killed: {again[2]}")
        return words, expected

    def full(self, words, expected):
        holder = subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            if "held" not in holder.stdout.readline():
                print("skipped: PyTorch is not there to hold the GPU's memory")
                return
            code, output, errors = self.run(*words, "--batch", "4096")
            self.expect(code == 2 and not output, f"a full GPU: {code}")
            print(f"a full GPU: {errors.strip()}")
            auto = [word if word != "cuda" else "auto" for word in words]
            self.expect(self.run(*auto, "--batch", "4096")[0] == 0, "--device auto failed on a full GPU")
        finally:
            holder.kill()
            holder.wait()
        self.expect(self.run(*words)[:2] == expected[:2], "the GPU is not as it was when its memory is free again")


def main(neumann, examples):
    with tempfile.TemporaryDirectory() as name:
        library = pathlib.Path(neumann).resolve().parent / "libneumann_cuda.so"
        test = RealTest(neumann, library, pathlib.Path(examples), pathlib.Path(name))
        if test.run("reason", test.examples / "03_family.nm", "--device", "cuda")[0] != 0:
            print("skipped: there is no GPU")
            sys.exit(77)
        test.same_as_on_processors()
        test.full(*test.together())
        sys.exit(1 if test.failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
