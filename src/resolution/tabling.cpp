#include "resolution/tabling.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/budget.h"
#include "resolution/built_ins.h"

namespace neumann::resolution {
namespace {

constexpr std::size_t between_stops = 64;  // steps
constexpr unsigned deepest_nested = 200;

}  // namespace

Tabling::Tabling(Rules& rules, GroundRules& to, ResolutionLimits limits)
    : rules_(rules), terms_(rules.terms), ground_(to), limits_(std::move(limits)), visited_before_(terms_.visited()) {}

std::vector<std::uint32_t> Tabling::solve(Term goal) {
    const std::uint32_t table = table_of(goal, no_rule);
    do run();
    while (release_waiting());
    require_one_call();
    return tables_[table].answers;
}

std::uint32_t Tabling::table_of(Term goal, std::uint32_t user) {
    const Term asked = terms_.canonical(goal);
    const auto [found, added] = table_numbers_.try_emplace(asked, static_cast<std::uint32_t>(tables_.size()));
    if (added) {
        tables_.emplace_back().call = asked;
        start(found->second);
    }
    if (user != no_rule && tables_[found->second].users.insert(user).second) {
        tables_[user].needs.push_back(found->second);
        if (tables_[found->second].by_call) mark_by_call(user);
    }
    return found->second;
}

void Tabling::start(std::uint32_t table) {
    const Term asked = tables_[table].call;
    const std::uint32_t own = terms_.variables(asked);
    const auto rules = rules_.by_head.find(rules_.indicator(asked));
    if (rules == rules_.by_head.end()) {
        const bool collected = terms_.is(asked, collection, 2);
        if (!rules_.declared.contains(rules_.indicator(asked)))
            push(
                {table, no_rule, 0, asked, Environment(own, no_term), {collected ? terms_.args(asked)[1] : asked}, {}});
        return;
    }
    for (std::size_t r = rules->second.size(); r-- > 0;) {  // the first one is done first
        const auto [number, head] = rules->second[r];
        const Rule& rule = rules_.rules[number];
        Frame frame{table,       number, head, rule.heads[head].atom, Environment(rule.variables + own, no_term),
                    {rule.body}, {}};
        if (terms_.unify(frame.answer, terms_.shifted(asked, rule.variables), frame.environment))
            push(std::move(frame));
    }
}

void Tabling::push(Frame frame) {
    ++tables_[frame.table].running;
    todo_.push_back(std::move(frame));
}

void Tabling::run(std::size_t down_to) {
    while (todo_.size() > down_to) {
        Frame frame = std::move(todo_.back());
        todo_.pop_back();
        --tables_[frame.table].running;
        const std::uint32_t rule = frame.rule;
        if (++steps_ > limits_.most_steps || tables_.size() > limits_.most_calls)
            throw ResolutionError("resolution does not seem to end", rule,
                                  "a rule that calls itself needs a call that becomes smaller");
        if (steps_ % between_stops == 0) {
            require_budget("resolving goals");
            if (terms_.visited() - visited_before_ > limits_.most_visited)
                throw ResolutionError("resolution does not seem to end: its terms become larger and larger", rule,
                                      "a rule that builds terms needs a call that bounds them");
            if (limits_.stop && limits_.stop()) throw ResolutionError("resolution was stopped", rule);
        }
        try {
            step(std::move(frame));
        } catch (const GoalError& error) {
            throw ResolutionError(error.what(), rule, "goals are called from left to right: bind it before");
        } catch (const ArithmeticError& error) {
            throw ResolutionError(error.what(), rule);
        }
    }
}

void Tabling::step(Frame frame) {
    while (!frame.goals.empty()) {
        const Term goal = terms_.walk(frame.goals.back(), frame.environment);
        frame.goals.pop_back();
        if (!terms_.is_callable(goal))
            throw GoalError(terms_.is_variable(goal) ? "a variable is called as a goal and is not bound"
                                                     : fmt::format("{} is not a goal", terms_.print(goal)));
        bool done = false;
        if (step_control(frame, goal, done)) {
            if (done) return;
            continue;
        }
        if (rules_.by_head.contains(rules_.indicator(goal)) || !is_built_in(terms_, goal))
            return call(std::move(frame), goal);
        std::vector<Environment> solutions;
        solve_built_in(terms_, goal, frame.environment, solutions);
        if (solutions.empty()) return;
        for (std::size_t s = solutions.size(); s-- > 1;) {
            Frame other = frame;
            other.environment = std::move(solutions[s]);
            push(std::move(other));
        }
        frame.environment = std::move(solutions[0]);
    }
    finish(frame);
}

// Conjunctions, alternatives, negation and goals about goals. False: it is none of them. `done`: others go on.
bool Tabling::step_control(Frame& frame, Term goal, bool& done) {
    const std::vector<Term> args(terms_.args(goal).begin(), terms_.args(goal).end());
    if (terms_.is(goal, ",", 2)) {
        frame.goals.push_back(args[1]);
        frame.goals.push_back(args[0]);
    } else if (terms_.is(goal, ";", 2)) {
        done = step_condition(frame, terms_.walk(args[0], frame.environment), args[1]);
        if (done) return true;
        Frame other = frame;
        other.goals.push_back(args[1]);
        push(std::move(other));
        frame.goals.push_back(args[0]);
    } else if (terms_.is(goal, "->", 2) || terms_.is(goal, "*->", 2)) {
        done = step_condition(frame, goal, no_term);
    } else if (terms_.is(goal, "\\+", 1) || terms_.is(goal, "not", 1)) {
        wait({std::move(frame)}, args[0]);
        done = true;
    } else if (terms_.is(goal, "forall", 2)) {
        const Term otherwise = terms_.compound("\\+", std::array{args[1]});
        const Term both = terms_.compound(",", std::array{args[0], otherwise});
        frame.goals.push_back(terms_.compound("\\+", std::array{both}));
    } else if (terms_.name(goal) == "call" && !args.empty()) {
        frame.goals.push_back(called(frame, args));
    } else if (rules_.defines(rules_.indicator(goal))) {
        return false;
    } else if (step_collection(frame, goal)) {
        done = true;
    } else {
        return step_program(frame, goal, done);
    }
    return true;
}

// The goal of call/N.
Term Tabling::called(const Frame& frame, std::span<const Term> args) {
    const Term goal = terms_.apply(args[0], frame.environment);
    if (!terms_.is_callable(goal)) throw GoalError("call needs a goal");
    std::vector<Term> all(terms_.args(goal).begin(), terms_.args(goal).end());
    all.insert(all.end(), args.begin() + 1, args.end());
    return terms_.compound(std::string(terms_.name(goal)), all);
}

// (C -> T ; E), and (C *-> T ; E), which goes on for every answer of C.
bool Tabling::step_condition(Frame& frame, Term choice, Term otherwise) {
    const bool first = terms_.is(choice, "->", 2);
    if (!first && !terms_.is(choice, "*->", 2)) return false;
    const Term condition = terms_.apply(terms_.args(choice)[0], frame.environment);
    const Term then = terms_.args(choice)[1];
    if (first && !terms_.is_ground(condition)) mark_by_call(frame.table);
    wait({std::move(frame), 0, first ? Wait::Condition : Wait::Each, condition, then, otherwise},
         terms_.compound(collection, std::array{condition, condition}));
    return true;
}

// A list, or the beginning of one.
void Tabling::require_list(Term result) const {
    Term tail = result;
    while (terms_.is(tail, "[|]", 2)) tail = terms_.args(tail)[1];
    if (!terms_.is_variable(tail) && !terms_.is(tail, "[]", 0))
        throw GoalError(fmt::format("{} is not a list, and findall gives one", terms_.print(result)));
}

bool Tabling::step_collection(Frame& frame, Term goal) {
    const std::vector<Term> args(terms_.args(goal).begin(), terms_.args(goal).end());
    if (terms_.is(goal, "findall", 3)) require_list(terms_.apply(args[2], frame.environment));
    const auto wait_for = [&](Wait kind, Term of, Term in, Term result, Term function = no_term) {
        const Term all = terms_.compound(collection, std::array{of, in});
        wait({std::move(frame), 0, kind, result, function}, all);
        return true;
    };
    if (terms_.is(goal, "findall", 3) || terms_.is(goal, "all_or_none", 3))
        return wait_for(Wait::Collection, args[0], args[1], args[2]);
    if (terms_.is(goal, "all", 3)) return wait_for(Wait::AnyOf, args[0], args[1], args[2]);
    if (terms_.is(goal, "possible", 1)) return wait_for(Wait::Possible, args[0], args[0], args[0]);
    if (terms_.is(goal, groups, 2)) return wait_for(Wait::Possible, args[0], args[1], args[0]);
    if (terms_.is(goal, fold_all, 4)) return wait_for(Wait::Fold, args[1], args[2], args[3], args[0]);
    if (terms_.is(goal, fold_any, 4)) return wait_for(Wait::FoldAny, args[1], args[2], args[3], args[0]);
    return false;
}

void Tabling::require_bounded(Term term, std::uint32_t rule) const {
    if (terms_.depth(term) > limits_.deepest_term)
        throw ResolutionError("terms grow without end", rule, "a rule that builds terms needs a call that bounds them");
}

void Tabling::call(Frame frame, Term goal) {
    const Term applied = terms_.apply(goal, frame.environment);
    require_bounded(applied, frame.rule);
    if (!rules_.defines(rules_.indicator(applied)) && rules_.unknown_fails) return;
    if (!rules_.defines(rules_.indicator(applied)))
        throw UnknownPredicate(
            fmt::format("unknown predicate '{}/{}'", terms_.name(applied), terms_.args(applied).size()), frame.rule,
            "it has no facts and no clauses");
    const std::uint32_t table = table_of(applied, frame.table);
    tables_[table].consumers.push_back({std::move(frame), applied});
    const std::vector<std::uint32_t>& answers = tables_[table].answers;
    for (std::size_t a = answers.size(); a-- > 0;) resume(tables_[table].consumers.back(), answers[a]);
}

void Tabling::resume(Consumer consumer, std::uint32_t atom) {
    Frame& frame = consumer.frame;
    const auto own = static_cast<std::uint32_t>(frame.environment.size());
    const Term answer = ground_.atoms[atom].term;
    frame.environment.resize(own + terms_.variables(answer), no_term);
    if (!terms_.unify(consumer.goal, terms_.shifted(answer, own), frame.environment)) return;
    frame.body.push_back({atom, false});
    push(std::move(frame));
}

// The goal is resolved at once, so that answers come in Prolog's order, unless it depends on what waits itself.
void Tabling::wait(Waiting waiting, Term goal) {
    const std::size_t below = todo_.size();
    const std::size_t place = waiting_.size();
    const std::uint32_t table = table_of(terms_.apply(goal, waiting.frame.environment), waiting.frame.table);
    waiting.table = table;
    ++tables_[waiting.frame.table].waiting;
    waiting_.push_back(std::move(waiting));
    if (nested_ >= deepest_nested) return;
    ++nested_;
    run(below);
    --nested_;
    if (!is_complete(table)) return;
    Waiting ready = std::move(waiting_[place]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place));
    --tables_[ready.frame.table].waiting;
    release(std::move(ready), true);
}

