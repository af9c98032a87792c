"""Two pages of rows that are written by hand beside numbers that are not: the scoreboard, and the answers to a review.

`scoreboard/paper.json` lists what the paper reports: `item`, `published`, `ours`, `verdict`, perhaps `why`. `ours` is a text, or a cell of a page that
an experiment wrote: {"page": "kandinsky", "table": "Test accuracy, per cent", "row": "…", "column": "…"}; instead of a column `columns`, a list, or
nothing for the whole row, and instead of a row `rows`, a list, with one column. `text` says what the numbers are, which stand where it has {}:
"{} GB". `question` is a key of `scoreboard/questions.json`, which gives each question a page. A row with `line`: {"of": "Tab. 3", "says": "…"} is one of
the lines on top of the overview, with the mark of its verdict.
`scoreboard/review.json` lists what a reviewer found: `number`, `finding`, `state`, `answer`.
"""
import collections
import re

from .checked_json import read_json_file
from .errors import JsonFileError
from .files import replaced_between, write_file
from .wrap import wrapped

MEANINGS = {
    "confirmed": "the same statement holds, under conditions that a reader of the paper would accept",
    "other data": "the same statement holds, with another data set, network or learner",
    "weaker": "a weaker statement holds",
    "not": "it was tried and failed",
    "withdrawn": "an earlier comparison was not equal; it is to be run again",
    "not tried": "there is no result",
    "extra": "not in the paper",
}
VERDICTS = tuple(MEANINGS)
MARKS = {"confirmed": "✓", "other data": "✓", "weaker": "~"}  # the others: ✗
STATES = ("answered", "partly", "open")
ABSENT = "not run yet"
BEGIN, END = "<!-- scoreboard -->", "<!-- end of scoreboard -->"


def cells_of(line):
    return [cell.strip().replace("\\|", "|") for cell in line.strip().strip("|").replace("\\|", "\0").split("|")] if line else []


def read_tables(text):
    """Every table of a page, by its heading: {column: text} for each row."""
    tables, title, columns = {}, None, None
    for line in text.splitlines():
        if line.startswith("## "):
            title, columns = line[3:].strip(), None
        elif line.startswith("|") and title is not None:
            cells = [cell.replace("\0", "|") for cell in cells_of(line)]
            if columns is None:
                columns = cells
                tables.setdefault(title, {})
            elif not all(set(cell) <= set("-:") for cell in cells):
                tables[title][cells[0]] = dict(zip(columns[1:], cells[1:]))
    return tables


def shown(ours, folder, pages):
    if isinstance(ours, str):
        return ours
    numbers = numbers_of(ours, folder, pages)
    return numbers if numbers == ABSENT else ours.get("text", "{}").replace("{}", numbers)


def numbers_of(ours, folder, pages):
    page = ours["page"]
    if page not in pages:
        file = folder / f"{page}.md"
        pages[page] = read_tables(file.read_text(encoding="utf-8")) if file.exists() else {}
    table_rows = pages[page].get(ours["table"], {})
    if "rows" in ours:
        return joined([table_rows.get(row, {}).get(ours["column"], ABSENT) for row in ours["rows"]])
    row = table_rows.get(ours["row"])
    if row is None:
        return ABSENT
    if "column" in ours:
        return row.get(ours["column"], ABSENT)
    return joined([row.get(column, ABSENT) for column in ours.get("columns", row)])


def joined(cells):
    if set(cells) == {ABSENT}:
        return ABSENT
    return f"{cells[0]} ×{len(cells)}" if len(cells) > 1 and len(set(cells)) == 1 else " · ".join(cells)


