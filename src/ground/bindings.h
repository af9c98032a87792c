// The values of a rule's slots while its steps run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/rule.h"

namespace neumann {

class Bindings {
public:
    explicit Bindings(const Rule& rule) : values_(rule.slot_value) {}

    TermId& operator[](Slot slot) { return values_[slot]; }
    TermId operator[](Slot slot) const { return values_[slot]; }

    // The values of the arguments at the places of the mask, in order. Valid until the next call.
    std::span<const TermId> key_of(const std::vector<Slot>& args, std::uint32_t mask) {
        key_.clear();
        for (std::size_t i = 0; i < args.size(); ++i) {
            if ((mask >> i) & 1U) key_.push_back(values_[args[i]]);
        }
        return key_;
    }
    std::span<const TermId> key_of(const std::vector<Slot>& args) { return key_of(args, 0xffffffffU); }

    // Gives slots the values of a matching row or term. Places known before are compared, and so is a slot that occurs twice.
    bool bind(const std::vector<Slot>& slots, std::span<const TermId> args, std::uint32_t known) {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            bool compare = (known >> i) & 1U;
            for (std::size_t j = 0; j < i && !compare; ++j) compare = slots[j] == slots[i];
            if (!compare) {
                values_[slots[i]] = args[i];
            } else if (values_[slots[i]] != args[i]) {
                return false;
            }
        }
        return true;
    }

    // Takes the value of a functor use's result apart; false if it is built by another functor or does not match.
    bool destructure(const TermTable& terms, const FunctorUse& use, std::uint32_t known) {
        const TermId term = values_[use.result];
        return terms.kind(term) == TermKind::Compound && terms.functor_of(term) == use.functor &&
               bind(use.args, terms.args(term), known);
    }

private:
    std::vector<TermId> values_;
    std::vector<TermId> key_;
};

}  // namespace neumann
