"""Runs a command to its end, with its output in files, and measures what it costs."""
import ctypes
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass

PATIENCE_SECONDS = 5  # from SIGTERM to SIGKILL
SECONDS_BETWEEN_CALLS = 0.5  # of `waiting`
CANNOT_START = 127
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass
class ChildOutcome:
    exit_code: int = 0  # 128 plus the signal that ended it, 127 for a command that cannot be started: as shells do
    timed_out: bool = False
    stopped: bool = False  # by `stop`
    seconds: float = 0.0  # by the clock on the wall
    # Of the process and of those that it waited for, whichever was largest; below what this process has itself, the most
    # that was seen of the process alone.
    peak_bytes: int = 0


def _prepare_child(parent):
    def prepare():
        os.setpgid(0, 0)
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(CANNOT_START)  # the runner died before it could be watched
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
    return prepare


def _peak_kib_now(process):
    """The largest size since the command took its place; 0 when it has ended."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as status:
            return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def _signal_group(process, number):
    try:
        os.killpg(process, number)
    except ProcessLookupError:
        pass


class _Watch:
    """Waits for a child: ends it at its limit or when told to stop, and notes its peak memory."""

    def __init__(self, process, limit_seconds, stop, waiting):
        self.process, self.limit_seconds, self.stop, self.waiting = process, limit_seconds, stop, waiting
        self.outcome = ChildOutcome()
        self.ended_at = None  # when it was told to end
        self.killed = False
        # What the kernel says counts from before the command takes the place of a copy of this process.
        self.own_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.seen_kib = 0

    def run(self):
        begin, told_at = time.monotonic(), 0.0
        while True:
            self.seen_kib = max(self.seen_kib, _peak_kib_now(self.process))
            done, status, usage = os.wait4(self.process, os.WNOHANG)
            seconds = time.monotonic() - begin
            if done:
                return self._finished(status, usage, seconds)
            self._end_if_due(seconds)
            if self.waiting and seconds > told_at + SECONDS_BETWEEN_CALLS:
                told_at = seconds
                self.waiting(seconds)
            # Looking more often than this would not make the measured time more than a percent better.
            time.sleep(min(max(seconds / 100, 0.0002), 0.02))

    def _end_if_due(self, seconds):
        if self.ended_at is None:
            self.outcome.stopped = self.stop()
            self.outcome.timed_out = not self.outcome.stopped and 0 < self.limit_seconds < seconds
            if self.outcome.stopped or self.outcome.timed_out:
                _signal_group(self.process, signal.SIGTERM)
                self.ended_at = seconds
        elif not self.killed and seconds > self.ended_at + PATIENCE_SECONDS:
            _signal_group(self.process, signal.SIGKILL)
            self.killed = True

    def _finished(self, status, usage, seconds):
        if self.ended_at is not None:
            _signal_group(self.process, signal.SIGKILL)  # what it left behind of its group
        code = os.waitstatus_to_exitcode(status)
        self.outcome.exit_code = code if code >= 0 else 128 - code
        self.outcome.seconds = seconds
        kib = usage.ru_maxrss if usage.ru_maxrss > self.own_kib or not self.seen_kib else self.seen_kib
        self.outcome.peak_bytes = kib * 1024
        return self.outcome


def run_child(command, output, errors, limit_seconds=0, stop=lambda: False, waiting=None):
    """The command and all that it starts are a process group: at the limit, or when `stop()` says so, the group is
    terminated, and killed if that does not help. Should this process be killed, the command is, too. `waiting` is called
    now and then with the seconds so far. Raises OSError for output files that cannot be written."""
    with open(output, "wb") as out, open(errors, "wb") as err:
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                     preexec_fn=_prepare_child(os.getpid()))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            err.write(f"cannot start {command[0]}: {reason}\n".encode())
            return ChildOutcome(exit_code=CANNOT_START)
        outcome = _Watch(child.pid, limit_seconds, stop, waiting).run()
        child.returncode = outcome.exit_code  # waited for already
        return outcome
