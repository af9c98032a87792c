// The language bias, said once more: which clauses of the target belong to it.
#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "oracle/small_program.h"

namespace neumann::search_oracle {
namespace {

constexpr std::size_t most_own_goals = 2;

class BiasCheck {
public:
    BiasCheck(const SmallTask& task, const SmallRule& rule) : task_(task), rule_(rule), types_(rule.variables(), -1) {}

    std::string wrong() {
        if (rule_.head != own || rule_.head_arity != task_.target.arity()) return "another head";
        if (rule_.body.empty() || rule_.body.size() > task_.most_body) return "the length of its body";
        if (types_.size() > task_.most_variables) return "the number of its variables";
        if (std::set(rule_.body.begin(), rule_.body.end()).size() < rule_.body.size()) return "a goal twice";
        if (!is_typed()) return "a variable of two types, or a goal of another arity";
        if (!are_single()) return "two variables of a type that has one";
        if (!are_fixed()) return "another variable than the one that may stand there";
        if (!are_rare()) return "too many goals of a predicate";
        if (std::string wrong = wrong_special(); !wrong.empty()) return wrong;
        if (!are_calls_used()) return "a call of itself whose outputs are not used";
        if (!has_an_order()) return "no order of goals in which all inputs are known";
        return {};
    }

private:
    const SmallPredicate& of(const SmallGoal& goal) const {
        return goal.predicate == own ? task_.target : task_.body[static_cast<std::size_t>(goal.predicate)];
    }
    std::set<int> variables_of(const SmallGoal& goal) const { return {goal.variables.begin(), goal.variables.end()}; }

    // Every variable has one type; those of the head all occur in the body.
    bool is_typed() {
        for (std::size_t a = 0; a < rule_.head_arity; ++a) types_[a] = task_.target.types[a];
        std::set<int> occurring;
        for (const SmallGoal& goal : rule_.body) {
            occurring.insert(goal.variables.begin(), goal.variables.end());
            if (goal.predicate == equal) {
                if (goal.variables.size() != 2 || type(goal.variables[0]) != type(goal.variables[1])) return false;
                continue;
            }
            if (goal.predicate < own || goal.variables.size() != of(goal).arity()) return false;
            for (std::size_t a = 0; a < goal.variables.size(); ++a) {
                int& type = types_[static_cast<std::size_t>(goal.variables[a])];
                if (type >= 0 && type != of(goal).types[a]) return false;
                type = of(goal).types[a];
            }
        }
        return occurring.size() == types_.size();
    }
    int type(int variable) const { return types_[static_cast<std::size_t>(variable)]; }

    bool are_single() const {
        return std::ranges::all_of(task_.single_types,
                                   [&](int single) { return std::ranges::count(types_, single) <= 1; });
    }

    bool are_fixed() const {
        for (const SmallGoal& goal : rule_.body) {
            if (goal.predicate == equal) continue;
            for (std::size_t a = 0; a < of(goal).fixed.size(); ++a) {
                if (of(goal).fixed[a] >= 0 && of(goal).fixed[a] != goal.variables[a]) return false;
            }
        }
        return true;
    }

    bool are_rare() const {
        for (std::size_t p = 0; p < task_.body.size(); ++p) {
            const auto uses = std::ranges::count(rule_.body, static_cast<int>(p), &SmallGoal::predicate);
            if (task_.body[p].most_uses > 0 && static_cast<std::size_t>(uses) > task_.body[p].most_uses) return false;
        }
        return true;
    }

