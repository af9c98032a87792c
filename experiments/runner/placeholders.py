"""{placeholders} in the texts of an experiment: loop variables, settings, and folders that only a run knows.

{name} is a loop variable, a setting or a folder; {name[variable]} is the entry of a setting that is an object under the
variable's value, or, for {work[experiment]}, the folder of another experiment. {{name}} is {name} itself. Other braces
mean nothing. What stands for a placeholder may name a folder in turn, {root} for one.
"""
import re

from .checked_json import compact
from .errors import PlaceholderError
from .suggest import did_you_mean

NAME = r"[A-Za-z0-9_-]+"
ONE = re.compile(rf"\{{({NAME})(?:\[({NAME})\])?\}}")
ESCAPED_OR_ONE = re.compile(rf"\{{(\{{{NAME}(?:\[{NAME}\])?\}})\}}|{ONE.pattern}")


def plain_text(value):
    """A text without its quotes; loop variables with their values: "pattern closeby, seed 1"."""
    return value if isinstance(value, str) else compact(value)


def bindings_text(bindings):
    return ", ".join(f"{name} {plain_text(value)}" for name, value in bindings.items())


class Placeholders:
    """`folders` maps names such as work and work[other] to texts."""

    def __init__(self, settings, folders):
        self.settings, self.folders = settings, folders

    def _value_of(self, name, index, bindings):
        full = f"{name}[{index}]" if index else name
        if full in self.folders:
            return self.folders[full]
        if name in bindings:
            value = bindings[name]
        elif name in self.settings:
            value = self.settings[name]
        else:
            known = [*bindings, *self.settings, *self.folders]
            raise PlaceholderError(
                f"there is no setting or loop variable '{name}' for {{{full}}}; {did_you_mean(name, known)}")
        if not index:
            return value
        if not isinstance(value, dict):
            raise PlaceholderError(f"{{{full}}}: '{name}' is not an object")
        key = bindings.get(index, self.settings.get(index))
        entry = index if key is None else plain_text(key)
        if entry not in value:
            raise PlaceholderError(f"{{{full}}}: '{name}' has no '{entry}'")
        return value[entry]

    def fill(self, text, bindings):
        def replacement(match):
            escaped, name, index = match.groups()
            if escaped:
                return escaped
            value = self._value_of(name, index, bindings)
            if isinstance(value, (list, dict)):
                raise PlaceholderError(f"'{text}': {{{name}}} is a list or an object")
            return self._with_folders(plain_text(value))
        return ESCAPED_OR_ONE.sub(replacement, text)

    def _with_folders(self, value):
        """A setting may say {root}, but not name other settings."""
        return ONE.sub(lambda match: self.folders.get(match[0][1:-1], match[0]), value)

    def fill_arguments(self, arguments, bindings):
        """An argument that is nothing but a placeholder for a list becomes that many arguments."""
        out = []
        for argument in arguments:
            whole = ONE.fullmatch(argument)
            value = self._value_of(*whole.groups(), bindings) if whole else None
            if not isinstance(value, list):
                out.append(self.fill(argument, bindings))
                continue
            for one in value:
                if isinstance(one, (list, dict)):
                    raise PlaceholderError(f"'{argument}': not a list of texts")
                out.append(self.fill(plain_text(one), bindings))
        return out
