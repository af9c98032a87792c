// Graphs of candidates, which are run in two parts, against one plain reasoner on the whole graph.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "learn/evaluate/candidate_graph.h"
#include "oracle/cases.h"
#include "oracle/every_semantics.h"
#include "oracle/learning_trial.h"
#include "oracle/random_vocabulary.h"
#include "oracle/values.h"
#include "reason/reasoner.h"
#include "reason/reference/reference.h"
#include "unit/all_gradients.h"

namespace neumann::oracle {
namespace {

constexpr double same = 1e-5;  // relative

// Where there are kinks, a weight of 0 makes ties of conjunctions that are 0 for other reasons, and leaving out what is
// impossible changes who is the first of them.
TrialShape shape_for(Semantics semantics) {
    TrialShape shape;
    shape.zeros = info(semantics).smooth;
    return shape;
}

const CrossEntropy loss{0.01};

// What one reasoner makes of the whole graph.
struct Plain {
    std::vector<float> values;  // per target
    double loss = 0;
    std::vector<double> by_weight;
    std::vector<double> scale;  // per candidate: the sum of the sizes of what was added up
};

Plain run_plain(const LearningTrial& trial, const ReasonOptions& options, std::span<const std::uint32_t> examples,
                std::optional<bool> only = std::nullopt) {
    const Dataset& data = trial.data();
    const auto reasoner = make_reasoner(trial.whole(), options);
    InputBatch::Builder inputs(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
        for (const AtomValue& input : data.inputs(examples[i])) inputs.add(i, input.atom, input.value);
    }
    const Pass pass = reasoner->forward(inputs.build(), reasoner->own_weights(), {.keep = Keep::Backward});
    Plain result;
    result.values.resize(data.target_count(), -1.0F);
    // One label at a time, to know how much is added up and cancels.
    result.by_weight.resize(trial.candidates().size(), 0.0);
    result.scale.resize(trial.candidates().size(), 0.0);
    for (const bool positive : {true, false}) {
        InputBatch::Builder by_result(examples.size());
        for (std::size_t i = 0; i < examples.size(); ++i) {
            for (std::size_t t = data.first_target(examples[i]); t < data.end_target(examples[i]); ++t) {
                const Dataset::Target& target = data.target(t);
                const bool known = target.atom != LearningProblem::no_atom_number;
                const float value = known ? pass.value(target.atom, i) : 0.0F;
                result.values[t] = value;
                if (target.positive != positive || (only && *only != positive)) continue;
                const double weight = trial.target_weights()[t];
                result.loss += weight * loss.loss(static_cast<double>(value), positive);
                const double slope = weight * loss.slope(static_cast<double>(value), positive);
                if (known) by_result.add(i, target.atom, static_cast<float>(slope));
            }
        }
        const AllGradients gradients(*reasoner, pass, by_result.build());
        for (std::size_t k = 0; k < result.by_weight.size(); ++k) {
            for (std::size_t i = 0; i < examples.size(); ++i) {
                const auto part =
                    static_cast<double>(gradients.weight(trial.first_clause() + static_cast<std::uint32_t>(k), i));
                result.by_weight[k] += part;
                result.scale[k] += std::abs(part);
            }
        }
    }
    return result;
}

std::string compare_gradients(const char* what, const Plain& expected, const CandidateGraph::Gradient& actual,
                              const std::vector<double>& scale) {
    if (std::abs(actual.loss - expected.loss) > same * (std::abs(expected.loss) + 1e-3))
        return fmt::format("{}: the loss is {} instead of {}", what, actual.loss, expected.loss);
    for (std::size_t k = 0; k < expected.by_weight.size(); ++k) {
        if (std::abs(actual.by_weight[k] - expected.by_weight[k]) > same * (scale[k] + 1e-3))
            return fmt::format("{}: the gradient of candidate {} is {} instead of {}", what, k, actual.by_weight[k],
                               expected.by_weight[k]);
    }
    return {};
}

std::string compare_values(const std::vector<float>& expected, const std::vector<float>& actual) {
    for (std::size_t t = 0; t < expected.size(); ++t) {
        if (std::abs(static_cast<double>(actual[t]) - static_cast<double>(expected[t])) >
            same * (std::abs(static_cast<double>(expected[t])) + 1e-3))
            return fmt::format("target {} is {} instead of {}", t, actual[t], expected[t]);
    }
    return {};
}

ReasonOptions options_for(Semantics semantics) {
    ReasonOptions options;
    options.semantics = semantics;
    return options;
}

// Whether a candidate that has a gradient derives an atom that depends on no input.
bool learns_in_fixed_part(const LearningTrial& trial, const Plain& plain) {
    const ReasoningGraph graph = trial.whole();
    std::vector<bool> open = trial.problem().is_input();
    for (bool more = true; more;) {
        more = false;
        for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
            if (open[graph.head[c]]) continue;
            open[graph.head[c]] =
                std::ranges::any_of(graph.literals(c), [&](GraphLiteral l) { return open[l.atom()]; });
            more = more || open[graph.head[c]];
        }
    }
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        if (open[graph.head[c]] || graph.clause[c] < trial.first_clause()) continue;
        if (plain.scale[graph.clause[c] - trial.first_clause()] > 0) return true;
    }
    return false;
}