// Whether no frame is left that can add answers to the table. It gives up where many tables would have to be seen.
bool Tabling::is_complete(std::uint32_t table) {
    constexpr std::size_t most_seen = 2000;
    std::vector<std::uint32_t> seen = {table};
    std::set<std::uint32_t> known = {table};
    for (std::size_t next = 0; next < seen.size(); ++next) {
        const Table& one = tables_[seen[next]];
        if (one.running > 0 || one.waiting > 0 || seen.size() > most_seen) return false;
        for (const std::uint32_t needed : one.needs) {
            if (!tables_[needed].complete && known.insert(needed).second) seen.push_back(needed);
        }
    }
    for (const std::uint32_t one : seen) tables_[one].complete = true;
    return true;
}

std::uint32_t Tabling::atom_of(Term term) {
    const auto [found, added] = atom_numbers_.try_emplace(term, static_cast<std::uint32_t>(ground_.atoms.size()));
    if (added) {
        ground_.atoms.push_back({term, false, {}});
        used_by_.emplace_back();
    }
    return found->second;
}

void Tabling::finish(Frame& frame) {
    GroundInstance instance;
    instance.rule = frame.rule;
    instance.head = frame.head;
    instance.weight = weight_of(frame, instance.values);
    instance.decision = frame.rule != no_rule && rules_.is_decision(rules_.rules[frame.rule]);
    if (instance.weight == 0.0) return;
    if (instance.weight == 1.0 && !instance.decision) instance.weight.reset();
    const Term answer = terms_.canonical(terms_.apply(frame.answer, frame.environment));
    require_bounded(answer, frame.rule);
    instance.atom = atom_of(answer);
    instance.body = std::move(frame.body);
    const std::uint32_t atom = instance.atom;
    found_by_[{frame.table, atom}].push_back(add_instance(std::move(instance)));
    add_answer(frame.table, atom);
}

