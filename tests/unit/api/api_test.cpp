// The public headers: what they promise, and that it is what the reasoner behind them computes.
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "compile/compile.h"
#include "reason/reasoner.h"
#include "reason/weights.h"
#include "unit/all_gradients.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

// Cyclic, weighted, with uncertain facts and an input; and something that no query needs.
constexpr const char* paths = R"(
:- type(node, [a, b, c, d]).
:- pred(edge(node, node)).
:- neural(open(node)).
:- neural(seen(node)).
:- pred(path(node, node)).
:- pred(noticed(node)).
edge(a, b).
0.9::edge(b, c).
0.8::edge(c, a).
path(X, Y) :- edge(X, Y), open(Y).
0.7::path(X, Z) :- path(X, Y), path(Y, Z).
noticed(X) :- seen(X).
:- query(path(a, Where)).
)";

// The text of the exception, which must be of exactly this kind.
template <class Exception, class Work>
std::string thrown(Work&& work) {
    try {
        work();
    } catch (const Exception& exception) {
        return exception.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}
template <class Work>
std::string error(Work&& work) {
    return thrown<Error>(work);
}
template <class Work>
std::string misuse(Work&& work) {
    return thrown<std::invalid_argument>(work);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::vector<std::string> names(const Model& model, const std::vector<AtomIndex>& atoms) {
    std::vector<std::string> result;
    for (const AtomIndex atom : atoms) result.push_back(model.atom_name(atom));
    return result;
}

std::vector<AtomIndex> all_atoms(const Model& model) {
    std::vector<AtomIndex> result;
    for (std::uint32_t a = 0; a < model.atom_count(); ++a) result.push_back(AtomIndex{a});
    return result;
}

// Three examples, more or less open.
Batch open_nodes(const Model& model) {
    Batch batch(model, 3);
    for (const char* node : {"open(a)", "open(b)", "open(c)"}) {
        batch.set(0, node, 1.0);
        batch.set(1, node, 0.5);
    }
    batch.set(2, "open(b)", 0.25);
    return batch;
}

std::vector<float> values_of(Reasoner& reasoner) {
    const Values values = reasoner.forward(open_nodes(reasoner.model()));
    std::vector<float> result;
    for (std::size_t e = 0; e < values.examples(); ++e) {
        for (const AtomIndex atom : all_atoms(reasoner.model())) result.push_back(values.value(e, atom));
    }
    return result;
}

std::vector<float> values_of(const Model& model) {
    Reasoner reasoner(model);
    return values_of(reasoner);
}

TEST(ApiModel, KnowsItsAtomsAndClauses) {
    const Model model = Model::parse(paths);
    for (const AtomIndex atom : all_atoms(model)) EXPECT_EQ(model.find_atom(model.atom_name(atom)), atom);
    EXPECT_EQ(names(model, model.matching("edge(X,Y)")),
              (std::vector<std::string>{"edge(a,b)", "edge(b,c)", "edge(c,a)"}));
    EXPECT_EQ(names(model, model.matching("path(X,X)")),
              (std::vector<std::string>{"path(a,a)", "path(b,b)", "path(c,c)"}));
    EXPECT_EQ(names(model, model.matching(" edge( a , b ) ")), std::vector<std::string>{"edge(a,b)"});
    EXPECT_TRUE(model.matching("path(d,X)").empty());
    EXPECT_EQ(model.find_atom("path(d,a)"), std::nullopt);
    EXPECT_EQ(model.find_atom("noticed(a)"), std::nullopt);

    EXPECT_EQ(model.queries(), std::vector<std::string>{"path(a,Where)"});
    ASSERT_EQ(model.clause_count(), 3U);
    EXPECT_EQ(model.clause_text(1), "0.7::path(X,Z) :- path(X,Y), path(Y,Z).");
    EXPECT_EQ(model.weight(0), 1.0);
    EXPECT_EQ(model.weight(1), 0.7);
    EXPECT_EQ(model.warnings(), "");
}

TEST(ApiModel, OptionsReachTheCompiler) {
    const Model relevant = Model::parse(paths);
    const Model full = Model::parse(paths, {.grounding = Grounding::Full, .threads = 2});
    EXPECT_LT(relevant.atom_count(), full.atom_count());
    EXPECT_EQ(full.atom_count(), 4U * 4 + 4 + 4 + 4 * 4 + 4);

    const Model asked = Model::parse(paths, {.queries = {"noticed(X)", "edge(a,X)"}});
    EXPECT_EQ(asked.queries(), (std::vector<std::string>{"noticed(X)", "edge(a,X)"}));
    EXPECT_TRUE(asked.find_atom("noticed(d)"));
    EXPECT_FALSE(asked.find_atom("path(a,b)"));

    EXPECT_FALSE(relevant.find_atom("edge(d,a)"));
    EXPECT_TRUE(Model::parse(paths, {.inputs = {"edge/2"}}).find_atom("edge(d,a)"));
    EXPECT_FALSE(Model::parse(paths, {.inputs = {"edge/2"}, .distinct = "edge/2"}).find_atom("edge(a,a)"));

    constexpr const char* even = ":- type(n, [0]). :- functor(s(n), n). :- max_depth(n, 9). :- pred(e(n)). e(0)."
                                 "e(s(X)) :- e(X).";
    EXPECT_EQ(Model::parse(even).atom_count(), 10U);
    EXPECT_EQ(Model::parse(even, {.term_depth = 3}).atom_count(), 4U);
    EXPECT_TRUE(
        has(error([&] { Model::parse(even, {.term_depth = 100000, .memory_limit = 1 << 16}); }), "[memory-limit]"));
}

TEST(ApiModel, FilesAndFoldersAreTextsToo) {
    const TemporaryFolder folder;
    const Model text = Model::parse(paths);
    const Model file = Model::compile(folder.write("paths.nm", paths));
    EXPECT_EQ(names(text, all_atoms(text)), names(file, all_atoms(file)));
    EXPECT_EQ(text.queries(), file.queries());
    EXPECT_EQ(values_of(text), values_of(file));

    folder.write("consts.txt", "color:red,blue\n");
    folder.write("preds.txt", "p:1:color\nq:1:color\n");
    folder.write("bk.txt", "p(red).\n");
    folder.write("clauses.txt", "q(X):-p(X).\n");
    folder.write("other.txt", "q(blue):-p(X).\n");
    EXPECT_TRUE(Model::compile(folder.path()).find_atom("q(red)"));
    EXPECT_TRUE(Model::compile(folder.path(), {.clauses_file = "other.txt"}).find_atom("q(blue)"));
}

TEST(ApiModel, SavedAndLoadedItIsTheSame) {
    const TemporaryFolder folder;
    const Model model = Model::parse(paths, {.inputs = {"edge/2"}});
    model.find_atom("path(d,d)");  // a term that is in no atom of the graph
    model.save(folder.path() / "paths.nmg");
    const Model loaded = Model::load(folder.path() / "paths.nmg");
    EXPECT_EQ(names(model, all_atoms(model)), names(loaded, all_atoms(loaded)));
    EXPECT_EQ(loaded.queries(), model.queries());
    ASSERT_EQ(loaded.clause_count(), model.clause_count());
    EXPECT_EQ(loaded.clause_text(1), model.clause_text(1));
    EXPECT_EQ(loaded.weight(1), model.weight(1));
    EXPECT_EQ(values_of(model), values_of(loaded));
}

TEST(ApiModel, SaysWhatIsWrongWithAProgram) {
    constexpr const char* wrong = ":- type(color, [red]).\n:- pred(p(color)).\np(rd).\np(X) :- q(X).\n";
    EXPECT_EQ(error([&] { Model::parse(wrong, {}, "my.nm"); }),
              "my.nm:3:3-4: error: unknown constant 'rd' of type 'color' [unknown-constant]\n"
              "  3 | p(rd).\n"
              "    |   ^^\n"
              "    = did you mean 'red'?\n"
              "my.nm:4:9: error: unknown predicate 'q/1' [unknown-predicate]\n"
              "  4 | p(X) :- q(X).\n"
              "    |         ^\n"
              "    = it has no facts and no clauses; if examples give it values, declare it: :- neural(q(color)).");
    EXPECT_TRUE(has(error([] { Model::parse(paths, {.queries = {"path(a,e)"}}); }), "unknown constant 'e'"));
    EXPECT_TRUE(has(error([] { Model::parse(paths, {.inputs = {"egde/2"}}); }), "did you mean 'edge/2'?"));
    EXPECT_TRUE(has(error([] { Model::compile("no/such/program.nm"); }), "no/such/program.nm: error: no such file"));
    EXPECT_TRUE(has(Model::parse(":- pred(p). :- pred(q). p. q :- p. q :- p.").warnings(), "[duplicate-clause]"));
}

TEST(ApiModel, SaysWhatIsWrongWithAFile) {
    const TemporaryFolder folder;
    EXPECT_TRUE(has(error([&] { Model::load(folder.path() / "none.nmg"); }), "error: cannot"));
    EXPECT_TRUE(has(error([&] { Model::load(folder.write("text.nmg", paths)); }), "[damaged-file]"));
    const Model model = Model::parse(paths);
    EXPECT_TRUE(has(error([&] { model.save(folder.path() / "none" / "model.nmg"); }), "error: cannot"));
}

TEST(ApiModel, SaysWhatIsWrongWithAnAtom) {
    const Model model = Model::parse(paths);
    EXPECT_EQ(error([&] { model.find_atom("pth(a,b)"); }),
              "atom:1:1-3: error: unknown predicate 'pth/2' [unknown-predicate]\n"
              "  1 | pth(a,b)\n"
              "    | ^^^\n"
              "    = did you mean 'path/2'?");
    EXPECT_TRUE(has(error([&] { model.matching("path(a,"); }), "atom:1:"));
    EXPECT_TRUE(has(error([&] { model.find_atom("path(a,X)"); }), "has variables"));
    EXPECT_TRUE(has(error([&] { model.find_atom(""); }), "error"));
    const auto beyond = static_cast<std::uint32_t>(model.atom_count());
    EXPECT_EQ(misuse([&] { (void)model.atom_name(AtomIndex{beyond}); }),
              "there is no atom " + std::to_string(beyond) + " among " + std::to_string(beyond));
    EXPECT_EQ(misuse([&] { (void)model.clause_text(3); }), "there is no clause 3 among 3");
    EXPECT_EQ(misuse([&] { (void)model.weight(3); }), "there is no clause 3 among 3");
}

TEST(ApiModel, CopiesMayBeUsedFromSeveralThreads) {
    const Model model = Model::parse(paths, {.inputs = {"edge/2"}});
    const std::vector<float> expected = values_of(model);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([copy = model, &expected] {
            for (const char* text : {"path(a,b)", "path(d,d)", "path(c,b)"}) (void)copy.find_atom(text);
            EXPECT_EQ(copy.matching("edge(X,X)").size(), 4U);
            EXPECT_EQ(values_of(copy), expected);
        });
    }
}

TEST(ApiBatch, TakesProbabilitiesOfAtoms) {
    const Model model = Model::parse(paths);
    Batch batch(model, 2);
    EXPECT_EQ(batch.examples(), 2U);
    const AtomIndex open = model.find_atom("open(b)").value();
    EXPECT_EQ(misuse([&] { batch.set(0, open, 1.5); }), "the value 1.5 in example 0 is not in [0,1]");
    EXPECT_EQ(misuse([&] { batch.set(1, "open(b)", -0.25); }), "the value -0.25 in example 1 is not in [0,1]");
    EXPECT_TRUE(has(misuse([&] { batch.set(0, open, std::numeric_limits<double>::quiet_NaN()); }), "nan"));
    EXPECT_EQ(misuse([&] { batch.set(2, open, 0.5); }), "there is no example 2 among 2");
    EXPECT_TRUE(has(misuse([&] { batch.set(0, AtomIndex{99}, 0.5); }), "there is no atom 99"));
    EXPECT_TRUE(has(error([&] { batch.set(0, "opn(b)", 0.5); }), "did you mean 'open/1'?"));
    // It was left out because it could never be true.
    EXPECT_TRUE(has(error([&] { batch.set(0, "edge(d,a)", 0.5); }), "as if edge/2 had no values of its own"));
    const Model distinct = Model::parse(paths, {.distinct = "open/1,edge/2"});
    Batch beyond(distinct, 1);
    EXPECT_TRUE(has(error([&] { beyond.set(0, "edge(a,a)", 0.5); }), "beyond the bounds"));

    // Nothing of this has left a trace; a value that no query depends on leaves none either.
    batch.set(0, "seen(a)", 0.5);
    batch.set(1, open, 0.1);
    batch.set(1, open, 0.5);  // the last one counts
    Reasoner reasoner(model);
    const Values values = reasoner.forward(batch);
    EXPECT_EQ(values.value(0, open), 0.0F);
    EXPECT_EQ(values.value(1, open), 0.5F);
    EXPECT_EQ(values.value(0, model.find_atom("edge(b,c)").value()), 0.9F);
}

TEST(ApiReasoner, ComputesWhatTheGraphReasonerComputes) {
    const TemporaryFolder folder;
    LoadedProgram program;
    Diagnostics diagnostics;
    ASSERT_TRUE(compile(folder.write("paths.nm", paths), {}, diagnostics, program));
    const Model model = Model::parse(paths);
    for (const SemanticsInfo& semantics : all_semantics()) {
        SCOPED_TRACE(semantics.name);
        const std::optional<std::uint32_t> steps = semantics.needs_steps ? std::optional(4U) : std::nullopt;
        Reasoner reasoner(model, {.semantics = std::string(semantics.name), .gamma = 0.05, .steps = steps});
        ReasonOptions options;
        options.semantics = semantics.semantics;
        options.gamma = 0.05;
        options.steps = steps;
        const auto behind = make_reasoner(program.compiled.ground.graph, options);
        const std::vector<double> weights = {0.6, 0.5, 0.4};
        reasoner.set_weights(weights);
        EXPECT_EQ(std::vector<double>(reasoner.weights().begin(), reasoner.weights().end()), weights);

        const AtomIndex open = model.find_atom("open(b)").value();
        const AtomIndex answer = model.find_atom("path(a,c)").value();
        Batch batch(model, 2);
        batch.set(1, open, 0.75);
        InputBatch::Builder inputs(2);
        inputs.add(1, static_cast<std::uint32_t>(open), 0.75F);
        const Values values = reasoner.forward(batch, Retain::History);
        const Pass pass = behind->forward(inputs.build(), weights, {.keep = Keep::HistoryAndBackward});
        OutputGradients output(2);
        output.add(0, answer, 1.0);
        output.add(1, answer, 0.5);
        output.add(1, answer, -2.0);
        InputBatch::Builder seeds(2);
        seeds.add(0, static_cast<std::uint32_t>(answer), 1.0F);
        seeds.add(1, static_cast<std::uint32_t>(answer), -1.5F);
        const Gradients gradients = reasoner.backward(values, output);
        const AllGradients expected(*behind, pass, seeds.build());

        ASSERT_EQ(values.examples(), 2U);
        ASSERT_EQ(gradients.examples(), 2U);
        for (std::size_t e = 0; e < 2; ++e) {
            EXPECT_EQ(values.steps(e), pass.steps(e));
            std::vector<std::uint32_t> numbers(model.atom_count());
            std::iota(numbers.begin(), numbers.end(), 0U);
            EXPECT_EQ(reasoner.history(values, e, all_atoms(model)), pass.history<float>(e, numbers));
            for (const std::uint32_t a : numbers) {
                EXPECT_EQ(values.value(e, AtomIndex{a}), pass.value(a, e));
                EXPECT_EQ(gradients.input(e, AtomIndex{a}), expected.input(a, e));
            }
            for (std::uint32_t k = 0; k < 3; ++k) EXPECT_EQ(gradients.weight(e, k), expected.weight(k, e));
        }
        EXPECT_EQ(gradients.weight_sums(),
                  (std::vector{expected.weight_sum(0), expected.weight_sum(1), expected.weight_sum(2)}));
    }
}

TEST(ApiReasoner, UsesMemoryAgain) {
    const Model model = Model::parse(paths);
    const AtomIndex answer = model.find_atom("path(a,c)").value();
    Reasoner reasoner(model);
    Reasoner other(model, {.semantics = "godel", .steps = 7});
    const Batch batch = open_nodes(model);
    const float expected = reasoner.forward(batch).value(1, answer);
    Values values = reasoner.forward(Batch(model, 40), Retain::History);
    values = reasoner.forward(batch, Retain::Backward, std::move(values));
    EXPECT_EQ(values.examples(), 3U);
    EXPECT_EQ(values.value(1, answer), expected);
    // What another reasoner made serves as well.
    values = other.forward(batch, Retain::History, std::move(values));
    values = reasoner.forward(batch, Retain::Backward, std::move(values));
    EXPECT_EQ(values.value(1, answer), expected);

    OutputGradients output(3);
    output.add(1, answer, 1.0);
    Gradients gradients = reasoner.backward(values, output);
    const std::vector<double> sums = gradients.weight_sums();
    gradients = reasoner.backward(values, OutputGradients(3), std::move(gradients));
    EXPECT_EQ(gradients.weight_sums(), std::vector<double>(3, 0.0));
    gradients = reasoner.backward(values, output, std::move(gradients));
    EXPECT_EQ(gradients.weight_sums(), sums);

    // A reasoner can move, and what it computed remains its own.
    Reasoner moved = std::move(reasoner);
    EXPECT_EQ(moved.backward(values, output).weight_sums(), sums);
}

TEST(ApiReasoner, RefusesWrongCalls) {
    const Model model = Model::parse(paths);
    const auto options = [&](const ReasonerOptions& given) { return misuse([&] { Reasoner(model, given); }); };
    EXPECT_EQ(options({.semantics = "sofftor"}), "there is no semantics 'sofftor'; did you mean 'softor'?");
    EXPECT_TRUE(has(options({.gamma = 0.0}), "gamma"));
    EXPECT_TRUE(has(options({.semantics = "paper"}), "number of steps"));
    EXPECT_TRUE(has(options({.kernel = "abacus"}), "no kernel 'abacus'"));

    Reasoner reasoner(model);
    EXPECT_TRUE(has(misuse([&] { reasoner.set_weights(std::vector{0.5}); }), "1 weights given for 3 clauses"));
    EXPECT_TRUE(has(misuse([&] { reasoner.set_weights(std::vector{0.5, 2.0, 0.5}); }), "weight 2"));
    EXPECT_EQ(reasoner.weights()[1], 0.7);
    EXPECT_TRUE(has(misuse([&] { reasoner.forward(Batch(Model::parse(paths), 1)); }), "another model"));

    const std::vector<AtomIndex> atoms = all_atoms(model);
    const Batch batch(model, 2);
    const Values results = reasoner.forward(batch);
    EXPECT_EQ(misuse([&] { (void)results.value(2, atoms[0]); }), "there is no example 2 among 2");
    EXPECT_TRUE(has(misuse([&] { (void)results.value(0, AtomIndex{99}); }), "there is no atom 99"));
    EXPECT_EQ(misuse([&] { (void)results.steps(2); }), "there is no example 2 among 2");
    EXPECT_TRUE(has(misuse([&] { reasoner.backward(results, OutputGradients(2)); }), "did not keep"));
    EXPECT_TRUE(has(misuse([&] { reasoner.history(results, 0, atoms); }), "did not keep its history"));

    const Values kept = reasoner.forward(batch, Retain::History);
    EXPECT_TRUE(has(misuse([&] { reasoner.backward(kept, OutputGradients(3)); }), "3 examples given to a pass of 2"));
    EXPECT_TRUE(has(misuse([&] { reasoner.history(kept, 2, atoms); }), "there is no example 2"));
    EXPECT_TRUE(has(misuse([&] { reasoner.history(kept, 0, std::vector{AtomIndex{99}}); }), "there is no atom 99"));
    OutputGradients output(2);
    EXPECT_TRUE(has(misuse([&] { output.add(2, atoms[0], 1.0); }), "there is no example 2"));
    EXPECT_TRUE(has(misuse([&] { output.add(0, atoms[0], 1e300); }), "not finite"));
    output.add(0, AtomIndex{99}, 1.0);
    EXPECT_TRUE(has(misuse([&] { reasoner.backward(kept, output); }), "there is no atom 99"));

    const Gradients gradients = reasoner.backward(kept, OutputGradients(2));
    EXPECT_TRUE(has(misuse([&] { (void)gradients.input(2, atoms[0]); }), "there is no example 2"));
    EXPECT_TRUE(has(misuse([&] { (void)gradients.input(0, AtomIndex{99}); }), "there is no atom 99"));
    EXPECT_EQ(misuse([&] { (void)gradients.weight(0, 3); }), "there is no clause 3 among 3");

    Reasoner other(model);
    EXPECT_TRUE(has(misuse([&] { other.backward(kept, OutputGradients(2)); }), "not computed by this reasoner"));
    EXPECT_TRUE(has(misuse([&] { other.history(Values(), 0, atoms); }), "not computed by this reasoner"));
}

// From arrays to arrays, with the weights that the values were computed with.
TEST(ApiReasoner, RunsOverArrays) {
    const Model model = Model::parse(paths);
    const std::vector<AtomIndex> inputs = {model.find_atom("open(b)").value()};
    const std::vector<AtomIndex> outputs = {model.find_atom("path(a,b)").value(), model.find_atom("open(b)").value()};
    Reasoner reasoner(model);
    const std::vector<float> given = {0.75F, 0.25F, 0.5F};
    std::vector<float> results(6);
    const Values values = reasoner.forward(3, inputs, given, outputs, results, Retain::Backward);
    Batch batch(model, 3);
    OutputGradients output(3);
    const std::vector<float> seeds = {1, 0, 0.5F, 0.25F, -1, 0};
    for (std::size_t e = 0; e < 3; ++e) {
        batch.set(e, inputs[0], given[e]);
        for (std::size_t q = 0; q < 2; ++q) output.add(e, outputs[q], seeds[e * 2 + q]);
    }
    const Values one_by_one = reasoner.forward(batch, Retain::Backward);
    const Gradients expected = reasoner.backward(one_by_one, output);

    reasoner.set_weights(std::vector{0.5, 0.5, 0.5});
    reasoner.forward(batch, Retain::Backward);
    std::vector<float> by_input(3);
    std::vector<double> by_weight(3, 7.0);
    reasoner.backward(values, outputs, seeds, inputs, by_input, by_weight);
    for (std::size_t e = 0; e < 3; ++e) {
        for (std::size_t q = 0; q < 2; ++q) EXPECT_EQ(results[e * 2 + q], one_by_one.value(e, outputs[q]));
        EXPECT_EQ(by_input[e], expected.input(e, inputs[0]));
    }
    EXPECT_EQ(by_weight, expected.weight_sums());
    EXPECT_EQ(reasoner.backward(one_by_one, output).weight_sums(), by_weight);

    EXPECT_TRUE(has(misuse([&] { reasoner.forward(2, inputs, given, outputs, results); }), "3 numbers given"));
    EXPECT_TRUE(has(misuse([&] { reasoner.forward(3, inputs, given, inputs, results); }), "room for 6 values"));
    EXPECT_TRUE(
        has(misuse([&] { reasoner.forward(1, std::vector{AtomIndex{99}}, std::vector{0.5F}, {}, {}); }), "no atom 99"));
    EXPECT_TRUE(has(misuse([&] { reasoner.backward(values, outputs, given, inputs, by_input, {}); }), "3 numbers"));
    EXPECT_TRUE(has(misuse([&] { reasoner.backward(values, outputs, seeds, inputs, results, {}); }), "room for 6"));
    std::vector<double> one(1);
    EXPECT_TRUE(has(misuse([&] { reasoner.backward(values, outputs, seeds, {}, {}, one); }), "room for 1"));
}

TEST(ApiReasoner, OfNoExamplesThereIsNothingToAsk) {
    EXPECT_EQ(Values().examples(), 0U);
    EXPECT_EQ(Gradients().examples(), 0U);
    EXPECT_TRUE(Gradients().weight_sums().empty());
    EXPECT_EQ(misuse([] { (void)Values().value(0, AtomIndex{0}); }), "there is no example 0 among 0");
    const Model model = Model::parse(paths);
    EXPECT_EQ(Reasoner(model).forward(Batch(model, 0)).examples(), 0U);
}

TEST(ApiSlotWeights, AreTheWeightComposition) {
    const std::vector<double> logits = {0.1, 2.0, -1.0, 0.3, -0.2, 1.0};
    const std::vector<double> gradient = {1.0, -0.5, 0.25};
    for (const bool leak_free : {true, false}) {
        const SlotWeights slots{.clauses = 3, .slots = 2, .gamma = 0.1, .leak_free = leak_free};
        const WeightComposition behind{.slots = 2, .gamma = 0.1, .leak_free = leak_free};
        EXPECT_EQ(slots.compose(logits), behind.compose(logits, 3));
        EXPECT_EQ(slots.gradient(logits, gradient), behind.compose_gradient(logits, 3, gradient));
    }
    EXPECT_TRUE(has(misuse([&] { (void)SlotWeights{.clauses = 4, .slots = 2}.compose(logits); }), "6 logits"));
    EXPECT_TRUE(
        has(misuse([&] { (void)SlotWeights{.clauses = 3, .slots = 2}.gradient(logits, logits); }), "6 weights"));
}

}  // namespace
}  // namespace neumann
