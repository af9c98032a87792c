"""The statements of a .nm program, read without understanding them: enough to pass rules on to other programs."""
import re

QUOTED_OR_COMMENT = re.compile(r"'(?:[^'\\]|\\.|'')*'|%[^\n]*")
TOKEN = re.compile(r"'(?:[^'\\]|\\.|'')*'|[()\[\]]|\.[\w.]|.", re.DOTALL)  # .5 is no full stop


def statements(text):
    """Directives, facts and clauses, each without its full stop, white space made one space."""
    text = QUOTED_OR_COMMENT.sub(lambda found: "" if found[0].startswith("%") else found[0], text)
    found, depth = [""], 0
    for token in TOKEN.findall(text):
        depth += (token in "([") - (token in ")]")
        if token == "." and depth == 0:
            found.append("")
        else:
            found[-1] += token
    return [" ".join(one.split()) for one in found if one.strip()]


def split_outside(text, mark=","):
    """What stands between the marks that are in no brackets."""
    parts, depth = [""], 0
    for token in TOKEN.findall(text):
        depth += (token in "([") - (token in ")]")
        if token == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += token
    return [part.strip() for part in parts if part.strip()]


def head_and_body(clause):
    """The head's text, and a list of the goals' texts."""
    head, _, body = clause.partition(":-")
    return head.strip(), split_outside(body)


def name_and_arguments(atom):
    """color(O,red) as color and [O, red]."""
    name, bracket, rest = atom.partition("(")
    return name.strip(), split_outside(rest.strip().removesuffix(")")) if bracket else []


def predicate_of(clause):
    """p/2 of a fact or clause."""
    name, arguments = name_and_arguments(head_and_body(clause)[0])
    return f"{name}/{len(arguments)}"


def directives(text, name):
    """The arguments of all directives of that name."""
    found = [name_and_arguments(one.removeprefix(":-").strip()) for one in statements(text) if one.startswith(":-")]
    return [arguments for one, arguments in found if one == name]


def clauses(text):
    return [one for one in statements(text) if not one.startswith(":-")]
