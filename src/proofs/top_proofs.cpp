#include "proofs/top_proofs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace neumann {

bool ProofSearch::Later::operator()(std::uint32_t a, std::uint32_t b) const {
    const Partial& one = (*partials)[a];
    const Partial& other = (*partials)[b];
    if (one.key != other.key) return one.key < other.key;
    if (one.length != other.length) return one.length < other.length;
    return a > b;
}

ProofSearch::ProofSearch(const Derivations& derivations, const Settings& settings, Fits fits)
    : derivations_(derivations), settings_(settings), fits_(std::move(fits)), queue_(Later{&partials_}) {
    replay(std::nullopt);
    go_on();
}

// Makes a partial derivation the current one. It mostly has one choice more than the one before.
void ProofSearch::replay(OptionalIndex partial) {
    if (partial && current_ == partials_[*partial].parent && !open_.empty()) {
        current_ = partial;
        return choose(partials_[*partial].choice);
    }
    current_ = partial;
    std::vector<std::uint32_t> choices;
    for (OptionalIndex p = partial; p; p = partials_[*p].parent) choices.push_back(partials_[*p].choice);
    choices_.clear();
    made_.clear();
    used_.clear();
    decided_ = 1;
    open_.assign(1, {derivations_.task().root, derivations_.end(), std::nullopt});
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) choose(*choice);
}

void ProofSearch::choose(std::uint32_t choice) {
    const ReasoningGraph& graph = derivations_.graph();
    const DerivationTask& task = derivations_.task();
    ++chosen_;
    const Open at = open_.back();
    open_.pop_back();
    const auto number = static_cast<std::uint32_t>(made_.size());
    choices_.push_back(choice);
    made_.push_back({at.atom, at.below});
    if (choice == Derivations::given) {
        if (!is_counted(at.atom)) decided_ = task.norm(decided_, static_cast<double>(task.initial[at.atom]));
        used_.push_back(at.atom);
        return;
    }
    decided_ = task.norm(decided_, task.weights[graph.clause[choice]]);
    const Derivations::Moment before = *derivations_.before(at.atom, at.moment);
    const std::span<const GraphLiteral> body = graph.literals(choice);
    for (auto premise = body.rbegin(); premise != body.rend(); ++premise)
        open_.push_back({premise->atom(), before, number});
}

bool ProofSearch::is_counted(std::uint32_t atom) const {
    return settings_.inputs_once && std::ranges::find(used_, atom) != used_.end();
}

// An upper bound of the contribution of an atom without a chosen derivation.
double ProofSearch::hoped(std::uint32_t atom, Derivations::Moment moment) const {
    const Derivations::Way best = derivations_.best(atom, moment);
    return best.conjunction == Derivations::given && is_counted(atom) ? 1 : best.value;
}

bool ProofSearch::stands_above(std::uint32_t atom) const {
    for (OptionalIndex i = open_.back().below; i; i = made_[*i].below) {
        if (made_[*i].atom == atom) return true;
    }
    return false;
}

void ProofSearch::push(OptionalIndex parent, std::uint32_t choice, double value) {
    if (value <= 0) return;
    if (partials_.size() >= settings_.partial) {
        given_up_ = true;
        return;
    }
    // Rounded, so that equal derivations whose factors were multiplied in another order tie; a logarithm, so that this
    // holds for the smallest too.
    partials_.push_back(
        {parent, choice, parent ? partials_[*parent].length + 1 : 1, static_cast<float>(std::log(value))});
    queue_.push(static_cast<std::uint32_t>(partials_.size() - 1));
}

// Queues the current derivation with every choice for its next open atom.
void ProofSearch::go_on() {
    const OptionalIndex partial = current_;
    const ReasoningGraph& graph = derivations_.graph();
    const DerivationTask& task = derivations_.task();
    const Open at = open_.back();
    double rest = decided_;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) rest = task.norm(rest, hoped(open_[i].atom, open_[i].moment));

    const auto given_value = static_cast<double>(task.initial[at.atom]);
    const bool may_be_given = given_value > 0 && (!fits_ || fits_(at.atom, used_));
    const std::optional<Derivations::Moment> before = derivations_.before(at.atom, at.moment);
    const auto push_conjunction = [&](std::uint32_t c) {
        double value = task.norm(rest, task.weights[graph.clause[c]]);
        for (const GraphLiteral literal : graph.literals(c)) {
            const std::uint32_t premise = literal.atom();
            if (premise == at.atom || stands_above(premise)) return;
            value = task.norm(value, hoped(premise, *before));
        }
        push(partial, c, value);
    };
    // The best way first: of equal ones the first wins, and that is then the same as best_proof().
    const Derivations::Way best = derivations_.best(at.atom, at.moment);
    if (best.conjunction != Derivations::given) push_conjunction(best.conjunction);
    if (may_be_given) push(partial, Derivations::given, is_counted(at.atom) ? rest : task.norm(rest, given_value));
    if (!before) return;
    for (const std::uint32_t c : derivations_.conjunctions_of(at.atom)) {
        if (c != best.conjunction) push_conjunction(c);
    }
}

std::optional<Proof> ProofSearch::next() {
    while (!queue_.empty() && !given_up_) {
        const std::uint32_t top = queue_.top();
        queue_.pop();
        replay(top);
        if (open_.empty()) return proof_of_choices(derivations_, choices_);
        if (chosen_ > settings_.choices) {
            given_up_ = true;
            break;
        }
        go_on();
    }
    return std::nullopt;
}

}  // namespace neumann
