#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "draw/terminal_text.h"
#include "report/explanation_output.h"
#include "report/proof_order.h"
#include "unit/explained_proofs.h"
#include "unit/temporary_folder.h"
#include "unit/well_formed_xml.h"

namespace neumann {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

bool has_line(const std::string& text, const std::string& line) {
    return std::ranges::count(lines_of(text), line) == 1;
}

Explanation underivable() {
    Explanation e;
    e.atom = "p(a)";
    e.semantics = "product";
    e.why_not = WhyNot{{}, "No clause has p in its head."};
    return e;
}

std::vector<Explanation> all_kinds() { return {wet(), deletion(), no_pair(), strange(), underivable()}; }

TEST(ProofOrder, TellsEachDerivedStepOnceAfterItsPremises) {
    const ExplainedProof proof = deletion().proofs[0];
    EXPECT_EQ(leaves_first(proof), (std::vector<std::uint32_t>{8, 1, 3, 14, 11, 4, 0}));
    const auto numbers = told_numbers(proof);
    EXPECT_EQ(numbers[0], 7U);
    EXPECT_EQ(numbers[1], 2U);
    EXPECT_EQ(numbers[5], 0U);
    EXPECT_EQ(uses_of(proof)[1], 2U);
    EXPECT_EQ(uses_of(proof)[0], 0U);
}

TEST(ProofOrder, SurvivesALongChain) {
    ExplainedProof proof;
    const std::uint32_t depth = 50'000;
    for (std::uint32_t i = 0; i < depth; ++i) proof.steps.push_back(derived("p", "", 1, 0, {i + 1}));
    proof.steps.push_back(leaf("q", "", 1, Origin::Fact));
    EXPECT_EQ(leaves_first(proof).size(), depth);
    EXPECT_EQ(leaves_first(proof).front(), depth - 1);
}

TEST(ProofOrder, MakesSentences) {
    const ExplainedProof proof = deletion().proofs[0];
    EXPECT_EQ(step_sentence(proof, 8, told_numbers(proof)),
              "Obj0, obj1 and obj2 stand in a row, because obj0 is left of obj1 (seen) and obj1 is left of obj2 "
              "(seen).");
    EXPECT_EQ(step_sentence(proof, 1, told_numbers(proof)),
              "The image shows gray, cyan and red from left to right (0.95), because obj0 is gray (seen with "
              "probability 0.98); obj1 is cyan (seen with probability 0.97); obj2 is red (seen); and obj0, obj1 and "
              "obj2 stand in a row (see 1).");
    EXPECT_EQ(step_sentence(wet().proofs[1], 1, {}),
              "The grass is wet (0.70), because the sprinkler is on (a fact of the program with probability 0.80) and "
              "the tap is open (a fact of the program with probability 0.90), by a rule of weight 0.95.");
    ExplainedProof plain{{derived("p(a)", "p(a)", 1, 0, {})}, 1, {}};
    EXPECT_EQ(step_sentence(plain, 0, {}), "p(a), by definition.");
}

TEST(ProofOrder, RoundsSoThatNothingIsOverstated) {
    EXPECT_EQ(spoken(0), "0");
    EXPECT_EQ(spoken(1), "1");
    EXPECT_EQ(spoken(0.9999), "nearly 1");
    EXPECT_EQ(spoken(0.0001), "0.0001");
    EXPECT_EQ(spoken(0.536), "0.54");
    EXPECT_EQ(shown(0.7), "0.7");
    EXPECT_EQ(shown(10), "10");
    EXPECT_EQ(shown(2e-7), "2e-07");
    EXPECT_EQ(shown(-0.25), "-0.25");
}

TEST(ProofOrder, FindsTheArgumentThatDiffers) {
    EXPECT_EQ(differing_part("shape(obj2,cube)", "shape(obj2,sphere)"), "sphere");
    EXPECT_EQ(differing_part("p([a,b],c)", "p([a,d],c)"), "[a,d]");
    EXPECT_EQ(differing_part("p('x,(',c)", "p('x,(',d)"), "d");
    EXPECT_EQ(differing_part("p(a,b)", "p(c,d)"), "p(c,d)");
    EXPECT_EQ(differing_part("p(a)", "q(a)"), "q(a)");
    EXPECT_EQ(differing_part("p(a)", "p(a,b)"), "p(a,b)");
}

TEST(TerminalText, BreaksBetweenWords) {
    EXPECT_EQ(wrapped("one two three", 8, "1. ", "   "), "1. one\n   two\n   three\n");
    EXPECT_EQ(wrapped("", 8, "", ""), "\n");
    EXPECT_EQ(cut_to("höher", 4), "höh…");
    EXPECT_EQ(cut_to("höher", 5), "höher");
    EXPECT_EQ(one_line("a\nb\x1b\x7f"), "a\\nb\uFFFD\uFFFD");
}

TEST(ExplainText, ShowsProofSentencesAndWhatMatters) {
    const std::string text = to_text(wet(), {});
    EXPECT_TRUE(text.starts_with("slippery  0.2800  does not hold: below 0.5\n  Not so: it is slippery.\n"
                                 "  example \"monday\"; max-product, 2 steps\n"));
    EXPECT_TRUE(contains(text, "slippery  0.28  program.nm:22\n"
                               "├─ wet  0.7  program.nm:20\n"
                               "│  └─ rain  0.7  fact program.nm:7  gradient 0.4\n"
                               "└─ frost  0.4  fact program.nm:7  gradient 0.7\n"));
    EXPECT_TRUE(
        has_line(text, "1. The grass is wet (0.70), because it rains (a fact of the program with probability 0.70)."));
    EXPECT_TRUE(has_line(text, "2. 0.2736  by program.nm:21, with sprinkler 0.8, tap 0.9"));
    EXPECT_TRUE(contains(text, "that is the value"));
    EXPECT_TRUE(has_line(text, "rain   fact    0.7       0.4    0.5   0.2736"));
    EXPECT_FALSE(contains(text, "flooded"));
    EXPECT_FALSE(contains(to_text(wet(), {.words = false}), "because"));
}

TEST(ExplainText, WritesASharedStepOutOnce) {
    const std::string text = to_text(deletion(), {});
    EXPECT_EQ(count(text, "color(obj0,gray)  0.98  seen in the picture"), 1U);
    EXPECT_TRUE(has_line(text, "│  └─ scene([gray,cyan,red])  0.95  as above"));
    EXPECT_TRUE(contains(text, "at least that"));
    EXPECT_TRUE(has_line(text, "There may be further proofs."));
    EXPECT_TRUE(contains(text, "obj1       0.4  █████▍ "));
    for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), 100U) << line;
}