std::string check_parts(const LearningTrial& trial, Semantics semantics, std::size_t* fixed = nullptr) {
    const std::vector<std::uint32_t> all = all_examples(trial.data());
    const ReasonOptions options = options_for(semantics);
    const Plain plain = run_plain(trial, options, all);
    if (fixed != nullptr) *fixed += learns_in_fixed_part(trial, plain) ? 1 : 0;
    CandidateGraph graph = trial.graph(options);
    std::vector<float> values;
    graph.predict(trial.data(), values);
    if (std::string wrong = compare_values(plain.values, values); !wrong.empty()) return wrong;
    const auto gradient = graph.gradient(trial.data(), all, trial.target_weights(), loss);
    if (std::string wrong = compare_gradients("all", plain, gradient, plain.scale); !wrong.empty()) return wrong;
    const auto split = graph.split_gradient(trial.data(), all, trial.target_weights(), loss);
    if (std::string wrong =
            compare_gradients("positive", run_plain(trial, options, all, true), split.positive, plain.scale);
        !wrong.empty())
        return wrong;
    if (std::string wrong =
            compare_gradients("negative", run_plain(trial, options, all, false), split.negative, plain.scale);
        !wrong.empty())
        return wrong;
    CandidateGraph::Gradient sum = split.positive;
    sum.loss += split.negative.loss;
    for (std::size_t k = 0; k < sum.by_weight.size(); ++k) sum.by_weight[k] += split.negative.by_weight[k];
    return compare_gradients("positive and negative", plain, sum, plain.scale);
}

class CandidateGraphSemantics : public testing::TestWithParam<Semantics> {};

TEST_P(CandidateGraphSemantics, TwoPartsAreAsGoodAsOne) {
    check_programs(30'000'000, 100, [](const Case& one) {
        return is_acyclic(one.brute) ? check_parts(LearningTrial(one.text, one.seed, shape_for(GetParam())), GetParam())
                                     : "";
    });
}

TEST_P(CandidateGraphSemantics, LayersInTwoPartsAreAsGoodAsOne) {
    constexpr std::uint64_t first = 31'000'000;
    constexpr std::uint64_t count = 150;
    std::cout << "seeds " << first << " to " << first + count - 1 << std::endl;
    std::size_t fixed = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Rng rng(seed);
        const std::string text = random_layers(rng);
        const LearningTrial trial(text, seed, shape_for(GetParam()));
        ASSERT_EQ(check_parts(trial, GetParam(), &fixed), "") << "seed " << seed << "\n" << text;
    }
    EXPECT_GT(fixed, count / 5) << "it is about gradients that pass from one part to the other";
}

INSTANTIATE_TEST_SUITE_P(CandidateGraphOracle, CandidateGraphSemantics, every_semantics(&SemanticsLaws::for_learning),
                         semantics_name);

// The loss as a function of the candidates' weights, in double precision, by other code.
class DoubleLoss {
public:
    DoubleLoss(const LearningTrial& trial, Semantics semantics)
        : trial_(trial), graph_(trial.whole()), reasoner_(graph_, semantics, default_gamma, schedule(graph_)) {}

    double operator()(const std::vector<double>& candidate_weights) const {
        std::vector<double> weights(graph_.weight.begin(), graph_.weight.end());
        std::ranges::copy(candidate_weights, weights.begin() + trial_.first_clause());
        const Dataset& data = trial_.data();
        double sum = 0;
        for (std::size_t e = 0; e < data.size(); ++e) {
            std::vector<double> initial(graph_.initial.begin(), graph_.initial.end());
            for (const AtomValue& input : data.inputs(e)) initial[input.atom] = input.value;
            const ReferenceRun run = reasoner_.forward(weights, initial);
            for (std::size_t t = data.first_target(e); t < data.end_target(e); ++t) {
                const std::uint32_t atom = data.target(t).atom;
                const double value = atom == LearningProblem::no_atom_number ? 0 : run.result()[atom];
                sum += trial_.target_weights()[t] * loss.loss(value, data.target(t).positive);
            }
        }
        return sum;
    }

private:
    static Schedule schedule(const ReasoningGraph& graph) { return automatic_schedule(graph, find_levels(graph)); }

