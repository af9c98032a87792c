"""The numbers and texts that are taken from what a command left."""
import csv
import io
import math
import re

from .checked_json import is_number, strict_loads
from .errors import ValueNotFound

# Longer lines are not searched to their end: an expression that tries each place of a line could take minutes.
SEARCHED_LINE_LENGTH = 4096
NUMBER = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def step_values(step, bindings, placeholders, output, errors, outcome, lenient):
    """The step's values by name. One that cannot be found raises ValueNotFound; with `lenient`, which is for commands
    that failed, it is left out."""
    values = {}
    for name, source in step.values.items():
        file = errors if source.from_errors else output
        if source.file:
            file = placeholders.fill(source.file, bindings)
        try:
            if source.kind == "measured":
                values[name] = measured(outcome, source.what)
            elif source.kind in ("sum", "ratio"):
                values[name] = computed(source, values)
            else:
                values[name] = taken(source, content_of(file), placeholders, bindings)
        except ValueNotFound as error:
            if not lenient:
                raise ValueNotFound(f"value '{name}': {error} (in {file})") from None
    return values


def taken(source, text, placeholders, bindings):
    if source.kind == "json":
        return at_pointer(text, source.line, placeholders.fill(source.what, bindings))
    if source.kind == "match":
        return matched(text, source)
    if source.kind == "csv":
        return column(text, source.what)
    return text.rstrip(" \t\r\n")


def content_of(file):
    try:
        with open(file, "rb") as stream:
            return stream.read().decode("utf-8", "replace")
    except OSError as error:
        raise ValueNotFound(f"{file} cannot be read: {error.strerror}") from None


def lines_of(text):
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines]


def number_or_text(text):
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        return text
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def at_pointer(text, line, pointer):
    if line is not None:
        lines = [one for one in lines_of(text) if one]
        if not -len(lines) <= line < len(lines):
            raise ValueNotFound(f"no line {line} of {len(lines)}")
        text = lines[line]
    try:
        value = strict_loads(text)
    except (ValueError, RecursionError):
        raise ValueNotFound("not JSON") from None
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and re.fullmatch("0|[1-9][0-9]*", part) and int(part) < len(value):
            value = value[int(part)]
        else:
            raise ValueNotFound(f"no {pointer}")
    return value


def matched(text, source):
    expression = re.compile(source.what)
    found = []
    for line in lines_of(text):
        for match in expression.finditer(line[:SEARCHED_LINE_LENGTH]):
            found.append(match.group(1) or "")
            if source.which == "first":
                return number_or_text(found[0])
    if not found:
        raise ValueNotFound(f"nothing matches '{source.what}'")
    if source.which == "last":
        return number_or_text(found[-1])
    numbers = [number_or_text(one) for one in found]
    return numbers if all(map(is_number, numbers)) else "\n".join(found)


def column(text, name):
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except csv.Error as error:
        raise ValueNotFound(f"not a table: {error}") from None
    if not rows or name not in rows[0]:
        raise ValueNotFound(f"no column '{name}'")
    index = rows[0].index(name)
    values = []
    for number, row in enumerate(rows[1:], 2):
        if index >= len(row):
            raise ValueNotFound(f"row {number} has no column '{name}'")
        values.append(number_or_text(row[index]) if row[index] else None)
    return values


def measured(outcome, what):
    return int(outcome.timed_out) if what == "timed_out" else getattr(outcome, what)


def computed(source, before):
    parts = []
    for part in source.parts:
        if not is_number(before.get(part)):
            raise ValueNotFound(f"'{part}' is not a number")
        parts.append(float(before[part]))
    if source.kind == "ratio" and parts[1] == 0:
        raise ValueNotFound("division by 0")
    result = sum(parts) if source.kind == "sum" else parts[0] / parts[1]
    if not math.isfinite(result):
        raise ValueNotFound("not a finite number")
    return result
