"""The ways in which a run ends early; each exception's text is what the user is told."""


class UsageError(Exception):
    """A mistake in how the runner was called."""


class JsonFileError(Exception):
    """A JSON file that is wrong, with the file and the place in it."""


class PlaceholderError(Exception):
    """A {placeholder} that stands for nothing, or for a list where a text is needed."""


class ValueNotFound(Exception):
    """A declared value that a command's output does not have."""


class StepFailed(Exception):
    """A command failed that may not fail."""


class RunStopped(Exception):
    """Ctrl-C or a request to terminate; the command that was running has been stopped."""
