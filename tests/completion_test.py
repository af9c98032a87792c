#!/usr/bin/env python3
"""What shells complete, by the scripts of `neumann completion`, and the manual pages.

    completion_test.py NEUMANN
"""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

NEUMANN = sys.argv.pop(1)


def completed(*words):
    """What bash offers for the last word."""
    script = "\n".join([
        f'source <("{NEUMANN}" completion bash)', "COMP_WORDS=(" + " ".join(f"'{word}'" for word in ("neumann", *words)) + ")",
        f"COMP_CWORD={len(words)}", "_neumann", 'printf "%s\\n" "${COMPREPLY[@]}"'])
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True).stdout.split()


class Completion(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(completed("rea"), ["reason"])
        self.assertIn("through-logic", completed("train", "t"))

    def test_options_of_a_command(self):
        self.assertIn("--types", completed("check", "--t"))
        self.assertNotIn("--types", completed("reason", "--t"))
        self.assertIn("--json", completed("reason", "program.nm", "--j"))

    def test_values_of_an_option(self):
        self.assertEqual(completed("check", "--repeats", "f"), ["forbid"])

    def test_files(self):
        self.assertIn("/etc/passwd", completed("check", "/etc/passw"))

    def test_zsh_and_fish_name_every_command(self):
        for shell in ("zsh", "fish"):
            text = subprocess.run([NEUMANN, "completion", shell], capture_output=True, text=True, check=True).stdout
            for word in ("check", "reason", "explain", "learn", "through-logic"):
                self.assertIn(word, text)
        if shutil.which("fish"):
            subprocess.run(["fish", "--no-execute", "/dev/stdin"], input=text, text=True, check=True)

    def test_manual_pages(self):
        folder = Path(tempfile.mkdtemp())
        script = Path(__file__).resolve().parents[1] / "scripts/man_pages.py"
        subprocess.run([sys.executable, str(script), NEUMANN, str(folder)], check=True)
        pages = {path.name for path in folder.iterdir()}
        self.assertLessEqual({"neumann.1", "neumann-check.1", "neumann-train-slots.1"}, pages)
        self.assertIn("\\-\\-types", (folder / "neumann-check.1").read_text())
        if shutil.which("groff"):
            for path in folder.iterdir():
                said = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(path)], capture_output=True, text=True).stderr
                self.assertEqual(said, "", path)
        shutil.rmtree(folder)


if __name__ == "__main__":
    unittest.main()
