// Sessions: examples in, answers and explanations out.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "cli/reason_output.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

constexpr const char* wet = R"(
:- type(place, [garden, street]).
:- pred(wet(place)).
:- pred(dry(place)).
:- neural(rain(place)).
:- pred(sprinkler(place)).
0.5::sprinkler(garden).
0.9::wet(X) :- rain(X).
0.8::wet(X) :- sprinkler(X).
:- label(wet(garden)).
:- query(wet(X)).
)";

Model compiled(const ModelRequest& request) {
    return Model::parse(wet, {.inputs = request.inputs,
                              .grounding = request.all_atoms ? Grounding::Full : Grounding::Relevant,
                              .no_warnings = {"all"}});
}

constexpr const char* lines = R"json({"id": "a", "atoms": {"rain(garden)": 1}, "label": 1}
{"id": "b", "atoms": {"rain(street)": 0.5}, "label": 0}
{"id": "c", "atoms": {"rain(garden)": 0, "sprinkler(street)": 1}, "label": 1}
)json";

SessionOptions max_product() {
    SessionOptions options;
    options.reason.semantics = "max-product";
    options.reason.threads = 1;
    return options;
}

TEST(Session, AnswersExampleByExampleAndCountsWhatIsRight) {
    const TemporaryFolder folder;
    const auto source = open_examples(folder.write("x.jsonl", lines).string());
    Session session(compiled, max_product());
    ASSERT_EQ(session.answers().size(), 2U);
    EXPECT_EQ(session.answers()[0].text, "wet(garden)");
    session.count_right({});
    std::vector<std::string> told;
    const StreamSummary summary = session.run(*source, {.batch = 2}, [&](Session& with) {
        for (std::size_t e = 0; e < with.examples(); ++e) {
            std::string one = with.example(e).id;
            for (std::size_t i = 0; i < with.answers().size(); ++i)
                one += " " + with.answers()[i].text + " " + std::to_string(with.value(i, e)).substr(0, 4);
            told.push_back(one);
        }
        return true;
    });
    // The last one names a predicate that has no inputs of its own: the program is compiled again for it.
    EXPECT_EQ(told, (std::vector<std::string>{"\"a\" wet(garden) 0.90 wet(street) 0.00",
                                              "\"b\" wet(garden) 0.40 wet(street) 0.45",
                                              "\"c\" wet(garden) 0.40 wet(street) 0.80"}));
    EXPECT_EQ(summary.examples, 3U);
    EXPECT_TRUE(summary.complete);
    EXPECT_EQ(session.score().labels.right(), 2U);
    EXPECT_EQ(session.score().labels.all(), 3U);
}

TEST(Session, GradientsAndHistoryAreThoseOfTheProgram) {
    SessionOptions options = max_product();
    options.history = options.input_gradients = options.weight_gradients = true;
    options.weights = {0.9, 0.5};
    options.queries = {"wet(garden)"};
    Session session(compiled, options);
    session.run_own_facts();
    ASSERT_EQ(session.examples(), 1U);
    EXPECT_NEAR(session.value(0, 0), 0.25, 1e-6);
    session.differentiate(0);
    EXPECT_NEAR(session.weight_gradient(1, 0), 0.5, 1e-6);
    double by_sprinkler = 0;
    for (const AtomIndex atom : session.inputs(0))
        if (session.model().atom_name(atom) == "sprinkler(garden)") by_sprinkler = session.input_gradient(atom, 0);
    EXPECT_NEAR(by_sprinkler, 0.5, 1e-6);
    const std::vector<AtomIndex> asked = {*session.answers()[0].atom};
    const auto history = session.history(0, asked);
    EXPECT_EQ(history.front()[0], 0);
    EXPECT_NEAR(history.back()[0], 0.25, 1e-6);
    EXPECT_NE(history_svg({"wet(garden)"}, history).find("<svg"), std::string::npos);
}

TEST(Session, RefusesWeightsAndQueriesThatDoNotFit) {
    SessionOptions options = max_product();
    options.weights = {0.9};
    try {
        const Session session(compiled, options);
        FAIL() << "one weight for two clauses";
    } catch (const OptionError& error) {
        EXPECT_EQ(error.option(), "weights");
        EXPECT_EQ(error.text(), "1 weight given for 2 clauses");
        EXPECT_STREQ(error.what(), "error: weights: 1 weight given for 2 clauses");
    }
    options.weights = {0.9, 2};
    EXPECT_THROW(Session(compiled, options), Error);
    options = max_product();
    options.queries = {"damp(X)"};
    EXPECT_THROW(Session(compiled, options), Error);
}

TEST(ExplainSession, ExplainsWhatIsWanted) {
    const TemporaryFolder folder;
    const auto source = open_examples(folder.write("x.jsonl", lines).string());
    ExplainSessionOptions options;
    options.atoms = {"wet(garden)"};
    ExplainSession session(compiled, options);
    std::vector<std::string> told;
    const auto wanted = [](const Example& one) { return one.id != "\"b\""; };
    const auto take = [&](const Example& one, const Explanation& explanation) {
        told.push_back(one.id + " " + explanation.proofs.at(0).steps.at(1).atom);
    };
    session.run(*source, {}, {.wanted = wanted, .take = take});
    EXPECT_EQ(told, (std::vector<std::string>{"\"a\" rain(garden)", "\"c\" sprinkler(garden)"}));
}

TEST(ExplainSession, WhatNothingLeadsToIsLookedForAmongAllAtoms) {
    bool in_full = false;
    const auto maker = [&](const ModelRequest& request) {
        in_full = in_full || request.all_atoms;
        return Model::parse(
            ":- pred(p).\n:- pred(q).\n:- pred(r).\np :- q, r.\nq.\n:- query(p).\n",
            {.grounding = request.all_atoms ? Grounding::Full : Grounding::Relevant, .no_warnings = {"all"}});
    };
    ExplainSession session(maker, {});
    EXPECT_TRUE(in_full);
    std::size_t missing = 0;
    session.run_own_facts([&](const Explanation& one) { missing += one.why_not ? one.why_not->nearest.size() : 0; });
    EXPECT_EQ(missing, 1U);
}

TEST(KnownSemantics, DefaultsAreAmongThem) {
    std::size_t defaults = 0;
    for (const SemanticsSummary& one : known_semantics()) {
        defaults += one.name == default_semantics_name || one.name == learning_semantics_name ? 1 : 0;
        EXPECT_FALSE(one.summary.empty());
    }
    EXPECT_EQ(defaults, 2U);
    EXPECT_FALSE(known_kernels().empty());
}

}  // namespace
}  // namespace neumann
