#include "algorithms/templates.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "learn/task/learn_error.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::uint32_t goals_of_template = 2;
constexpr std::size_t most_pairs_of_templates = 20000;

// Only variables, and every variable of the head in the body.
bool fits_template(const TermTable& terms, const Clause& clause) {
    std::set<TermId> in_body;
    for (const Literal& goal : clause.body) {
        for (const TermId arg : goal.atom.args) {
            if (terms.kind(arg) != TermKind::Variable) return false;
            in_body.insert(arg);
        }
    }
    return !clause.body.empty() && std::ranges::all_of(clause.head.args, [&](TermId arg) {
        return terms.kind(arg) == TermKind::Variable && in_body.contains(arg);
    });
}

std::vector<SearchClause> all_clauses(Refiner& refiner, PredicateId predicate) {
    std::vector<SearchClause> all = refiner.most_general(predicate);
    std::set<std::vector<std::uint32_t>> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const SearchClause parent = all[i];
        for (SearchClause& clause : refiner.refine(parent)) {
            if (seen.insert(clause.key).second) all.push_back(std::move(clause));
        }
    }
    return all;
}

}  // namespace

TemplateClauses template_clauses(LearningProblem& problem, const SearchLanguage& language,
                                 const std::vector<std::uint32_t>& clauses_of_target) {
    SearchLanguage bounded = language;
    bounded.bounds.max_body = std::min(bounded.bounds.max_body, goals_of_template);
    bounded.bounds.max_depth = 0;
    // '#' places hold constants, which templates do not have.
    std::erase_if(bounded.modes, [](const Mode& mode) {
        return !mode.head &&
               std::ranges::find(mode.places, ModePlace::Kind::Constant, &ModePlace::kind) != mode.places.end();
    });
    Refiner refiner(problem.program(), bounded);
    TemplateClauses result;
    for (std::size_t t = 0; t < problem.targets().size(); ++t) {
        const PredicateId predicate = problem.targets()[t].predicate;
        const std::string name = print_indicator(problem.program().signature.predicate(predicate));
        if (clauses_of_target[t] > 2)
            throw LearnError(fmt::format("∂ILP defines a predicate by two clauses at most, but {} is to have {}: say "
                                         "':- learn({}, 2).'",
                                         name, clauses_of_target[t], name));
        std::vector<std::uint32_t> basic;
        std::vector<std::uint32_t> any;
        for (const SearchClause& clause : all_clauses(refiner, predicate)) {
            if (!fits_template(problem.program().terms, clause.clause)) continue;
            const std::uint32_t number = problem.add(clause);
            if (number == LearningProblem::no_candidate) continue;
            const auto place = static_cast<std::uint32_t>(result.candidates.size());
            result.candidates.push_back(number);
            any.push_back(place);
            const bool uses_learned = std::ranges::any_of(clause.clause.body, [&](const Literal& goal) {
                return std::ranges::find(problem.targets(), goal.atom.predicate, &LearnTarget::predicate) !=
                       problem.targets().end();
            });
            if (!uses_learned) basic.push_back(place);
        }
        const std::size_t before = result.pairs.size();
        if (clauses_of_target[t] == 1) {
            for (const std::uint32_t k : any) result.pairs.emplace_back(k, k);
        } else {
            for (const std::uint32_t i : basic) {
                for (const std::uint32_t j : any) result.pairs.emplace_back(i, j);
            }
        }
        result.pairs_of_target.push_back(result.pairs.size() - before);
        if (result.pairs_of_target.back() == 0)
            throw LearnError(fmt::format("∂ILP's templates give no clause for {}: its clauses have at most two goals, "
                                         "no constants and no functors",
                                         name));
        if (result.pairs_of_target.back() > most_pairs_of_templates)
            throw LearnError(
                fmt::format("∂ILP's templates give {} pairs of clauses for {}, more than {}: declare fewer "
                            "modeb, or allow fewer variables by --max-vars",
                            result.pairs_of_target.back(), name, most_pairs_of_templates));
    }
    return result;
}

}  // namespace neumann
