#include "worlds/world_proofs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/budget.h"
#include "worlds/components_of.h"

namespace neumann {
namespace {

// A product that stays positive, however improbable: possible events stay possible.
double times(double a, double b) {
    return a <= 0 || b <= 0 ? 0.0 : std::max(a * b, std::numeric_limits<double>::min());
}

}  // namespace

bool WorldProofSearch::Later::operator()(std::uint32_t a, std::uint32_t b) const {
    const Partial& left = (*partials)[a];
    const Partial& right = (*partials)[b];
    if (left.key != right.key) return left.key < right.key;
    if (left.length != right.length) return left.length < right.length;
    return a > b;
}

WorldProofSearch::WorldProofSearch(const ReasoningGraph& graph, const GraphLevels& levels, const RandomChoices& choices,
                                   const Chances& chances, ChanceOfNot chance_of_not, const Settings& settings)
    : graph_(graph), levels_(levels), choices_(choices), chances_(chances), chance_of_not_(std::move(chance_of_not)),
      settings_(settings), ways_(choices.count()), certain_(graph.atom_count(), false), hope_(graph.atom_count(), 0),
      not_(graph.atom_count(), -1), way_of_(choices.count()), taken_(graph.atom_count()) {
    for (std::uint32_t choice = 0; choice < choices.count(); ++choice)
        choices_.probabilities(choice, chances, ways_[choice]);
    find_hopes();
}

bool WorldProofSearch::is_certain(std::uint32_t conjunction) const {
    return !choices_.of_conjunction(conjunction).random() &&
           std::ranges::all_of(graph_.literals(conjunction), [&](GraphLiteral literal) {
               return literal.negated() ? not_[literal.atom()] >= 1 : bool{certain_[literal.atom()]};
           });
}

double WorldProofSearch::hope_of_conjunction(std::uint32_t conjunction) const {
    const RandomChoices::Outcome outcome = choices_.of_conjunction(conjunction);
    double product = outcome.random() ? chance(outcome) : 1.0;
    for (const GraphLiteral literal : graph_.literals(conjunction))
        product = times(product, literal.negated() ? not_[literal.atom()] : hope_[literal.atom()]);
    return product;
}

// Component by component; no best derivation needs an atom twice, so a cycle settles.
void WorldProofSearch::find_hopes() {
    for (const std::uint32_t atom : choices_.atoms())
        for (const GraphLiteral below : graph_.dependencies(atom))
            if (below.negated() && not_[below.atom()] < 0) not_[below.atom()] = chance_of_not_(below.atom());
    for_components_of(choices_.atoms(), levels_, [&](std::span<const std::uint32_t> members) {
        for (const std::uint32_t atom : members) {
            const RandomChoices::Outcome fact = choices_.of_atom(atom);
            certain_[atom] = !fact.random() && chances_.initial[atom] >= 1;
            hope_[atom] = certain_[atom] ? 1.0 : fact.random() ? chance(fact) : 0.0;
        }
        const bool cyclic = levels_.cyclic[levels_.component[members[0]]] != 0;
        for (bool any = true; any;) {
            any = false;
            for (const std::uint32_t atom : members) any = improve_hope(atom) || any;
            any = any && cyclic;
        }
    });
}

// Whether more is known.
bool WorldProofSearch::improve_hope(std::uint32_t atom) {
    bool any = false;
    for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1] && !certain_[atom]; ++c) {
        const double hope = hope_of_conjunction(c);
        certain_[atom] = is_certain(c);
        any = any || certain_[atom] || hope > hope_[atom];
        hope_[atom] = std::max(hope_[atom], hope);
    }
    return any;
}

void WorldProofSearch::clear() {
    for (const std::uint32_t choice : decided_) way_of_[choice] = std::nullopt;
    for (const std::uint32_t atom : derived_) taken_[atom] = std::nullopt;
    decided_.clear();
    derived_.clear();
    open_.clear();
    negated_.clear();
}

