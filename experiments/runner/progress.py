"""Progress on standard error: how far an experiment is, and how long the rest may take."""
import re
import sys
import unicodedata

from .formats import format_duration

STATUS_COLUMNS = 110


def one_line(text):
    """Control characters, to which a terminal might listen, are replaced."""
    return re.sub("[\x00-\x1f\x7f]", "\ufffd", text.replace("\n", "\\n").replace("\t", "\\t"))


def cut_to(text, columns):
    def width(character):
        return 2 if unicodedata.east_asian_width(character) in "WF" else 1
    if sum(map(width, text)) <= columns:
        return text
    used, end = 0, 0
    while used + width(text[end]) < columns:
        used += width(text[end])
        end += 1
    return text[:end] + "…"


class Progress:
    """`steps` are the names of the steps in the order in which they run."""
    overwrites = True  # the last line of a terminal, where there is one: not where others write, too

    def __init__(self, experiment, steps):
        self.experiment, self.steps = experiment, steps
        self.terminal = self.overwrites and sys.stderr.isatty()
        self.shown = False
        self.current, self.values = 0, ""
        self.done = [False] * len(steps)
        self.times = {}  # of finished steps, by name

    def clear(self):
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self.shown = False

    def begins(self, step, values):
        self.current, self.values = step, values
        self.waits(0)

    def waits(self, seconds):
        """Shown on a terminal only, where it can be overwritten."""
        if self.terminal:
            text = f"{self._place()} … {format_duration(seconds)}{self._remaining(seconds)}"
            print(f"\r\x1b[K{cut_to(one_line(text), STATUS_COLUMNS)}", end="", file=sys.stderr, flush=True)
            self.shown = True

    def took(self, step, seconds):
        """Now or in an earlier run."""
        self.done[step] = True
        self.times.setdefault(self.steps[step], []).append(seconds)

    def ends(self, how):
        self.clear()
        print(f"{self._place()}: {how}{self._remaining(0)}", file=sys.stderr, flush=True)

    def _place(self):
        return (f"{self.experiment}: step {self.current + 1} of {len(self.steps)}: {self.steps[self.current]}"
                f"{', ' if self.values else ''}{self.values}")

    def _remaining(self, seconds_so_far):
        """Each step that is left is expected to take as long as those of its name have on average."""
        seconds, all_known = 0.0, True
        for number, name in enumerate(self.steps):
            if self.done[number]:
                continue
            times = self.times.get(name)
            if not times:
                all_known = False
                continue
            mean = sum(times) / len(times)
            seconds += max(mean - seconds_so_far, 0) if number == self.current else mean
        if seconds < 1:
            return ""
        return f", {'about' if all_known else 'more than'} {format_duration(seconds)} left"
