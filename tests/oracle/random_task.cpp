#include "oracle/random_task.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "oracle/shortest_program.h"

namespace neumann::search_oracle {
namespace {

int between(Rng& rng, int least, int most) {
    return least + static_cast<int>(rng.below(static_cast<std::uint32_t>(most - least + 1)));
}

class TaskMaker {
public:
    TaskMaker(Rng& rng, const TaskKind& kind) : rng_(rng), kind_(kind) {}

    // Nothing: its labels are all alike, or its language is too large.
    std::optional<SmallTask> make() {
        task_.recursion = kind_.recursion;
        task_.invention = kind_.invention;
        task_.as_declared = kind_.specials != Specials::Undeclared;
        make_constants();
        make_target();
        const int most = kind_.recursion || kind_.invention ? 3 : 4;
        for (int p = between(rng_, 2, most); p > 0; --p) add_predicate();
        restrict_predicates();
        if (kind_.specials != Specials::None) add_special_goals();
        make_limits();
        if (!label() || task_.positives.empty() || task_.negatives.empty()) return std::nullopt;
        return std::move(task_);
    }

private:
    void make_constants() {
        task_.constants = between(rng_, 3, kind_.recursion ? 5 : 6);
        types_ = rng_.chance(0.4) ? 2 : 1;
        for (int c = 0; c < task_.constants; ++c)
            task_.type_of.push_back(c < types_ ? c : between(rng_, 0, types_ - 1));
        directed_ = rng_.chance(0.35);
    }

    SmallPredicate predicate(const std::string& name, int arity) {
        SmallPredicate made;
        made.written = name + (arity == 1 ? "(_)" : "(_,_)");
        for (int a = 0; a < arity; ++a) made.types.push_back(between(rng_, 0, types_ - 1));
        made.inputs.assign(made.types.size(), false);
        return made;
    }

    void make_target() {
        task_.target = predicate("f", rng_.chance(0.4) ? 1 : 2);
        if (directed_ && rng_.chance(0.7)) task_.target.inputs[0] = true;
    }

    void add_predicate() {
        const bool unary = !task_.body.empty() && rng_.chance(0.4);
        SmallPredicate made = predicate(fmt::format("{}{}", unary ? 'p' : 'q', task_.body.size()), unary ? 1 : 2);
        const std::vector<Tuple> tuples = typed_tuples(task_, made);
        const double density = 0.15 + 0.5 * rng_.uniform();
        for (const Tuple& tuple : tuples)
            if (rng_.chance(density)) made.facts.insert(tuple);
        if (unary && rng_.chance(0.3)) made.facts = {tuples[rng_.below(static_cast<std::uint32_t>(tuples.size()))]};
        if (unary && rng_.chance(0.3)) made.written = made.name() + "(_,c0)";  // of two arguments, one a constant
        if (directed_ && rng_.chance(0.6)) {
            made.inputs[rng_.below(static_cast<std::uint32_t>(made.arity()))] = true;
            // A call of the target itself may leave open what such a relation wants to know.
            made.on_demand = rng_.chance(0.3) && (!kind_.recursion || task_.has_inputs());
        }
        task_.body.push_back(std::move(made));
    }

    SmallPredicate& some_predicate() { return task_.body[rng_.below(static_cast<std::uint32_t>(task_.body.size()))]; }

    void restrict_predicates() {
        if (rng_.chance(0.15)) some_predicate().most_uses = 1;
        if (rng_.chance(0.15)) {
            SmallPredicate& one = some_predicate();
            one.fixed.assign(one.arity(), -1);
            one.fixed[rng_.below(static_cast<std::uint32_t>(one.arity()))] =
                between(rng_, 0, static_cast<int>(task_.target.arity()) - 1);
        }
        if (types_ == 2 && rng_.chance(0.4) && std::ranges::count(task_.target.types, 1) <= 1) task_.single_types = {1};
    }