TEST(ExplainText, BreaksDeepTreesIntoPieces) {
    Explanation e = wet();
    e.proofs.resize(1);
    std::vector<ExplainedStep>& steps = e.proofs[0].steps;
    steps.clear();
    for (std::uint32_t i = 0; i < 100; ++i) steps.push_back(derived("p" + std::to_string(i), "", 1, 0, {i + 1}));
    steps.push_back(leaf("q", "", 1, Origin::Fact));
    const std::string text = to_text(e, {.words = false});
    for (std::uint32_t i = 1; i < 100; ++i)
        EXPECT_EQ(count(text, "p" + std::to_string(i) + "  1  program.nm:20\n"), 1U) << i;
    EXPECT_GT(count(text, "  1  continued below\n"), 1U);
    for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), 100U) << line;
}

TEST(ExplainText, CutsLongLists) {
    const std::string text = to_text(deletion(), {.top = 2});
    EXPECT_EQ(count(text, "… and 7 more\n"), 1U);
    EXPECT_FALSE(contains(text, "color(obj1,cyan)  seen"));
}

TEST(ExplainText, SaysWhatStandsInTheWay) {
    const std::string text = to_text(no_pair(), {.width = 200});
    EXPECT_TRUE(has_line(text, "      └─ shape(obj2,cube)  0.02  ✗ fails  seen in the picture  gradient 0.96"));
    EXPECT_TRUE(has_line(text, "   fails: shape(obj2,cube) is 0.02, seen as sphere 0.97; were it 1, kp(img) would be "
                               "0.96; 0.54 would be enough for 0.5"));
    EXPECT_TRUE(contains(to_text(underivable(), {}), "\nWhy not\nNo clause has p in its head.\n"));
}

