// The semantics a graph can be reasoned with: what AND, OR and a clause weight mean. docs/semantics.md has the
// formulas. A new one is a header in kernels/, a line in the list here and in kernels/table.h, and its formulas in
// formulas.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace neumann {

enum class Semantics : std::uint8_t { SoftOr, Paper, MaxProduct, NoisyOr, Godel, Lukasiewicz, Clausewise };

struct SemanticsInfo {
    Semantics semantics;
    std::string_view name;
    std::string_view summary;
    bool uses_gamma;
    bool keeps_zero;     // what nothing supports stays exactly 0: leaving out what cannot be derived is exact
    bool idempotent_or;  // iterating a cycle reaches a fixed point
};

std::span<const SemanticsInfo> all_semantics();  // the default first
const SemanticsInfo& info(Semantics semantics);
std::optional<Semantics> find_semantics(std::string_view name);

inline constexpr double default_gamma = 0.01;
// Beyond these the soft-or is a maximum in all but name, or no longer an OR.
inline constexpr double least_gamma = 1e-4;
inline constexpr double largest_gamma = 10.0;

}  // namespace neumann