// A random choice is identified by its rule and the values of all its variables, which have to be known.
std::optional<double> Tabling::weight_of(const Frame& frame, Term& values) {
    if (frame.rule == no_rule || rules_.rules[frame.rule].heads[frame.head].weight == no_term) return std::nullopt;
    const Rule& rule = rules_.rules[frame.rule];
    std::vector<Term> bound;
    for (std::uint32_t v = 0; v < rule.variables; ++v)
        bound.push_back(terms_.apply(terms_.variable(v), frame.environment));
    values = terms_.compound("", bound);
    if (!terms_.is_ground(values)) {
        const std::vector<bool> shared = rules_.shared_variables(rule);
        for (std::uint32_t v = 0; v < rule.variables; ++v) {
            if (!shared[v]) bound[v] = terms_.constant("_");
        }
        values = terms_.compound("", bound);
    }
    if (!terms_.is_ground(values))
        throw ResolutionError("a probabilistic clause is used before its variables are known", frame.rule,
                              "bind them in its body, or call it with known arguments");
    if (rules_.is_decision(rule)) return 1.0;
    double sum = 0;
    double own = 0;
    for (std::size_t h = 0; h < rule.heads.size(); ++h) {
        const Term weight = terms_.apply(rule.heads[h].weight, frame.environment);
        const double value = as_double(evaluate(terms_, weight));
        if (!(value >= 0 && value <= 1))
            throw ResolutionError(fmt::format("the probability {} is not between 0 and 1", terms_.print(weight)),
                                  frame.rule);
        sum += value;
        if (h == frame.head) own = value;
    }
    constexpr double rounding = 1e-9;
    if (sum > 1 + rounding)
        throw ResolutionError(fmt::format("the weights of an annotated disjunction sum up to {:.6g}", sum), frame.rule,
                              "at most one of the heads holds, so that they sum up to at most 1");
    return own;
}