TEST(ExplainText, SendsNoControlCharactersToTheTerminal) {
    for (const char c : to_text(strange(), {})) EXPECT_TRUE(c == '\n' || c < 0 || c >= ' ');
}

TEST(ExplainJson, HasEveryValue) {
    const std::string text = to_json(wet());
    EXPECT_EQ(count(text, "\n"), 1U);
    EXPECT_TRUE(text.ends_with("}\n"));
    EXPECT_EQ(text, to_json(wet()));
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["id"], "monday");
    EXPECT_EQ(json["value"], 0.28);
    EXPECT_EQ(json["holds"], false);
    EXPECT_FALSE(json.contains("gamma") || json.contains("why_not") || json.contains("history"));
    const auto& wet_step = json["proofs"][1]["steps"][1];
    EXPECT_EQ(wet_step["rule"]["weight"], 0.95);
    EXPECT_EQ(wet_step["rule"]["line"], 21);
    EXPECT_EQ(wet_step["premises"], (std::vector{2, 3}));
    EXPECT_EQ(json["proofs"][0]["steps"][2]["origin"], "fact");
    EXPECT_EQ(json["proofs"][0]["steps"][2]["gradient"], 0.4);
    EXPECT_EQ(json["inputs"][1]["without"], 0.2736);
    EXPECT_TRUE(json["clauses"][0].contains("without"));
    EXPECT_FALSE(json["clauses"][1].contains("without"));
    EXPECT_EQ(json["clauses"][2]["used"], true);
}

TEST(ExplainJson, KnowsWhyNotObjectsAndHistory) {
    Explanation e = no_pair();
    e.history = {{"kp(img)"}, {{0}, {static_cast<double>(0.02F)}}};
    auto json = nlohmann::json::parse(to_json(e));
    const auto& miss = json["why_not"]["nearest"][0];
    EXPECT_EQ(miss["failures"][0]["instead"], "shape(obj2,sphere)");
    EXPECT_EQ(miss["failures"][0]["needed"], 0.5312);
    EXPECT_EQ(miss["if_true"], 0.96);
    EXPECT_EQ(json["history"]["steps"][1][0], 0.02);  // as a float reads, not 0.0199999996
    json = nlohmann::json::parse(to_json(deletion()));
    EXPECT_EQ(json["id"], 17);
    EXPECT_EQ(json["gamma"], 0.01);
    EXPECT_EQ(json["objects"][1]["atoms"]["color(obj1,cyan)"], 0.97);
    EXPECT_EQ(json["proofs"][0]["steps"][0]["rule"]["substitution"]["Z"], "[cyan,red]");
    EXPECT_EQ(nlohmann::json::parse(to_json(underivable()))["why_not"]["impossible"], "No clause has p in its head.");
}

TEST(ExplainJson, KeepsStrangeNames) {
    const Explanation e = strange();
    const auto json = nlohmann::json::parse(to_json(e));
    EXPECT_EQ(json["atom"], e.atom);
    EXPECT_EQ(json["id"], "not json");
    EXPECT_TRUE(nlohmann::json::accept(to_json([] {
        Explanation bytes = underivable();
        bytes.atom = "p('\xff')";
        return bytes;
    }())));
}

TEST(ExplainDot, HasEachAtomAndRuleOnce) {
    const std::string dot = to_dot(wet());
    EXPECT_EQ(count(dot, "  a"), 6U + 5U);  // atoms, and the edges from them
    EXPECT_EQ(count(dot, "label=\"program.nm:22\""), 1U);
    EXPECT_EQ(count(dot, "label=\"program.nm:21\\n0.95\""), 1U);
    EXPECT_TRUE(contains(to_dot(no_pair()), "✗ 0.02"));
}

