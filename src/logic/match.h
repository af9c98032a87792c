// One-way matching: finds the terms that a pattern's variables must stand for.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logic/term.h"

namespace neumann {

// Whether the pattern becomes the terms when its variables are replaced, equal ones by equal terms. `bound` has an
// entry per variable: none, or its term so far; entries are filled in even if the answer is no.
inline bool match_terms(const TermTable& terms, std::span<const TermId> pattern, std::span<const TermId> values,
                        std::vector<TermId>& bound) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (terms.is_ground(pattern[i])) {
            if (pattern[i] != values[i]) return false;
        } else if (terms.kind(pattern[i]) == TermKind::Variable) {
            TermId& value = bound[terms.variable_index(pattern[i])];
            if (value.is_none()) value = values[i];
            if (value != values[i]) return false;
        } else if (terms.kind(values[i]) != TermKind::Compound ||
                   terms.functor_of(values[i]) != terms.functor_of(pattern[i]) ||
                   !match_terms(terms, terms.args(pattern[i]), terms.args(values[i]), bound)) {
            return false;
        }
    }
    return true;
}

}  // namespace neumann
