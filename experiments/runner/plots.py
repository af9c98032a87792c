"""Draws plots in a process of its own, by an interpreter that has matplotlib.

A process of its own because matplotlib would make the runner large, and the memory of the commands that it starts cannot
be measured below its own.
"""
import functools
import json
import os
import pathlib
import subprocess
import sys

from .errors import UsageError

DEBIAN_PYTHON = "/usr/bin/python3"  # which has what the package python3-matplotlib installs, whatever python3 is in PATH
SCRIPT = pathlib.Path(__file__).with_name("draw_plots.py")
ADVICE = ("plots need matplotlib, which {python} does not have: scripts/setup.sh experiments installs the package "
          "python3-matplotlib; --no-plots writes pages without plots")


def has_matplotlib(python):
    return subprocess.run([python, "-c", "import matplotlib"], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


@functools.lru_cache(maxsize=None)
def plotting_python():
    """Raises UsageError if there is none."""
    for python in (sys.executable, DEBIAN_PYTHON):
        if os.access(python, os.X_OK) and has_matplotlib(python):
            return python
    raise UsageError(ADVICE.format(python=sys.executable))


def draw_plots(plots, folder):
    """`plots` as series.plot_data makes them; one SVG file for each."""
    if plots:
        done = subprocess.run([plotting_python(), str(SCRIPT), str(folder)], input=json.dumps(plots),
                              capture_output=True, encoding="utf-8", start_new_session=True)  # Ctrl-C is for the runner
        if done.returncode != 0:
            raise UsageError(f"cannot draw the plots into {folder}: {done.stderr.strip()}")
