#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "examples/json_lines.h"
#include "learn/readers/labelled_examples.h"
#include "unit/read_program.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

const std::string vocabulary = R"(
:- type(color, [red, 'deep blue']).
:- type(object, [o1, o2]).
:- list(colors, color, f, '*').
:- max_length(colors, 2).
:- neural(color(object, color)).
:- pred(good(object)).
:- pred(fine).
:- pred(sorted(colors)).
:- pred(other(object, object)).
:- distinct(other/2).
)";
const std::string with_label = vocabulary + ":- label(good(o1)).\n";

struct Read {
    ReadProgram program;
    AtomPool pool;
    ExampleSet set;

    std::string atom(std::uint32_t number) const {
        return print_atom(program.program.signature, program.program.terms, pool.predicate(number), pool.args(number));
    }
    // "1: color(o1,red)=0.5 -> good(o1)+": inputs and targets of every example.
    std::string text() const {
        std::vector<std::string> lines;
        for (const LabelledExample& example : set.examples) {
            std::vector<std::string> words;
            for (const auto& input : example.inputs)
                words.push_back(fmt::format("{}={}", atom(input.atom), input.value));
            words.emplace_back("->");
            for (const auto& target : example.targets)
                words.push_back(fmt::format("{}{}", atom(target.atom), target.positive ? '+' : '-'));
            lines.push_back(fmt::format("{}: {}", example.id, fmt::join(words, " ")));
        }
        return fmt::format("{}", fmt::join(lines, "\n"));
    }
};

Read read_examples(const std::string& program, const std::string& lines,
                   std::optional<std::int64_t> positive = std::nullopt) {
    const TemporaryFolder folder;
    Read result;
    result.program = read(program);
    EXPECT_FALSE(result.program.diagnostics.has_errors()) << rendered(result.program);
    result.set = read_labelled_examples(folder.write("x.jsonl", lines), result.program.program, result.pool, positive);
    return result;
}

std::string text(const std::string& program, const std::string& lines,
                 std::optional<std::int64_t> positive = std::nullopt) {
    return read_examples(program, lines, positive).text();
}

// What is said about the file, without its folder: "x.jsonl:1:11: error: …".
std::string refusal(const std::string& program, const std::string& lines,
                    std::optional<std::int64_t> positive = std::nullopt) {
    try {
        return "accepted: " + text(program, lines, positive);
    } catch (const ExampleError& error) {
        const std::string message = error.what();
        return message.substr(message.find("x.jsonl"));
    }
}

TEST(LabelledExamples, ALabelIsForTheProgramsAtom) {
    const std::string lines = R"json({"id": "x", "atoms": {"color(o1,red)": 0.5}, "label": 1}
{"atoms": {}, "label": 0}

{"id": 7, "label": true, "atoms": {}}
{"atoms": {"good(o2)": 1}, "label": false, "unknown": [1, 2]}
{"atoms": {}, "label": 1.0})json";
    EXPECT_EQ(text(with_label, lines), "\"x\": color(o1,red)=0.5 -> good(o1)+\n"
                                       "2: -> good(o1)-\n"
                                       "7: -> good(o1)+\n"
                                       "5: good(o2)=1 -> good(o1)-\n"
                                       "6: -> good(o1)+");
    const Read examples = read_examples(with_label, lines);
    EXPECT_TRUE(examples.set.file.ends_with("x.jsonl"));
    EXPECT_EQ(examples.set.examples[2].line, 4U);
    EXPECT_EQ(examples.pool.size(), 3U) << "an atom is in the pool once";
}

TEST(LabelledExamples, TargetsAreAnyNumberOfAtoms) {
    EXPECT_EQ(text(vocabulary, R"json({"atoms": {"color(o2, 'deep blue')": 0.25, "fine": 1},)json"
                               R"json( "targets": {"good(o2)": 0, "fine": 1, "sorted(f(red,'*'))": true}})json"),
              "1: color(o2,'deep blue')=0.25 fine=1 -> good(o2)- fine+ sorted([red])+");
    EXPECT_EQ(text(with_label, R"json({"atoms": {}, "targets": {"good(o2)": 1}})json"), "1: -> good(o2)+")
        << "also if the program has a label";
}

TEST(LabelledExamples, SpellingsOfAnAtomAreOneAtom) {
    const Read examples = read_examples(vocabulary, R"json({"atoms": {"sorted([red])": 1}, "targets": {"fine": 1}}
{"atoms": {"sorted( f(red, '*') )": 0.5}, "targets": {"fine": 0}})json");
    EXPECT_EQ(examples.pool.size(), 2U);
    EXPECT_EQ(examples.set.examples[0].inputs[0].atom, examples.set.examples[1].inputs[0].atom);
}

