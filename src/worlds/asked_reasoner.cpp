#include "worlds/asked_reasoner.h"

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/require_not_stopped.h"
#include "reason/require_that.h"
#include "reason/write_gradients.h"
#include "worlds/asked_pass.h"

namespace neumann {
namespace {

using Places = std::vector<OptionalIndex>;  // per atom: among those asked

class SolvedPass final : public AskedPass {
public:
    explicit SolvedPass(std::string_view values_name) : AskedPass(values_name) {}

    void read_initials(std::size_t example, const NumberSpan& to) const override {
        const std::vector<double> values = initials(example);
        for (std::size_t atom = 0; atom < values.size(); ++atom) to.set(atom, values[atom]);
    }
    std::uint32_t steps(std::size_t example) const override { return static_cast<std::uint32_t>(found[example].steps); }
    std::size_t bytes() const override {
        std::size_t sum = initial.size() * sizeof(double);
        for (const SolvedExample& one : found) sum += one.values.size() * (sizeof(double) + sizeof(ValueBounds));
        return sum;
    }
    double value_of(std::uint32_t atom, std::size_t example) const override {
        return found[example].values[place_of(atom)];
    }
    ValueBounds bounds(std::uint32_t atom, std::size_t example) const override {
        const std::scoped_lock lock(mutex_);
        if (bounds_.empty()) bounds_.resize(found.size());
        std::vector<ValueBounds>& known = bounds_[example];
        if (known.empty()) {
            const std::vector<double> values = initials(example);
            known = solver->bounds({values, weights}, found[example]);
        }
        return known.empty() ? PassState::bounds(atom, example) : known[place_of(atom)];
    }
    void forget_bounds() { bounds_.clear(); }

    std::uint32_t place_of(std::uint32_t atom) const {
        if (!(*place)[atom]) refuse_unasked();
        return *(*place)[atom];
    }
    std::vector<double> initials(std::size_t example) const {
        std::vector<double> values = initial;
        for (std::size_t i = 0; i < inputs.atoms(example).size(); ++i)
            values[inputs.atoms(example)[i]] = inputs.value(example, i);
        return values;
    }

    std::shared_ptr<const Places> place;
    std::shared_ptr<const ExampleSolver> solver;
    InputBatch inputs;
    std::vector<double> initial;
    std::vector<SolvedExample> found;  // per example

private:
    mutable std::mutex mutex_;
    mutable std::vector<std::vector<ValueBounds>> bounds_;  // per example, when they were read
};

class AskedReasoner final : public GraphReasoner {
public:
    AskedReasoner(const EngineInfo& engine, const SemanticsSummary& laws, ReasoningGraph outside,
                  const GraphLevels& levels, const ReasonOptions& options, std::unique_ptr<const ExampleSolver> solver)
        : GraphReasoner(engine, std::move(outside), options, &levels), values_name_(laws.values_name),
          solver_(std::move(solver)) {
        Places place(graph().atom_count());
        for (std::size_t i = 0; i < solver_->task().asked.size(); ++i)
            place[solver_->task().asked[i]] = static_cast<std::uint32_t>(i);
        place_ = std::make_shared<const Places>(std::move(place));
    }

    std::string description() const override { return solver_->description(); }
    std::size_t bytes() const override { return place_->size() * sizeof(std::uint32_t) + solver_->bytes(); }

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<SolvedPass>(values_name_); }
    std::uint64_t bytes_needed(std::size_t, Keep) const override { return 0; }
    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override;
    void differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const override;

    std::string_view values_name_;
    std::shared_ptr<const ExampleSolver> solver_;
    std::shared_ptr<const Places> place_;
};

void AskedReasoner::compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const {
    auto& pass = static_cast<SolvedPass&>(state);
    const WorldsTask& task = solver_->task();
    require_random_inputs(inputs, graph(), task);
    require_certain_weights(pass.weights, task);
    require_disjunctions(pass.weights, task);
    const std::span<const float> start = initial.empty() ? graph().initial.span() : initial;
    pass.place = place_;
    pass.solver = solver_;
    pass.forget_bounds();
    pass.inputs = inputs;
    pass.initial.assign(start.begin(), start.end());
    if (initial.empty()) {
        for (const auto& [atom, probability] : task.chances) pass.initial[atom] = probability;
    }
    pass.found.assign(inputs.examples(), {});
    parallel_chunks(solver_->is_parallel() ? 1 : options().threads, inputs.examples(), [&](std::size_t e) {
        require_not_stopped("reasoning");
        const std::vector<double> values = pass.initials(e);
        try {
            pass.found[e] = solver_->solve({values, pass.weights});
        } catch (TooProbable& error) {
            error.example = e;
            throw;
        } catch (const ReasonError& error) {
            throw ReasonError(fmt::format("example {}: {}", e, error.what()));
        }
    });
}

void AskedReasoner::differentiate(const PassState& state, const InputBatch& seeds,
                                  const GradientRequest& wanted) const {
    const auto& pass = static_cast<const SolvedPass&>(state);
    for (std::size_t e = 0; e < pass.examples; ++e) {
        require_not_stopped("computing gradients");
        std::vector<double> by_atom(graph().atom_count(), 0.0);
        std::vector<double> by_clause(graph().clause_count(), 0.0);
        std::vector<double> of_values(solver_->task().asked.size(), 0.0);
        for (std::size_t i = 0; i < seeds.atoms(e).size(); ++i)
            of_values[pass.place_of(seeds.atoms(e)[i])] += seeds.value(e, i);
        const std::vector<double> values = pass.initials(e);
        solver_->differentiate({values, pass.weights}, pass.found[e], of_values, {by_atom, by_clause});
        write_gradients(
            e, graph(), wanted, [&](std::uint32_t atom) { return by_atom[atom]; }, by_clause);
    }
}

}  // namespace

void ExampleSolver::differentiate(const Chances&, const SolvedExample&, std::span<const double>,
                                  const MemberSums&) const {
    throw ReasonError("these values have no gradients");
}

// Way 0 has the remaining probability.
void add_to_members(std::span<const RandomChoices::Member> members, std::span<const double> by_way,
                    const MemberSums& to) {
    for (std::size_t m = 0; m < members.size(); ++m)
        (members[m].is_clause ? to.by_clause : to.by_atom)[members[m].number] += by_way[m + 1] - by_way[0];
}

std::unique_ptr<GraphReasoner> make_asked_reasoner(const EngineInfo& engine, const SemanticsSummary& laws,
                                                   ReasoningGraph graph, const GraphLevels& levels,
                                                   const ReasonOptions& options,
                                                   std::unique_ptr<const ExampleSolver> solver) {
    return std::make_unique<AskedReasoner>(engine, laws, std::move(graph), levels, options, std::move(solver));
}

}  // namespace neumann
