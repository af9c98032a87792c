"""What made a record: the commit of the sources, and the version and the digest of the command."""
import hashlib
import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass

from .errors import UsageError

UNKNOWN = "unknown"
# What the runner itself writes is no change of the sources.
WRITTEN_BY_RUNS = ("docs/results", "experiments/baselines")


@dataclass
class Origin:
    commit: str = UNKNOWN  # with -dirty behind it if files have changed since
    version: str = UNKNOWN
    binary: str = UNKNOWN  # the beginning of the SHA-256 of the command and its own libraries


def _git(root, *arguments):
    """Exit code and output; 1 where there is no git or no repository."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return 1, ""
    return done.returncode, done.stdout.strip()


def commit_of(root):
    code, name = _git(root, "describe", "--always")
    if code != 0 or not name:
        return UNKNOWN
    changed, _ = _git(root, "diff", "--quiet", "HEAD", "--", ".", *(f":(exclude,top){path}" for path in WRITTEN_BY_RUNS))
    return name + ("-dirty" if changed else "")


def find_command(given):
    """An absolute path. Raises UsageError if there is no such program."""
    found = shutil.which(given) if os.sep not in given else given
    if not found or not os.path.isfile(found) or not os.access(found, os.X_OK):
        raise UsageError(f"there is no command {given}; build it with `make build`, or say where it is with --neumann PATH")
    return os.path.abspath(found)


def digest_of(command):
    """Of the command and of the libraries of neumann that it finds beside itself or where they are installed."""
    folder = pathlib.Path(os.path.realpath(command)).parent
    libraries = {library for beside in (".", "../lib", "../lib/neumann") for library in (folder / beside).glob("libneumann*.so")}
    digest = hashlib.sha256()
    for file in (command, *sorted(libraries)):
        digest.update(pathlib.Path(file).read_bytes())
    return digest.hexdigest()[:16]


def origin_of(command, root):
    try:
        said = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=60)
        digest = digest_of(command)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"cannot run {command}: {error}") from None
    words = said.stdout.split()
    if said.returncode != 0 or len(words) != 2 or words[0] != "neumann":
        raise UsageError(f"{command} --version does not say which neumann it is: it says '{said.stdout.strip()}'")
    return Origin(commit_of(root), words[1], digest)
