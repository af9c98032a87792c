// Learns clause weights under each semantics, from the same examples and the same start, and prints what came of it as
// tables in Markdown.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "analyse/analyse.h"
#include "base/rng.h"
#include "compile/atom_names.h"
#include "learning_tasks.h"
#include "reason/reasoner.h"
#include "reason/weights.h"
#include "syntax/load.h"

namespace {

using namespace neumann;

constexpr std::size_t examples_to_learn = 1024;
constexpr std::size_t examples_to_check = 512;
constexpr std::size_t batch_size = 64;
constexpr double loss_floor = 1e-4;  // ε: the loss is the cross-entropy of ε + (1 − 2ε)·p
constexpr double decay = 0.99;       // RMSProp
constexpr double enough = 0.99;      // accuracy at which a run counts as having learned

struct Options {
    std::string examples;
    std::vector<std::string> tasks = {"red_triangle", "member", "delete"};
    std::vector<std::string> semantics;  // empty: all
    unsigned seeds = 10;
    unsigned epochs = 100;
    double rate = 0.01;
    double noise = 0.5;
    double spread = 1;
    bool relevant = false;
};

struct Examples {
    std::vector<std::vector<AtomValue>> inputs;
    std::vector<bool> positive;
};

// A program grounded, with the clauses whose weights are learned.
class Problem {
public:
    Problem(const LearningTask& task, const std::string& examples, GroundMode mode) : task_(task) {
        Program& program = compiled_.program;
        Diagnostics diagnostics;
        program = parse_program(task.name, program_text(task, examples), {}, diagnostics);
        analyse(program, {.full_grounding = mode == GroundMode::Full}, diagnostics);
        std::optional<GroundProgram> ground;
        if (!diagnostics.has_errors()) ground = neumann::ground(program, {.mode = mode}, diagnostics);
        if (!ground) throw std::runtime_error(render(diagnostics, *program.sources));
        compiled_.ground = std::move(*ground);
        for (std::size_t k = 0; k < program.clauses.size(); ++k) {
            if (program.clauses[k].head.predicate == program.learn.front().predicate) candidates_.push_back(k);
        }
        label_ = AtomNames(compiled_).find(program.labels.front().predicate, program.labels.front().args).value();
    }

    const ReasoningGraph& graph() const { return compiled_.ground.graph; }
    std::span<const std::size_t> candidates() const { return candidates_; }
    unsigned slots() const { return compiled_.program.learn.front().clause_count; }
    std::uint32_t label() const { return label_; }

    Examples make(std::size_t count, double noise, Rng& rng) {
        AtomNames names(compiled_);
        Examples result;
        for (std::size_t e = 0; e < count; ++e) {
            const LearningExample example = task_.make(rng, noise, e % 2 == 0);
            std::vector<AtomValue>& inputs = result.inputs.emplace_back();
            for (const auto& [text, value] : example.atoms) {
                const NamedAtom& atom = names.find(text);
                if (atom.kind == NamedAtom::Kind::InGraph) inputs.push_back({atom.atom, static_cast<float>(value)});
            }
            result.positive.push_back(example.positive);
        }
        return result;
    }

private:
    const LearningTask& task_;
    CompiledProgram compiled_;
    std::vector<std::size_t> candidates_;
    std::uint32_t label_ = 0;
};

struct Score {
    double accuracy = 0;
    double ranking = 0;  // the chance that a positive example gets more than a negative one
    double loss = 0;
};

Score score(std::span<const double> values, const std::vector<bool>& positive) {
    Score result;
    std::vector<double> of_positives;
    std::vector<double> of_negatives;
    for (std::size_t e = 0; e < values.size(); ++e) {
        (positive[e] ? of_positives : of_negatives).push_back(values[e]);
        const double p = loss_floor + (1 - 2 * loss_floor) * values[e];
        result.loss -= std::log(positive[e] ? p : 1 - p) / static_cast<double>(values.size());
        result.accuracy += (values[e] > 0.5) == positive[e] ? 1 / static_cast<double>(values.size()) : 0;
    }
    std::ranges::sort(of_negatives);
    double below = 0;
    for (const double value : of_positives) {
        const auto equal = std::ranges::equal_range(of_negatives, value);
        below += static_cast<double>(equal.begin() - of_negatives.begin()) + 0.5 * static_cast<double>(equal.size());
    }
    result.ranking = below / static_cast<double>(of_positives.size() * of_negatives.size());
    return result;
}

struct Outcome {
    Score score;
    bool found = false;    // no other candidate has a weight as high as any of the right ones
    double weight = 0;     // the smallest of a right clause
    unsigned learned = 0;  // the first epoch with enough accuracy; never: one more than there are
};

class Learner {
public:
    Learner(Problem& problem, const ReasonOptions& reasoning, const Options& options, std::uint64_t seed)
        : problem_(problem), options_(options), rng_(seed),
          train_(problem.make(examples_to_learn, options.noise, rng_)),
          check_(problem.make(examples_to_check, options.noise, rng_)),
          reasoner_(make_reasoner(problem.graph(), reasoning)),
          weights_(reasoner_->own_weights().begin(), reasoner_->own_weights().end()),
          composition_{problem.slots(), reasoning.gamma, info(reasoning.semantics).keeps_zero},
          logits_(problem.slots() * problem.candidates().size()), mean_square_(logits_.size()) {
        for (double& logit : logits_) logit = options.spread * rng_.uniform();
    }

