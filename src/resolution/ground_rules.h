// Result of resolution: atoms that can hold, and the ground instances of rules that derive them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "resolution/rules.h"

namespace neumann::resolution {

struct GroundLiteral {
    std::uint32_t atom = 0;
    bool negated = false;

    friend auto operator<=>(const GroundLiteral&, const GroundLiteral&) = default;
};

inline constexpr std::uint32_t no_rule = 0xffffffffU;  // a goal that is a whole body: (a, b), a ; b

struct GroundInstance {
    std::uint32_t atom = 0;
    std::uint32_t rule = no_rule;
    std::uint32_t head = 0;
    Term values = no_term;         // of the rule's variables: with the rule they identify a choice
    std::optional<double> weight;  // none: certain
    bool decision = false;         // ?::a; its weight is 1 or 0 once it is decided
    std::vector<GroundLiteral> body;
};

struct GroundAtom {
    Term term = no_term;
    bool certain = false;  // it holds in every world
    std::vector<std::uint32_t> instances;
};

struct GroundEvidence {
    GroundLiteral literal;
    Span span;
};

struct GroundRules {
    std::vector<GroundAtom> atoms;
    std::vector<GroundInstance> instances;
    std::vector<std::uint32_t> queries;
    std::vector<GroundEvidence> evidence;
};

}  // namespace neumann::resolution