    // Some of them where they are declared, all of them where they are not.
    void add_special_goals() {
        const bool declared = kind_.specials == Specials::Declared;
        const auto add = [&](SmallPredicate made) {
            if (declared && rng_.chance(0.4)) return;
            made.inputs.assign(made.arity(), true);
            made.declared = declared;
            task_.body.push_back(std::move(made));
        };
        for (int type = 0; type < types_; ++type) {
            if (std::ranges::find(task_.single_types, type) != task_.single_types.end()) continue;
            SmallPredicate different{.written = "_ \\= _", .types = {type, type}};
            different.form = GoalForm::Different;
            add(std::move(different));
        }
        for (std::size_t p = 0, facts = task_.body.size(); p < facts; ++p) {
            const SmallPredicate& of = task_.body[p];
            const bool is_test = !of.on_demand || std::ranges::find(of.inputs, false) == of.inputs.end();
            if (of.form != GoalForm::Fact || !is_test) continue;
            SmallPredicate negation{.written = "not " + of.written, .types = of.types, .fixed = of.fixed};
            negation.most_uses = of.most_uses;
            negation.form = GoalForm::Negated;
            negation.negated = static_cast<int>(p);
            add(std::move(negation));
        }
    }

    void make_limits() {
        task_.most_body = static_cast<std::size_t>(between(rng_, 1, 3));
        if (kind_.recursion && rng_.chance(0.6)) task_.most_body = 2;
        const int arity = static_cast<int>(task_.target.arity());
        task_.most_variables = static_cast<std::size_t>(kind_.recursion ? 3 : between(rng_, std::max(arity, 2), 4));
        if (rng_.chance(0.25)) task_.most_clauses = static_cast<std::size_t>(between(rng_, kind_.recursion ? 2 : 1, 3));
    }

    bool label() {
        task_.most_body += kind_.invention ? 1 : 0;
        const auto rules = all_clauses(task_, task_.most_body);
        task_.most_body -= kind_.invention ? 1 : 0;
        if (!rules || rules->empty()) return false;
        SmallProgram program = hidden_program(*rules);
        const std::set<Tuple> hidden = derived(task_, program);
        std::erase_if(program, [](const SmallRule& rule) { return rule.is_recursive(); });
        if (kind_.recursion && derived(task_, program) == hidden) return false;
        const bool by_chance = rng_.chance(0.03);
        const double kept = rng_.chance(0.5) ? 1.0 : 0.3 + 0.6 * rng_.uniform();
        for (const Tuple& tuple : typed_tuples(task_, task_.target)) {
            const bool holds = by_chance ? rng_.chance(0.4) : hidden.contains(tuple);
            if (holds) task_.target.facts.insert(tuple);
            if (rng_.chance(by_chance ? 0.4 : kept)) (holds ? task_.positives : task_.negatives).insert(tuple);
        }
        return true;
    }

    SmallProgram hidden_program(const std::vector<SmallRule>& rules) {
        SmallProgram program;
        const auto add = [&](auto&& fits) {
            std::vector<SmallRule> fitting;
            std::ranges::copy_if(rules, std::back_inserter(fitting), [&](const SmallRule& rule) -> bool {
                return fits(rule) && size_of(program) + rule.size() <= kind_.most_literals;
            });
            if (!fitting.empty()) program.push_back(fitting[rng_.below(static_cast<std::uint32_t>(fitting.size()))]);
        };
        const std::size_t most = task_.most_clauses == 0 ? 3 : task_.most_clauses;
        const std::size_t longest = rules.back().size();
        add([&](const SmallRule& rule) {
            return !rule.is_recursive() && (!kind_.invention || rule.size() == longest);
        });
        if (kind_.recursion) add([](const SmallRule& rule) { return rule.is_recursive(); });
        while (program.size() < most && rng_.chance(0.4)) add([](const SmallRule&) { return true; });
        return program;
    }

