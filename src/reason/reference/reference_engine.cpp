// The reference engine: the reference reasoner behind the interface of all engines, example by example.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "reason/reasoner.h"
#include "reason/reference/reference.h"
#include "reason/write_gradients.h"

namespace neumann {

extern const EngineInfo reference_engine;

namespace {

class ReferencePass final : public PassState {
public:
    void read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const override {
        std::size_t next = 0;
        for (const ReferenceRun& run : runs) {
            for (const std::uint32_t atom : atoms) to.set(next++, run.result()[atom]);
        }
    }
    void read_values(std::size_t example, const NumberSpan& to) const override { read(runs[example].result(), to); }
    void read_initials(std::size_t example, const NumberSpan& to) const override { read(initial[example], to); }
    void gather(std::span<const std::uint32_t> of_examples, std::span<const std::uint32_t> atoms,
                const NumberSpan& to) const override {
        for (std::size_t i = 0; i < atoms.size(); ++i) to.set(i, runs[of_examples[i]].result()[atoms[i]]);
    }
    std::uint32_t steps(std::size_t example) const override { return plan->schedule.count_steps(rounds(example)); }
    std::vector<std::uint32_t> rounds(std::size_t example) const override {
        std::vector<std::uint32_t> result(plan->schedule.phases.size(), 0);
        for (const std::uint32_t phase : runs[example].phase_of_step) ++result[phase];
        return result;
    }
    void read_history(std::size_t example, std::span<const std::uint32_t> atoms, const NumberSpan& to) const override {
        const Schedule& schedule = plan->schedule;
        const ReferenceRun& run = runs[example];
        std::vector<std::size_t> before(schedule.phases.size(), 0);  // the state that each phase starts from
        for (std::size_t t = run.phase_of_step.size(); t-- > 0;) before[run.phase_of_step[t]] = t;
        std::vector<std::size_t> state(schedule.phases.size(), 0);  // of each phase's atoms
        std::size_t next = 0;
        const auto put = [&] {
            for (const std::uint32_t atom : atoms) {
                const std::size_t at = schedule.place[atom] == Schedule::nowhere ? 0 : state[schedule.phase_of(atom)];
                to.set(next++, run.values[at][atom]);
            }
        };
        put();
        schedule.for_each_step(
            rounds(example), [&](std::uint32_t phase, std::uint32_t round) { state[phase] = before[phase] + round; },
            put);
    }
    std::size_t bytes() const override {
        std::size_t numbers = 0;
        for (const std::vector<double>& values : initial) numbers += values.capacity();
        for (const ReferenceRun& run : runs) {
            numbers += run.overshoot.capacity();
            for (const std::vector<double>& values : run.values) numbers += values.capacity();
            for (const std::vector<double>& values : run.state) numbers += values.capacity();
        }
        return numbers * sizeof(double);
    }

    std::vector<std::vector<double>> initial;
    std::vector<ReferenceRun> runs;

private:
    static void read(const std::vector<double>& values, const NumberSpan& to) {
        for (std::size_t i = 0; i < values.size(); ++i) to.set(i, values[i]);
    }
};

class ReferenceEngine final : public GraphReasoner {
public:
    ReferenceEngine(ReasoningGraph all, const ReasonOptions& options, const GraphLevels* levels)
        : GraphReasoner(reference_engine, std::move(all), options, levels),
          reference_(graph(), options.semantics, options.gamma, schedule()) {}

    std::string description() const override { return "reference engine, double precision"; }
    std::size_t bytes() const override { return 0; }

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<ReferencePass>(); }
    // It always keeps the values of every step; of a cycle at least one.
    std::uint64_t bytes_needed(std::size_t examples, Keep) const override {
        const std::uint64_t states = std::uint64_t{schedule().total_steps()} + schedule().cyclic_components + 2;
        const std::uint64_t held = info(options().semantics).keeps_state ? graph().conjunction_count() : 0;
        return examples * states * (graph().atom_count() + held) * sizeof(double);
    }

    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override {
        auto& pass = static_cast<ReferencePass&>(state);
        const std::span<const float> start = initial.empty() ? graph().initial.span() : initial;
        pass.initial.assign(inputs.examples(), std::vector<double>(start.begin(), start.end()));
        pass.runs.clear();
        for (std::size_t e = 0; e < inputs.examples(); ++e) {
            for (std::size_t i = 0; i < inputs.atoms(e).size(); ++i)
                pass.initial[e][inputs.atoms(e)[i]] = inputs.value(e, i) + 0.0;  // without −0
            pass.runs.push_back(reference_.forward(pass.weights, pass.initial[e]));
        }
    }

    void differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const override {
        const auto& pass = static_cast<const ReferencePass&>(state);
        for (std::size_t e = 0; e < pass.examples; ++e) {
            std::vector<double> seed(graph().atom_count());
            for (std::size_t i = 0; i < seeds.atoms(e).size(); ++i) seed[seeds.atoms(e)[i]] += seeds.value(e, i);
            const ReferenceGradients found = reference_.backward(pass.runs[e], pass.weights, pass.initial[e], seed);
            write_gradients(
                e, graph(), wanted, [&](std::uint32_t atom) { return found.initial[atom]; }, found.weights);
        }
    }

    ReferenceReasoner reference_;
};

}  // namespace

const EngineInfo reference_engine = {
    .name = "reference",
    .command_name = "reference",
    .summary = "double precision",
    .gradients = true,
    .double_precision = true,
    .automatic_steps = true,
    .make = [](ReasoningGraph graph, const ReasonOptions& options,
               const GraphLevels* levels) -> std::unique_ptr<GraphReasoner> {
        return std::make_unique<ReferenceEngine>(std::move(graph), options, levels);
    },
};

}  // namespace neumann
