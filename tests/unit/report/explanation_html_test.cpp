#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "draw/base64.h"
#include "report/explanation_output.h"
#include "unit/made_explanations.h"

namespace neumann {
namespace {

ReportInput input_of(const Explanation& explanation) {
    return {&explanation, {}, {{"wet.nm", made_program}}, "wet.nm", "neumann explain wet.nm --atom 'sad(tom)'"};
}

std::string page_of(const Explanation& explanation) {
    const ReportInput input = input_of(explanation);
    return to_html({&input, 1});
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
    return found;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Every element is closed in the order in which they were opened, ids are there once, and links within the page lead
// somewhere. Returns the first thing that is wrong.
std::string fault_of(const std::string& page) {
    static const std::set<std::string> empty_elements = {"meta", "link", "img", "input", "rect", "line"};
    const std::size_t end_of_script = page.rfind("</script>");
    const std::size_t script = page.rfind("<script>", end_of_script) + 8;
    const std::string text = page.substr(0, script) + page.substr(end_of_script);
    std::vector<std::string> open;
    std::set<std::string> ids;
    std::vector<std::string> links;
    static const std::regex id(R"re( id="([^"]*)")re");
    static const std::regex link_within(R"re(href="#([^"]*)")re");
    static const std::regex inline_code(R"re( (on[a-z]+|style)=")re");
    static const std::regex tag(R"re(<(/?)([a-z][a-z0-9]*)([^>]*)>)re");
    for (std::sregex_iterator at(text.begin(), text.end(), tag), end; at != end; ++at) {
        const std::string name = (*at)[2];
        const std::string rest = (*at)[3];
        if ((*at)[1].length() > 0) {
            if (open.empty() || open.back() != name)
                return "</" + name + "> closes " + (open.empty() ? "" : open.back());
            open.pop_back();
            continue;
        }
        std::smatch found;
        if (std::regex_search(rest, found, id) && !ids.insert(found[1]).second) return "twice: " + found[1].str();
        if (std::regex_search(rest, found, link_within)) links.push_back(found[1]);
        if (std::regex_search(rest, found, inline_code)) return "inline: " + rest;
        if (!empty_elements.contains(name)) open.push_back(name);
    }
    if (!open.empty()) return "never closed: " + open.back();
    for (const std::string& link : links)
        if (!ids.contains(link)) return "leads nowhere: #" + link;
    return "";
}

TEST(ExplainHtml, IsWellFormed) {
    EXPECT_EQ(fault_of(page_of(made_explanation())), "");
    EXPECT_EQ(fault_of(page_of(made_why_not())), "");
    EXPECT_EQ(fault_of(page_of(Explanation{})), "");
    EXPECT_NE(fault_of("<p><b></p><script></script>"), "");
}

TEST(ExplainHtml, ShowsEveryPart) {
    const std::string page = page_of(made_explanation());
    for (const char* text :
         {"Tom is sad", "0.81", "✓ holds", "In words", "As a tree", "What the answer depends on", "Probabilities",
          "The program", "How it was computed", "product", "neumann explain wet.nm", "There may be other proofs"})
        EXPECT_TRUE(has(page, text)) << text;
    EXPECT_FALSE(has(page, "-why-not"));
    EXPECT_TRUE(has(page, "wet.nm:5</a>"));
    EXPECT_EQ(count(page, "shown above"), 2U) << "a shared step is written once per proof";
    EXPECT_EQ(count(page, "<li id=\"e1-f1-l"), 6U);
    EXPECT_EQ(count(page, "class=\"used\""), 5U) << "a fact, and three rules over four lines";
}

TEST(ExplainHtml, SaysWhyNot) {
    const std::string page = page_of(made_why_not());
    for (const char* text :
         {"✗ does not hold", "Why not", "<code>in(tom)</code>", "at least 0.54", "class=\"step failed\""})
        EXPECT_TRUE(has(page, text)) << text;
    EXPECT_FALSE(has(page, "Why: the"));
}

TEST(ExplainHtml, NeedsNothingElse) {
    const std::string page = page_of(made_explanation());
    EXPECT_FALSE(has(page, "http://"));
    EXPECT_FALSE(has(page, "https://"));
    EXPECT_FALSE(has(page, "url("));
    EXPECT_FALSE(has(page, "@import"));
    EXPECT_TRUE(has(page, "default-src 'none'"));
    EXPECT_FALSE(has(page, "unsafe-inline"));
}

TEST(ExplainHtml, EscapesEveryText) {
    const std::string bad = "</script><img src=x onerror=\"a()\">&'\n";
    Explanation explanation = made_explanation();
    explanation.id = explanation.atom = explanation.sentence = explanation.semantics = bad;
    for (ExplainedProof& proof : explanation.proofs) {
        for (ExplainedStep& step : proof.steps) step.atom = step.sentence = bad;
        proof.steps[0].substitution = {{bad, bad}};
        proof.steps[5].file = bad;
    }
    for (ExplainedClause& clause : explanation.clauses) clause.text = clause.file = bad;
    for (ExplainedInput& input : explanation.inputs) input.atom = input.sentence = bad;
    for (ExplainedObject& object : explanation.objects) object.name = object.atom = object.atoms[0].first = bad;
    explanation.history.atoms = {bad, bad};
    NearMiss miss;
    miss.proof = explanation.proofs[0];
    miss.failures = {{bad, bad, 0.1, 0.1, bad, 0.9, {}, {}}};
    explanation.why_not = WhyNot{{miss}, bad};
    const ReportInput input = {
        &explanation, {{bad, "\x89PNG", "\x89PNG"}}, {{bad, bad + bad + bad + bad + bad + bad}}, bad, bad};
    const std::string page = to_html({&input, 1});
    EXPECT_EQ(fault_of(page), "");
    EXPECT_FALSE(has(page, "<img src=x"));
    EXPECT_EQ(count(page, "</script>"), 1U);
}

TEST(ExplainHtml, TakesSeveral) {
    const Explanation first = made_explanation();
    const Explanation second = made_why_not();
    const std::vector<ReportInput> inputs = {input_of(first), input_of(second)};
    const std::string page = to_html(inputs);
    EXPECT_EQ(fault_of(page), "");
    EXPECT_EQ(count(page, "<article"), 2U);
    EXPECT_TRUE(has(page, "2 explanations"));
    EXPECT_THROW(to_html({}), std::invalid_argument);
}

TEST(ExplainHtml, PutsPicturesIn) {
    const Explanation explanation = made_explanation();
    ReportInput input = input_of(explanation);
    input.pictures = {{"a.jpg", "\xFF\xD8 jpeg", "\x89PNG heat"}, {"b.png", "\x89PNG b", ""}};
    const std::string page = to_html({&input, 1});
    EXPECT_EQ(fault_of(page), "");
    EXPECT_EQ(count(page, "<img src=\"data:image/"), 3U);
    EXPECT_EQ(count(page, "<img src=\"data:image/jpeg;base64,/9gganBlZw==\""), 1U);
    EXPECT_EQ(count(page, " data-overlay"), 1U);
}

TEST(ExplainHtml, LongProofsGoOnBelow) {
    Explanation explanation = made_explanation();
    ExplainedProof chain;
    for (std::uint32_t i = 0; i < 1000; ++i)
        chain.steps.push_back(made_step("n(" + std::to_string(i) + ")", "", 0, 0.9, {i + 1}));
    chain.steps.push_back(made_leaf("end", "", ExplainedStep::Origin::Fact, 1));
    explanation.proofs = {chain};
    const std::string page = page_of(explanation);
    EXPECT_EQ(fault_of(page), "");
    EXPECT_EQ(count(page, "<ul class=\"tree\">"), count(page, "continued below") + 1);
    std::ptrdiff_t depth = 0;
    std::ptrdiff_t deepest = 0;
    for (std::size_t at = 0; (at = page.find('<', at)) != std::string::npos; ++at) {
        if (page.compare(at, 8, "<details") == 0) deepest = std::max(deepest, ++depth);
        if (page.compare(at, 9, "</details") == 0) --depth;
    }
    EXPECT_LT(deepest, 20);
}

TEST(ExplainHtml, WithoutFilesShowsTheClauses) {
    const Explanation explanation = made_explanation();
    ReportInput input = input_of(explanation);
    input.sources = {{"--query", "sad(X)"}};  // is no file
    const std::string page = to_html({&input, 1});
    EXPECT_EQ(fault_of(page), "");
    EXPECT_TRUE(has(page, "sad(X) :- cold(X), wet(X)."));
    EXPECT_FALSE(has(page, "--query"));
}

TEST(Base64, OfEveryLength) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

}  // namespace
}  // namespace neumann