// Whether the outcome agrees with the choices so far.
bool WorldProofSearch::decide(RandomChoices::Outcome outcome) {
    OptionalIndex& way = way_of_[*outcome.choice];
    if (way) return way == outcome.way;
    way = outcome.way;
    decided_.push_back(*outcome.choice);
    return chance(outcome) > 0;
}

bool WorldProofSearch::need(GraphLiteral literal) {
    const std::uint32_t atom = literal.atom();
    if (literal.negated()) {
        if (not_[atom] < 0) not_[atom] = chance_of_not_(atom);  // a goal
        if (not_[atom] < 1 && std::ranges::find(negated_, atom) == negated_.end()) negated_.push_back(atom);
        return not_[atom] > 0;
    }
    if (certain_[atom] || taken_[atom] || std::ranges::find(open_, atom) != open_.end()) return true;
    if (hope_[atom] <= 0) return false;
    if (is_leaf(atom)) return take(atom, given);
    open_.push_back(atom);
    return true;
}

bool WorldProofSearch::take(std::uint32_t atom, std::uint32_t way) {
    taken_[atom] = way;
    derived_.push_back(atom);
    if (way == given) return decide(choices_.of_atom(atom));
    if (const RandomChoices::Outcome outcome = choices_.of_conjunction(way); outcome.random() && !decide(outcome))
        return false;
    return std::ranges::all_of(graph_.literals(way), [&](GraphLiteral literal) { return need(literal); });
}

// Whether the conjunction would derive the atom from itself.
bool WorldProofSearch::goes_round(std::uint32_t atom, std::uint32_t conjunction) {
    const std::uint32_t component = levels_.component[atom];
    if (levels_.cyclic[component] == 0) return false;
    visited_.clear();
    const auto visit = [&](std::uint32_t c) {
        for (const GraphLiteral literal : graph_.literals(c)) {
            const std::uint32_t below = literal.atom();
            if (levels_.component[below] == component && !certain_[below] &&
                std::ranges::find(visited_, below) == visited_.end())
                visited_.push_back(below);
        }
    };
    visit(conjunction);
    for (std::size_t next = 0; next < visited_.size(); ++next) {
        if (visited_[next] == atom) return true;
        if (const OptionalIndex way = taken_[visited_[next]]; way && way != given) visit(*way);
    }
    return false;
}

double WorldProofSearch::factor(RandomChoices::Outcome outcome) const {
    const OptionalIndex way = way_of_[*outcome.choice];
    if (way) return way == outcome.way ? 1.0 : 0.0;
    return chance(outcome);
}

double WorldProofSearch::factor(GraphLiteral literal) const {
    const std::uint32_t atom = literal.atom();
    if (literal.negated()) return std::ranges::find(negated_, atom) != negated_.end() ? 1.0 : not_[atom];
    if (certain_[atom] || taken_[atom] || std::ranges::find(open_, atom) != open_.end()) return 1;
    return is_leaf(atom) && choices_.of_atom(atom).random() ? factor(choices_.of_atom(atom)) : hope_[atom];
}

// 0: it leads nowhere.
double WorldProofSearch::factor_of_way(std::uint32_t atom, std::uint32_t way) {
    ++work_;
    if (way == given) return choices_.of_atom(atom).random() ? factor(choices_.of_atom(atom)) : 0.0;
    const RandomChoices::Outcome outcome = choices_.of_conjunction(way);
    double product = outcome.random() ? factor(outcome) : 1.0;
    for (const GraphLiteral literal : graph_.literals(way)) {
        if (product <= 0) return 0;
        product = times(product, factor(literal));
    }
    return product > 0 && !goes_round(atom, way) ? product : 0.0;
}

// Derives the open atoms. If there are several ways, takes the next of `ways`. False: a dead end; else the proof is
// complete, or `ways` has the remaining ways of the last open atom.
bool WorldProofSearch::expand(std::span<const std::uint32_t> ways) {
    std::size_t next = 0;
    while (!open_.empty()) {
        const std::uint32_t atom = open_.back();
        open_.pop_back();
        left_.clear();
        if (factor_of_way(atom, given) > 0) left_.push_back(given);
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c)
            if (factor_of_way(atom, c) > 0) left_.push_back(c);
        if (left_.empty()) return false;
        if (left_.size() > 1 && next == ways.size()) {
            open_.push_back(atom);
            return true;
        }
        if (!take(atom, left_.size() == 1 ? left_[0] : ways[next++])) return false;
    }
    return true;
}