    const LearningTrial& trial_;
    ReasoningGraph graph_;
    ReferenceReasoner reasoner_;
};

class CandidateGraphSlopes : public testing::TestWithParam<Semantics> {};

TEST_P(CandidateGraphSlopes, TheGradientIsTheSlopeOfTheLoss) {
    constexpr std::uint64_t first = 32'000'000;
    constexpr std::uint64_t count = 40;
    constexpr double h = 1e-6;
    std::cout << "seeds " << first << " to " << first + count - 1 << std::endl;
    std::size_t kinks = 0;
    std::size_t checked = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Rng rng(seed);
        const std::string text = random_layers(rng);
        const LearningTrial trial(text, seed, {});
        CandidateGraph graph = trial.graph(options_for(GetParam()));
        const std::vector<std::uint32_t> all = all_examples(trial.data());
        const auto gradient = graph.gradient(trial.data(), all, trial.target_weights(), loss);
        const std::vector<double> scale = run_plain(trial, options_for(GetParam()), all).scale;
        const DoubleLoss double_loss(trial, GetParam());
        const double here = double_loss(trial.weights());
        EXPECT_NEAR(gradient.loss, here, 1e-4 * (1 + here)) << "seed " << seed;
        for (std::size_t k = 0; k < trial.weights().size(); ++k) {
            std::vector<double> weights = trial.weights();
            weights[k] -= h;
            const double below = (here - double_loss(weights)) / h;
            double slope = below;
            if (trial.weights()[k] < 1) {
                weights[k] = trial.weights()[k] + h;
                const double above = (double_loss(weights) - here) / h;
                slope = 0.5 * (below + above);
                if (std::abs(above - below) > 1e-3 * (scale[k] + 1e-3)) {
                    ++kinks;
                    continue;
                }
            }
            ++checked;
            EXPECT_NEAR(gradient.by_weight[k], slope, 1e-2 * std::abs(slope) + 1e-3 * scale[k] + 1e-6)
                << "candidate " << k << ", seed " << seed << "\n"
                << text;
        }
    }
    EXPECT_GT(checked, 100U);
    EXPECT_LE(kinks, info(GetParam()).smooth ? 0 : checked / 10);
}

INSTANTIATE_TEST_SUITE_P(CandidateGraphOracle, CandidateGraphSlopes,
                         testing::Values(semantics_named("noisy-or"), semantics_named("clausewise")), semantics_name);

TEST(CandidateGraphOracle, WeightsCanBeSetAsOftenAsOneLikes) {
    constexpr std::uint64_t first = 33'000'000;
    constexpr std::uint64_t count = 40;
    std::cout << "seeds " << first << " to " << first + count - 1 << std::endl;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Rng rng(seed);
        const std::string text = random_layers(rng);
        const LearningTrial trial(text, seed, {});
        const std::vector<std::uint32_t> all = all_examples(trial.data());
        CandidateGraph used = trial.graph(options_for(semantics_named("noisy-or")));
        std::vector<float> values;
        for (const double weight : {0.0, 1.0, 0.375}) {
            used.set_weights(std::vector<double>(trial.weights().size(), weight));
            used.predict(trial.data(), values);
            used.gradient(trial.data(), all, trial.target_weights(), loss);
        }
        used.set_weights(trial.weights());
        std::vector<float> expected;
        CandidateGraph fresh = trial.graph(options_for(semantics_named("noisy-or")));
        fresh.predict(trial.data(), expected);
        used.predict(trial.data(), values);
        EXPECT_EQ(values, expected) << "seed " << seed << "\n" << text;
        EXPECT_EQ(used.gradient(trial.data(), all, trial.target_weights(), loss).by_weight,
                  fresh.gradient(trial.data(), all, trial.target_weights(), loss).by_weight)
            << "seed " << seed << "\n"
            << text;
    }
}