TEST(LabelledExamples, SetsShareAPool) {
    const TemporaryFolder folder;
    ReadProgram program = read(with_label);
    AtomPool pool;
    const std::string line = R"json({"atoms": {"color(o1,red)": 1}, "label": 1})json";
    const ExampleSet one = read_labelled_examples(folder.write("a", line), program.program, pool);
    const ExampleSet other = read_labelled_examples(folder.write("b", line), program.program, pool);
    EXPECT_EQ(pool.size(), 2U);
    EXPECT_EQ(one.examples[0].inputs[0].atom, other.examples[0].inputs[0].atom);
    EXPECT_EQ(one.examples[0].targets[0].atom, other.examples[0].targets[0].atom);
}

TEST(LabelledExamples, OfSeveralClassesOneIsPositive) {
    const std::string lines = R"json({"atoms": {}, "label": 0}
{"atoms": {}, "label": 2}
{"atoms": {}, "label": -1})json";
    EXPECT_EQ(text(with_label, lines, 2), "1: -> good(o1)-\n2: -> good(o1)+\n3: -> good(o1)-");
    EXPECT_EQ(text(with_label, lines, 0), "1: -> good(o1)+\n2: -> good(o1)-\n3: -> good(o1)-");
    EXPECT_EQ(text(with_label, lines, -1), "1: -> good(o1)-\n2: -> good(o1)-\n3: -> good(o1)+");
    for (const char* label : {"\"2\"", "true", "null", "1.5", "[2]"}) {
        EXPECT_EQ(refusal(with_label, fmt::format(R"json({{"atoms": {{}}, "label": {}}})json", label), 2),
                  "x.jsonl:1:16: error: expected the number of a class, for --positive was given")
            << label;
    }
    EXPECT_EQ(refusal(with_label, lines), "x.jsonl:2:16: error: 'label': expected 0 or 1, not 2\n"
                                          "  for numbers of classes say which is positive: --positive N");
}

TEST(LabelledExamples, LabelAndTargetsExcludeEachOther) {
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "label": 1, "targets": {"fine": 1}})json"),
              "x.jsonl:1:28: error: an example has either \"label\" or \"targets\", not both");
    EXPECT_EQ(refusal(with_label, "{\"atoms\": {}, \"label\": 1}\n\n{\"atoms\": {}}"),
              "x.jsonl:3:1: error: this example has no label; expected \"label\": 0 or 1, or \"targets\": {atom: 0 or "
              "1, …}");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "lable": 1})json"),
              "x.jsonl:1:16: error: there is \"lable\" but no \"label\" or \"targets\"");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "target": {"fine": 1}})json"),
              "x.jsonl:1:16: error: there is \"target\" but no \"label\" or \"targets\"");
}

TEST(LabelledExamples, ALabelNeedsOneAtomThatItIsFor) {
    const std::string line = R"json({"atoms": {}, "label": 1})json";
    EXPECT_EQ(refusal(vocabulary, line),
              "x.jsonl:1:16: error: the program does not say which atom the label is for; add ':- label(…).' to it, or "
              "give \"targets\" here");
}

TEST(LabelledExamples, UnknownAtomsArePointedOut) {
    EXPECT_EQ(refusal(with_label, "{\"atoms\": {}, \"label\": 1}\n{\"atoms\": {\"colour(o1,red)\": 1}, \"label\": 1}"),
              "x.jsonl:2:13: error: 'colour(o1,red)': unknown predicate 'colour/2'\n  did you mean 'color/2'?");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {"color(o1,pink)": 1}, "label": 1})json"),
              "x.jsonl:1:22: error: 'color(o1,pink)': unknown constant 'pink' of type 'color'\n"
              "  the type 'color' has: red, deep blue");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {"color(o1,C)": 1}, "label": 1})json"),
              "x.jsonl:1:13: error: 'color(o1,C)': an example gives values to ground atoms, and this has variables");
    EXPECT_EQ(refusal(with_label, R"json({"id": "é", "atoms": {}, "targets": {"good(o3)": 1}})json"),
              "x.jsonl:1:44: error: 'good(o3)': unknown constant 'o3' of type 'object'\n  did you mean 'o1'?")
        << "columns are characters";
}

TEST(LabelledExamples, AtomsBeyondTheBoundsArePointedOut) {
    const std::string advice = "\n  raise the bound (max_depth, max_length, no_repeats, --term-depth)";
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {"sorted([red,red,red])": 1}, "label": 1})json"),
              "x.jsonl:1:13: error: 'sorted([red,red,red])' is beyond the bounds of the program" + advice);
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "targets": {"other(o1,o1)": 1}})json"),
              "x.jsonl:1:28: error: 'other(o1,o1)' is beyond the bounds of the program" + advice);
}

