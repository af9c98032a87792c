// Result of a pass in which only the queried atoms have values, and there are no steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "reason/pass.h"
#include "reason/reason_error.h"

namespace neumann {

class AskedPass : public PassState {
public:
    // SemanticsSummary::values_name.
    explicit AskedPass(std::string_view values_name) : values_name_(values_name) {}

    void read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const final {
        std::size_t next = 0;
        for (std::size_t e = 0; e < examples; ++e) {
            if (to.is_double()) refine(e);
            for (const std::uint32_t atom : atoms) to.set(next++, value_of(atom, e));
        }
    }
    void read_values(std::size_t example, const NumberSpan& to) const final {
        if (to.is_double()) refine(example);
        for (std::uint32_t atom = 0; atom < plan->graph.atom_count(); ++atom) to.set(atom, value_of(atom, example));
    }
    void gather(std::span<const std::uint32_t> of_examples, std::span<const std::uint32_t> atoms,
                const NumberSpan& to) const final {
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            if (to.is_double()) refine(of_examples[i]);
            to.set(i, value_of(atoms[i], of_examples[i]));
        }
    }
    std::vector<std::uint32_t> rounds(std::size_t) const final {
        return std::vector<std::uint32_t>(plan->schedule.phases.size(), 1);
    }
    void read_history(std::size_t, std::span<const std::uint32_t>, const NumberSpan&) const final {
        throw ReasonError(fmt::format("{} are not reached step by step: they have no history", values_name_));
    }

    virtual double value_of(std::uint32_t atom, std::size_t example) const = 0;
    // Before values of the example are read as doubles: computes again those that are too small for floats.
    virtual void refine(std::size_t) const {}

protected:
    [[noreturn]] void refuse_unasked() const {
        throw ReasonError(fmt::format("{} are known of what is asked alone: make it a query", values_name_));
    }

private:
    std::string_view values_name_;
};

}  // namespace neumann