    Rng& rng_;
    TaskKind kind_;
    SmallTask task_;
    int types_ = 1;
    bool directed_ = false;
};

// A short program is right, without what makes the task difficult.
bool is_easy(const SmallTask& task) {
    constexpr std::size_t short_program = 3;
    constexpr std::size_t short_otherwise = 6;
    SmallTask plain = as_declared(task);
    plain.recursion = false;
    const bool usual = !task.recursion && task.as_declared;
    return shortest_program(plain, usual ? short_program : short_otherwise).program.has_value();
}

class Shrinker {
public:
    Shrinker(SmallTask task, const std::function<std::string(const SmallTask&)>& wrong)
        : task_(std::move(task)), wrong_(wrong) {}

    SmallTask shrink() {
        while (drop_label() || drop_predicate() || drop_fact() || drop_restriction()) {
        }
        return std::move(task_);
    }

private:
    bool accept(SmallTask candidate) {
        if (candidate.positives.empty() || candidate.negatives.empty() || wrong_(candidate).empty()) return false;
        task_ = std::move(candidate);
        return true;
    }
    bool drop_label() {
        for (std::set<Tuple> SmallTask::*labels : {&SmallTask::positives, &SmallTask::negatives}) {
            for (const Tuple& tuple : task_.*labels) {
                SmallTask candidate = task_;
                (candidate.*labels).erase(tuple);
                if (accept(std::move(candidate))) return true;
            }
        }
        return false;
    }
    // With its negation. What is not declared is there whether the task says so or not.
    bool drop_predicate() {
        for (int p = 0; p < static_cast<int>(task_.body.size()); ++p) {
            SmallTask candidate = task_;
            if (!candidate.body[static_cast<std::size_t>(p)].declared) continue;
            candidate.body.erase(candidate.body.begin() + p);
            std::erase_if(candidate.body, [&](const SmallPredicate& other) { return other.negated == p; });
            for (SmallPredicate& other : candidate.body) other.negated -= other.negated > p ? 1 : 0;
            if (accept(std::move(candidate))) return true;
        }
        return false;
    }
    bool drop_fact() {
        for (std::size_t p = 0; p < task_.body.size(); ++p) {
            for (const Tuple& tuple : task_.body[p].facts) {
                SmallTask candidate = task_;
                candidate.body[p].facts.erase(tuple);
                if (accept(std::move(candidate))) return true;
            }
        }
        return false;
    }
    bool drop_restriction() {
        const auto change = [&](auto&& changed) {
            SmallTask candidate = task_;
            return changed(candidate) && accept(std::move(candidate));
        };
        const auto less = [](std::size_t& number, std::size_t least) { return number > least && number-- > 0; };
        for (std::size_t p = 0; p < task_.body.size(); ++p) {
            const bool any =
                change([&](SmallTask& t) { return !std::exchange(t.body[p].fixed, {}).empty(); }) ||
                change([&](SmallTask& t) { return std::exchange(t.body[p].most_uses, 0) != 0; }) ||
                change([&](SmallTask& t) { return t.as_declared && std::exchange(t.body[p].on_demand, false); });
            if (any) return true;
        }
        return change([&](SmallTask& t) { return less(t.most_body, 1); }) ||
               change([&](SmallTask& t) { return less(t.most_variables, t.target.arity()); }) ||
               change([&](SmallTask& t) { return std::exchange(t.most_clauses, 0) != 0; }) ||
               change([&](SmallTask& t) { return !std::exchange(t.single_types, {}).empty(); });
    }

    SmallTask task_;
    const std::function<std::string(const SmallTask&)>& wrong_;
};

}  // namespace

SmallTask random_small_task(Rng& rng, const TaskKind& kind) {
    const bool may_be_easy = rng.chance(0.15);
    while (true) {
        std::optional<SmallTask> made = TaskMaker(rng, kind).make();
        if (made && (may_be_easy || !is_easy(*made))) return std::move(*made);
    }
}

SmallTask shrunk(SmallTask task, const std::function<std::string(const SmallTask&)>& wrong) {
    return Shrinker(std::move(task), wrong).shrink();
}

}  // namespace neumann::search_oracle
