#include "oracle/shortest_program.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

namespace neumann::search_oracle {
namespace {

constexpr std::size_t most_clauses_of_bias = 30'000;
constexpr std::size_t most_programs = 400'000;

std::size_t power(std::size_t base, std::size_t exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

// All goals over so many variables, in an order.
std::vector<SmallGoal> all_goals(const SmallTask& task) {
    std::vector<SmallGoal> goals;
    const auto add = [&](int predicate, std::size_t arity) {
        for (std::size_t way = 0; way < power(task.most_variables, arity); ++way) {
            SmallGoal goal{predicate, {}};
            for (std::size_t a = 0, rest = way; a < arity; ++a, rest /= task.most_variables)
                goal.variables.insert(goal.variables.begin(), static_cast<int>(rest % task.most_variables));
            const bool symmetric =
                predicate >= 0 && task.body[static_cast<std::size_t>(predicate)].form == GoalForm::Different;
            if (!symmetric || goal.variables[0] < goal.variables[1]) goals.push_back(std::move(goal));
        }
    };
    for (std::size_t p = 0; p < task.body.size(); ++p) add(static_cast<int>(p), task.body[p].arity());
    if (task.recursion) add(own, task.target.arity());
    if (task.recursion && task.target.arity() == 2) add(equal, 2);
    return goals;
}

// Sets of goals in which new variables occur in their order: of each clause at least one naming is among them, the
// first one in the order of goals.
class ClauseListing {
public:
    ClauseListing(const SmallTask& task, std::size_t most_goals)
        : task_(task), most_goals_(most_goals), goals_(all_goals(task)) {
        rule_.head_arity = task.target.arity();
    }

    std::optional<std::vector<SmallRule>> list() {
        extend(0, static_cast<int>(rule_.head_arity));
        if (too_many_) return std::nullopt;
        std::ranges::stable_sort(found_, {}, &SmallRule::size);
        return std::move(found_);
    }

private:
    void extend(std::size_t from, int variables) {
        if (!rule_.body.empty() && outside_bias(task_, rule_).empty()) found_.push_back(rule_);
        too_many_ = too_many_ || ++visited_ > 10 * most_clauses_of_bias || found_.size() > most_clauses_of_bias;
        if (too_many_ || rule_.body.size() == most_goals_) return;
        for (std::size_t g = from; g < goals_.size(); ++g) {
            int next = variables;
            bool in_order = true;
            for (const int v : goals_[g].variables) {
                in_order = in_order && v <= next;
                if (v == next) ++next;
            }
            if (!in_order) continue;
            rule_.body.push_back(goals_[g]);
            extend(g + 1, next);
            rule_.body.pop_back();
        }
    }

    const SmallTask& task_;
    std::size_t most_goals_;
    std::vector<SmallGoal> goals_;
    SmallRule rule_;
    std::vector<SmallRule> found_;
    std::size_t visited_ = 0;
    bool too_many_ = false;
};

using Atoms = std::uint64_t;  // a bit for each ground atom of the target
using Words = std::vector<std::uint64_t>;

// What a clause says about ground atoms of the target: which of them follows where certain others do.
using Instances = std::vector<std::pair<Atoms, Atoms>>;

// Clauses by all assignments of constants to all variables, a bit each; the head's variables count most.
class Assignments {
public:
    explicit Assignments(const SmallTask& task)
        : task_(task), constants_(static_cast<std::size_t>(task.constants)),
          count_(power(constants_, task.most_variables)),
          behind_head_(power(constants_, task.most_variables - task.target.arity())) {}

    Instances instances(const SmallRule& rule) {
        Words all((count_ + 63) / 64, ~std::uint64_t{0});
        if (count_ % 64 != 0) all.back() = (std::uint64_t{1} << count_ % 64) - 1;
        for (const SmallGoal& goal : rule.body) {
            if (goal.predicate == own) continue;
            const Words& where = holding(goal);
            for (std::size_t w = 0; w < all.size(); ++w) all[w] &= where[w];
        }
        Instances found;
        for (std::size_t w = 0; w < all.size(); ++w) {
            for (std::uint64_t word = all[w]; word != 0; word &= word - 1) {
                const std::size_t assignment = w * 64 + static_cast<std::size_t>(std::countr_zero(word));
                const Atoms head = Atoms{1} << assignment / behind_head_;
                Atoms calls = 0;
                for (const SmallGoal& goal : rule.body)
                    if (goal.predicate == own) calls |= Atoms{1} << atom(goal, assignment);
                if ((calls & head) == 0) found.emplace_back(head, calls);
            }
        }
        std::ranges::sort(found);
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }
    Atoms atom_of(const Tuple& tuple) const {
        std::size_t number = 0;
        for (const int c : tuple) number = number * constants_ + static_cast<std::size_t>(c);
        return Atoms{1} << number;
    }

private:
    int value(std::size_t assignment, int variable) const {
        const std::size_t behind = task_.most_variables - 1 - static_cast<std::size_t>(variable);
        return static_cast<int>(assignment / power(constants_, behind) % constants_);
    }
    std::size_t atom(const SmallGoal& goal, std::size_t assignment) const {
        std::size_t number = 0;
        for (const int v : goal.variables)
            number = number * constants_ + static_cast<std::size_t>(value(assignment, v));
        return number;
    }
    const Words& holding(const SmallGoal& goal) {
        const auto [found, added] = holding_.try_emplace(goal, Words((count_ + 63) / 64, 0));
        for (std::size_t i = 0; added && i < count_; ++i) {
            Tuple args;
            for (const int v : goal.variables) args.push_back(value(i, v));
            const bool holds = goal.predicate == equal
                                   ? args[0] == args[1]
                                   : task_.body[static_cast<std::size_t>(goal.predicate)].holds(args, task_.body);
            if (holds) found->second[i / 64] |= std::uint64_t{1} << i % 64;
        }
        return found->second;
    }

    const SmallTask& task_;
    std::size_t constants_;
    std::size_t count_;
    std::size_t behind_head_;  // assignments to the other variables
    std::map<SmallGoal, Words> holding_;
};

// All sets of clauses by their size, until one is right. Clauses that say the same are tried once, and what derives a
// negative is given up: more clauses derive more.
class ProgramListing {
public:
    ProgramListing(const SmallTask& task, const std::vector<SmallRule>& rules) : task_(task) {
        Assignments assignments(task);
        for (const Tuple& tuple : task.positives) positives_ |= assignments.atom_of(tuple);
        for (const Tuple& tuple : task.negatives) negatives_ |= assignments.atom_of(tuple);
        std::map<std::pair<Instances, bool>, bool> known;
        for (const SmallRule& rule : rules) {
            Clause one{&rule, assignments.instances(rule), 0, says_equal(rule)};
            for (const auto& [head, calls] : one.instances) one.at_most |= head;
            if (consequences(0, {&one}) & negatives_) continue;
            const bool useful = (one.at_most & positives_) != 0 || task.recursion;
            if (useful && known.try_emplace({one.instances, one.equal}, true).second)
                clauses_.push_back(std::move(one));
        }
        if (!task.recursion) drop_dominated();
    }

    Shortest find(std::size_t most_literals) {
        Shortest result;
        for (std::size_t size = 2; size <= most_literals; ++size) {
            chosen_.clear();
            if (task_.recursion ? extend(0, size, 0) : cover(size, 0)) {
                result.program.emplace();
                for (const Clause* one : chosen_) result.program->push_back(*one->rule);
                break;
            }
            if (tried_ > most_programs) return result;
        }
        result.decided = true;
        return result;
    }

private:
    struct Clause {
        const SmallRule* rule;
        Instances instances;
        Atoms at_most;  // what it derives where everything holds that it calls
        bool equal;
    };

    static bool says_equal(const SmallRule& rule) {
        return std::ranges::find(rule.body, equal, &SmallGoal::predicate) != rule.body.end();
    }

    static Atoms consequences(Atoms known, const std::vector<const Clause*>& clauses) {
        for (Atoms before = ~known; before != known;) {
            before = known;
            for (const Clause* one : clauses) {
                for (const auto& [head, calls] : one->instances)
                    if ((calls & ~known) == 0) known |= head;
            }
        }
        return known;
    }

    // Without recursion a clause that derives less of the positives and is no shorter is never needed.
    void drop_dominated() {
        std::vector<Clause> kept;
        for (Clause& one : clauses_) {  // shorter ones come first
            const Atoms useful = one.at_most & positives_;
            const auto covers = [&](const Clause& other) { return (useful & ~other.at_most) == 0; };
            if (std::ranges::none_of(kept, covers)) kept.push_back(std::move(one));
        }
        clauses_ = std::move(kept);
    }

    bool may_have_more() const { return task_.most_clauses == 0 || chosen_.size() < task_.most_clauses; }

    // Sets of clauses without recursion: one that covers the first positive which is left, and so on.
    bool cover(std::size_t literals, Atoms covered) {
        const Atoms left = positives_ & ~covered;
        if (left == 0) return true;
        if (!may_have_more() || ++tried_ > most_programs) return false;
        for (const Clause& one : clauses_) {
            if (one.rule->size() > literals || (one.at_most & left & (~left + 1)) == 0) continue;
            chosen_.push_back(&one);
            if (cover(literals - one.rule->size(), covered | one.at_most)) return true;
            chosen_.pop_back();
        }
        return false;
    }

    // Equations stand in programs that need recursion.
    bool is_allowed() const {
        if (std::ranges::none_of(chosen_, &Clause::equal)) return true;
        std::vector<const Clause*> others;
        std::ranges::copy_if(chosen_, std::back_inserter(others),
                             [](const Clause* one) { return !one->rule->is_recursive(); });
        return (positives_ & ~consequences(0, others)) != 0;
    }

    bool extend(std::size_t from, std::size_t literals, Atoms derived) {
        if (literals == 0) return (positives_ & ~derived) == 0 && is_allowed();
        if (!may_have_more()) return false;
        for (std::size_t c = from; c < clauses_.size(); ++c) {
            const Clause& one = clauses_[c];
            const std::size_t size = one.rule->size();
            if (size > literals || literals - size == 1) continue;
            if (++tried_ > most_programs) return false;
            chosen_.push_back(&one);
            const Atoms more = consequences(derived, chosen_);
            if ((more & negatives_) == 0 && extend(c + 1, literals - size, more)) return true;
            chosen_.pop_back();
        }
        return false;
    }

    const SmallTask& task_;
    Atoms positives_ = 0;
    Atoms negatives_ = 0;
    std::vector<Clause> clauses_;
    std::vector<const Clause*> chosen_;
    std::size_t tried_ = 0;
};

}  // namespace

std::optional<std::vector<SmallRule>> all_clauses(const SmallTask& task, std::size_t most_goals) {
    return ClauseListing(task, std::min(most_goals, task.most_body)).list();
}

Shortest shortest_program(const SmallTask& task, std::size_t most_literals) {
    const auto rules = all_clauses(task, most_literals - 1);
    if (!rules) return {};
    Shortest found = ProgramListing(task, *rules).find(most_literals);
    found.clauses = rules->size();
    return found;
}

}  // namespace neumann::search_oracle
