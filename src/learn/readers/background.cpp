#include "learn/readers/background.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "base/budget.h"
#include "logic/arithmetic.h"
#include "resolution/built_ins.h"
#include "resolution/library.h"

namespace neumann::search {
namespace {

using resolution::Term;

constexpr std::size_t steps_of_table = 3'000'000;
constexpr std::size_t steps_of_call = 20'000;
constexpr std::uint32_t least_deepest = 1'000;
constexpr std::uint64_t work_of_call = 1'000;
constexpr std::uint64_t work_of_step = 200;

// All its clauses are facts without variables.
bool is_table(const resolution::Rules& rules, const resolution::Indicator& indicator) {
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
    return terms.compound(predicate.name, goal);
}

Relation on_demand(const std::shared_ptr<Background>& background, const Predicate& predicate, Mask inputs) {
    const auto solve = [background, predicate](std::span<const Value> args, Mask known, std::vector<Value>& tuples) {
        resolution::Terms& terms = background->rules.terms;
        const auto found = background->answers(open_goal(terms, predicate, args, known), steps_of_call);
        if (!found) return;
        for (const Term atom : *found) {
            if (terms.depth(atom) <= background->deepest + 1)
                tuples.insert(tuples.end(), terms.args(atom).begin(), terms.args(atom).end());
        }
    };
    return {predicate.types.size(), inputs, solve};
}

}  // namespace

void Background::add_library() {
    for (const resolution::Rule& rule : rules.rules) {
        for (const resolution::Head& head : rule.heads) deepest = std::max(deepest, 2 * rules.terms.depth(head.atom));
    }
    resolution::add_library(rules);
}

std::optional<std::vector<Term>> Background::answers(Term goal, std::size_t most_steps) {
    resolution::GroundRules ground;
    resolution::ResolutionLimits limits;
    limits.most_steps = most_steps;
    limits.deepest_term = std::max(least_deepest, 4 * deepest);  // endless growth is found soon
    limits.stop = [this] { return work->is_cut_off(); };  // not by a limit: answers are kept for searches to come
    resolution::Tabling tabling(rules, ground, limits);
    std::optional<std::vector<Term>> found;
    try {
        const std::vector<std::uint32_t> atoms = tabling.solve(goal);
        found.emplace();
        for (const std::uint32_t atom : atoms) found->push_back(ground.atoms[atom].term);
        if (!std::ranges::all_of(*found, [&](Term term) { return rules.terms.is_ground(term); })) found.reset();
    } catch (const LimitReached& limit) {
        if (limit.kind() != LimitKind::Memory) throw;  // of memory a search ends with the best so far
    } catch (const std::runtime_error&) {  // arithmetic on a term that is no number, too deep, too many steps
    }
    work->add(work_of_call + work_of_step * tabling.steps());
    return found;
}

Relation relation_of(const std::shared_ptr<Background>& background, const Predicate& predicate, bool directed,
                     std::string& described) {
    resolution::Rules& rules = background->rules;
    const std::size_t arity = predicate.types.size();
    const resolution::Indicator indicator(predicate.name, arity);
    Relation table(arity);
    if (is_table(rules, indicator)) {
        for (const auto& [number, head] : rules.by_head.at(indicator))
            table.add(rules.terms.args(rules.rules[number].heads[head].atom));
        return table;
    }
    const Term goal = open_goal(rules.terms, predicate, {}, 0);
    if (!rules.defines(indicator) && !resolution::is_built_in(rules.terms, goal)) {
        described = fmt::format("{}/{} has no facts and no clauses", predicate.name, arity);
        return table;
    }
    if (directed) return on_demand(background, predicate, predicate.inputs);
    if (const auto all = background->answers(goal, steps_of_table)) {
        for (const Term atom : *all) table.add(rules.terms.args(atom));
        return table;
    }
    described = fmt::format("{}/{} has no direction and no finite table: all but its last argument must be known",
                            predicate.name, arity);
    return on_demand(background, predicate, (Mask{1} << (std::max<std::size_t>(arity, 1) - 1)) - 1);
}

}  // namespace neumann::search
