// Semantics of reasoning on a graph: the meaning of AND, OR, NOT and of a clause weight. docs/semantics.md has the
// formulas, semantics/ a file for each, semantics/registry.h the list. Other code reads the laws of a semantics and
// does not compare it with another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <neumann/semantics.h>

#include "reason/tnorm.h"

namespace neumann {

enum class Semantics : std::uint8_t {};  // its number in the registry

struct SemanticsLaws {
    std::string_view name;
    std::string_view summary;  // for help texts
    TNorm both;                // the AND of two numbers: no conjunction is larger than this makes of its literals
    bool uses_gamma = false;
    bool keeps_zero = true;      // an unsupported atom stays exactly 0: leaving out underivable atoms is exact
    bool idempotent_or = false;  // OR(x, x) = x: iterating a cycle reaches a fixed point, and a best proof is the value
    // A clause is as true of a head as its best instance: a θ-equivalent clause, which has the same best one, has the
    // same value however many instances it has.
    bool instances_compete = false;
    bool monotone = true;  // larger inputs or weights, not smaller values, where nothing is negated
    // An atom's new value depends on its value before the step: it changes with every one, so their number is part of
    // the question.
    bool needs_steps = false;
    bool keeps_state = false;  // each conjunction has a value of its own that it carries from step to step
    bool for_learning = true;  // underivable atoms can be left out, and every step means the same
    bool smooth = false;       // the gradient is that of a differentiable function: there are no ties to break
};

struct SemanticsInfo : SemanticsLaws {
    Semantics semantics;
};

std::span<const SemanticsInfo> all_semantics();
const SemanticsInfo& info(Semantics semantics);
std::optional<Semantics> find_semantics(std::string_view name);
// Throws ReasonError for an unknown name, with the list of known ones.
Semantics semantics_named(std::string_view name);

Semantics default_semantics();  // default_semantics_name
Semantics circuit_semantics();  // under which the values of a circuit are probabilities (see worlds/circuit.h)

}  // namespace neumann
