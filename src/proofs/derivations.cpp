#include "proofs/derivations.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace neumann {
namespace {

// The reasoner's values are rounded to 32 bits: a bound made of them is taken with a grain of salt.
double loosened(double bound) { return bound - 1e-5 - 1e-4 * bound; }

// Deeper or larger greedy derivations are not followed; they would only have made the search narrower.
constexpr std::uint32_t deepest_greedy = 200;
constexpr std::uint32_t largest_greedy = 2000;

}  // namespace

Derivations::Derivations(const ReasoningGraph& graph, const Schedule& schedule)
    : graph_(graph), schedule_(schedule), phase_of_(graph.atom_count()), place_of_(graph.atom_count()),
      extents_(schedule.phases.size()) {
    if (!graph.monotone) throw std::invalid_argument("derivations are looked for in a graph without negated literals");
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
        for (const std::uint32_t atom : schedule.atoms_of(schedule.phases[p])) phase_of_[atom] = p;
    }
}

void Derivations::forget() {
    for (const Reached& one : reached_) place_of_[one.atom] = std::nullopt;
    reached_.clear();
    kept_.clear();
    improvements_.clear();
    end_ = 0;
}

void Derivations::find(const DerivationTask& task) {
    forget();
    task_ = task;
    // Nothing under the root that is worth less than one of its derivations can be part of a better one.
    reach(task.only_best && !task.ceiling.empty() ? std::max(0.0, loosened(greedy_bound())) : 0);
    run_phases();
}

// An upper bound of all instances of the conjunction; if it is at most `floor`, any value up to there.
double Derivations::ceiling_of(std::uint32_t conjunction, double floor) const {
    double value = task_.weights[graph_.clause[conjunction]];
    if (task_.ceiling.empty()) return value;
    for (const GraphLiteral literal : graph_.literals(conjunction)) {
        value = task_.norm(value, static_cast<double>(task_.ceiling[literal.atom()]));
        if (value <= floor) break;
    }
    return value;
}

// The value of the derivation that follows the largest ceiling everywhere; 0 if that leads nowhere.
double Derivations::greedy_bound() const {
    const std::uint32_t deepest = schedule_.automatic ? deepest_greedy : std::min(schedule_.steps, deepest_greedy);
    std::uint32_t visits = 0;
    std::vector<std::uint32_t> open{task_.root};
    std::vector<std::uint32_t> depths{0};
    double value = 1;
    while (!open.empty()) {
        const std::uint32_t atom = open.back();
        const std::uint32_t depth = depths.back();
        open.pop_back();
        depths.pop_back();
        double most = static_cast<double>(task_.initial[atom]);
        std::uint32_t chosen = given;
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
            if (const double y = ceiling_of(c, most); y > most) {
                most = y;
                chosen = c;
            }
        }
        if (chosen == given) {
            value = task_.norm(value, most);
            continue;
        }
        // A cycle has no bottom, and cyclic phases may stop before a derivation is complete.
        const bool cyclic = schedule_.automatic && schedule_.phases[*phase_of_[atom]].cyclic;
        if (cyclic || depth >= deepest || ++visits > largest_greedy) return 0;
        value = task_.norm(value, task_.weights[graph_.clause[chosen]]);
        for (const GraphLiteral premise : graph_.literals(chosen)) {
            open.push_back(premise.atom());
            depths.push_back(depth + 1);
        }
    }
    return value;
}

// All atoms under the root, with the conjunctions that may be worth more than that.
void Derivations::reach(double least) {
    const auto visit = [&](std::uint32_t atom) {
        if (place_of_[atom]) return;
        place_of_[atom] = static_cast<std::uint32_t>(reached_.size());
        reached_.push_back({atom, 0, 0, 0, 0});
    };
    visit(task_.root);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
        const std::uint32_t atom = reached_[i].atom;
        reached_[i].first_conjunction = static_cast<std::uint32_t>(kept_.size());
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
            const double ceiling = ceiling_of(c, least);
            if (ceiling <= least) continue;
            kept_.push_back(c);
            for (const GraphLiteral premise : graph_.literals(c)) visit(premise.atom());
        }
        reached_[i].conjunctions = static_cast<std::uint32_t>(kept_.size()) - reached_[i].first_conjunction;
    }
}

