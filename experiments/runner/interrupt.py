"""Ctrl-C and requests to terminate, for work that stops where it can be resumed."""
import contextlib
import signal

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    requested = False

    def __call__(self):
        return self.requested


@contextlib.contextmanager
def interrupts():
    """Within, the first interrupt or termination only makes the result true when called; the second ends the process."""
    interrupt = Interrupt()

    def request(number, _):
        interrupt.requested = True
        signal.signal(number, signal.SIG_DFL)

    before = {number: signal.signal(number, request) for number in SIGNALS}
    try:
        yield interrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
