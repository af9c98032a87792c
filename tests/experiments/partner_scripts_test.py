#!/usr/bin/env python3
"""The small programs beside the experiments: what they write for others to read."""
import json
import pathlib
import random
import tempfile
import unittest

from written_experiments import REPOSITORY

import longer_lists
import problog_times


def held_by_python(atom):
    """Whether an atom of longer_lists.py is true, by another way."""
    name, rest = atom.split("(", 1)
    arguments = json.loads("[" + "".join(f'"{word}"' if word.isalpha() else word for word in words_of(rest[:-1])) + "]")
    if name == "member":
        return arguments[0] in arguments[1]
    if name == "delete":
        return [one for one in arguments[1] if one != arguments[0]] == arguments[2]
    if name == "is_sorted":
        return sorted(arguments[0]) == arguments[0]
    return sorted(arguments[0]) == arguments[1]


def words_of(text):
    word = ""
    for mark in text:
        if mark.isalpha():
            word += mark
            continue
        if word:
            yield word
        word = ""
        yield mark
    if word:
        yield word


class LongerListsTest(unittest.TestCase):
    def test_questions_are_as_they_say(self):
        draw = random.Random(1)
        colours = longer_lists.COLOURS[:7]
        for relation in longer_lists.NEEDED:
            for length in range(3, 7):
                for positive in (True, False) * 20:
                    atom = longer_lists.question(relation, length, positive, colours, draw)
                    self.assertEqual(held_by_python(atom), positive, atom)

    def test_program_has_the_learned_clauses_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            learned = pathlib.Path(folder) / "learned.nm"
            learned.write_text(":- type(color, [red]).\nmember(X,[X|Y]).\npos(a) :- member(X,Y).\n")
            text = longer_lists.program_of(learned, "member", 4, ["blue", "red"])
        self.assertIn("member(X,[X|Y]).\n", text)
        self.assertIn(":- max_length(colors, 4).\n", text)
        self.assertNotIn("pos(", text)


class ProbLogTest(unittest.TestCase):
    def test_a_scene_is_facts_with_probabilities(self):
        text = (REPOSITORY / "examples" / "kandinsky" / "closeby.nm").read_text()
        scene = problog_times.scene_program(text, "kp(img)", {"atoms": {"in(obj0,img)": 1, "color(obj0,red)": 0.95, "color(obj0,blue)": 0}})
        self.assertIn("\nin(obj0,img).\n0.95::color(obj0,red).\nquery(kp(img)).\n", scene)
        for gone in (":- neural(", ":- modeb(", ":- label(", "color(obj0,blue)"):
            self.assertNotIn(gone, scene)

    def test_the_answer_is_read(self):
        self.assertEqual(problog_times.answer_of("       kp(img):\t0.9985\n", "kp(img)"), 0.9985)


if __name__ == "__main__":
    unittest.main()
