#include "worlds/merged_proofs.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/require_not_stopped.h"
#include "worlds/components_of.h"

namespace neumann {
namespace {

// Bounds of products that are computed in another order than the products.
constexpr double rounding = 1 + 1e-12;

std::uint64_t bit_of(std::uint32_t choice) { return std::uint64_t{1} << (choice % 64); }

std::uint64_t bit_of_code(std::uint32_t code) {
    return std::uint64_t{1} << ((code * std::uint64_t{0x9E3779B97F4A7C15}) >> 58);
}

}  // namespace

MergePlan::MergePlan(const ReasoningGraph& graph, const GraphLevels& levels, const RandomChoices& random,
                     const ProofCodes& codes)
    : fact(graph.atom_count()), choices(graph.atom_count(), 0), outcome(graph.conjunction_count()),
      is_disjoint(graph.conjunction_count(), 0) {
    for_components_of(random.atoms(), levels, [&](std::span<const std::uint32_t> members) {
        const auto begin = static_cast<std::uint32_t>(atoms.size());
        atoms.insert(atoms.end(), members.begin(), members.end());
        components.push_back(
            {begin, static_cast<std::uint32_t>(atoms.size()), levels.cyclic[levels.component[members[0]]] != 0});
        std::uint64_t all = 0;
        for (const std::uint32_t atom : members) {
            fact[atom] = codes.of(random.of_atom(atom));
            if (fact[atom]) all |= bit_of(codes.choice(*fact[atom]));
            for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) {
                outcome[c] = codes.of(random.of_conjunction(c));
                std::uint64_t of_conjunction = 0;
                bool disjoint = true;
                const auto add = [&](std::uint64_t part) {
                    disjoint = disjoint && (of_conjunction & part) == 0;
                    of_conjunction |= part;
                };
                if (outcome[c]) add(bit_of(codes.choice(*outcome[c])));
                for (const GraphLiteral literal : graph.literals(c)) {
                    add(choices[literal.atom()]);
                    if (literal.negated()) disjoint = false;
                    // What a cycle depends on is known at its end.
                    if (levels.component[literal.atom()] == levels.component[atom]) disjoint = false;
                }
                is_disjoint[c] = disjoint ? 1 : 0;
                all_disjoint = all_disjoint && disjoint;
                all |= of_conjunction;
            }
        }
        for (const std::uint32_t atom : members) choices[atom] = all;
    });
}

MergedProofs::MergedProofs(const ReasoningGraph& graph, const MergePlan& plan, const ProofCodes& codes,
                           std::size_t width, std::uint64_t most_looks)
    : graph_(graph), plan_(plan), codes_(codes), width_(width), most_looks_(most_looks), list_(graph.atom_count()),
      most_(graph.atom_count()) {}

bool MergedProofs::run(std::span<const double> chance, const Chances& chances) {
    chance_ = chance;
    arena_.resize(codes_.count());
    single_.clear();
    for (std::uint32_t code = 0; code < codes_.count(); ++code) {
        arena_[code] = code;
        single_.push_back({chance[code], bit_of(codes_.choice(code)), bit_of_code(code), code, 1});
    }
    const Proof certain{1.0, 0, 0, 0, 0};
    for (const MergePlan::Component& one : plan_.components) {
        require_not_stopped("merging proofs");
        const auto members = std::span(plan_.atoms).subspan(one.begin, one.end - one.begin);
        for (const std::uint32_t atom : members) {
            best_.clear();
            all_ = true;
            if (const OptionalIndex fact = plan_.fact[atom]) {
                if (chance[*fact] > 0) offer(single_[*fact], best_);
            } else if (chances.initial[atom] >= 1) {
                best_.push_back(certain);
            }
            if (!one.cyclic) derive(atom);
            store(atom);
        }
        if (one.cyclic) go_round(members);
        if (looks_ > most_looks_) return false;
    }
    return true;
}

// An atom's list only improves, and there are finitely many: the rounds end.
void MergedProofs::go_round(std::span<const std::uint32_t> members) {
    for (bool any = true; any && looks_ <= most_looks_;) {
        any = false;
        require_not_stopped("merging proofs");
        for (const std::uint32_t atom : members) {
            const std::span<const Proof> before = proofs(atom);
            best_.assign(before.begin(), before.end());
            all_ = list_[atom].all;
            derive(atom);
            const auto same = [](const Proof& a, const Proof& b) { return a.begin == b.begin; };
            const bool changed = !std::ranges::equal(best_, proofs(atom), same) || all_ != list_[atom].all;
            if (changed) store(atom);
            any = any || changed;
        }
    }
}

void MergedProofs::store(std::uint32_t atom) {
    list_[atom] = {static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(best_.size()), all_};
    most_[atom] = best_.empty() ? 0.0 : best_[0].probability;
    pool_.insert(pool_.end(), best_.begin(), best_.end());
}

void MergedProofs::derive(std::uint32_t atom) {
    for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
        if (!best_.empty() && best_[0].length == 0) {  // certain
            all_ = true;
            return;
        }
        if (is_too_improbable(c)) {
            all_ = false;
        } else {
            derive(plan_.outcome[c], graph_.literals(c), plan_.is_disjoint[c] != 0);
        }
    }
    if (!best_.empty() && best_[0].length == 0) all_ = true;
}

