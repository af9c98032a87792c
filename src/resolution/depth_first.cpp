#include "resolution/depth_first.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "resolution/built_ins.h"

namespace neumann::resolution {
namespace {

constexpr std::uint32_t no_goal = 0xffffffffU;
constexpr std::size_t most_indexed = 4;    // arguments by which rules are found
constexpr std::size_t worth_an_index = 4;  // rules
constexpr std::size_t between_looks = 1024;

struct KnownControl {
    std::string_view name;
    std::size_t arity;
    Control control;
};
constexpr std::array<KnownControl, 18> controls = {{
    {",", 2, Control::And},
    {";", 2, Control::Or},
    {"->", 2, Control::Then},
    {"*->", 2, Control::SoftThen},
    {"\\+", 1, Control::Not},
    {"not", 1, Control::Not},
    {"!", 0, Control::Cut},
    {"once", 1, Control::Once},
    {"ignore", 1, Control::Ignore},
    {"forall", 2, Control::ForAll},
    {"findall", 3, Control::FindAll},
    {"catch", 3, Control::Catch},
    {"=", 2, Control::Unify},
    {"write", 1, Control::Quiet},
    {"print", 1, Control::Quiet},
    {"nl", 0, Control::Quiet},
    {"format", 1, Control::Quiet},
    {"format", 2, Control::Quiet},
}};

Control control_of(const Indicator& goal) {
    if (goal.first == "call" && goal.second > 0) return Control::Call;
    const auto* found = std::ranges::find_if(
        controls, [&](const KnownControl& one) { return one.name == goal.first && one.arity == goal.second; });
    return found == controls.end() ? Control::None : found->control;
}

}  // namespace

bool can_call(const Rules& rules, Term goal) {
    const Indicator indicator = rules.indicator(goal);
    return rules.defines(indicator) || control_of(indicator) != Control::None || is_built_in(rules.terms, goal);
}

DepthFirst::DepthFirst(Rules& rules) : rules_(rules), terms_(rules.terms) {}
DepthFirst::~DepthFirst() = default;

DepthAnswers DepthFirst::solve(Term goal, const DepthLimits& limits) {
    limits_ = limits;
    bindings_.clear();
    trail_.clear();
    goals_.clear();
    choices_.clear();
    collections_.clear();
    steps_ = 0;
    DepthAnswers found;
    const std::uint32_t frame = frame_of(terms_.variables(goal));
    current_ = add(Step::Goal, goal, frame, no_goal, 0);
    try {
        while (run()) {
            found.terms.push_back(terms_.canonical(resolved(goal, frame)));
            if (found.terms.size() >= limits_.most_answers) throw GoalError("there are too many answers");
            if (!fail()) break;
        }
        found.complete = true;
    } catch (const GoalError& error) {
        found.error = error.what();
    } catch (const ArithmeticError& error) {
        found.error = error.what();
    }
    found.steps = steps_;
    return found;
}

DepthFirst::Bound DepthFirst::deref(Term term, std::uint32_t frame) const {
    while (terms_.is_variable(term)) {
        const std::uint32_t variable = frame + terms_.index(term);
        const Bound& bound = bindings_[variable];
        if (bound.term == no_term) return {term, frame};
        term = bound.term;
        frame = bound.frame;
    }
    return {term, frame};
}

void DepthFirst::bind(std::uint32_t variable, Bound to) {
    bindings_[variable] = to;
    trail_.push_back(variable);
}

bool DepthFirst::unify(Term a, std::uint32_t a_frame, Term b, std::uint32_t b_frame) {
    while (true) {
        const Bound left = deref(a, a_frame);
        const Bound right = deref(b, b_frame);
        const bool left_open = terms_.is_variable(left.term);
        const bool right_open = terms_.is_variable(right.term);
        if (left_open || right_open) {
            const std::uint32_t x = left_open ? left.frame + terms_.index(left.term) : 0;
            const std::uint32_t y = right_open ? right.frame + terms_.index(right.term) : 0;
            if (left_open && right_open) {  // the younger one is bound
                if (x > y) bind(x, right);
                if (y > x) bind(y, left);
            } else if (left_open) {
                bind(x, right);
            } else {
                bind(y, left);
            }
            return true;
        }
        if (left.term == right.term && (left.frame == right.frame || terms_.is_ground(left.term))) return true;
        if (terms_.shape(left.term) != terms_.shape(right.term)) return false;
        if (terms_.is_ground(left.term) && terms_.is_ground(right.term)) return false;
        const std::size_t arity = terms_.args(left.term).size();
        if (arity == 0) return true;
        for (std::size_t i = 0; i + 1 < arity; ++i) {
            if (!unify(terms_.args(left.term)[i], left.frame, terms_.args(right.term)[i], right.frame)) return false;
        }
        a = terms_.args(left.term)[arity - 1];
        b = terms_.args(right.term)[arity - 1];
        a_frame = left.frame;
        b_frame = right.frame;
    }
}

// With the values of its variables; those without one have their places in `bindings_` as numbers.
Term DepthFirst::resolved(Term term, std::uint32_t frame, std::size_t depth) {
    const Bound bound = deref(term, frame);
    if (terms_.is_ground(bound.term)) return bound.term;
    if (terms_.is_variable(bound.term)) return terms_.variable(bound.frame + terms_.index(bound.term));
    if (depth > limits_.deepest_term) throw GoalError("terms grow without end");
    const std::size_t arity = terms_.args(bound.term).size();
    std::vector<Term> args(arity);
    for (std::size_t i = 0; i < arity; ++i) args[i] = resolved(terms_.args(bound.term)[i], bound.frame, depth + 1);
    return terms_.with_args(bound.term, args);
}

std::uint32_t DepthFirst::frame_of(std::size_t variables) {
    const auto frame = static_cast<std::uint32_t>(bindings_.size());
    bindings_.resize(bindings_.size() + variables, {no_term, 0});
    return frame;
}

std::uint32_t DepthFirst::add(Step step, Term term, std::uint32_t frame, std::uint32_t next, std::size_t cut) {
    goals_.push_back({step, term, frame, next, static_cast<std::uint32_t>(cut)});
    return static_cast<std::uint32_t>(goals_.size() - 1);
}

DepthFirst::Choice& DepthFirst::push(Kind kind, std::uint32_t goal) {
    return choices_.emplace_back(Choice{kind, goal, bindings_.size(), trail_.size(), goals_.size()});
}

void DepthFirst::undo(const Choice& choice) {
    for (; trail_.size() > choice.trail; trail_.pop_back()) {
        if (trail_.back() < choice.bindings) bindings_[trail_.back()] = {no_term, 0};
    }
    bindings_.resize(choice.bindings, {no_term, 0});
    goals_.resize(choice.goals, {});
}

DepthFirst::Procedure& DepthFirst::procedure_of(Term goal) {
    std::unique_ptr<Procedure>& procedure = procedures_[terms_.shape(goal)];
    if (procedure) return *procedure;
    procedure = std::make_unique<Procedure>();
    const Indicator indicator = rules_.indicator(goal);
    const auto found = rules_.by_head.find(indicator);
    if (found != rules_.by_head.end()) {
        procedure->known = true;
        for (const auto& [rule, head] : found->second) procedure->rules.push_back(rule);
        return *procedure;
    }
    procedure->control = control_of(indicator);
    procedure->built_in = find_built_in(terms_, goal);
    procedure->known =
        procedure->control != Control::None || procedure->built_in != nullptr || rules_.declared.contains(indicator);
    return *procedure;
}

// The rules whose heads may match, by the first argument that is known.
const std::vector<std::uint32_t>& DepthFirst::candidates(Procedure& procedure, Bound called) {
    if (procedure.rules.size() < worth_an_index) return procedure.rules;
    const std::size_t arity = std::min(terms_.args(called.term).size(), most_indexed);
    for (std::size_t a = 0; a < arity; ++a) {
        const Bound arg = deref(terms_.args(called.term)[a], called.frame);
        if (terms_.is_variable(arg.term)) continue;
        procedure.by_argument.resize(std::max(procedure.by_argument.size(), a + 1));
        Index& index = procedure.by_argument[a];
        if (index.by_shape.empty() && index.others.empty()) {
            const auto shape_in = [&](std::uint32_t rule) { return terms_.args(rules_.rules[rule].heads[0].atom)[a]; };
            for (const std::uint32_t rule : procedure.rules) {
                if (!terms_.is_variable(shape_in(rule))) index.by_shape[terms_.shape(shape_in(rule))];
            }
            for (const std::uint32_t rule : procedure.rules) {
                if (terms_.is_variable(shape_in(rule))) {
                    for (auto& [shape, rules] : index.by_shape) rules.push_back(rule);
                    index.others.push_back(rule);
                } else {
                    index.by_shape[terms_.shape(shape_in(rule))].push_back(rule);
                }
            }
        }
        if (index.others.size() == procedure.rules.size()) continue;  // it tells nothing apart
        const auto found = index.by_shape.find(terms_.shape(arg.term));
        return found == index.by_shape.end() ? index.others : found->second;
    }
    return procedure.rules;
}

// Until all goals have been proven. False: there is no further answer.
bool DepthFirst::run() {
    while (current_ != no_goal) {
        if (++steps_ > limits_.most_steps) throw GoalError("there are too many steps");
        if (steps_ % between_looks == 0 && limits_.stop && limits_.stop()) throw GoalError("it was stopped");
        bool goes_on = false;
        try {
            goes_on = step();
        } catch (const GoalError&) {
            if (!recover()) throw;
            goes_on = true;
        } catch (const ArithmeticError&) {
            if (!recover()) throw;
            goes_on = true;
        }
        if (!goes_on && !fail()) return false;
    }
    return true;
}

// An error is handled by the innermost catch.
bool DepthFirst::recover() {
    while (!choices_.empty()) {
        const Choice choice = std::move(choices_.back());
        choices_.pop_back();
        undo(choice);
        if (choice.kind == Kind::Collected) collections_.pop_back();
        if (choice.kind != Kind::Catch) continue;
        current_ = choice.goal;
        return true;
    }
    return false;
}

bool DepthFirst::step() {
    const Goal goal = goals_[current_];
    switch (goal.step) {
    case Step::Goal:
        return call(goal);
    case Step::CutTo:
        choices_.resize(goal.cut, Choice{Kind::Nothing, no_goal, 0, 0, 0});
        break;
    case Step::SoftCut:
        choices_[goal.cut].kind = Kind::Nothing;
        break;
    case Step::Collect:
        collections_.back().push_back(terms_.canonical(resolved(goal.term, goal.frame)));
        return false;
    }
    current_ = goal.next;
    return true;
}

bool DepthFirst::fail() {
    while (!choices_.empty()) {
        Choice& choice = choices_.back();
        undo(choice);
        if (choice.kind == Kind::Rules) {
            const std::uint32_t goal = choice.goal;
            const std::vector<std::uint32_t>& rules = *choice.candidates;
            const std::size_t position = choice.position;
            choices_.pop_back();
            if (try_rules(goal, rules, position)) return true;
            continue;
        }
        if (choice.kind == Kind::Facts) {
            const std::uint32_t goal = choice.goal;
            const std::size_t position = choice.position;
            const std::vector<Term>& facts = *choice.candidates;
            choices_.pop_back();
            if (try_facts(goal, facts, position)) return true;
            continue;
        }
        if (choice.kind == Kind::Solutions) {
            const Environment solution = std::move(choice.solutions.back());
            choice.solutions.pop_back();
            const std::vector<Term> unbound = choice.unbound;
            current_ = choice.goal;
            if (choice.solutions.empty()) choices_.pop_back();
            if (take(solution, unbound)) return true;
            continue;
        }
        const Kind kind = choice.kind;
        const std::uint32_t goal = choice.goal;
        choices_.pop_back();
        if (kind == Kind::Branch) {
            current_ = goal;
            return true;
        }
        if (kind == Kind::Collected) {
            const std::vector<Term> elements = std::move(collections_.back());
            collections_.pop_back();
            const Goal collecting = goals_[goal];
            const Bound called = deref(collecting.term, collecting.frame);
            std::size_t variables = 0;
            std::vector<Term> apart;
            for (const Term element : elements) {
                apart.push_back(terms_.shifted(element, static_cast<std::uint32_t>(variables)));
                variables += terms_.variables(element);
            }
            const Term result = terms_.list(apart);
            current_ = collecting.next;
            if (unify(terms_.args(called.term)[2], called.frame, result, frame_of(variables))) return true;
        }
    }
    return false;
}

bool DepthFirst::call(Goal goal) {
    const Bound called = deref(goal.term, goal.frame);
    if (!terms_.is_callable(called.term))
        throw GoalError(terms_.is_variable(called.term) ? "a variable is called as a goal and is not bound"
                                                        : fmt::format("{} is not a goal", terms_.print(called.term)));
    Procedure& procedure = procedure_of(called.term);
    if (!procedure.rules.empty()) {
        const std::uint32_t number = current_;
        return try_rules(number, candidates(procedure, called), 0);
    }
    if (!facts_.empty()) {
        const auto facts = facts_.find(terms_.shape(called.term));
        if (facts != facts_.end()) return try_facts(current_, facts->second, 0);
    }
    if (procedure.control != Control::None) return control(procedure.control, goal, called);
    if (procedure.built_in != nullptr) return call_built_in(*procedure.built_in, goal, called);
    if (procedure.known) return false;
    throw GoalError(
        fmt::format("unknown predicate '{}/{}'", terms_.name(called.term), terms_.args(called.term).size()));
}

bool DepthFirst::control(Control kind, const Goal& goal, Bound called) {
    const std::vector<Term> args(terms_.args(called.term).begin(), terms_.args(called.term).end());
    const std::uint32_t frame = called.frame;
    const std::size_t here = choices_.size();
    const auto arrow = [&](Term term, std::string_view name) {
        const Bound branch = deref(term, frame);
        return terms_.is(branch.term, name, 2) ? std::optional<Bound>(branch) : std::nullopt;
    };
    // The condition of an if-then-else, then the cut of the other branch, then what follows.
    const auto condition = [&](Bound branch, Step cut, std::size_t at) {
        const Term then = terms_.args(branch.term)[1];
        const std::uint32_t after = add(Step::Goal, then, branch.frame, goal.next, goal.cut);
        const std::uint32_t commit = add(cut, no_term, 0, after, at);
        current_ = add(Step::Goal, terms_.args(branch.term)[0], branch.frame, commit, choices_.size());
    };
    switch (kind) {
    case Control::And: {
        const std::uint32_t second = add(Step::Goal, args[1], frame, goal.next, goal.cut);
        current_ = add(Step::Goal, args[0], frame, second, goal.cut);
        return true;
    }
    case Control::Or: {
        const std::uint32_t other = add(Step::Goal, args[1], frame, goal.next, goal.cut);
        push(Kind::Branch, other);
        if (const auto then = arrow(args[0], "->"))
            condition(*then, Step::CutTo, here);
        else if (const auto soft = arrow(args[0], "*->"))
            condition(*soft, Step::SoftCut, here);
        else
            current_ = add(Step::Goal, args[0], frame, goal.next, goal.cut);
        return true;
    }
    case Control::Then:
        push(Kind::Nothing, no_goal);
        condition(called, Step::CutTo, here);
        return true;
    case Control::SoftThen: {
        const std::uint32_t then = add(Step::Goal, args[1], frame, goal.next, goal.cut);
        current_ = add(Step::Goal, args[0], frame, then, here);
        return true;
    }
    case Control::Not: {
        push(Kind::Branch, goal.next);
        const std::uint32_t failing = add(Step::Goal, terms_.constant("fail"), 0, no_goal, 0);
        const std::uint32_t commit = add(Step::CutTo, no_term, 0, failing, here);
        current_ = add(Step::Goal, args[0], frame, commit, choices_.size());
        return true;
    }
    case Control::ForAll: {
        const Term otherwise = terms_.compound("\\+", std::array{args[1]});
        const Term both = terms_.compound(",", std::array{args[0], otherwise});
        current_ = add(Step::Goal, terms_.compound("\\+", std::array{both}), frame, goal.next, here);
        return true;
    }
    case Control::Cut:
        choices_.resize(goal.cut, Choice{Kind::Nothing, no_goal, 0, 0, 0});
        current_ = goal.next;
        return true;
    case Control::Call: {
        const Bound all = extended(called);
        current_ = add(Step::Goal, all.term, all.frame, goal.next, here);
        return true;
    }
    case Control::Once:
    case Control::Ignore: {
        push(kind == Control::Ignore ? Kind::Branch : Kind::Nothing, goal.next);
        const std::uint32_t commit = add(Step::CutTo, no_term, 0, goal.next, here);
        current_ = add(Step::Goal, args[0], frame, commit, choices_.size());
        return true;
    }
    case Control::FindAll: {
        push(Kind::Collected, current_);
        collections_.emplace_back();
        const std::uint32_t collecting = add(Step::Collect, args[0], frame, no_goal, 0);
        current_ = add(Step::Goal, args[1], frame, collecting, choices_.size());
        return true;
    }
    case Control::Catch: {
        push(Kind::Catch, add(Step::Goal, args[2], frame, goal.next, here));
        current_ = add(Step::Goal, args[0], frame, goal.next, choices_.size());
        return true;
    }
    case Control::Unify:
        current_ = goal.next;
        return unify(args[0], frame, args[1], frame);
    case Control::Quiet:
        current_ = goal.next;
        return true;
    case Control::None:
        break;
    }
    return false;
}

// call(G, A, B): the goal with further arguments.
DepthFirst::Bound DepthFirst::extended(Bound called) {
    const std::vector<Term> args(terms_.args(called.term).begin(), terms_.args(called.term).end());
    if (args.size() == 1) return deref(args[0], called.frame);
    const Term goal = resolved(args[0], called.frame);
    if (!terms_.is_callable(goal)) throw GoalError("call needs a goal");
    std::vector<Term> all(terms_.args(goal).begin(), terms_.args(goal).end());
    for (std::size_t a = 1; a < args.size(); ++a) all.push_back(resolved(args[a], called.frame));
    return {terms_.compound(std::string(terms_.name(goal)), all), 0};
}

void DepthFirst::set_facts(const std::vector<Term>& atoms) {
    facts_.clear();
    for (const Term atom : atoms) facts_[terms_.shape(atom)].push_back(atom);
}

bool DepthFirst::try_facts(std::uint32_t goal, const std::vector<Term>& facts, std::size_t position) {
    const Goal calling = goals_[goal];
    const Bound called = deref(calling.term, calling.frame);
    for (; position < facts.size(); ++position) {
        const bool last = position + 1 == facts.size();
        if (!last) {
            Choice& choice = push(Kind::Facts, goal);
            choice.candidates = &facts;
            choice.position = position + 1;
        }
        if (unify(called.term, called.frame, facts[position], 0)) {
            current_ = calling.next;
            return true;
        }
        if (last) return false;  // the caller fails, which undoes the bindings
        undo(choices_.back());
        choices_.pop_back();
    }
    return false;
}

bool DepthFirst::try_rules(std::uint32_t goal, const std::vector<std::uint32_t>& rules, std::size_t position) {
    const Goal calling = goals_[goal];
    const Bound called = deref(calling.term, calling.frame);
    const std::size_t here = choices_.size();
    const std::size_t arity = terms_.args(called.term).size();
    for (; position < rules.size(); ++position) {
        const Rule& rule = rules_.rules[rules[position]];
        const Term head = rule.heads[0].atom;
        bool may_match = true;
        for (std::size_t a = 0; a < arity && may_match; ++a) {
            const Term there = terms_.args(head)[a];
            if (terms_.is_variable(there)) continue;
            const Bound arg = deref(terms_.args(called.term)[a], called.frame);
            if (terms_.is_variable(arg.term)) continue;
            may_match = terms_.shape(arg.term) == terms_.shape(there) &&
                        (arg.term == there || !terms_.is_ground(arg.term) || !terms_.is_ground(there));
        }
        if (!may_match) continue;
        if (position + 1 < rules.size()) {
            Choice& choice = push(Kind::Rules, goal);
            choice.candidates = &rules;
            choice.position = position + 1;
        }
        const std::uint32_t frame = frame_of(rule.variables);
        bool matches = true;
        for (std::size_t a = 0; a < arity && matches; ++a)
            matches = unify(terms_.args(head)[a], frame, terms_.args(called.term)[a], called.frame);
        if (matches) {
            const bool fact = terms_.is(rule.body, "true", 0);
            current_ = fact ? calling.next : add(Step::Goal, rule.body, frame, calling.next, here);
            return true;
        }
        if (position + 1 == rules.size()) return false;  // the caller fails, which undoes the bindings
        undo(choices_.back());
        choices_.pop_back();
    }
    return false;
}

// Its open variables are numbered from 0 on; what it adds to them comes behind.
bool DepthFirst::call_built_in(const BuiltIn& built_in, const Goal& goal, Bound called) {
    const std::size_t arity = terms_.args(called.term).size();
    std::vector<Term> args(arity);
    bool ground = true;
    for (std::size_t a = 0; a < arity; ++a) {
        args[a] = resolved(terms_.args(called.term)[a], called.frame);
        ground = ground && terms_.is_ground(args[a]);
    }
    std::vector<Term> unbound;
    if (!ground) {
        const Term renamed = terms_.canonical(terms_.compound("", args), unbound);
        args.assign(terms_.args(renamed).begin(), terms_.args(renamed).end());
    }
    std::vector<Environment> solutions;
    solve_built_in(built_in, terms_, std::move(args), Environment(unbound.size(), no_term), solutions);
    if (solutions.empty()) return false;
    current_ = goal.next;
    if (solutions.size() > 1) {
        Choice& choice = push(Kind::Solutions, goal.next);
        choice.unbound = unbound;
        choice.solutions.assign(solutions.rbegin(), solutions.rend() - 1);
    }
    return take(solutions.front(), unbound);
}

bool DepthFirst::take(const Environment& solution, const std::vector<Term>& unbound) {
    if (solution.empty()) return true;
    const std::uint32_t frame = frame_of(solution.size());
    for (std::size_t v = 0; v < unbound.size(); ++v) bindings_[frame + v] = {unbound[v], 0};
    for (std::size_t v = 0; v < solution.size(); ++v) {
        if (solution[v] == no_term) continue;
        if (!unify(terms_.variable(static_cast<std::uint32_t>(v)), frame, solution[v], frame)) return false;
    }
    return true;
}

}  // namespace neumann::resolution
