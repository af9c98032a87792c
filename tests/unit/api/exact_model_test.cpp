// Models that carry their compiled circuit: shared by reasoners, saved and loaded.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/error.h>
#include <neumann/model.h>
#include <neumann/reasoner.h>
#include <neumann/session.h>

#include "unit/temporary_folder.h"

namespace neumann {
namespace {

constexpr const char* friends = R"(
0.3::stress(ann). 0.3::stress(bob). 0.4::red(X); 0.5::green(X) :- stress(X).
0.2::influences(X,Y) :- friend(X,Y).
friend(ann,bob). friend(bob,ann).
smokes(X) :- stress(X).
smokes(X) :- influences(Y,X), smokes(Y), \+ green(X).
:- query(smokes(_)). :- query(red(ann)).
:- evidence(red(bob), false).
)";

std::vector<float> answers(const Model& model, const std::vector<std::string>& atoms) {
    Reasoner reasoner(model, {.semantics = "exact"});
    const Values values = reasoner.forward(Batch(model, 1));
    std::vector<float> result;
    for (const std::string& atom : atoms) result.push_back(values.value(0, model.find_atom(atom).value()));
    return result;
}

TEST(ExactModel, ASavedCircuitGivesTheSameBits) {
    const TemporaryFolder folder;
    const std::vector<std::string> atoms{"smokes(ann)", "smokes(bob)", "red(ann)"};
    const Model model = Model::parse(friends);
    const std::vector<float> expected = answers(model, atoms);
    EXPECT_GT(model.compile_exact(), 2U);
    EXPECT_EQ(answers(model, atoms), expected);
    model.save(folder.path() / "with.nmg");
    EXPECT_EQ(answers(Model::load(folder.path() / "with.nmg"), atoms), expected);
}

// What was loaded is used: where compiling is out of the question, only it can answer.
TEST(ExactModel, ASavedCircuitIsNotCompiledAgain) {
    const TemporaryFolder folder;
    std::string grid;
    const auto node = [](int x, int y) { return "n" + std::to_string(x) + "_" + std::to_string(y); };
    for (int x = 0; x < 5; ++x) {
        for (int y = 0; y < 5; ++y) {
            if (x < 4) grid += "0.7::edge(" + node(x, y) + "," + node(x + 1, y) + ").\n";
            if (y < 4) grid += "0.7::edge(" + node(x, y) + "," + node(x, y + 1) + ").\n";
        }
    }
    grid += "path(X,Y) :- edge(X,Y). path(X,Y) :- edge(X,Z), path(Z,Y). :- query(path(n0_0,n4_4)).\n";
    const Model model = Model::parse(grid);
    model.compile_exact();
    model.save(folder.path() / "grid.nmg");
    const ReasonerOptions tight{.semantics = "exact", .memory_limit = 1U << 16U, .exact_method = "diagrams"};
    EXPECT_THROW(Reasoner(Model::parse(grid), tight), Error);
    EXPECT_NO_THROW(Reasoner(Model::load(folder.path() / "grid.nmg"), tight));
}

TEST(ExactModel, SessionsShareIt) {
    const Model model = Model::parse(friends);
    model.compile_exact();
    Session session([&](const ModelRequest&) { return model; }, {.reason = {.semantics = "exact"}});
    session.run_own_facts();
    ASSERT_EQ(session.answers().size(), 3U);
    EXPECT_FLOAT_EQ(static_cast<float>(session.value(0, 0)), answers(model, {session.answers()[0].text})[0]);
}

TEST(ExactModel, OtherQuestionsAreCompiledAnew) {
    const Model model = Model::parse(friends, {.queries = {"smokes(ann)"}});
    model.compile_exact();
    Reasoner reasoner(model, {.semantics = "exact"});
    std::vector<double> weights(reasoner.weights().begin(), reasoner.weights().end());
    EXPECT_NO_THROW(reasoner.set_weights(weights));
    EXPECT_EQ(reasoner.forward(Batch(model, 3)).examples(), 3U);
}

}  // namespace
}  // namespace neumann
