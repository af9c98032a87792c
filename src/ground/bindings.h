// Values of a rule's slots while its steps run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/rule.h"

namespace neumann {

class Bindings {
public:
    explicit Bindings(const Rule& rule) : values_(rule.slot_value), variable_slot_(rule.variable_slot) {}

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

    // Gives slots the values of a matching row or term. Places known before are compared, and so is a slot that occurs
    // twice.
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

    // Whether two terms with variables of the clause are equal under the values. Neither needs to exist as a ground
    // term.
    bool same(const TermTable& terms, TermId a, TermId b) const {
        a = value_of(terms, a);
        b = value_of(terms, b);
        if (a == b) return true;
        if (terms.is_ground(a) && terms.is_ground(b)) return false;
        if (terms.kind(a) != TermKind::Compound || terms.kind(b) != TermKind::Compound ||
            terms.functor_of(a) != terms.functor_of(b))
            return false;
        for (std::size_t i = 0; i < terms.args(a).size(); ++i) {
            if (!same(terms, terms.args(a)[i], terms.args(b)[i])) return false;
        }
        return true;
    }

private:
    TermId value_of(const TermTable& terms, TermId term) const {
        return terms.kind(term) == TermKind::Variable ? values_[variable_slot_[terms.variable_index(term)]] : term;
    }

    std::vector<TermId> values_;
    const std::vector<Slot>& variable_slot_;
    std::vector<TermId> key_;
};

}  // namespace neumann
