#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include <neumann/learn_options.h>

namespace neumann {
namespace {

// In the order of the enumeration.
constexpr std::array all_algorithms = {
    LearnAlgorithmInfo{LearnAlgorithm::Automatic, "auto", "search for crisp examples, else gradient; then the other"},
    LearnAlgorithmInfo{LearnAlgorithm::Search, "search", "every small clause, and programs of them"},
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

std::vector<std::string_view> options_without_effect(LearnAlgorithm algorithm) {
    if (algorithm <= LearnAlgorithm::Search) return {"min-body"};
    if (algorithm == LearnAlgorithm::Gradient) return {"min-body", "work-limit"};
    std::vector<std::string_view> names = {"reserves", "with-replacement", "patience", "restarts", "work-limit"};
    const auto add = [&](std::initializer_list<std::string_view> more) {
        names.insert(names.end(), more.begin(), more.end());
    };
    if (algorithm != LearnAlgorithm::Neumann) add({"search", "beta", "negative-rounds", "learning-semantics"});
    if (algorithm != LearnAlgorithm::Neumann && algorithm != LearnAlgorithm::NeumannCode) add({"uniform-weight"});
    if (algorithm != LearnAlgorithm::NeumannCode) add({"min-body"});
    if (algorithm == LearnAlgorithm::DilpSt || algorithm == LearnAlgorithm::Dilp) add({"gamma"});
    if (algorithm == LearnAlgorithm::Dilp) add({"trials", "samples", "max-body", "max-depth"});
    return names;
}

}  // namespace neumann