    Outcome run() {
        std::vector<std::size_t> order(examples_to_learn);
        std::iota(order.begin(), order.end(), std::size_t{0});
        Outcome outcome;
        outcome.learned = options_.epochs + 1;
        for (unsigned epoch = 1; epoch <= options_.epochs; ++epoch) {
            shuffle(order, rng_);
            for (std::size_t first = 0; first < order.size(); first += batch_size)
                update(std::span(order).subspan(first, batch_size));
            outcome.score = check();
            if (outcome.score.accuracy >= enough) outcome.learned = std::min(outcome.learned, epoch);
        }
        const std::vector<double> weights = composition_.compose(logits_, problem_.candidates().size());
        const auto wrong = weights.begin() + problem_.slots();
        outcome.weight = *std::min_element(weights.begin(), wrong);
        outcome.found = outcome.weight > *std::max_element(wrong, weights.end());
        return outcome;
    }

private:
    void set_weights() {
        const std::vector<double> learned = composition_.compose(logits_, problem_.candidates().size());
        for (std::size_t i = 0; i < learned.size(); ++i) weights_[problem_.candidates()[i]] = learned[i];
    }

    void update(std::span<const std::size_t> batch) {
        set_weights();
        InputBatch::Builder inputs(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            for (const AtomValue& input : train_.inputs[batch[i]]) inputs.add(i, input.atom, input.value);
        }
        pass_ = reasoner_->forward(inputs.build(), weights_, {.keep = Keep::Backward}, std::move(pass_));
        InputBatch::Builder by_result(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const double scale = 1 - 2 * loss_floor;
            const double p = loss_floor + scale * static_cast<double>(pass_.value(problem_.label(), i));
            const double slope = scale * (train_.positive[batch[i]] ? -1 / p : 1 / (1 - p));
            by_result.add(i, problem_.label(), static_cast<float>(slope / static_cast<double>(batch.size())));
        }
        std::vector<double> by_clause(weights_.size());
        const GradientSums sums{.by_clause = by_clause};
        reasoner_->backward(pass_, by_result.build(), {.sums = {&sums, 1}});
        std::vector<double> by_weight;
        for (const std::size_t k : problem_.candidates()) by_weight.push_back(by_clause[k]);
        const std::vector<double> gradient = composition_.compose_gradient(logits_, by_weight.size(), by_weight);
        for (std::size_t i = 0; i < logits_.size(); ++i) {
            mean_square_[i] = decay * mean_square_[i] + (1 - decay) * gradient[i] * gradient[i];
            logits_[i] -= options_.rate * gradient[i] / (std::sqrt(mean_square_[i]) + 1e-8);
        }
    }

