#include "worlds/proof_union.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/budget.h"

namespace neumann {
namespace {

constexpr std::size_t worth_forgetting = std::size_t{1} << 18;  // nodes

std::vector<std::uint32_t> numbers_of_ways(const WayProbabilities& ways) {
    std::vector<std::uint32_t> numbers;
    for (const std::vector<double>& one : ways) numbers.push_back(static_cast<std::uint32_t>(one.size()));
    return numbers;
}

}  // namespace

ProofUnion::ProofUnion(const BoundedFunctions& bounds, std::span<const OptionalIndex> function,
                       const WayProbabilities& ways, std::span<const std::uint32_t> place_of_choice,
                       const BoundingLimits& limits)
    : bounds_(bounds), function_(function), ways_(ways),
      place_(place_of_choice), limits_{.bytes = limits.bytes,
                                       .steps = limits.union_steps,
                                       .watch =
                                           [in_time = limits.finish_in_time](std::size_t) {
                                               if (in_time && Budget::current().should_finish())
                                                   throw DiagramLimit("the time is over");
                                           }},
      diagrams_(numbers_of_ways(ways), limits_), weights_(diagrams_, ways), copy_(bounds.diagrams, diagrams_) {}

DecisionDiagrams::Node ProofUnion::of_proof(const WorldProof& proof) {
    std::vector<Node> parts;
    for (const RandomChoices::Outcome outcome : proof.outcomes)
        parts.push_back(diagrams_.outcome(place_[*outcome.choice], outcome.way));
    for (const std::uint32_t atom : proof.negated)
        parts.push_back(diagrams_.negation(copy_(bounds_.functions[*function_[atom]].high)));
    std::ranges::sort(parts, {}, [&](Node node) { return diagrams_.choice(node); });
    return diagrams_.all_of(parts);
}

void ProofUnion::keep(std::span<Node> nodes) {
    diagrams_.keep_only(nodes);
    weights_.forget();
    copy_.forget();
}

DecisionDiagrams::Node ProofUnion::unite(std::span<const WorldProof* const> proofs) {
    std::vector<std::pair<std::vector<std::uint32_t>, Node>> ordered;  // proofs with a common prefix are neighbours
    for (const WorldProof* const proof : proofs) {
        std::vector<std::uint32_t> places;
        for (const RandomChoices::Outcome outcome : proof->outcomes) places.push_back(place_[*outcome.choice]);
        std::ranges::sort(places);
        ordered.emplace_back(std::move(places), of_proof(*proof));
    }
    std::ranges::sort(ordered);
    std::vector<Node> parts;
    for (const auto& [places, node] : ordered) parts.push_back(node);
    while (parts.size() > 1) {  // two neighbours at a time
        for (std::size_t i = 0; i < parts.size() / 2; ++i) parts[i] = diagrams_.either(parts[2 * i], parts[2 * i + 1]);
        if (parts.size() % 2 != 0) parts[parts.size() / 2] = parts.back();
        parts.resize((parts.size() + 1) / 2);
        if (diagrams_.nodes() > worth_forgetting) keep(parts);
    }
    return parts[0];
}

void ProofUnion::add(std::span<const WorldProof> proofs, std::size_t k) {
    std::vector<std::pair<double, const WorldProof*>> possible;
    try {
        for (const WorldProof& proof : proofs)
            if (const Node node = of_proof(proof); node != DecisionDiagrams::never)
                possible.emplace_back(weights_(node), &proof);
    } catch (const DiagramLimit&) {
        all_ = false;
    }
    std::ranges::stable_sort(possible, std::greater<>(), [](const auto& one) { return one.first; });
    std::vector<const WorldProof*> counted;
    for (std::size_t i = 0; i < std::min(k, possible.size()); ++i) counted.push_back(possible[i].second);
    all_ = all_ && counted.size() == possible.size();
    for (; !counted.empty(); counted.resize(counted.size() / 2), all_ = false) {
        try {
            root_ = unite(counted);
            break;
        } catch (const DiagramLimit&) {
            diagrams_ = DecisionDiagrams(numbers_of_ways(ways_), limits_);
            weights_.forget();
            copy_.forget();
        }
    }
    counted_ = counted.size();
}

}  // namespace neumann
