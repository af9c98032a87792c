#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/neumann.h>

namespace neumann {
namespace {

const std::string things = R"(
:- type(thing, [it]).  :- type(colour, [red, blue]).  :- neural(colour(thing, colour)).  :- pred(good(thing)).
:- modeb(1, colour(+thing, #colour)).  :- learn(good/1, 2).
)";

std::vector<std::string> texts(const ClauseLanguage& language, const std::vector<std::size_t>& clauses) {
    std::vector<std::string> result;
    for (const std::size_t clause : clauses) result.push_back(language.text(clause));
    std::ranges::sort(result);
    return result;
}

TEST(ClauseLanguage, GoesFromTheMostGeneralClausesToTheirSpecialisations) {
    ClauseLanguage language(things);
    EXPECT_EQ(language.targets(), (std::vector<std::pair<std::string, std::uint32_t>>{{"good/1", 2}}));
    const std::vector<std::size_t> first = language.first();
    EXPECT_EQ(texts(language, first), std::vector<std::string>{"good(X)."});
    const std::vector<std::size_t> next = language.refine(first[0]);
    EXPECT_EQ(texts(language, next),
              (std::vector<std::string>{"good(X) :- colour(X,blue).", "good(X) :- colour(X,red)."}));
    EXPECT_EQ(language.predicate(next[0]), "good/1");
    EXPECT_EQ(language.goals(next[0]), 1U);
    EXPECT_TRUE(language.refine(next[0]).empty());  // one goal, as the recall says
    EXPECT_EQ(language.refine(first[0]), next);     // the same numbers again
    EXPECT_THROW(language.text(99), std::invalid_argument);
}

TEST(ClauseLanguage, LeavesOutClausesOfWhatIsLearned) {
    const ClauseLanguage language(things + "good(X) :- colour(X,red). fine(X) :- good(X).");
    EXPECT_EQ(language.background().find("good(X) :- colour"), std::string::npos);
    EXPECT_NE(language.background().find("fine(X) :- good(X)."), std::string::npos);
}

TEST(ClauseLanguage, ShortensToAnEquivalentClause) {
    ClauseLanguage language(R"(
:- type(thing, [a, b]).  :- type(place, [here]).  :- neural(in(thing, place)).  :- pred(full(place)).
:- modeb(2, in(-thing, +place)).  :- learn(full/1, 1).  :- initial((full(X) :- in(A, X), in(B, X))).
)");
    EXPECT_EQ(language.shortest_text(language.first().at(0)), "full(X) :- in(T1,X).");
}

TEST(ClauseLanguage, RefusesProgramsThatCannotBeLearned) {
    EXPECT_THROW(ClauseLanguage("a :- b. b."), Error);
    EXPECT_THROW(ClauseLanguage(":- learn(p/1, 1)"), Error);
}

TEST(Datasets, NameTheProblem) {
    EXPECT_EQ(dataset_problem("kandinsky", "twopairs"), "");
    EXPECT_NE(dataset_problem("kandinsky", "two-pairs").find("did you mean 'twopairs'?"), std::string::npos);
    EXPECT_NE(dataset_problem("kandinsky", "").find("needs a pattern"), std::string::npos);
    EXPECT_NE(dataset_problem("clevr-hans", "x").find("has no patterns"), std::string::npos);
    EXPECT_THROW(generate_dataset({.name = "kandinsky", .pattern = "two-pairs"}, "unused"), Error);
}

// Every engine ends when it is to stop, and not otherwise.
TEST(LimitedRun, StopsReasoning) {
    const Model model = Model::parse(":- neural(a). 0.5::b :- a. c :- b.", {.queries = {"c"}});
    const std::optional<AtomIndex> input = model.find_atom("a");
    const std::optional<AtomIndex> output = model.find_atom("c");
    std::vector<float> one{0.5F};
    std::vector<double> precise{0.5};
    for (const char* semantics : {"softor", "noisy-or", "exact", "topk", "sample"}) {
        const ArrayReasoner reasoner(model, {.inputs = {input}, .outputs = {output}}, {.semantics = semantics});
        std::vector<float> to(1);
        std::vector<double> precisely(1);
        std::atomic<bool> stop{false};
        const LimitedRun run({.stop = &stop});
        EXPECT_NO_THROW(reasoner.forward(1, one, {}, to));
        stop = true;
        EXPECT_THROW(reasoner.forward(1, one, {}, to), LimitReached) << semantics;
        EXPECT_THROW(reasoner.forward(1, precise, {}, precisely), LimitReached) << semantics;
    }
}

}  // namespace
}  // namespace neumann
