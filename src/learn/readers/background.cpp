#include "learn/readers/background.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include "base/budget.h"
#include "logic/arithmetic.h"
#include "resolution/built_ins.h"
#include "resolution/check_goals.h"
#include "resolution/library.h"

namespace neumann::search {
namespace {

using resolution::Term;

constexpr std::size_t steps_of_table = 300'000;
constexpr std::size_t steps_of_call = 20'000;
constexpr std::uint32_t least_deepest = 1'000;
constexpr std::uint64_t work_of_call = 200;
constexpr std::uint64_t work_of_step = 20;
constexpr std::uint64_t work_of_tabled_call = 1'000;
constexpr std::uint64_t work_of_tabled_step = 200;
constexpr std::size_t most_samples = 40;  // of a type
constexpr std::size_t trial_calls = 24;   // of a predicate

bool has_facts_only(const resolution::Rules& rules, const resolution::Indicator& indicator) {
    const auto found = rules.by_head.find(indicator);
    if (found == rules.by_head.end()) return false;
    return std::ranges::all_of(found->second, [&](const auto& place) {
        const resolution::Rule& rule = rules.rules[place.first];
        return rule.variables == 0 && rules.terms.is(rule.body, "true", 0);
    });
}

Term open_goal(resolution::Terms& terms, const Predicate& predicate, std::span<const Value> args, Mask known) {
    std::vector<Term> goal;
    for (std::size_t a = 0; a < predicate.types.size(); ++a)
        goal.push_back((known >> a & 1U) != 0 ? args[a] : terms.variable(static_cast<std::uint32_t>(a)));
    std::uint32_t variables = static_cast<std::uint32_t>(goal.size());
    for (std::size_t a = 0; a < goal.size(); ++a) {  // open values have variables of their own
        if ((known >> a & 1U) == 0 || terms.is_ground(goal[a])) continue;
        goal[a] = terms.shifted(goal[a], variables);
        variables = terms.variables(goal[a]);
    }
    return terms.compound(predicate.name, goal);
}

Relation on_demand(const std::shared_ptr<Background>& background, const Predicate& predicate, Mask inputs) {
    const auto solve = [background, predicate](std::span<const Value> args, Mask known, std::vector<Value>& tuples) {
        resolution::Terms& terms = background->rules.terms;
        const BackgroundAnswers found = background->answers(open_goal(terms, predicate, args, known), steps_of_call);
        for (const Term atom : found.atoms) {
            if (terms.depth(atom) <= background->deepest + 1)
                tuples.insert(tuples.end(), terms.args(atom).begin(), terms.args(atom).end());
        }
        return found.open != 0         ? Relation::Answers::Missing
               : found.with_parts_open ? Relation::Answers::Open
                                       : Relation::Answers::All;
    };
    const bool moded = !background->can_be_tabled({predicate.name, predicate.types.size()});
    return {predicate.types.size(), inputs, solve, moded, true};
}

class OpenTerms : public OpenValues {
public:
    explicit OpenTerms(std::shared_ptr<Background> background) : background_(std::move(background)) {}

