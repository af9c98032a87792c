#include "explain/near_misses.h"

#include <algorithm>
#include <utility>

#include "explain/rivals.h"
#include "explain/top_proofs.h"

namespace neumann {
namespace {

// Derivations looked at for each one that is shown: most differ in what they rest on, not in what they lack.
constexpr std::size_t tried_per_miss = 50;
// Where nothing is plainly wrong, what is least certain.
constexpr float nearly_certain = 0.9F;

// Whether mending less was told already, or the same.
bool is_told(std::span<const std::uint32_t> failures, std::span<const Miss> misses) {
    return std::ranges::any_of(misses, [&](const Miss& known) {
        const bool contained = std::ranges::all_of(
            known.failures, [&](std::uint32_t atom) { return std::ranges::find(failures, atom) != failures.end(); });
        return contained && (!known.failures.empty() || failures.empty());
    });
}

}  // namespace

NearMisses::NearMisses(const CompiledProgram& compiled, const Schedule& schedule, const NearMissOptions& options)
    : compiled_(compiled), options_(options), trust_(compiled.ground.graph.atom_count(), Trust::Certain),
      derivations_(compiled.ground.graph, schedule) {
    const ReasoningGraph& graph = compiled.ground.graph;
    const auto predicates = compiled.program.signature.predicates();
    for (std::uint32_t p = 0; p < predicates.size(); ++p) {
        const PredicateDecl& predicate = predicates[p];
        if (is_question(predicate) || std::ranges::find(options.trusted, PredicateId(p)) != options.trusted.end())
            continue;
        const AtomTable::Range& range = compiled.ground.atoms.range(PredicateId(p));
        for (std::uint32_t atom = range.first; atom < range.first + range.count; ++atom) {
            const bool underived = graph.in_begin[atom] == graph.in_begin[atom + 1];
            trust_[atom] = predicate.neural ? Trust::Perceived : underived ? Trust::AbsentFact : Trust::Certain;
        }
    }
}

bool NearMisses::fits(std::uint32_t atom, std::span<const std::uint32_t> used) const {
    if (trust_[atom] != Trust::Perceived) return true;
    const std::vector<std::uint32_t> others = rivals(compiled_.program, compiled_.ground.atoms, atom);
    return std::ranges::none_of(used,
                                [&](std::uint32_t one) { return std::ranges::find(others, one) != others.end(); });
}

std::vector<std::uint32_t> NearMisses::failures_of(const Proof& proof, const Column& initial) const {
    std::vector<std::uint32_t> found;
    const auto collect = [&](float below) {
        for (const ProofStep& step : proof.steps) {
            const bool may_be_wrong = step.conjunction == Derivations::given && trust_[step.atom] != Trust::Certain;
            if (may_be_wrong && initial[step.atom] < below) found.push_back(step.atom);
        }
    };
    collect(static_cast<float>(options_.failed_below));
    if (found.empty()) collect(nearly_certain);
    std::ranges::sort(
        found, [&](std::uint32_t a, std::uint32_t b) { return std::pair(hoped_[a], a) < std::pair(hoped_[b], b); });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::vector<Miss> NearMisses::find(std::uint32_t atom, std::span<const double> weights, const Column& initial,
                                   TNorm norm) {
    hoped_.resize(trust_.size());
    for (std::size_t a = 0; a < hoped_.size(); ++a) hoped_[a] = initial[a];
    const auto hope = static_cast<float>(options_.hope);
    for (std::size_t a = 0; a < hoped_.size(); ++a) {
        if (trust_[a] == Trust::Perceived) hoped_[a] = hope + (1 - hope) * hoped_[a];
        if (trust_[a] == Trust::AbsentFact) hoped_[a] = std::max(hoped_[a], static_cast<float>(options_.absent_fact));
    }
    derivations_.find({.root = atom,
                       .norm = TNorm::Product,
                       .weights = weights,
                       .initial = std::span<const float>(hoped_),
                       .ceiling = {},
                       .rounds = {}});
    ProofSearch search(derivations_, {},
                       [&](std::uint32_t one, std::span<const std::uint32_t> used) { return fits(one, used); });
    std::vector<Miss> misses;
    for (std::size_t tried = 0; misses.size() < options_.most && tried < options_.most * tried_per_miss; ++tried) {
        std::optional<Proof> proof = search.next();
        if (!proof) break;
        std::vector<std::uint32_t> failures = failures_of(*proof, initial);
        if (is_told(failures, misses)) continue;
        revalue(*proof, compiled_.ground.graph, norm, weights, initial);
        misses.push_back({std::move(*proof), std::move(failures)});
    }
    return misses;
}

}  // namespace neumann
