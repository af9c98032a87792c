#include "learn/search/refinements.h"

#include <algorithm>
#include <bit>

namespace neumann::search {
namespace {

constexpr std::uint64_t work_of_form = 80;

std::uint32_t variables_of(const Literal& literal, const Bias& bias) {
    std::uint32_t used = 0;
    for (std::size_t a = 0; a < bias.of(literal).types.size(); ++a) used |= 1U << literal.args[a];
    return used;
}

// Fills in the arguments of one goal in all ways.
class Filler {
public:
    Filler(const Clause& clause, const Bias& bias, std::vector<Literal>& found)
        : clause_(clause), bias_(bias), types_(variable_types(clause, bias)), found_(found) {
        for (std::size_t a = 0; a < bias.arity(); ++a) {
            if (bias.head.inputs == 0 || (bias.head.inputs >> a & 1U) != 0) bound_ |= 1U << a;
        }
        for (const Literal& literal : clause.body) bound_ |= variables_of(literal, bias);
        for (const Literal& literal : clause.body) {
            if (is_from_nothing(literal) && literal.args[0] >= bias.arity() && is_used_once(literal.args[0]))
                waiting_ |= 1U << literal.args[0];
        }
    }

    void fill(std::uint16_t predicate) {
        literal_ = {};
        literal_.predicate = predicate;
        arity_ = bias_.of(literal_).types.size();
        if (is_allowed()) next(0, clause_.variables);
    }

private:
    bool is_allowed() const {
        const Predicate& predicate = bias_.of(literal_);
        if (predicate.most_uses == 0) return true;
        const auto uses = std::ranges::count_if(clause_.body, [&](const Literal& other) {
            return other.predicate == literal_.predicate ||
                   (predicate.group != 0 && bias_.of(other).group == predicate.group);
        });
        return static_cast<std::size_t>(uses) < predicate.most_uses;
    }

    void next(std::size_t a, std::uint8_t variables) {
        const Predicate& predicate = bias_.of(literal_);
        if (a == arity_) return done();
        const bool input = (predicate.inputs >> a & 1U) != 0;
        const int only = a < predicate.fixed.size() ? predicate.fixed[a] : -1;
        for (std::uint8_t v = 0; v < variables; ++v) {
            if (!are_equal(types_[v], predicate.types[a]) || (only >= 0 && only != v)) continue;
            if (input && (v >= clause_.variables || (bound_ >> v & 1U) == 0)) continue;
            literal_.args[a] = v;
            next(a + 1, variables);
        }
        if (input || only >= 0 || variables >= std::min<std::size_t>(bias_.most_variables, most_variables)) return;
        if (std::ranges::find(bias_.single_types, predicate.types[a]) != bias_.single_types.end() &&
            std::ranges::find(types_, predicate.types[a]) != types_.end())
            return;
        types_.push_back(predicate.types[a]);
        literal_.args[a] = variables;
        next(a + 1, static_cast<std::uint8_t>(variables + 1));
        types_.pop_back();
    }

    static bool are_equal(std::uint16_t one, std::uint16_t other) { return one == other || one == 0 || other == 0; }

    void done() {
        bool shares = arity_ == 0;
        for (std::size_t a = 0; a < arity_; ++a) shares = shares || literal_.args[a] < clause_.variables;
        if (!shares && !(is_from_nothing(literal_) && may_wait())) return;
        if (shares && (waiting_ & ~variables_of(literal_, bias_)) != 0) return;
        Literal sorted = literal_;
        sort_unordered(sorted, bias_.of(literal_));
        if (sorted != literal_) return;  // the other order is another way to fill it
        for (const Literal& other : clause_.body) {
            if (other == literal_) return;
        }
        if (!is_sensible_comparison()) return;
        if (literal_.predicate == bias_.itself() && same_inputs()) return;
        found_.push_back(literal_);
    }

    // Values from nothing come right before the first goal that uses them, so that this goal uses all of them.
    bool is_from_nothing(const Literal& literal) const {
        const Predicate& predicate = bias_.of(literal);
        return predicate.types.size() == 1 && bias_.head.inputs != 0 && predicate.inputs == 0 &&
               predicate.kind == GoalKind::Relation;
    }
    bool is_used_once(std::uint8_t variable) const {
        std::size_t uses = 0;
        for (const Literal& literal : clause_.body)
            uses += static_cast<std::size_t>(variables_of(literal, bias_) >> variable & 1U);
        return uses == 1;
    }
    bool may_wait() const {
        std::size_t most = bias_.arity();  // arguments
        for (const Predicate& one : bias_.body) most = std::max(most, one.types.size());
        return clause_.body.size() + 1 < bias_.most_body && static_cast<std::size_t>(std::popcount(waiting_)) < most;
    }

