// The engine `cuda`: the steps of all examples of a batch on a GPU.
#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reason/gpu/component.h"
#include "reason/gpu/gpu_runner.h"
#include "reason/reasoner.h"
#include "reason/write_gradients.h"

namespace neumann {

extern const EngineInfo cuda_engine;

namespace {

// Without −0 and without numbers so small that the kernels take them for 0.
float without_tiny(float value) { return value < std::numeric_limits<float>::min() ? 0.0F : value; }

// The numbers of a batch, one for each atom of an example: `join(old, new)` of several.
template <class Change, class Join>
std::vector<GpuValue> single_values(const InputBatch& batch, std::uint32_t atoms, const Change& change,
                                    const Join& join) {
    std::vector<GpuValue> result;
    std::vector<std::size_t> place(atoms, 0);  // of an atom's last number, counted from 1
    for (std::size_t e = 0; e < batch.examples(); ++e) {
        const std::size_t first = result.size();
        const std::span<const std::uint32_t> listed = batch.atoms(e);
        const std::span<const float> values = batch.values(e);
        for (std::size_t i = 0; i < listed.size(); ++i) {
            const float value = change(values[i]);
            if (place[listed[i]] > first) {
                float& old = result[place[listed[i]] - 1].value;
                old = join(old, value);
                continue;
            }
            result.push_back({static_cast<std::uint32_t>(e), listed[i], value});
            place[listed[i]] = result.size();
        }
    }
    return result;
}

// The numbers of a dense batch, where no atom is listed twice; else empty.
std::span<const float> dense_rows(const InputBatch& batch) {
    const std::size_t examples = batch.examples();
    if (examples < 2 || batch.atoms(0).empty() || batch.atoms(0).data() != batch.atoms(1).data()) return {};
    std::vector<std::uint32_t> atoms(batch.atoms(0).begin(), batch.atoms(0).end());
    std::ranges::sort(atoms);
    if (std::ranges::adjacent_find(atoms) != atoms.end()) return {};
    return {batch.values(0).data(), examples * atoms.size()};
}

class CudaReasoner final : public GraphReasoner {
public:
    CudaReasoner(ReasoningGraph all, const ReasonOptions& options, const GraphLevels* levels, GpuDevice& device)
        : GraphReasoner(cuda_engine, std::move(all), options, levels), device_(device) {
        const std::scoped_lock lock(gpu_mutex());
        runner_ = std::make_unique<GpuRunner>(device, *plan());
    }

    std::string description() const override { return fmt::format("cuda engine, {}", device_.name()); }
    std::size_t bytes() const override {
        const std::scoped_lock lock(gpu_mutex());
        return runner_->bytes();
    }

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<GpuPass>(device_); }
    // It is the GPU's memory that has to be enough, and it is asked for that.
    std::uint64_t bytes_needed(std::size_t, Keep) const override { return 0; }

    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override {
        auto& pass = static_cast<GpuPass&>(state);
        std::vector<float> base(graph().atom_count());
        std::ranges::transform(initial.empty() ? graph().initial.span() : initial, base.begin(), without_tiny);
        const DeviceRows* const rows = inputs.device_rows();
        const std::span<const float> dense = rows != nullptr ? std::span<const float>() : dense_rows(inputs);
        std::vector<GpuValue> values;
        if (dense.empty() && rows == nullptr)
            values =
                single_values(inputs, graph().atom_count(), without_tiny, [](float, float latest) { return latest; });
        const std::scoped_lock lock(gpu_mutex());
        runner_->prepare(pass);
        if (pass.tiles == 0) return;
        if (dense.empty()) {
            runner_->fill(pass, base, values);
        } else {
            runner_->fill(pass, base, inputs.atoms(0), dense);
        }
        if (rows != nullptr) runner_->put(pass, inputs.device_atoms(), *rows, pass.initial, true);
        runner_->forward(pass, pass.weights);  // runs while the caller prepares the next work
    }

    void differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const override {
        const auto& pass = static_cast<const GpuPass&>(state);
        if (pass.tiles == 0) return;
        const DeviceRows* const rows = seeds.device_rows();
        const std::vector<GpuValue> values =
            rows != nullptr ? std::vector<GpuValue>()
                            : single_values(
                                  seeds, graph().atom_count(), [](float value) { return value; }, std::plus<float>());
        const auto put_seeds = [&](float* to) {
            if (rows != nullptr) runner_->put(pass, seeds.device_atoms(), *rows, to, false);
        };
        const bool weights = wanted.by_clause.size() > 0 ||
                             std::ranges::any_of(wanted.sums, [](const auto& sums) { return !sums.by_clause.empty(); });
        const std::vector<std::uint32_t> atoms = atoms_wanted(wanted);
        std::vector<float> by_atom;
        std::vector<float> by_clause(weights ? std::size_t{graph().clause_count()} * pass.tiles * tile_width : 0);
        {
            const std::scoped_lock lock(gpu_mutex());
            const GpuRunner::Gradients found = runner_->backward(pass, values, weights, put_seeds);
            if (wanted.by_input_on_device != nullptr)
                pass.get(found.initial, wanted.inputs, *wanted.by_input_on_device);
            by_atom = pass.get(found.initial, atoms);
            if (!by_clause.empty()) device_.download(by_clause.data(), found.weights, by_clause.size() * sizeof(float));
        }
        write(pass, wanted, atoms, by_atom, by_clause);
    }

    std::vector<std::uint32_t> atoms_wanted(const GradientRequest& wanted) const {
        std::vector<std::uint32_t> atoms;
        if (wanted.by_input_on_device == nullptr) atoms.assign(wanted.inputs.begin(), wanted.inputs.end());
        for (const GradientSums& sums : wanted.sums) atoms.insert(atoms.end(), sums.atoms.begin(), sums.atoms.end());
        if (wanted.by_atom.size() > 0) {
            atoms.resize(graph().atom_count());
            std::iota(atoms.begin(), atoms.end(), 0U);
        }
        std::ranges::sort(atoms);
        atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
        return atoms;
    }

    void write(const GpuPass& pass, const GradientRequest& wanted, const std::vector<std::uint32_t>& atoms,
               const std::vector<float>& by_atom, const std::vector<float>& by_clause) const {
        std::vector<std::uint32_t> place(graph().atom_count(), 0);
        for (std::uint32_t i = 0; i < atoms.size(); ++i) place[atoms[i]] = i;
        std::vector<double> of_clauses(graph().clause_count());
        for (std::size_t e = 0; e < pass.examples; ++e) {
            for (std::size_t k = 0; k < of_clauses.size() && !by_clause.empty(); ++k)
                of_clauses[k] = static_cast<double>(
                    by_clause[(e / tile_width * of_clauses.size() + k) * tile_width + e % tile_width]);
            write_gradients(
                e, graph(), wanted,
                [&](std::uint32_t atom) { return static_cast<double>(by_atom[e * atoms.size() + place[atom]]); },
                of_clauses);
        }
    }

    GpuDevice& device_;
    std::unique_ptr<GpuRunner> runner_;
};

}  // namespace

const EngineInfo cuda_engine = {
    .name = "cuda",
    .command_name = "cuda",
    .summary = "on a GPU",
    .device = "cuda",
    .device_use = DeviceUse::Always,
    .gradients = true,
    .double_precision = false,
    .automatic_steps = true,
    .device_memory = true,
    .make = [](ReasoningGraph graph, const ReasonOptions& options,
               const GraphLevels* levels) -> std::unique_ptr<GraphReasoner> {
        return std::make_unique<CudaReasoner>(std::move(graph), options, levels, gpu_device());
    },
};

}  // namespace neumann