void Tabling::add_answer(std::uint32_t table, std::uint32_t atom) {
    if (!tables_[table].known.insert(atom).second) return;
    tables_[table].answers.push_back(atom);
    const std::vector<Consumer>& consumers = tables_[table].consumers;
    for (std::size_t c = consumers.size(); c-- > 0;) resume(consumers[c], atom);
}

std::uint32_t Tabling::add_instance(GroundInstance instance) {
    std::vector<std::uint32_t> key = {instance.atom, instance.rule, instance.head, instance.values};
    for (const GroundLiteral literal : instance.body) key.push_back(literal.atom * 2 + (literal.negated ? 1 : 0));
    const auto number = static_cast<std::uint32_t>(ground_.instances.size());
    const auto [known, added] = known_instances_.try_emplace(std::move(key), number);
    if (!added) return known->second;
    std::uint32_t open = instance.weight ? 1 : 0;
    for (const GroundLiteral literal : instance.body) {
        if (!literal.negated && ground_.atoms[literal.atom].certain) continue;
        ++open;
        if (!literal.negated) used_by_[literal.atom].push_back(number);
    }
    uncertain_.push_back(open);
    ground_.atoms[instance.atom].instances.push_back(number);
    const std::uint32_t atom = instance.atom;
    ground_.instances.push_back(std::move(instance));
    if (open == 0) make_certain(atom);
    return number;
}