    // Equal variables are written as one, except in the head; inequality is symmetric.
    bool is_sensible_comparison() const {
        const GoalKind kind = bias_.of(literal_).kind;
        if (kind == GoalKind::Different) return literal_.args[0] < literal_.args[1];
        if (kind != GoalKind::Same) return true;
        return literal_.args[0] != literal_.args[1] && std::max(literal_.args[0], literal_.args[1]) < bias_.arity() &&
               (bias_.head.inputs != 0 || literal_.args[0] < literal_.args[1]);
    }

    // A recursive call with its own inputs never ends.
    bool same_inputs() const {
        const Mask inputs = bias_.head.inputs == 0 ? (Mask{1} << arity_) - 1 : bias_.head.inputs;
        for (std::size_t a = 0; a < arity_; ++a) {
            if ((inputs >> a & 1U) != 0 && literal_.args[a] != a) return false;
        }
        return true;
    }

    const Clause& clause_;
    const Bias& bias_;
    std::vector<std::uint16_t> types_;
    std::vector<Literal>& found_;
    std::uint32_t bound_ = 0;
    std::uint32_t waiting_ = 0;  // variables of values from nothing that no goal uses yet
    Literal literal_;
    std::size_t arity_ = 0;
};

}  // namespace

std::vector<Literal> refinements(const Clause& clause, const Bias& bias, bool own) {
    std::vector<Literal> found;
    Filler filler(clause, bias, found);
    for (std::size_t p = 0; p < bias.body.size(); ++p) {
        if (bias.body[p].usable) filler.fill(static_cast<std::uint16_t>(p));
    }
    if (own) filler.fill(bias.itself());
    return found;
}

Clause with_goal(const Clause& clause, const Literal& goal, const Bias& bias) {
    Clause refined = clause;
    refined.body.push_back(goal);
    for (std::size_t a = 0; a < bias.of(goal).types.size(); ++a)
        refined.variables = std::max<std::uint8_t>(refined.variables, static_cast<std::uint8_t>(goal.args[a] + 1));
    return refined;
}

std::optional<Clause> new_form(const Clause& clause, const Literal& goal, const Bias& bias, SeenForms& seen,
                               Work& work) {
    work.add(work_of_form);
    Clause form = canonical(with_goal(clause, goal, bias), bias);
    if (!seen.insert(fingerprint(form)).second) return std::nullopt;
    return form;
}

namespace {

// Comparisons and negated goals give no values: their variables stand in other goals as well, or are inputs of the
// head.
bool is_safe(const Clause& clause, const Bias& bias) {
    std::uint32_t given = bias.head.inputs;
    bool some = false;
    for (const Literal& literal : clause.body) {
        if (bias.of(literal).kind != GoalKind::Relation) continue;
        given |= variables_of(literal, bias);
        some = true;
    }
    for (const Literal& literal : clause.body) {
        const std::uint32_t used = variables_of(literal, bias);
        if (bias.of(literal).kind == GoalKind::Same && (used & given) != 0) given |= used;
    }
    return some && std::ranges::all_of(clause.body, [&](const Literal& literal) {
               return (variables_of(literal, bias) & ~given) == 0;
           });
}

}  // namespace

bool is_whole(const Clause& clause, const Bias& bias) {
    const std::uint32_t head = (1U << bias.arity()) - 1;
    std::uint32_t occurring = 0;
    for (const Literal& literal : clause.body) occurring |= variables_of(literal, bias);
    if ((occurring & head) != head || !is_safe(clause, bias)) return false;
    std::uint32_t reached = bias.linked ? head & 1U : head;
    for (bool more = true; more;) {
        more = false;
        for (const Literal& literal : clause.body) {
            const std::uint32_t used = variables_of(literal, bias);
            if ((used & reached) != 0 && (used & ~reached) != 0) {
                reached |= used;
                more = true;
            }
        }
    }
    return (occurring & ~reached) == 0;
}

}  // namespace neumann::search