    bool is_open(Value value) const override { return !background_->rules.terms.is_ground(value); }
    std::optional<Value> common(Value one, Value other) override {
        resolution::Terms& terms = background_->rules.terms;
        const std::uint32_t variables = terms.variables(one);
        const Term apart = terms.shifted(other, variables);
        resolution::Environment environment(std::max(variables, terms.variables(apart)), resolution::no_term);
        if (!terms.unify(one, apart, environment)) return std::nullopt;
        return terms.canonical(terms.apply(one, environment));
    }

private:
    std::shared_ptr<Background> background_;
};

// Whether no variable stands in several arguments, and none is a whole argument. `open`: arguments with variables.
bool has_own_parts_open(const resolution::Terms& terms, std::span<const Term> args, Mask& open) {
    bool own = true;
    std::set<Term> seen;
    for (std::size_t a = 0; a < args.size(); ++a) {
        if (terms.is_ground(args[a])) continue;
        open |= Mask{1} << a;
        own = own && !terms.is_variable(args[a]);
        std::set<Term> here;
        std::vector<Term> todo = {args[a]};
        while (!todo.empty()) {
            const Term term = todo.back();
            todo.pop_back();
            if (terms.is_variable(term)) here.insert(term);
            if (!terms.is_ground(term) && !terms.is_variable(term))
                todo.insert(todo.end(), terms.args(term).begin(), terms.args(term).end());
        }
        for (const Term variable : here) own = seen.insert(variable).second && own;
    }
    return own;
}

Mask all_of(const Predicate& predicate) { return (Mask{1} << predicate.types.size()) - 1; }

struct Trial {
    bool answered = false;  // some call has a ground answer
    bool failed = false;    // some call was given up
    Mask open = 0;
    bool with_parts_open = false;
};

Trial try_calls(Background& background, const Predicate& predicate, Mask inputs, SampleValues& samples) {
    Trial trial;
    std::vector<Value> args(predicate.types.size(), 0);
    const std::size_t given_up = background.given_up;
    const std::string first = background.first_given_up;
    std::size_t calls = 1;
    for (std::size_t a = 0; a < args.size(); ++a) {
        if ((inputs >> a & 1U) != 0) calls = trial_calls;
    }
    for (std::size_t call = 0; call < calls && !background.work->is_over(); ++call) {
        std::size_t stride = 1;
        for (std::size_t a = 0; a < args.size(); ++a) {
            if ((inputs >> a & 1U) == 0) continue;
            const std::vector<Value>& values = samples.of(predicate.types[a]);
            if (values.empty()) return trial;
            args[a] = values[call * stride % values.size()];
            stride += 2;
        }
        const BackgroundAnswers found =
            background.answers(open_goal(background.rules.terms, predicate, args, inputs), steps_of_call / 4);
        trial.open |= found.open;
        trial.with_parts_open = trial.with_parts_open || found.with_parts_open;
        trial.answered = trial.answered || !found.atoms.empty();
        trial.failed = trial.failed || !found.complete;
        if (trial.failed) break;
        for (const Term atom : found.atoms) {
            for (std::size_t a = 0; a < args.size(); ++a) {
                const Term arg = background.rules.terms.args(atom)[a];
                if (background.rules.terms.is_ground(arg)) samples.add(predicate.types[a], arg);
            }
        }
    }
    background.given_up = given_up;
    background.first_given_up = first;
    return trial;
}

}  // namespace

void Background::add_library() {
    for (const resolution::Rule& rule : rules.rules) {
        for (const resolution::Head& head : rule.heads) deepest = std::max(deepest, 2 * rules.terms.depth(head.atom));
    }
    resolution::add_prolog_library(rules);
}

BackgroundAnswers Background::answers(Term goal, std::size_t most_steps) {
    if (!depth_first_) depth_first_ = std::make_unique<resolution::DepthFirst>(rules);
    resolution::DepthLimits limits;
    limits.most_steps = most_steps;
    limits.most_answers = most_steps;
    limits.deepest_term = std::max(least_deepest, 4 * deepest);  // endless growth is found soon
    limits.stop = [this] { return work->is_cut_off(); };  // not by a limit: answers are kept for searches to come
    const resolution::DepthAnswers all = depth_first_->solve(goal, limits);
    work->add(work_of_call + work_of_step * all.steps);
    BackgroundAnswers found;
    found.complete = all.complete;
    std::unordered_set<Term> known;
    for (const Term atom : all.terms) {
        if (!known.insert(atom).second) continue;
        if (rules.terms.is_ground(atom)) {
            found.atoms.push_back(atom);
            continue;
        }
        std::vector<Term> args(rules.terms.args(atom).begin(), rules.terms.args(atom).end());
        Mask open = 0;
        if (!has_own_parts_open(rules.terms, args, open)) {
            found.open |= open;
            continue;
        }
        for (Term& arg : args) arg = rules.terms.canonical(arg);
        found.atoms.push_back(rules.terms.with_args(atom, args));
        found.with_parts_open = true;
    }
    // Tables have no use for answers that are open.
    if (!found.complete && found.open == 0 && !found.with_parts_open && can_be_tabled(rules.indicator(goal)))
        solve_tabled(goal, most_steps, found);
    if (!found.complete && ++given_up == 1) first_given_up = fmt::format("{}: {}", rules.terms.print(goal), all.error);
    return found;
}

void Background::solve_tabled(Term goal, std::size_t most_steps, BackgroundAnswers& found) {
    resolution::GroundRules ground;
    resolution::ResolutionLimits limits;
    limits.most_steps = most_steps;
    limits.deepest_term = std::max(least_deepest, 4 * deepest);
    limits.stop = [this] { return work->is_cut_off(); };
    resolution::Tabling tabling(rules, ground, limits);
    try {
        const std::vector<std::uint32_t> atoms = tabling.solve(goal);
        found = {};
        found.complete = true;
        for (const std::uint32_t atom : atoms) {
            const Term term = ground.atoms[atom].term;
            if (rules.terms.is_ground(term)) found.atoms.push_back(term);
            const std::span<const Term> args = rules.terms.args(term);
            for (std::size_t a = 0; a < args.size(); ++a) {
                if (!rules.terms.is_ground(args[a])) found.open |= Mask{1} << a;
            }
        }
    } catch (const LimitReached& limit) {
        if (limit.kind() != LimitKind::Memory) throw;  // of memory a search ends with the best so far
    } catch (const std::runtime_error&) {  // arithmetic on a term that is no number, too deep, too many steps
    }
    work->add(work_of_tabled_call + work_of_tabled_step * tabling.steps());
}

bool Background::can_be_tabled(const resolution::Indicator& predicate) {
    const auto [known, is_new] = tabled_.try_emplace(predicate, true);
    if (!is_new) return known->second;
    static const std::set<resolution::Indicator> pure = {{",", 2}, {";", 2}, {"\\+", 1}, {"not", 1}, {"findall", 3}};
    const auto rules_here = rules.by_head.find(predicate);
    if (rules_here == rules.by_head.end()) return true;
    const resolution::Terms& terms = rules.terms;
    std::vector<Term> todo;
    for (const auto& [rule, head] : rules_here->second) todo.push_back(rules.rules[rule].body);
    bool pure_so_far = true;
    while (!todo.empty() && pure_so_far) {
        const Term goal = todo.back();
        todo.pop_back();
        if (!terms.is_callable(goal)) {
            pure_so_far = false;
        } else if (const resolution::Indicator indicator = rules.indicator(goal); rules.defines(indicator)) {
            pure_so_far = can_be_tabled(indicator);
        } else if (pure.contains(indicator)) {
            const std::size_t first = indicator.first == "findall" ? 1 : 0;
            const std::size_t last = indicator.first == "findall" ? 2 : indicator.second;
            for (std::size_t a = first; a < last; ++a) todo.push_back(terms.args(goal)[a]);
        } else {
            pure_so_far =
                resolution::is_built_in(terms, goal) && indicator.first != "var" && indicator.first != "nonvar";
        }
    }
    return tabled_[predicate] = pure_so_far;
}

std::optional<std::pair<const resolution::Rule*, Term>>
Background::undefined_below(const std::vector<resolution::Indicator>& predicates) const {
    std::set<resolution::Indicator> seen(predicates.begin(), predicates.end());
    std::vector<resolution::Indicator> todo(seen.begin(), seen.end());
    while (!todo.empty()) {
        const resolution::Indicator predicate = todo.back();
        todo.pop_back();
        const auto places = rules.by_head.find(predicate);
        if (places == rules.by_head.end()) continue;
        for (const auto& [number, head] : places->second) {
            const resolution::Rule& rule = rules.rules[number];
            std::vector<Term> goals;
            resolution::add_goals(rules.terms, rule.body, goals);
            for (const Term goal : goals) {
                const resolution::Indicator indicator = rules.indicator(goal);
                if (!resolution::can_call(rules, goal)) return std::pair{&rule, goal};
                if (seen.insert(indicator).second) todo.push_back(indicator);
            }
        }
    }
    return std::nullopt;
}

std::shared_ptr<OpenValues> open_terms(const std::shared_ptr<Background>& background) {
    return std::make_shared<OpenTerms>(background);
}

void SampleValues::add(std::uint16_t type, Value value) {
    std::vector<Value>& values = values_[type];
    if (values.size() < most_samples && std::ranges::find(values, value) == values.end()) values.push_back(value);
}

const std::vector<Value>& SampleValues::of(std::uint16_t type) const {
    static const std::vector<Value> none;
    const auto found = values_.find(type);
    return found == values_.end() ? none : found->second;
}

void SampleValues::add(const Relation& relation, const std::vector<std::uint16_t>& types) {
    const std::size_t step = std::max<std::size_t>(1, relation.size() / most_samples);
    for (std::size_t r = 0; r < relation.size(); r += step) {
        for (std::size_t a = 0; a < types.size(); ++a) add(types[a], relation.row(static_cast<std::uint32_t>(r))[a]);
    }
}

std::optional<Relation> table_of(const std::shared_ptr<Background>& background, const Predicate& predicate,
                                 bool directed, std::string& described) {
    resolution::Rules& rules = background->rules;
    const std::size_t arity = predicate.types.size();
    const resolution::Indicator indicator(predicate.name, arity);
    Relation table(arity);
    if (has_facts_only(rules, indicator)) {
        for (const auto& [number, head] : rules.by_head.at(indicator))
            table.add(rules.terms.args(rules.rules[number].heads[head].atom));
        return table;
    }
    const Term goal = open_goal(rules.terms, predicate, {}, 0);
    if (!resolution::can_call(rules, goal)) {
        described = fmt::format("{}/{} has no facts and no clauses", predicate.name, arity);
        return table;
    }
    if (directed) return std::nullopt;
    const std::size_t given_up = background->given_up;
    const std::string first = background->first_given_up;
    const BackgroundAnswers all = background->answers(goal, steps_of_table);
    background->given_up = given_up;
    background->first_given_up = first;
    if (!all.complete || all.open != 0 || all.with_parts_open) return std::nullopt;
    for (const Term atom : all.atoms) table.add(rules.terms.args(atom));
    return table;
}

Relation asked_relation(const std::shared_ptr<Background>& background, const Predicate& predicate, bool directed,
                        SampleValues& samples, std::string& described) {
    const Mask all = all_of(predicate);
    if (directed) {
        Mask inputs = predicate.inputs;
        for (Mask open = all; open != 0 && inputs != all;) {
            open = try_calls(*background, predicate, inputs, samples).open;
            inputs |= open;
        }
        if (inputs != predicate.inputs)
            described = fmt::format("{}/{} leaves out arguments open in its answers: they must be known before",
                                    predicate.name, predicate.types.size());
        return on_demand(background, predicate, inputs);
    }
    std::vector<Mask> masks;
    for (Mask mask = 0; mask <= all; ++mask) masks.push_back(mask);
    std::ranges::stable_sort(masks, {}, [](Mask mask) { return std::popcount(mask); });
    Mask inputs = all;
    for (const Mask mask : masks) {
        const Trial trial = try_calls(*background, predicate, mask, samples);
        if (!trial.answered || trial.failed || trial.open != 0 || trial.with_parts_open) continue;
        inputs = mask;
        break;
    }
    std::string places;
    for (std::size_t a = 0; a < predicate.types.size(); ++a) {
        if ((inputs >> a & 1U) != 0) places += fmt::format("{}{}", places.empty() ? "" : ", ", a + 1);
    }
    described = fmt::format("{}/{} has no direction and no finite table: it is called with known arguments {}",
                            predicate.name, predicate.types.size(), places);
    return on_demand(background, predicate, inputs);
}

}  // namespace neumann::search