TEST(LabelledExamples, ValuesAreProbabilities) {
    const auto with_value = [](const std::string& value) {
        return refusal(with_label, R"json({"atoms": {"fine": )json" + value + R"json(}, "label": 1})json");
    };
    EXPECT_EQ(with_value("1.5"), "x.jsonl:1:13: error: 'fine': 1.5 is not in [0,1]");
    EXPECT_EQ(with_value("-0.25"), "x.jsonl:1:13: error: 'fine': -0.25 is not in [0,1]");
    EXPECT_EQ(with_value("\"1\""), "x.jsonl:1:13: error: 'fine': expected a probability, not \"1\"");
    EXPECT_EQ(with_value("true"), "x.jsonl:1:13: error: 'fine': expected a probability, not true");
    EXPECT_EQ(with_value("NaN"), "x.jsonl:1:20: error: 'NaN' is no JSON, and no probability either");
    EXPECT_EQ(with_value("0"), "accepted: 1: fine=0 -> good(o1)+");
    EXPECT_EQ(with_value("1e-3"), "accepted: 1: fine=0.001 -> good(o1)+");
}

TEST(LabelledExamples, TruthIsZeroOrOne) {
    for (const char* truth : {"2", "-1", "0.5", "\"1\"", "null", "[]"}) {
        const std::string hint = std::string(truth) == "2" || std::string(truth) == "-1"
                                     ? "\n  for numbers of classes say which is positive: --positive N"
                                     : "";
        EXPECT_EQ(refusal(with_label, fmt::format(R"json({{"atoms": {{}}, "label": {}}})json", truth)),
                  fmt::format("x.jsonl:1:16: error: 'label': expected 0 or 1, not {}{}", truth, hint));
        EXPECT_EQ(refusal(with_label, fmt::format(R"json({{"atoms": {{}}, "targets": {{"fine": {}}}}})json", truth)),
                  fmt::format("x.jsonl:1:28: error: 'fine': expected 0 or 1, not {}", truth));
    }
}

TEST(LabelledExamples, AnAtomIsGivenOnce) {
    EXPECT_EQ(refusal(with_label,
                      R"json({"atoms": {"sorted([red])": 1, "fine": 1, "sorted(f(red,'*'))": 1}, "label": 1})json"),
              "x.jsonl:1:44: error: 'sorted(f(red,'*'))' is given twice");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "targets": {"sorted([])": 1, "sorted('*')": 1}})json"),
              "x.jsonl:1:45: error: 'sorted('*')' is given twice");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "label": 1, "label": 0})json"),
              "x.jsonl:1:28: error: \"label\" stands twice");
    EXPECT_EQ(text(with_label, R"json({"atoms": {"fine": 1}, "targets": {"fine": 1}})json"), "1: fine=1 -> fine+")
        << "once as an input and once as a target";
    const std::string twice = refusal(with_label, R"json({"atoms": {"fine": 1, "fine": 0}, "label": 1})json");
    EXPECT_TRUE(twice.ends_with("error: 'fine' is given twice")) << twice;
}

// The place is that of the first word like it in the line.
TEST(LabelledExamples, WhatIsWrongIsPointedOutWhereItStands) {
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {"fine": 1, "fine": 0}, "label": 1})json"),
              "x.jsonl:1:24: error: 'fine' is given twice");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {"fine": 1}, "targets": {"fine": 2}})json"),
              "x.jsonl:1:37: error: 'fine': expected 0 or 1, not 2");
    EXPECT_EQ(refusal(with_label, R"json({"id": "label", "atoms": {}, "label": "x"})json"),
              "x.jsonl:1:31: error: 'label': expected 0 or 1, not \"x\"");
}

TEST(LabelledExamples, AnEmptyFileIsAnError) {
    EXPECT_EQ(refusal(with_label, ""), "x.jsonl: error: there are no examples in this file");
    EXPECT_EQ(refusal(with_label, "\n  \n\r\n"), "x.jsonl: error: there are no examples in this file");
    ReadProgram program = read(with_label);
    AtomPool pool;
    EXPECT_THROW(read_labelled_examples("/nowhere/at all", program.program, pool), FileError);
}

TEST(LabelledExamples, TheShapeIsChecked) {
    EXPECT_EQ(refusal(with_label, "{\"atoms\": {}, \"label\": 1}\n{\"atoms\": {},, \"label\": 1}").substr(0, 43),
              "x.jsonl:2:14: error: this is no valid JSON:");
    EXPECT_EQ(refusal(with_label, R"json({"label": 1})json"),
              "x.jsonl:1:1: error: this example has no \"atoms\"; expected {\"atoms\": {\"atom\": probability, …}}");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": [], "label": 1})json"),
              "x.jsonl:1:3: error: \"atoms\" must be an object from atoms to probabilities");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "targets": ["fine"]})json"),
              "x.jsonl:1:16: error: \"targets\" must be an object from atoms to 0 or 1");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "targets": {}})json"),
              "x.jsonl:1:16: error: \"targets\" names no atom");
    EXPECT_EQ(refusal(with_label, R"json({"atoms": {}, "id": [], "label": 1})json"),
              "x.jsonl:1:16: error: \"id\" must be a string or a number");
}

}  // namespace
}  // namespace neumann