TEST(ExplainDot, IsAcceptedByGraphviz) {
    if (std::system("dot -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "Graphviz is not installed";
    TemporaryFolder folder;
    for (const Explanation& e : all_kinds()) {
        const auto file = folder.path() / "proof.dot";
        std::ofstream(file) << to_dot(e);
        const std::string command = "dot -Tsvg '" + file.string() + "' >/dev/null 2>'" + file.string() + ".err'";
        EXPECT_EQ(std::system(command.c_str()), 0) << to_dot(e);
    }
}

TEST(ExplainSvg, IsWellFormedAndAlwaysTheSame) {
    for (const Explanation& e : all_kinds()) {
        const std::string svg = to_svg(e);
        expect_well_formed(svg);
        EXPECT_EQ(svg, to_svg(e));
        for (const char c : svg) EXPECT_TRUE(c == '\n' || c < 0 || c >= ' ');
    }
}

TEST(ExplainSvg, DrawsEachStepOnceWithItsSentence) {
    const std::string svg = to_svg(deletion());
    EXPECT_EQ(count(svg, "<title>scene([gray,cyan,red]): "), 1U);
    EXPECT_EQ(count(svg, "<title>color(obj0,gray): obj0 is gray, seen with probability 0.98</title>"), 1U);
    EXPECT_EQ(count(svg, ">program.nm:25 · weight 0.98 · share 0.97</text>"), 1U);
    EXPECT_EQ(count(svg, "\n<path d='M"), 16U);  // an edge per use of a premise
    EXPECT_TRUE(contains(to_svg(no_pair()), "✗ 0.02 · seen"));
    EXPECT_TRUE(contains(to_svg(underivable()), "nothing derives it"));
}

// A chain of more steps than anybody reads: the first of them, and how many there are.
TEST(ExplainSvg, OfLongProofsTheBeginningIsDrawnAndTold) {
    Explanation e = wet();
    ExplainedProof& proof = e.proofs[0];
    const ExplainedStep link = proof.steps[0];
    proof.steps.clear();
    constexpr std::uint32_t length = 2500;
    for (std::uint32_t i = 0; i < length; ++i) {
        ExplainedStep step = link;
        step.atom = "far(n" + std::to_string(i) + ")";
        step.premises = {i + 1};
        proof.steps.push_back(step);
    }
    proof.steps.push_back(leaf("far(end)", "it is the end", 1, Origin::Fact));
    const std::string svg = to_svg(e);
    expect_well_formed(svg);
    EXPECT_EQ(count(svg, "<title>far(n"), most_steps_drawn);
    EXPECT_TRUE(contains(svg, "the 300 steps nearest to it, of 2,501"));
    const std::string text = to_text(e);
    EXPECT_TRUE(contains(text, "far(n0)"));
    EXPECT_TRUE(contains(text, "2,501"));
    EXPECT_FALSE(contains(text, "far(n2000)"));
    EXPECT_LT(text.size(), 300'000U);
}

// A rule that was drawn within a frame keeps its label there, and no line leads from it to what it does not rest on.
TEST(ExplainSvg, DerivedLeavesKeepTheirRules) {
    Explanation e = wet();
    ExplainedProof& proof = e.proofs[0];
    const ExplainedStep rule = proof.steps[0];
    proof.steps = {rule};
    proof.steps[0].premises.clear();
    for (std::uint32_t i = 1; i <= 40; ++i) {
        proof.steps[0].premises.push_back(i);
        ExplainedStep step = rule;  // of a rule without a body
        step.atom = "given(obj" + std::to_string(i) + ",and,a,long,name)";
        step.premises.clear();
        proof.steps.push_back(step);
    }
    const std::string svg = to_svg(e);
    expect_well_formed(svg);
    EXPECT_EQ(count(svg, "\n<path d='M"), 1U) << "one edge, to the frame";
    const std::string label = ">" + place_of(std::filesystem::path(rule.file).filename().string(), rule.line);
    EXPECT_EQ(count(svg, label), 41U);
}

// A rule with many leaves: side by side they would make a picture that no screen shows.
TEST(ExplainSvg, FramesManyLeaves) {
    Explanation e = wet();
    ExplainedProof& proof = e.proofs[0];
    proof.steps.resize(1);
    proof.steps[0].premises.clear();
    for (std::uint32_t i = 1; i <= 40; ++i) {
        proof.steps[0].premises.push_back(i);
        proof.steps.push_back(leaf("shape(obj" + std::to_string(i) + ",square)", "it is square", 0.9, Origin::Picture));
    }
    const std::string svg = to_svg(e);
    expect_well_formed(svg);
    EXPECT_EQ(count(svg, ": it is square, seen with probability 0.90</title>"), 40U);
    EXPECT_LT(std::stod(svg.substr(svg.find("width='") + 7)), 1300);
}

}  // namespace
}  // namespace neumann