void Tabling::make_certain(std::uint32_t atom) {
    std::vector<std::uint32_t> found = {atom};
    while (!found.empty()) {
        const std::uint32_t one = found.back();
        found.pop_back();
        if (ground_.atoms[one].certain) continue;
        ground_.atoms[one].certain = true;
        for (const std::uint32_t instance : used_by_[one]) {
            if (--uncertain_[instance] == 0) found.push_back(ground_.instances[instance].atom);
        }
    }
}

// Frames whose tables are complete go on: no table that they depend on has a frame that waits. Where all wait for each
// other, negated goals are kept as they are; a later check decides, atom by atom, whether that has a meaning.
bool Tabling::release_waiting() {
    if (waiting_.empty()) return false;
    std::vector<bool> open(tables_.size(), false);
    std::vector<std::uint32_t> todo;
    for (std::uint32_t t = 0; t < tables_.size(); ++t) {
        if (tables_[t].waiting > 0) todo.push_back(t);
    }
    while (!todo.empty()) {
        const std::uint32_t table = todo.back();
        todo.pop_back();
        if (open[table]) continue;
        open[table] = true;
        todo.insert(todo.end(), tables_[table].users.begin(), tables_[table].users.end());
    }
    const auto first_open =
        std::stable_partition(waiting_.begin(), waiting_.end(), [&](const Waiting& one) { return !open[one.table]; });
    const bool complete = first_open != waiting_.begin();
    std::vector<Waiting> ready(std::make_move_iterator(waiting_.begin()),
                               std::make_move_iterator(complete ? first_open : waiting_.end()));
    waiting_.erase(waiting_.begin(), complete ? first_open : waiting_.end());
    std::ranges::reverse(ready);
    for (Waiting& one : ready) --tables_[one.frame.table].waiting;
    for (Waiting& one : ready) release(std::move(one), complete);
    return true;
}

void Tabling::release(Waiting waiting, bool complete) {
    const Table& table = tables_[waiting.table];
    if (!complete && (waiting.kind != Wait::Negation || !terms_.is_ground(table.call)))
        throw ResolutionError(fmt::format("{} depends on itself", terms_.print(table.call)), waiting.frame.rule,
                              "what is collected, or negated with open variables, must be known before");
    const std::uint32_t rule = waiting.frame.rule;
    try {
        switch (waiting.kind) {
        case Wait::Negation:
            return release_negated(std::move(waiting), complete);
        case Wait::Collection:
        case Wait::AnyOf:
            return release_collected(waiting);
        case Wait::Condition:
        case Wait::Each:
            return release_condition(waiting);
        case Wait::Possible:
            return release_possible(waiting);
        case Wait::Fold:
        case Wait::FoldAny:
            return release_folded(waiting);
        }
    } catch (const GoalError& error) {
        throw ResolutionError(error.what(), rule, "goals are called from left to right: bind it before");
    } catch (const ArithmeticError& error) {
        throw ResolutionError(error.what(), rule);
    }
}

void Tabling::release_negated(Waiting waiting, bool complete) {
    const Table& table = tables_[waiting.table];
    std::vector<std::uint32_t> negated = table.answers;
    if (!complete) negated.push_back(atom_of(table.call));
    std::ranges::sort(negated);
    negated.erase(std::unique(negated.begin(), negated.end()), negated.end());
    for (const std::uint32_t atom : negated) {
        if (ground_.atoms[atom].certain) return;
        waiting.frame.body.push_back({atom, true});
    }
    push(std::move(waiting.frame));
}

}  // namespace neumann::resolution
