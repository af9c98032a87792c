// A literal of the graph: a ground atom or its negation, in one number: 2·atom + sign.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>

namespace neumann {

class GraphLiteral {
public:
    constexpr GraphLiteral() = default;
    constexpr explicit GraphLiteral(std::uint32_t atom, bool negated = false) : code_(2 * atom + (negated ? 1U : 0U)) {}
    static constexpr GraphLiteral from_code(std::uint32_t code) { return GraphLiteral(code / 2, code % 2 != 0); }

    constexpr std::uint32_t atom() const { return code_ / 2; }
    constexpr bool negated() const { return code_ % 2 != 0; }
    constexpr std::uint32_t code() const { return code_; }
    // By atom; an atom comes before its negation.
    friend constexpr auto operator<=>(GraphLiteral, GraphLiteral) = default;

private:
    std::uint32_t code_ = 0;
};

// Arrays of literals are saved, and handed to kernels, as arrays of codes.
static_assert(sizeof(GraphLiteral) == sizeof(std::uint32_t) && std::is_standard_layout_v<GraphLiteral> &&
              std::is_trivially_copyable_v<GraphLiteral>);

}  // namespace neumann
