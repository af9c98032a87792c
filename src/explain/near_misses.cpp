#include "explain/near_misses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "explain/rivals.h"
#include "explain/twins.h"
#include "proofs/top_proofs.h"

namespace neumann {
namespace {

// Derivations enumerated for each one that is reported: most differ in their premises, not in their failures.
constexpr std::size_t tried_per_miss = 10;
// If no input is clearly false, the least certain ones count as failures.
constexpr float nearly_certain = 0.9F;
// The largest cost of a derivation that is still distinguished, in units of log: 240 missing facts. A larger limit
// would cost precision, as the scaled values are 32-bit numbers near 1.
constexpr double longest = 5000;

// Whether an earlier near miss has a subset of these failures, up to symmetry: of closeby(a,b) and closeby(b,a) one is
// enough.
bool is_told(std::span<const std::uint32_t> failures, std::span<const Miss> misses, Twins& twins) {
    const auto first = [&](std::uint32_t atom) { return twins.first_of(atom); };
    return std::ranges::any_of(misses, [&](const Miss& known) {
        const bool contained = std::ranges::all_of(known.failures, [&](std::uint32_t atom) {
            return std::ranges::find(failures, first(atom), first) != failures.end();
        });
        return contained && (!known.failures.empty() || failures.empty());
    });
}

}  // namespace

NearMisses::NearMisses(const CompiledProgram& compiled, const PositiveGraph& positive, const Schedule& schedule,
                       const NearMissOptions& options)
    : compiled_(compiled), positive_(positive), options_(options),
      trust_(positive.graph().atom_count(), Trust::Certain), derivations_(positive.graph(), schedule) {
    const ReasoningGraph& graph = compiled.ground.graph;
    const auto predicates = compiled.program.signature.predicates();
    std::vector<bool> has_rules(predicates.size());
    for (const Clause& clause : compiled.program.clauses) has_rules[clause.head.predicate.index()] = true;
    for (std::uint32_t p = 0; p < predicates.size(); ++p) {
        const PredicateDecl& predicate = predicates[p];
        const bool trusted =
            is_question(predicate) || std::ranges::find(options.trusted, PredicateId(p)) != options.trusted.end();
        const AtomTable::Range& range = compiled.ground.atoms.range(PredicateId(p));
        for (std::uint32_t atom = range.first; atom < range.first + range.count; ++atom) {
            // A program may lack facts of a predicate without rules, and may be uncertain about those that it has.
            const bool doubtful = !has_rules[p] || (graph.initial[atom] > 0 && graph.initial[atom] < 1);
            if (predicate.neural || doubtful)
                trust_[atom] = trusted ? Trust::Trusted : predicate.neural ? Trust::Perceived : Trust::Fact;
        }
    }
    // Atoms that depend on perception may fail.
    for (std::uint32_t atom = graph.atom_count(); atom < trust_.size(); ++atom) trust_[atom] = Trust::Perceived;
}

bool NearMisses::fits(std::uint32_t atom, std::span<const std::uint32_t> used) const {
    if (std::ranges::any_of(used, [&](std::uint32_t one) { return positive_.contradict(one, atom); })) return false;
    if (trust_[atom] != Trust::Perceived || positive_.is_negation(atom)) return true;
    const std::vector<std::uint32_t> others = rivals(compiled_.program, compiled_.ground.atoms, atom);
    return std::ranges::none_of(used,
                                [&](std::uint32_t one) { return std::ranges::find(others, one) != others.end(); });
}

std::vector<std::uint32_t> NearMisses::failures_of(const Proof& proof, std::span<const float> initial) const {
    std::vector<std::uint32_t> found;
    const auto collect = [&](float below) {
        for (const ProofStep& step : proof.steps) {
            const bool may_be_wrong = step.conjunction == Derivations::given && trust_[step.atom] > Trust::Trusted;
            if (may_be_wrong && initial[step.atom] < below) found.push_back(step.atom);
        }
    };
    collect(static_cast<float>(options_.failed_below));
    if (found.empty()) collect(std::max(nearly_certain, static_cast<float>(options_.threshold)));
    std::ranges::sort(
        found, [&](std::uint32_t a, std::uint32_t b) { return std::pair(hoped_[a], a) < std::pair(hoped_[b], b); });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// The nearness of a derivation is the product of its inputs, which underflows for a hundred failures. So values are
// kept as 1 + log(x)/longest: the product becomes the bounded (Łukasiewicz) norm.
void NearMisses::hope(std::uint32_t root, std::span<const double> weights, std::span<const float> initial,
                      bool for_trusted) {
    const auto scaled = [](double x) { return x > 0 ? std::max(0.0, 1 + std::log(x) / longest) : 0.0; };
    hoped_.resize(trust_.size());
    for (std::size_t a = 0; a < hoped_.size(); ++a) {
        auto value = static_cast<double>(initial[a]);
        if (trust_[a] == Trust::Perceived) value = options_.hope + (1 - options_.hope) * value;
        const bool may_appear = trust_[a] == Trust::Fact || (for_trusted && trust_[a] == Trust::Trusted);
        if (may_appear && a != root) value = std::max(value, options_.absent_fact);
        hoped_[a] = static_cast<float>(scaled(value));
    }
    hoped_weights_.resize(weights.size());
    for (std::size_t k = 0; k < weights.size(); ++k) hoped_weights_[k] = scaled(weights[k]);
    derivations_.find({.root = root,
                       .norm = tnorm::bounded,
                       .weights = hoped_weights_,
                       .initial = std::span<const float>(hoped_),
                       .ceiling = {},
                       .rounds = {}});
}

// Each input and rule of a derivation counts once: a mistake is made once, however often it is used.
double NearMisses::nearness(const Proof& proof) const {
    double cost = 0;
    for (const ProofStep& step : proof.steps) {
        const bool given = step.conjunction == Derivations::given;
        cost += 1 - (given ? static_cast<double>(hoped_[step.atom])
                           : hoped_weights_[compiled_.ground.graph.clause[step.conjunction]]);
    }
    return -cost;
}

void NearMisses::search(bool consistent, std::span<const float> initial, std::vector<Miss>& misses) const {
    ProofSearch::Fits one_world;
    if (consistent)
        one_world = [this](std::uint32_t one, std::span<const std::uint32_t> used) { return fits(one, used); };
    ProofSearch::Settings settings;
    settings.inputs_once = true;
    ProofSearch proofs(derivations_, settings, one_world);
    std::vector<std::pair<double, Proof>> found;
    while (found.size() < options_.most * tried_per_miss) {
        std::optional<Proof> proof = proofs.next();
        if (!proof) break;
        found.emplace_back(nearness(*proof), std::move(*proof));
    }
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
    Twins twins(compiled_, initial);
    for (auto& [nearness, proof] : found) {
        if (misses.size() == options_.most) break;
        std::vector<std::uint32_t> failures = failures_of(proof, initial);
        if (!is_told(failures, misses, twins)) misses.push_back({std::move(proof), std::move(failures)});
    }
}

std::vector<Miss> NearMisses::find(std::uint32_t atom, std::span<const double> weights, std::span<const float> initial,
                                   TNorm norm) {
    hope(atom, weights, initial, false);
    // Trusted inputs are not blamed, unless nothing else would help.
    if (derivations_.best(atom, derivations_.end()).value <= 0) hope(atom, weights, initial, true);
    std::vector<Miss> misses;
    search(true, initial, misses);
    // A rule that asks for two colours of one object holds in no world, and still has a value.
    if (misses.empty()) search(false, initial, misses);
    // A tree too large for the search or for the largest counted cost may still be a small graph: that of the
    // derivation with the best minimum.
    if (misses.empty()) {
        DerivationTask by_minimum = derivations_.task();
        by_minimum.norm = tnorm::minimum;
        derivations_.find(by_minimum);
        Proof best = best_proof(derivations_);
        if (best.empty()) return misses;
        std::vector<std::uint32_t> failures = failures_of(best, initial);
        misses.push_back({std::move(best), std::move(failures)});
    }
    for (Miss& miss : misses) revalue(miss.proof, compiled_.ground.graph, norm, weights, initial);
    return misses;
}

}  // namespace neumann
