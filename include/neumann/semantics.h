// Semantics of reasoning: what AND, OR, NOT and a clause weight mean. docs/semantics.md has the formulas.
#pragma once

#include <string_view>
#include <vector>

namespace neumann {

// One of those that there are.
struct SemanticsSummary {
    std::string_view name;
    std::string_view summary;   // a sentence
    bool uses_gamma = false;    // it has a soft-or
    bool keeps_zero = true;     // what nothing supports stays exactly 0: Grounding::Relevant is exact
    bool needs_steps = false;   // values change with every step: how many there are must be said
    bool for_learning = false;  // clauses and networks can be learned with it
};

std::vector<SemanticsSummary> known_semantics();

// What is taken where nothing is said: in reasoning, in learning clauses and their weights, and in training networks
// through logic.
inline constexpr std::string_view default_semantics_name = "softor";
inline constexpr std::string_view learning_semantics_name = "clausewise";
inline constexpr std::string_view joint_training_semantics_name = "noisy-or";

// Exact probabilities: the distribution semantics, as in ProbLog.
inline constexpr std::string_view exact_semantics_name = "exact";
// Their estimates from random worlds.
inline constexpr std::string_view sample_semantics_name = "sample";
// Bounds of them from the most probable proofs.
inline constexpr std::string_view topk_semantics_name = "topk";
// Whether it is one of these three: probabilities are known of what is asked alone.
constexpr bool has_worlds(std::string_view semantics) {
    return semantics == exact_semantics_name || semantics == sample_semantics_name || semantics == topk_semantics_name;
}
// Whether values come with bounds of the exact ones.
constexpr bool has_bounds(std::string_view semantics) {
    return semantics == sample_semantics_name || semantics == topk_semantics_name;
}

inline constexpr double default_gamma = 0.01;
// Beyond these the soft-or is a maximum in all but name, or no longer an OR.
inline constexpr double least_gamma = 1e-4;
inline constexpr double largest_gamma = 10.0;

}  // namespace neumann
