"""JSON values that know their place in the file, so that an error in a hand-written file names it."""
import json

from .errors import JsonFileError
from .suggest import did_you_mean


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_scalar(value):
    return isinstance(value, str) or is_number(value)


def compact(value):
    """JSON text without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def strict_loads(text):
    """Like json.loads, but NaN and Infinity are no JSON. Throws ValueError."""
    def refuse(word):
        raise ValueError(f"{word} is not JSON")
    return json.loads(text, parse_constant=refuse)


def read_json_file(path):
    def unique_keys(pairs):
        members = dict(pairs)
        if len(members) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise JsonFileError(f"{path}: the key '{twice}' stands twice in one object")
        return members

    def refuse(word):
        raise JsonFileError(f"{path}: {word} is not JSON")

    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file, object_pairs_hook=unique_keys, parse_constant=refuse)
    except OSError as error:
        raise JsonFileError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise JsonFileError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise JsonFileError(f"{path}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise JsonFileError(f"{path}: nested too deeply") from None


class CheckedJson:
    """A value and its place. All methods raise JsonFileError, with file and key path, for what does not fit."""

    def __init__(self, file, value, place=""):
        self.file, self.value, self.place = str(file), value, place

    def fail(self, what):
        raise JsonFileError(f"{self.file}: {self.place or '/'}: {what}")

    def require_object(self):
        if not isinstance(self.value, dict):
            self.fail("expected an object")

    def require_keys(self, *known):
        self.require_object()
        for key in self.value:
            if key not in known:
                self.fail(f"unknown key '{key}'; {did_you_mean(key, known) if known else 'none is known'}")

    def has(self, key):
        return isinstance(self.value, dict) and key in self.value

    def at(self, key):
        self.require_object()
        if key not in self.value:
            self.fail(f"'{key}' is missing")
        return CheckedJson(self.file, self.value[key], f"{self.place}/{key}")

    def members(self):
        self.require_object()
        return [(key, self.at(key)) for key in self.value]

    def elements(self):
        if not isinstance(self.value, list):
            self.fail("expected a list")
        return [CheckedJson(self.file, one, f"{self.place}/{i}") for i, one in enumerate(self.value)]

    def elements_of(self, key):
        return self.at(key).elements() if self.has(key) else []

    def text(self):
        if not isinstance(self.value, str) or not self.value:
            self.fail("expected a text")
        return self.value

    def texts(self):
        return [one.text() for one in self.elements()]

    def number(self):
        if not is_number(self.value):
            self.fail("expected a number")
        return self.value

    def flag(self):
        if not isinstance(self.value, bool):
            self.fail("expected true or false")
        return self.value

    def scalar(self):
        if not is_scalar(self.value):
            self.fail("expected a text or a number")
        return self.value

    def scalar_or_null(self):
        return None if self.value is None else self.scalar()

    def text_or(self, key, otherwise):
        """The text may be empty."""
        if not self.has(key):
            return otherwise
        found = self.at(key)
        return "" if found.value == "" else found.text()

    def flag_or(self, key, otherwise):
        return self.at(key).flag() if self.has(key) else otherwise

    def plain_file_name(self, ending=""):
        """A file name that stays in its folder."""
        name = self.text()
        if "/" in name or name.startswith("."):
            self.fail("expected a plain file name")
        if not name.endswith(ending):
            self.fail(f"the name must end in {ending}")
        return name
