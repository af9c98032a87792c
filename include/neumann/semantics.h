// Semantics of reasoning: the meaning of AND, OR, NOT and of a clause weight. docs/semantics.md has the formulas.
#pragma once

#include <span>
#include <string_view>

namespace neumann {

// A semantics and its laws: its users test these, never its name.
struct SemanticsSummary {
    std::string_view name;      // as options name it
    std::string_view summary;   // a sentence
    bool uses_gamma = false;    // it has a soft-or
    bool keeps_zero = true;     // an unsupported atom stays exactly 0: Grounding::Relevant is exact
    bool needs_steps = false;   // values change with every step: their number is part of the question
    bool for_learning = false;  // clauses and networks can be learned with it

    // Random worlds of the distribution semantics, in the place of steps on the graph: only queries have values,
    // without a history.
    bool has_worlds = false;
    bool is_exact = false;                    // values are the probabilities themselves
    bool has_bounds = false;                  // values come with bounds of the exact probabilities
    bool has_gradients = true;                // by inputs and weights
    bool needs_compilation = false;           // of decision diagrams, which have limits of time and memory
    bool takes_evidence = false;              // about derived atoms
    bool takes_engine = true;                 // ReasonerOptions::engine and kernel
    bool takes_samples = false;               // ReasonerOptions::samples and seed
    bool takes_k = false;                     // ReasonerOptions::k
    std::string_view step_name = "step";      // the unit of steps() in a result
    std::string_view values_name = "values";  // for messages: "sampled probabilities"
};

// All semantics, in the order of the documentation.
std::span<const SemanticsSummary> known_semantics();
const SemanticsSummary* find_known_semantics(std::string_view name);  // null: there is none of this name
// Throws std::invalid_argument for a name that no semantics has, and suggests another.
const SemanticsSummary& semantics_summary(std::string_view name);

// The defaults: of reasoning, of learning clauses and their weights, and of training networks through logic.
inline constexpr std::string_view default_semantics_name = "softor";
inline constexpr std::string_view learning_semantics_name = "clausewise";      // of learning clauses and their weights
inline constexpr std::string_view joint_training_semantics_name = "noisy-or";  // of training networks through logic
// Exact probabilities: that of ProbLog's programs, with which others are compared.
inline constexpr std::string_view exact_semantics_name = "exact";

inline constexpr double default_gamma = 0.01;  // how soft the soft-or is
// Beyond these the soft-or is a maximum in all but name, or no longer an OR.
inline constexpr double least_gamma = 1e-4;
inline constexpr double largest_gamma = 10.0;  // the largest that options take

}  // namespace neumann