// For most conjunctions of an atom with many this is all that is looked at.
bool MergedProofs::is_too_improbable(std::uint32_t conjunction) const {
    if (best_.size() < width_ || plan_.is_disjoint[conjunction] == 0) return false;
    const OptionalIndex outcome = plan_.outcome[conjunction];
    double most = outcome ? chance_[*outcome] : 1.0;
    for (const GraphLiteral literal : graph_.literals(conjunction)) most *= most_[literal.atom()];
    return most > 0 && most * rounding <= best_.back().probability;
}

std::span<const MergedProofs::Proof> MergedProofs::proofs(GraphLiteral literal) const {
    if (!literal.negated()) return proofs(literal.atom());
    const std::uint32_t code = codes_.of_negated(literal.atom());
    return chance_[code] > 0 ? std::span(single_).subspan(code, 1) : std::span<const Proof>();
}

void MergedProofs::derive(OptionalIndex outcome, std::span<const GraphLiteral> literals, bool disjoint) {
    double most = outcome ? chance_[*outcome] : 1.0;
    if (most <= 0) return;
    bool all = true;
    bool possible = true;
    looks_ += literals.size();
    parts_.clear();
    for (const GraphLiteral literal : literals) {
        const std::span<const Proof> part = proofs(literal);
        const bool part_all = literal.negated() || list_[literal.atom()].all;
        if (part.empty() && part_all) return;  // never
        all = all && part_all;
        possible = possible && !part.empty();
        if (!possible) continue;
        parts_.push_back(part);
        most = disjoint ? most * part[0].probability : std::min(most, part[0].probability);
    }
    all_ = all_ && all;
    if (!possible) return;
    if (best_.size() == width_ && most * rounding <= best_.back().probability) {
        all_ = false;
        return;
    }
    const Proof start = outcome ? single_[*outcome] : Proof{1.0, 0, 0, 0, 0};
    if (parts_.empty()) {
        offer(start, best_);
        return;
    }
    if (parts_.size() == 1) return join(start, parts_[0], disjoint, best_);
    partial_.assign(1, start);
    for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
        next_.clear();
        for (const Proof& left : partial_) join(left, parts_[i], disjoint, next_);
        std::swap(partial_, next_);
    }
    for (const Proof& left : partial_) join(left, parts_.back(), disjoint, best_);
}

void MergedProofs::join(const Proof& left, std::span<const Proof> right, bool disjoint, std::vector<Proof>& to) {
    looks_ += right.size();
    for (const Proof& one : right) {
        if (to.size() == width_) {
            const double shared = std::min(left.probability, one.probability);
            const double apart = left.probability * one.probability;
            const double least = to.back().probability;
            if ((disjoint ? apart : shared) * rounding <= least) {
                all_ = false;
                return;
            }
            if ((left.choices & one.choices) == 0 && apart * rounding <= least) {
                all_ = false;
                continue;
            }
        }
        if (left.length == 0) {
            offer(one, to);
        } else if (one.length == 0) {
            offer(left, to);
        } else if (join_codes(left, one)) {
            double probability = 1;
            for (const std::uint32_t code : scratch_)
                probability = std::max(probability * chance_[code], std::numeric_limits<double>::min());
            const auto begin = static_cast<std::uint32_t>(arena_.size());
            arena_.insert(arena_.end(), scratch_.begin(), scratch_.end());
            if (!offer({probability, left.choices | one.choices, left.bits | one.bits, begin,
                        static_cast<std::uint32_t>(scratch_.size())},
                       to))
                arena_.resize(begin);
        }
    }
}

// The codes of both; false if they contradict each other.
bool MergedProofs::join_codes(const Proof& left, const Proof& right) {
    const std::span<const std::uint32_t> a = codes(left);
    const std::span<const std::uint32_t> b = codes(right);
    scratch_.clear();
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i] == b[j]) {
            scratch_.push_back(a[i++]);
            ++j;
            continue;
        }
        if (codes_.choice(a[i]) == codes_.choice(b[j])) return false;
        scratch_.push_back(a[i] < b[j] ? a[i++] : b[j++]);
    }
    scratch_.insert(scratch_.end(), a.begin() + static_cast<std::ptrdiff_t>(i), a.end());
    scratch_.insert(scratch_.end(), b.begin() + static_cast<std::ptrdiff_t>(j), b.end());
    return true;
}

bool MergedProofs::is_part(const Proof& part, const Proof& of) const {
    return part.length <= of.length && (part.bits & ~of.bits) == 0 && std::ranges::includes(codes(of), codes(part));
}

// Into its place by probability; equal ones stay in the order in which they came. Whether it is kept.
bool MergedProofs::offer(const Proof& proof, std::vector<Proof>& to) {
    if (std::ranges::any_of(to, [&](const Proof& kept) { return is_part(kept, proof); })) return false;
    std::erase_if(to, [&](const Proof& kept) { return is_part(proof, kept); });
    if (to.size() == width_) {
        all_ = false;
        if (proof.probability <= to.back().probability) return false;
        to.pop_back();
    }
    const auto place = std::ranges::upper_bound(to, proof.probability, std::greater<>(), &Proof::probability);
    to.insert(place, proof);
    return true;
}

MergedProofs::Found MergedProofs::find(std::span<const GraphLiteral> goals) {
    best_.clear();
    all_ = true;
    if (goals.size() == 1 && !goals[0].negated()) {
        const std::span<const Proof> known = proofs(goals[0].atom());
        return {{known.begin(), known.end()}, list_[goals[0].atom()].all};
    }
    derive(std::nullopt, goals, false);
    return {best_, all_};
}

}  // namespace neumann