    Score check() {
        set_weights();
        InputBatch::Builder inputs(check_.inputs.size());
        for (std::size_t e = 0; e < check_.inputs.size(); ++e) {
            for (const AtomValue& input : check_.inputs[e]) inputs.add(e, input.atom, input.value);
        }
        pass_ = reasoner_->forward(inputs.build(), weights_, {}, std::move(pass_));
        std::vector<double> values(check_.inputs.size());
        const std::uint32_t label = problem_.label();
        pass_.outputs({&label, 1}, values);
        return score(values, check_.positive);
    }

    Problem& problem_;
    const Options& options_;
    Rng rng_;
    Examples train_;
    Examples check_;
    std::unique_ptr<GraphReasoner> reasoner_;
    std::vector<double> weights_;
    WeightComposition composition_;
    std::vector<double> logits_;
    std::vector<double> mean_square_;
    Pass pass_;
};

void measure(const LearningTask& task, const Options& options) {
    fmt::print("\n{}: T = {}, {} examples, {} epochs, rate {}, noise {}, start in [0, {}), seeds 1 to {}\n\n"
               "| semantics | γ | clauses found | their least weight | accuracy | ranking | epochs to {} | loss |\n"
               "|---|---:|---:|---:|---:|---:|---:|---:|\n",
               task.name, task.steps, examples_to_learn, options.epochs, options.rate, options.noise, options.spread,
               options.seeds, enough);
    for (const SemanticsInfo& one : all_semantics()) {
        if (!options.semantics.empty() && std::ranges::find(options.semantics, one.name) == options.semantics.end())
            continue;
        const bool full = !one.keeps_zero && !options.relevant;
        Problem problem(task, options.examples, full ? GroundMode::Full : GroundMode::Relevant);
        const std::vector<double> gammas = one.uses_gamma && one.keeps_zero
                                               ? std::vector{0.005, 0.01, 0.02, 0.05, 0.1, 0.2}
                                               : std::vector{default_gamma};
        for (const double gamma : gammas) {
            ReasonOptions reasoning;
            reasoning.semantics = one.semantics;
            reasoning.gamma = gamma;
            reasoning.steps = task.steps;
            unsigned found = 0;
            double weight = 0;
            Score mean;
            std::vector<unsigned> learned;
            for (unsigned seed = 1; seed <= options.seeds; ++seed) {
                const Outcome outcome = Learner(problem, reasoning, options, seed).run();
                found += outcome.found ? 1 : 0;
                weight += outcome.weight / options.seeds;
                mean.accuracy += outcome.score.accuracy / options.seeds;
                mean.ranking += outcome.score.ranking / options.seeds;
                mean.loss += outcome.score.loss / options.seeds;
                learned.push_back(outcome.learned);
            }
            std::ranges::sort(learned);
            const unsigned median = learned[learned.size() / 2];
            fmt::print("| {} | {} | {} of {} | {:.3f} | {:.4f} | {:.4f} | {} | {:.4f} |\n", one.name,
                       one.uses_gamma ? fmt::format("{}", gamma) : "", found, options.seeds, weight, mean.accuracy,
                       mean.ranking, median > options.epochs ? "never" : fmt::format("{}", median), mean.loss);
            std::fflush(stdout);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Learns clause weights under each semantics");
    app.add_option("--examples", options.examples, "the folder of that name")->required();
    app.add_option("--tasks", options.tasks, "red_triangle, member, delete");
    app.add_option("--semantics", options.semantics, "default: all");
    app.add_option("--seeds", options.seeds, "how many");
    app.add_option("--epochs", options.epochs);
    app.add_option("--rate", options.rate, "of RMSProp");
    app.add_option("--noise", options.noise, "scale of the noise of logits, whose margin is 5");
    app.add_option("--spread", options.spread, "logits start uniformly between 0 and this");
    app.add_flag("--relevant", options.relevant, "relevant grounding even where that makes a difference (paper)");
    CLI11_PARSE(app, argc, argv);
    for (const LearningTask& task : learning_tasks()) {
        if (std::ranges::find(options.tasks, task.name) != options.tasks.end()) measure(task, options);
    }
    return 0;
}