def require(file, entries, keys, words):
    for number, entry in enumerate(entries):
        for key in keys:
            if key not in entry:
                raise JsonFileError(f"{file}: /{number}: '{key}' is missing")
        for key, allowed in words.items():
            if entry[key] not in allowed:
                raise JsonFileError(f"{file}: /{number}/{key}: '{entry[key]}' is none of {', '.join(allowed)}")


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join([*lines, *("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)])


def scoreboard_entries(file):
    entries = read_json_file(file)
    require(file, entries, ("item", "published", "ours", "verdict"), {"verdict": VERDICTS})
    return entries


def scoreboard_rows(entries, folder):
    pages, rows = {}, []
    for entry in entries:
        ours = shown(entry["ours"], folder, pages)
        verdict = "not tried" if ours == ABSENT else entry["verdict"]
        link = entry["ours"]["page"] if isinstance(entry["ours"], dict) else entry.get("page")
        written = link is not None and (folder / f"{link}.md").exists()
        rows.append((f"[{entry['item']}]({link}.md)" if written else entry["item"], entry["published"], ours, verdict, entry.get("why", "")))
    return rows


def summary_of(rows):
    counts = collections.Counter(row[3] for row in rows)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])


def scoreboard_page(rows):
    meanings = "\n".join(f"- *{verdict}*: {meaning}" for verdict, meaning in MEANINGS.items())
    return (f"# Scoreboard\n\n{summary_of(rows)[0].upper()}{summary_of(rows)[1:]}. Our numbers are cells of the linked pages.\n\n{meanings}\n\n"
            + table(("paper", "published", "ours", "verdict", "why"), rows) + "\n")


def with_scoreboard(page, entries, rows):
    """The overview with its lines between the two marks: a mark, a sentence and the numbers for each."""
    lines = [(entry["line"]["of"], MARKS.get(row[3], "✗"), entry["line"]["says"], row[1], row[2])
             for entry, row in zip(entries, rows) if "line" in entry]
    return replaced_between(page, BEGIN, END, table(("paper", "", "here", "published", "ours"), lines)
                            + f"\n\n[All rows, with reasons](scoreboard.md): {summary_of(rows)}.\n")


def question_pages(file, entries, rows):
    """The page of each question: {name: text}."""
    pages = {}
    for name, question in read_json_file(file).items():
        require(file, [question], ("question", "answer"), {})
        own = [row for entry, row in zip(entries, rows) if entry.get("question") == name]
        text = f"# {name}: {question['question']}\n\n" + wrapped(question["answer"]) + "\n\n"
        pages[name.lower()] = text + table(("paper", "published", "ours", "verdict", "why"), own) + "\n"
    return pages


def with_links_that_lead_somewhere(text, folder):
    """An answer may name a page before its experiment has run."""
    return re.sub(r"\[([^\]]+)\]\(([\w-]+\.md)\)", lambda link: link[0] if (folder / link[2]).exists() else link[1], text)


def review_page(file, folder):
    entries = read_json_file(file)
    require(file, entries, ("number", "finding", "state", "answer"), {"state": STATES})
    counts = collections.Counter(entry["state"] for entry in entries)
    summary = ", ".join(f"{counts[state]} {state}" for state in STATES)
    rows = [(entry["number"], entry["finding"], entry["state"], with_links_that_lead_somewhere(entry["answer"], folder)) for entry in entries]
    return (f"# A review, point by point\n\nFindings of a reviewer of these pages, and the answers: {summary}.\n\n"
            + table(("", "finding", "state", "answer"), rows) + "\n")


def write_scoreboard(experiments, folder):
    """Both pages and the overview's part, where there are files for them."""
    paper, review, overview = experiments / "scoreboard" / "paper.json", experiments / "scoreboard" / "review.json", folder / "README.md"
    if paper.exists():
        entries = scoreboard_entries(paper)
        rows = scoreboard_rows(entries, folder)
        write_file(folder / "scoreboard.md", scoreboard_page(rows))
        questions = experiments / "scoreboard" / "questions.json"
        for name, text in question_pages(questions, entries, rows).items() if questions.exists() else ():
            write_file(folder / f"{name}.md", text)
        if overview.exists():
            old = overview.read_text(encoding="utf-8")
            new = with_scoreboard(old, entries, rows)
            if new != old:
                write_file(overview, new)
    if review.exists():
        write_file(folder / "review.md", review_page(review, folder))
