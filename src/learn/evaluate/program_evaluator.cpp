#include "learn/evaluate/program_evaluator.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "learn/evaluate/candidate_graph.h"
#include "logic/print.h"

namespace neumann {

BinaryScore LabelledValues::counts(double threshold) const {
    BinaryScore counts;
    for (std::size_t t = 0; t < values.size(); ++t)
        counts.count(positive[t], static_cast<double>(values[t]) >= threshold);
    return counts;
}

double LabelledValues::best_threshold() const {
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t t) { return values[t]; });
    // From a threshold below all values upwards: the values below it count as negative.
    std::int64_t right = std::ranges::count(positive, true);
    std::int64_t best = -1;
    double best_at = 0.5;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const float below = i == 0 ? 0.0F : values[order[i - 1]];
        if (below < values[order[i]] && right > best) {
            best = right;
            best_at = 0.5 * (static_cast<double>(below) + static_cast<double>(values[order[i]]));
        }
        right += positive[order[i]] ? -1 : 1;
    }
    const double at_half = accuracy(0.5) * static_cast<double>(values.size());
    return static_cast<double>(best) > at_half + 0.5 ? best_at : 0.5;
}

LabelledValues values_of(const ExampleSet& set, std::span<const float> by_atom) {
    LabelledValues values;
    for (const LabelledExample& example : set.examples) {
        for (const Example::Target& target : example.targets) {
            values.values.push_back(by_atom[target.atom]);
            values.positive.push_back(target.positive);
        }
    }
    return values;
}

ProgramEvaluator::ProgramEvaluator(const Program& program, const AtomPool& pool, std::vector<const ExampleSet*> sets,
                                   const ReasonOptions& reasoning, const GroundOptions& grounding)
    : background_(program.clauses.size()), pool_(pool), sets_(std::move(sets)), reasoning_(reasoning),
      grounding_(grounding) {}

std::string ProgramEvaluator::learned(const Program& program) const {
    std::string text = "%";  // differs from the text of every program without queries
    for (std::size_t c = background_; c < program.clauses.size(); ++c)
        text += "\n" + print_clause(program, program.clauses[c]);
    return text;
}

std::span<const LabelledValues> ProgramEvaluator::evaluate(const Program& program, Diagnostics& diagnostics) {
    std::string text = learned(program);
    if (text == evaluated_) return values_;
    Program closed = program;
    closed.learn.clear();
    const LearningProblem problem(std::move(closed), pool_, sets_, grounding_, info(reasoning_.semantics), diagnostics);
    values_.assign(sets_.size(), {});
    evaluated_.clear();
    if (diagnostics.has_errors()) return values_;
    std::vector<Dataset> data;
    std::vector<bool> asked(problem.grounder().atoms().size(), false);
    for (std::size_t s = 0; s < sets_.size(); ++s) {
        const Dataset& one = data.emplace_back(problem, *sets_[s]);
        for (std::size_t t = 0; t < one.target_count(); ++t) {
            values_[s].positive.push_back(one.target(t).positive);
            if (one.target(t).atom != LearningProblem::no_atom_number) asked[one.target(t).atom] = true;
        }
    }
    CandidateGraph graph(problem, {}, asked, {reasoning_, std::nullopt, nullptr});
    for (std::size_t s = 0; s < sets_.size(); ++s) {
        if (!sets_[s]->empty()) graph.predict(data[s], values_[s].values);
    }
    evaluated_ = std::move(text);
    return values_;
}

}  // namespace neumann
