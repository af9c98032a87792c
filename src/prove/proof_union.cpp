#include "prove/proof_union.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace neumann {
namespace {

std::vector<std::uint32_t> numbers_of_ways(const WayProbabilities& ways) {
    std::vector<std::uint32_t> numbers;
    for (const std::vector<double>& one : ways) numbers.push_back(static_cast<std::uint32_t>(one.size()));
    return numbers;
}

}  // namespace

ProofUnion::ProofUnion(const BoundedFunctions& bounds, std::span<const std::uint32_t> function,
                       const WayProbabilities& ways, std::span<const std::uint32_t> place_of_choice,
                       std::uint64_t bytes)
    : bounds_(bounds), function_(function), place_(place_of_choice), diagrams_(numbers_of_ways(ways), {.bytes = bytes}),
      weights_(diagrams_, ways), copy_(bounds.diagrams, diagrams_) {}

DecisionDiagrams::Node ProofUnion::of_proof(const WorldProof& proof) {
    std::vector<Node> parts;
    for (const RandomChoices::Outcome outcome : proof.outcomes)
        parts.push_back(diagrams_.outcome(place_[outcome.choice], outcome.way));
    for (const std::uint32_t atom : proof.negated)
        parts.push_back(diagrams_.negation(copy_(bounds_.functions[function_[atom]].high)));
    std::ranges::sort(parts, {}, [&](Node node) { return diagrams_.choice(node); });
    return diagrams_.all_of(parts);
}

void ProofUnion::add(std::span<const WorldProof> proofs, std::size_t k) {
    struct Weighed {
        Node node;
        double probability;
    };
    std::vector<Weighed> possible;
    try {
        for (const WorldProof& proof : proofs) {
            const Node node = of_proof(proof);
            if (node != DecisionDiagrams::never) possible.push_back({node, weights_(node)});
        }
    } catch (const DiagramLimit&) {
        all_ = false;
    }
    std::ranges::stable_sort(possible, std::greater<>(), &Weighed::probability);
    std::size_t count = std::min(k, possible.size());
    all_ = all_ && count == possible.size();
    for (; count > 0; count /= 2, all_ = false) {
        try {
            std::vector<Node> parts;
            for (std::size_t i = 0; i < count; ++i) parts.push_back(possible[i].node);
            std::ranges::sort(parts, {}, [&](Node node) { return diagrams_.choice(node); });
            root_ = diagrams_.any_of(parts);
            break;
        } catch (const DiagramLimit&) {
        }
    }
    counted_ = count;
}

}  // namespace neumann
