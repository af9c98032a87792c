#!/usr/bin/env python3
"""The scoreboard: rows by hand, numbers from pages."""
import json
import pathlib
import tempfile
import unittest

import written_experiments  # noqa: F401, finds the runner

from runner.errors import JsonFileError
from runner.scoreboard import (question_pages, read_tables, review_page, scoreboard_entries, scoreboard_page, scoreboard_rows, with_scoreboard,
                               write_scoreboard)

PAGE = """# Page

## Accuracy

| method | a | b \\| c |
|---|---:|---:|
| ours | 99 ± 1 | 7 |

## Other

| x | y |
|---|---|
| 1 | 2 |
"""


class Scoreboard(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "page.md").write_text(PAGE)

    def page(self, *entries):
        file = self.folder / "paper.json"
        file.write_text(json.dumps(entries))
        return scoreboard_page(scoreboard_rows(scoreboard_entries(file), self.folder))

    def test_tables_of_a_page_are_read_by_title_row_and_column(self):
        self.assertEqual(read_tables(PAGE), {"Accuracy": {"ours": {"a": "99 ± 1", "b | c": "7"}}, "Other": {"1": {"y": "2"}}})

    def test_numbers_are_cells_of_pages(self):
        cell = {"page": "page", "table": "Accuracy", "row": "ours"}
        page = self.page({"item": "Tab. 1", "published": "98", "ours": {**cell, "column": "a"}, "verdict": "confirmed"},
                         {"item": "Tab. 2", "published": "97", "ours": cell, "verdict": "weaker", "why": "so"},
                         {"item": "Tab. 3", "published": "96", "ours": "–", "verdict": "not tried"},
                         {"item": "Tab. 4", "published": "95", "ours": {**cell, "columns": ["b | c", "a"]}, "verdict": "weaker"})
        self.assertIn("1 confirmed, 2 weaker, 1 not tried", page)
        self.assertIn("| [Tab. 1](page.md) | 98 | 99 ± 1 | confirmed |  |", page)
        self.assertIn("| [Tab. 2](page.md) | 97 | 99 ± 1 · 7 | weaker | so |", page)
        self.assertIn("| Tab. 3 | 96 | – | not tried |  |", page)
        self.assertIn("| [Tab. 4](page.md) | 95 | 7 · 99 ± 1 | weaker |  |", page)

    def test_what_has_not_run_is_not_confirmed(self):
        for absent in ({"page": "none", "table": "T", "row": "r"}, {"page": "page", "table": "Accuracy", "row": "ours", "column": "z"},
                       {"page": "page", "table": "Accuracy", "row": "ours", "columns": ["y", "z"]}):
            page = self.page({"item": "i", "published": "p", "ours": absent, "verdict": "confirmed"})
            self.assertIn("| p | not run yet | not tried |", page)

    def test_a_text_says_what_the_numbers_are(self):
        cell = {"page": "page", "table": "Accuracy", "row": "ours", "column": "a", "text": "{} GB"}
        entry = {"item": "i", "published": "p", "verdict": "weaker"}
        self.assertIn("| p | 99 ± 1 GB | weaker |", self.page({**entry, "ours": cell}))
        self.assertIn("| p | not run yet | not tried |", self.page({**entry, "ours": {**cell, "row": "none"}}))

    def test_equal_cells_are_told_once(self):
        (self.folder / "page.md").write_text("## T\n\n| m | a | b |\n|---|---|---|\n| ours | 100 ± 0 | 100 ± 0 |\n")
        page = self.page({"item": "i", "published": "p", "ours": {"page": "page", "table": "T", "row": "ours"}, "verdict": "weaker"})
        self.assertIn("| p | 100 ± 0 ×2 | weaker |", page)

    def test_the_overview_has_a_few_lines_between_two_marks(self):
        entries = [{"line": {"of": "Tab. 1", "says": "It holds."}}, {}, {"line": {"of": "Tab. 2", "says": "It does not."}},
                   {"line": {"of": "Tab. 3", "says": "Half of it."}}]
        rows = [("Tab. 1: a", "98", "99", "confirmed", "so"), ("Tab. 1: b", "1", "1", "confirmed", ""), ("Tab. 2: c", "98", "50", "not", ""),
                ("Tab. 3: d", "98", "70", "weaker", "")]
        page = "By hand.\n<!-- scoreboard -->\nOld.\n<!-- end of scoreboard -->\nMore.\n"
        new = with_scoreboard(page, entries, rows)
        self.assertIn("| Tab. 1 | ✓ | It holds. | 98 | 99 |\n| Tab. 2 | ✗ | It does not. | 98 | 50 |\n| Tab. 3 | ~ | Half of it. | 98 | 70 |\n", new)
        self.assertIn("[All rows, with reasons](scoreboard.md): 2 confirmed, 1 weaker, 1 not.\n<!-- end of scoreboard -->\nMore.\n", new)
        self.assertNotIn("Old.", new)
        self.assertEqual(with_scoreboard(new, entries, rows), new)
        self.assertEqual(with_scoreboard("No place.", entries, rows), "No place.")

    def test_each_question_has_a_page_with_its_rows(self):
        file = self.folder / "questions.json"
        file.write_text(json.dumps({"Q1": {"question": "Is it so?", "answer": "Yes."}}))
        rows = [("a", "1", "2", "confirmed", ""), ("b", "3", "4", "not", "so")]
        pages = question_pages(file, [{"question": "Q2"}, {"question": "Q1"}], rows)
        self.assertEqual(pages, {"q1": "# Q1: Is it so?\n\nYes.\n\n| paper | published | ours | verdict | why |\n|---|---|---|---|---|\n"
                                       "| b | 3 | 4 | not | so |\n"})
        file.write_text(json.dumps({"Q1": {"question": "Is it so?"}}))
        with self.assertRaisesRegex(JsonFileError, "'answer' is missing"):
            question_pages(file, [], [])

    def test_numbers_of_several_rows(self):
        (self.folder / "page.md").write_text("## T\n\n| m | a |\n|---|---|\n| one | 1 |\n| two | 2 |\n")
        cell = {"page": "page", "table": "T", "rows": ["two", "one"], "column": "a"}
        entry = {"item": "i", "published": "p", "verdict": "confirmed"}
        self.assertIn("| p | 2 · 1 | confirmed |", self.page({**entry, "ours": cell}))
        self.assertIn("| p | not run yet | not tried |", self.page({**entry, "ours": {**cell, "column": "z"}}))

    def test_mistakes_are_told_with_their_place(self):
        with self.assertRaisesRegex(JsonFileError, "/0/verdict: 'maybe' is none of confirmed, other data, weaker, not, withdrawn, not tried, extra"):
            self.page({"item": "i", "published": "p", "ours": "o", "verdict": "maybe"})
        with self.assertRaisesRegex(JsonFileError, "/0: 'verdict' is missing"):
            self.page({"item": "i", "published": "p", "ours": "o"})

    def test_a_review_is_counted(self):
        file = self.folder / "review.json"
        file.write_text(json.dumps([{"number": "D1", "finding": "a | b", "state": "open", "answer": ""}]))
        self.assertIn("0 answered, 0 partly, 1 open", review_page(file, self.folder))
        self.assertIn("| D1 | a \\| b | open |  |", review_page(file, self.folder))

    def test_links_of_a_review_lead_somewhere(self):
        file = self.folder / "review.json"
        file.write_text(json.dumps([{"number": "D1", "finding": "f", "state": "answered", "answer": "[here](page.md), [there](none.md)"}]))
        self.assertIn("| answered | [here](page.md), there |", review_page(file, self.folder))

    def test_the_files_of_this_repository_are_right(self):
        experiments = pathlib.Path(__file__).resolve().parents[2] / "experiments"
        write_scoreboard(experiments, self.folder)
        self.assertIn("# Scoreboard", (self.folder / "scoreboard.md").read_text())
        review = (self.folder / "review.md").read_text()
        for number in range(1, 23):
            self.assertIn(f"| D{number} |", review)


if __name__ == "__main__":
    unittest.main()