void Derivations::run_phases() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // phase and place
    for (std::uint32_t place = 0; place < reached_.size(); ++place) {
        Reached& one = reached_[place];
        one.value = static_cast<double>(task_.initial[one.atom]);
        one.latest = static_cast<std::uint32_t>(improvements_.size());
        improvements_.push_back({0, one.value, given, std::nullopt});
        if (one.conjunctions > 0) order.emplace_back(*phase_of_[one.atom], place);
    }
    std::ranges::sort(order);
    std::vector<std::uint32_t> places;
    std::size_t next = 0;
    for (std::uint32_t p = 0; p < extents_.size(); ++p) {
        places.clear();
        while (next < order.size() && order[next].first == p) places.push_back(order[next++].second);
        const Phase& phase = schedule_.phases[p];
        Extent& extent = extents_[p];
        extent = {end_, end_, false};
        if (places.empty()) continue;
        const bool once = schedule_.automatic && !phase.cyclic;
        const bool counted = once || !schedule_.automatic || !task_.rounds.empty();
        const std::uint64_t rounds = once                   ? 1
                                     : !schedule_.automatic ? schedule_.steps
                                     : counted              ? task_.rounds[p]
                                                            : UINT64_MAX;
        extent.unlimited = !counted;
        std::uint64_t round = 0;
        while (round < rounds && update(places, end_ + round + 1)) ++round;
        // Where nothing changes any more, later rounds would find longer derivations, but none that is better.
        extent.end = end_ = counted ? end_ + rounds : end_ + round + 1;
    }
}

bool Derivations::update(std::span<const std::uint32_t> places, Moment moment) {
    staged_.clear();
    for (const std::uint32_t place : places) {
        const Reached& one = reached_[place];
        Staged best{place, given, one.value};
        for (std::uint32_t k = 0; k < one.conjunctions; ++k) {
            const std::uint32_t c = kept_[one.first_conjunction + k];
            double value = task_.weights[graph_.clause[c]];
            for (const GraphLiteral premise : graph_.literals(c)) {
                value = task_.norm(value, reached_[*place_of_[premise.atom()]].value);
                if (value <= best.value) break;
            }
            if (value > best.value) best = {place, c, value};
        }
        if (best.conjunction != given) staged_.push_back(best);
    }
    for (const Staged& better : staged_) {
        Reached& one = reached_[better.place];
        improvements_.push_back({moment, better.value, better.conjunction, one.latest});
        one.latest = static_cast<std::uint32_t>(improvements_.size() - 1);
        one.value = better.value;
    }
    return !staged_.empty();
}

Derivations::Way Derivations::best(std::uint32_t atom, Moment moment) const {
    const OptionalIndex place = place_of_[atom];
    if (!place) return {};
    std::uint32_t i = reached_[*place].latest;
    while (improvements_[i].moment > moment) i = *improvements_[i].previous;
    const Improvement& found = improvements_[i];
    return {found.value, found.conjunction, found.moment == 0 ? 0 : found.moment - 1};
}

std::span<const std::uint32_t> Derivations::conjunctions_of(std::uint32_t atom) const {
    const OptionalIndex place = place_of_[atom];
    if (!place) return {};
    return std::span(kept_).subspan(reached_[*place].first_conjunction, reached_[*place].conjunctions);
}

std::optional<Derivations::Moment> Derivations::before(std::uint32_t atom, Moment moment) const {
    const OptionalIndex phase = phase_of_[atom];
    if (!phase) return std::nullopt;
    const Extent& extent = extents_[*phase];
    if (extent.unlimited) return moment > extent.begin ? std::optional(std::min(moment, extent.end)) : std::nullopt;
    const Moment last = std::min(moment, extent.end);
    return last > extent.begin ? std::optional(last - 1) : std::nullopt;
}

}  // namespace neumann
