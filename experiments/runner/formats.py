"""Numbers as the tables and pages write them."""
import math

NUMBER_FORMATS = ("percent", "number", "integer", "seconds", "bytes", "text")
BYTE_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def rounded(value):
    """To the nearest whole number, halves away from zero."""
    below = math.floor(abs(value))
    return int(math.copysign(below + (abs(value) - below >= 0.5), value))


def counted(number, thing):
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def without_trailing_zeros(text):
    if "." not in text:
        return text
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def whole(value):
    return f"{'-' if value < 0 else ''}{abs(rounded(value)):,}"


def significant(value, digits):
    if value != 0 and (abs(value) < 1e-4 or abs(value) >= 1e15):
        return f"{value:.{digits}g}"
    if value == math.floor(value) or abs(value) >= 1000:
        return whole(value)
    before = math.floor(math.log10(abs(value))) + 1
    return without_trailing_zeros(f"{value:.{max(0, digits - before)}f}")


def format_bytes(count):
    value, unit = float(count), 0
    while value >= 1024 and unit + 1 < len(BYTE_UNITS):
        value, unit = value / 1024, unit + 1
    return f"{int(count)} bytes" if unit == 0 else f"{value:.1f} {BYTE_UNITS[unit]}"


def shown_units(value, number_format):
    return value * 100 if number_format == "percent" else value


def format_number(value, number_format):
    """Of a value in the units that are shown."""
    if not math.isfinite(value):
        return "–"
    if number_format == "percent":
        return without_trailing_zeros(f"{value:.2f}")
    if number_format == "integer":
        return whole(value)
    if number_format == "bytes":
        return format_bytes(int(max(value, 0)))
    return significant(value, 3 if number_format == "seconds" else 4)


def plain_number(value):
    """As short as it can be told exactly."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def published_number(value):
    """As it was published, with separators."""
    return whole(value) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def spread(numbers):
    """Mean and standard deviation of the sample, which is 0 for one number."""
    if not numbers:
        return 0.0, 0.0
    if min(numbers) == max(numbers):
        return float(numbers[0]), 0.0  # to the bit: rounding makes no deviation
    total = squares = 0.0  # added one after the other: sum() compensates in newer versions of Python only
    for number in numbers:
        total += number
    mean = total / len(numbers)
    for number in numbers:
        squares += (number - mean) * (number - mean)
    return mean, math.sqrt(squares / (len(numbers) - 1))


def format_spread(numbers, number_format):
    """"98.5", or "98.5 ± 0.7" of several."""
    mean, deviation = spread(numbers)
    text = format_number(mean, number_format)
    if len(numbers) < 2:
        return text
    # Two digits say how much a mean can be trusted; more would be noise.
    of_format = number_format in ("percent", "bytes") or not math.isfinite(deviation)
    return f"{text} ± {format_number(deviation, number_format) if of_format else significant(deviation, 2)}"


def format_duration(seconds):
    """"1.2 s", "14 min", "2 h 5 min"."""
    if seconds < 99.5:
        return f"{significant(seconds, 2 if seconds < 10 else 3)} s"
    minutes = rounded(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