// Whether the choices so far contain a proof that was found.
bool WorldProofSearch::says_nothing_new(const std::vector<WorldProof>& found) {
    const auto is_contained = [&](std::uint32_t number) {
        ++work_;
        const WorldProof& proof = found[number];
        return std::ranges::all_of(proof.outcomes,
                                   [&](RandomChoices::Outcome one) { return way_of_[*one.choice] == one.way; }) &&
               std::ranges::all_of(proof.negated, [&](std::uint32_t atom) {
                   return std::ranges::find(negated_, atom) != negated_.end();
               });
    };
    return std::ranges::any_of(without_choice_, is_contained) ||
           std::ranges::any_of(
               decided_, [&](std::uint32_t choice) { return std::ranges::any_of(with_choice_[choice], is_contained); });
}

// Stored under one of its choices: the one with the fewest proofs, so that few are compared.
void WorldProofSearch::add_proof(std::vector<WorldProof>& found) {
    const auto number = static_cast<std::uint32_t>(found.size());
    found.push_back(proof());
    const auto fewest =
        std::ranges::min_element(decided_, {}, [&](std::uint32_t choice) { return with_choice_[choice].size(); });
    (fewest == decided_.end() ? without_choice_ : with_choice_[*fewest]).push_back(number);
}

// The last open atom, way by way.
void WorldProofSearch::branch(std::uint32_t from, std::uint32_t atom, std::vector<Partial>& partials) {
    double product = 1;
    for (const std::uint32_t choice : decided_) product *= ways_[choice][*way_of_[choice]];
    for (const std::uint32_t negated : negated_) product *= not_[negated];
    for (const std::uint32_t other : open_) product *= other == atom ? 1.0 : hope_[other];
    const std::uint32_t length = partials[from].length + 1;
    for (const std::uint32_t way : left_)
        partials.push_back(
            {from, way, length, static_cast<float>(std::log(product) + std::log(factor_of_way(atom, way)))});
}

WorldProof WorldProofSearch::proof() const {
    WorldProof result;
    for (const std::uint32_t choice : decided_) result.outcomes.push_back({choice, *way_of_[choice]});
    std::ranges::sort(result.outcomes, {}, &RandomChoices::Outcome::choice);
    result.negated = negated_;
    std::ranges::sort(result.negated);
    return result;
}

WorldProofSearch::Found WorldProofSearch::find(std::span<const GraphLiteral> goals, std::size_t wanted) {
    Found found;
    work_ = 0;
    with_choice_.assign(choices_.count(), {});
    without_choice_.clear();
    std::vector<Partial> partials{{0, 0, 0, 0}};
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, Later> queue(Later{&partials});
    queue.push(0);
    std::vector<std::uint32_t> ways;
    while (!queue.empty() && found.proofs.size() < wanted && partials.size() < settings_.partial &&
           work_ < settings_.looks && !(settings_.finish_in_time && Budget::current().should_finish())) {
        if (!settings_.finish_in_time) require_budget("looking for proofs");
        const std::uint32_t at = queue.top();
        queue.pop();
        ways.clear();
        for (std::uint32_t p = at; p != 0; p = partials[p].parent) ways.push_back(partials[p].way);
        std::ranges::reverse(ways);
        clear();
        const bool possible = std::ranges::all_of(goals, [&](GraphLiteral goal) { return need(goal); }) && expand(ways);
        if (!possible || says_nothing_new(found.proofs)) continue;
        if (open_.empty()) {
            add_proof(found.proofs);
            continue;
        }
        const auto first = static_cast<std::uint32_t>(partials.size());
        branch(at, open_.back(), partials);
        for (auto p = first; p < partials.size(); ++p) queue.push(p);
    }
    found.all = queue.empty();
    clear();
    return found;
}

}  // namespace neumann