// A program large enough for threads to be used, and more examples than are in memory at once.
constexpr const char* large_program = R"(
:- type(n, [a, b, c, d, e, f, g, h, i, j, k, l, m, n]).
:- pred(edge(n, n)).
:- pred(next(n, n)).
:- pred(near(n, n)).
:- pred(path(n, n)).
0.9::next(a, b). 0.8::next(b, c). 0.7::next(c, d). 0.6::next(d, e). 0.5::next(e, f).
0.9::next(f, g). 0.8::next(g, h). 0.7::next(h, i). 0.6::next(i, j). 0.5::next(j, a).
0.9::next(k, l). 0.8::next(l, m). 0.7::next(m, n). 0.6::next(n, k).
0.9::near(X, Y) :- next(X, Y).
0.8::near(X, Y) :- next(Y, X).
0.7::near(X, Y) :- next(X, Z), next(Z, Y).
0.6::path(X, Y) :- edge(X, Y), near(X, Y).
0.5::path(X, Y) :- edge(X, Z), edge(Z, Y).
0.4::path(X, Y) :- edge(X, Z), edge(Z, Y), near(Z, Y).
0.3::path(X, Y) :- edge(X, Z), edge(Z, Z), near(X, Y).
)";

class ManyExamples : public testing::Test {
protected:
    static constexpr std::uint64_t seed = 34'000'000;
    static constexpr std::uint32_t examples = 2 * 1024 + 77;

    static void SetUpTestSuite() {
        std::cout << "seed " << seed << std::endl;
        TrialShape shape;
        shape.examples = examples;
        shape.inputs = "edge";
        trial_ = new LearningTrial(large_program, seed, shape);
    }
    static void TearDownTestSuite() {
        delete trial_;
        trial_ = nullptr;
    }
    static inline LearningTrial* trial_ = nullptr;
};

TEST_F(ManyExamples, AreTakenInPieces) {
    const ReasonOptions options = options_for(semantics_named("noisy-or"));
    const std::vector<std::uint32_t> all = all_examples(trial_->data());
    ASSERT_EQ(all.size(), examples);
    ASSERT_EQ(trial_->candidates().size(), 7U);
    EXPECT_EQ(check_parts(*trial_, semantics_named("noisy-or")), "");
    EXPECT_EQ(check_parts(*trial_, semantics_named("clausewise")), "");
    // Also when they come in another order, or only some of them.
    Rng rng(seed);
    std::vector<std::uint32_t> some = all;
    shuffle(some, rng);
    some.resize(1500);
    const Plain plain = run_plain(*trial_, options, some);
    CandidateGraph graph = trial_->graph(options);
    EXPECT_EQ(compare_gradients("some", plain, graph.gradient(trial_->data(), some, trial_->target_weights(), loss),
                                plain.scale),
              "");
    std::vector<float> values(trial_->data().target_count(), -1.0F);
    graph.predict(trial_->data(), some, values);
    EXPECT_EQ(compare_values(plain.values, values), "") << "what was not asked for stays as it is";
    EXPECT_NE(std::ranges::find(values, -1.0F), values.end());
}

TEST_F(ManyExamples, ThreadsChangeNothing) {
    ASSERT_GT(trial_->whole().edge_count() * 64, std::uint64_t{1} << 19) << "too few for threads to be used";
    for (const Semantics semantics : {semantics_named("noisy-or"), semantics_named("clausewise")}) {
        ReasonOptions options = options_for(semantics);
        const std::vector<std::uint32_t> all = all_examples(trial_->data());
        const Dataset& data = trial_->data();
        CandidateGraph one = trial_->graph(options);
        options.threads = 2;
        CandidateGraph two = trial_->graph(options);
        std::vector<float> values;
        std::vector<float> other_values;
        one.predict(data, values);
        two.predict(data, other_values);
        EXPECT_EQ(values, other_values);
        const auto gradient = one.gradient(data, all, trial_->target_weights(), loss);
        const auto other = two.gradient(data, all, trial_->target_weights(), loss);
        EXPECT_EQ(gradient.loss, other.loss);
        EXPECT_EQ(gradient.by_weight, other.by_weight);
        const auto split = one.split_gradient(data, all, trial_->target_weights(), loss);
        const auto other_split = two.split_gradient(data, all, trial_->target_weights(), loss);
        EXPECT_EQ(split.positive.by_weight, other_split.positive.by_weight);
        EXPECT_EQ(split.negative.by_weight, other_split.negative.by_weight);
        EXPECT_EQ(split.fingerprint, other_split.fingerprint);
    }
}

TEST_F(ManyExamples, FingerprintsTellCandidatesApart) {
    CandidateGraph graph = trial_->graph(options_for(semantics_named("noisy-or")));
    const auto split =
        graph.split_gradient(trial_->data(), all_examples(trial_->data()), trial_->target_weights(), loss);
    std::set<CandidateGraph::Fingerprint> different;
    for (const CandidateGraph::Fingerprint& print : split.fingerprint) {
        EXPECT_NE(print[0], print[1]);
        different.insert(print);
    }
    EXPECT_EQ(different.size(), trial_->candidates().size());
}

}  // namespace
}  // namespace neumann::oracle
