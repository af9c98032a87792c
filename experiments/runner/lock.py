"""One run at a time in a folder of results."""
import contextlib
import fcntl
import os

from .errors import UsageError


@contextlib.contextmanager
def folder_lock(folder):
    """Held until the end or until the process dies, in whatever way. The lock is a file beside the folder, FOLDER.lock,
    which stays. Raises UsageError if another process has it."""
    descriptor = os.open(f"{folder}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"another run is at work in {folder}; wait for it, or choose another folder with "
                             "--results") from None
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def writing_in(folder):
    """Waits for others that write in the folder, which must exist, and keeps them waiting."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
