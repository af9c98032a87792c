#include <algorithm>
#include <array>

#include <neumann/learn_options.h>

namespace neumann {
namespace {

// In the order of the enumeration.
constexpr std::array all_algorithms = {
    LearnAlgorithmInfo{LearnAlgorithm::Search, "search", "every clause by its length, for crisp examples"},
    LearnAlgorithmInfo{LearnAlgorithm::Gradient, "gradient", "gradient scores, weights, exact checks"},
    LearnAlgorithmInfo{LearnAlgorithm::Neumann, "neumann", "Algorithm 3 of the NEUMANN paper as printed"},
    LearnAlgorithmInfo{LearnAlgorithm::NeumannCode, "neumann-code", "the same as NEUMANN's public code does it"},
    LearnAlgorithmInfo{LearnAlgorithm::DilpSt, "dilp-st", "∂ILP-ST: beam search, exact scores"},
    LearnAlgorithmInfo{LearnAlgorithm::AlphaIlp, "alpha-ilp", "αILP: beam search, its own scores and reasoner"},
    LearnAlgorithmInfo{LearnAlgorithm::Dilp, "dilp", "∂ILP: templates, weights over pairs of clauses"},
};

}  // namespace

std::span<const LearnAlgorithmInfo> learn_algorithms() { return all_algorithms; }

const LearnAlgorithmInfo& info(LearnAlgorithm algorithm) { return all_algorithms[static_cast<std::size_t>(algorithm)]; }

std::optional<LearnAlgorithm> find_algorithm(std::string_view name) {
    const auto found = std::ranges::find(all_algorithms, name, &LearnAlgorithmInfo::name);
    return found == all_algorithms.end() ? std::nullopt : std::optional(found->algorithm);
}

}  // namespace neumann
