"""Which baselines to run: all, or those that --only names."""
from dataclasses import dataclass, field

from .errors import UsageError
from .placeholders import plain_text


@dataclass
class Choice:
    """A baseline by its name, and perhaps by some of its variables."""
    text: str
    name: str
    wanted: dict = field(default_factory=dict)

    def takes(self, instance):
        return instance.step.name == self.name and all(
            name in instance.bindings and plain_text(instance.bindings[name]) == value
            for name, value in self.wanted.items())


def choice_of(text):
    """NAME or NAME:VARIABLE=VALUE,… Raises UsageError."""
    name, colon, rest = text.partition(":")
    pairs = [one.partition("=") for one in rest.split(",")] if colon else []
    if not name or not all(variable and equals for variable, equals, _ in pairs):
        raise UsageError(f"--only {text}: expected NAME or NAME:VARIABLE=VALUE,…")
    return Choice(text, name, {variable: value for variable, _, value in pairs})


def chosen_instances(instances, choices):
    """For each instance whether it is a baseline that was asked for. Raises UsageError for a choice that takes none."""
    for choice in choices:
        if not any(instance.is_baseline and choice.takes(instance) for instance in instances):
            names = sorted({instance.step.name for instance in instances if instance.is_baseline})
            raise UsageError(f"--only {choice.text}: there is no such baseline; there are {', '.join(names) or 'none'}")
    return [instance.is_baseline and (not choices or any(choice.takes(instance) for choice in choices))
            for instance in instances]