    // Goals that give no values, and goals of the target itself.
    std::string wrong_special() const {
        std::set<int> given;
        for (std::size_t a = 0; a < rule_.head_arity && task_.has_inputs(); ++a)
            if (task_.target.inputs[a]) given.insert(static_cast<int>(a));
        bool some = false;
        for (const SmallGoal& goal : rule_.body) {
            if (!gives_values(goal)) continue;
            given.merge(variables_of(goal));
            some = true;
        }
        if (!some) return "no goal that gives values";
        for (const SmallGoal& goal : rule_.body) {
            const auto& v = goal.variables;
            if (goal.predicate != equal) continue;
            if (rule_.is_recursive()) return "an equation in a recursive clause";
            if (v[0] == v[1] || std::max(v[0], v[1]) >= static_cast<int>(rule_.head_arity))
                return "an equation of other variables than the head's";
            if (given.contains(v[0]) || given.contains(v[1])) given.insert(v.begin(), v.end());
        }
        for (const SmallGoal& goal : rule_.body) {
            if (!std::ranges::includes(given, variables_of(goal))) return "a comparison or negation of unknown values";
            if (goal.predicate >= 0 && of(goal).form == GoalForm::Different && goal.variables[0] == goal.variables[1])
                return "a variable that differs from itself";
            if (goal.predicate == own && calls_the_same(goal)) return "a call of itself with its own inputs";
        }
        const auto calls = std::ranges::count(rule_.body, own, &SmallGoal::predicate);
        if (calls > 0 && !task_.recursion) return "recursion";
        return static_cast<std::size_t>(calls) > most_own_goals ? "too many calls of itself" : "";
    }
    bool gives_values(const SmallGoal& goal) const {
        return goal.predicate == own || (goal.predicate >= 0 && of(goal).form == GoalForm::Fact);
    }
    bool calls_the_same(const SmallGoal& goal) const {
        for (std::size_t a = 0; a < goal.variables.size(); ++a)
            if (task_.is_input(a) && goal.variables[a] != static_cast<int>(a)) return false;
        return true;
    }

    // Where the head has inputs and outputs, some output of each call is the head's or occurs in another goal.
    bool are_calls_used() const {
        const auto is_output = [&](std::size_t a) { return task_.has_inputs() && !task_.target.inputs[a]; };
        for (const SmallGoal& goal : rule_.body) {
            bool some = false;
            bool used = false;
            for (std::size_t a = 0; goal.predicate == own && a < goal.variables.size(); ++a) {
                const int v = goal.variables[a];
                const auto uses_it = [&](const SmallGoal& other) {
                    return other != goal && variables_of(other).contains(v);
                };
                some = some || is_output(a);
                used = used || (is_output(a) &&
                                (v < static_cast<int>(rule_.head_arity) || std::ranges::any_of(rule_.body, uses_it)));
            }
            if (some && !used) return false;
        }
        return true;
    }

    // Each goal has its inputs from the head or from goals before it, and a variable in common with them. Where the
    // head has inputs, a goal of one argument that is not an input may stand anywhere: f(A,B) :- zero(B), …
    bool has_an_order() const {
        std::set<int> known;
        std::set<int> seen;
        for (std::size_t a = 0; a < rule_.head_arity; ++a) {
            seen.insert(static_cast<int>(a));
            if (task_.is_input(a)) known.insert(static_cast<int>(a));
        }
        std::vector<SmallGoal> left = rule_.body;
        while (!left.empty()) {
            const auto next =
                std::ranges::find_if(left, [&](const SmallGoal& goal) { return fits(goal, known, seen); });
            if (next == left.end()) return false;
            known.insert(next->variables.begin(), next->variables.end());
            seen.insert(next->variables.begin(), next->variables.end());
            left.erase(next);
        }
        return is_connected();
    }
    bool fits(const SmallGoal& goal, const std::set<int>& known, const std::set<int>& seen) const {
        bool shares = false;
        bool has_inputs = false;
        for (std::size_t a = 0; a < goal.variables.size(); ++a) {
            shares = shares || seen.contains(goal.variables[a]);
            const bool input = goal.predicate == equal ? a == 0 : of(goal).inputs[a];
            has_inputs = has_inputs || input;
            if (input && !known.contains(goal.variables[a])) return false;
        }
        return shares || (goal.variables.size() == 1 && task_.has_inputs() && !has_inputs);
    }
    // Every variable, through goals, with the head, or with its first variable.
    bool is_connected() const {
        std::set<int> reached;
        for (std::size_t a = 0; a < (task_.linked ? 1 : rule_.head_arity); ++a) reached.insert(static_cast<int>(a));
        for (std::size_t round = 0; round < rule_.body.size(); ++round) {
            for (const SmallGoal& goal : rule_.body) {
                const std::set<int> used = variables_of(goal);
                if (std::ranges::any_of(used, [&](int v) { return reached.contains(v); }))
                    reached.insert(used.begin(), used.end());
            }
        }
        return reached.size() == types_.size();
    }

    const SmallTask& task_;
    const SmallRule& rule_;
    std::vector<int> types_;  // of variables
};

}  // namespace

std::string outside_bias(const SmallTask& task, const SmallRule& rule) { return BiasCheck(task, rule).wrong(); }

}  // namespace neumann::search_oracle
