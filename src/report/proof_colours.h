// Colours of proof drawings, the same in DOT and SVG.
#pragma once

#include <string>

#include <neumann/explanation.h>

#include "draw/heat_map.h"

namespace neumann::proof_colours {

constexpr const char* ink = "#1f2328";
constexpr const char* faint_ink = "#59636e";
constexpr const char* edge = "#8c959f";
constexpr const char* rule_fill = "#f3f4f6";
constexpr const char* failure = "#c4281c";

// The light end of the scale that heat maps use, so that dark text is readable on all of it.
inline std::string fill_of(double value) { return value <= 0 ? "#ffffff" : colour_of(value * 0.22); }

// The outline of an atom shows its origin.
inline const char* outline_of(ExplainedStep::Origin origin) {
    switch (origin) {
    case ExplainedStep::Origin::Rule:
        return "#57606a";
    case ExplainedStep::Origin::Fact:
        return "#9a6700";
    case ExplainedStep::Origin::Example:
        return "#8250df";
    case ExplainedStep::Origin::Picture:
        return "#1a7f37";
    case ExplainedStep::Origin::Negation:
        return "#bc4c00";
    }
    return ink;
}

}  // namespace neumann::proof_colours
