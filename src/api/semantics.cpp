#include "reason/semantics.h"

#include <neumann/reasoner.h>

#include "reason/choose_kernel.h"

namespace neumann {

std::vector<SemanticsSummary> known_semantics() {
    std::vector<SemanticsSummary> all;
    for (const SemanticsInfo& one : all_semantics())
        all.push_back({one.name, one.summary, one.uses_gamma, one.keeps_zero, one.needs_steps, one.for_learning});
    all.push_back({.name = exact_semantics_name,
                   .summary = "exact probabilities: facts and clauses are independent random events, as in ProbLog"});
    all.push_back({.name = sample_semantics_name,
                   .summary = "estimates of the exact probabilities from random worlds, with intervals of 95 %"});
    all.push_back(
        {.name = topk_semantics_name, .summary = "bounds of the exact probabilities from the most probable proofs"});
    return all;
}

std::vector<std::string> known_kernels() {
    std::vector<std::string> names;
    for (const Kernel* one : available_kernels()) names.emplace_back(one->name);
    return names;
}

}  // namespace neumann
