// The refinement operator against brute force: all clauses of small random languages, enumerated and checked by other
// code, are exactly those that refinement reaches.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "learn/clauses/reduce.h"
#include "learn/clauses/refine.h"
#include "logic/print.h"
#include "oracle/rule_language.h"
#include "syntax/load.h"

namespace neumann::oracle {
namespace {

// The library's clauses in the oracle's words.
Pattern pattern_of(const Program& program, TermId term) {
    const Signature& signature = program.signature;
    switch (program.terms.kind(term)) {
    case TermKind::Variable:
        return {Pattern::Variable, static_cast<int>(program.terms.variable_index(term)), {}};
    case TermKind::Constant:
        return {Pattern::Constant, std::stoi(signature.constant(program.terms.constant_of(term)).name.substr(1)), {}};
    case TermKind::Compound:
        break;
    }
    const std::string& name = signature.functor(program.terms.functor_of(term)).name;
    Pattern result{Pattern::Compound, std::stoi(name.substr(1)), {}};
    for (TermId arg : program.terms.args(term)) result.args.push_back(pattern_of(program, arg));
    return result;
}
Goal goal_of(const Program& program, const Atom& atom) {
    Goal goal{Pattern::Compound, std::stoi(program.signature.predicate(atom.predicate).name.substr(1)), {}};
    for (TermId arg : atom.args) goal.args.push_back(pattern_of(program, arg));
    return goal;
}
Rule rule_of(const Program& program, const Clause& clause) {
    Rule rule;
    rule.head = goal_of(program, clause.head);
    for (const Literal& goal : clause.body) rule.body.push_back(goal_of(program, goal.atom));
    for (const ClauseVariable& variable : clause.variables)
        rule.types.push_back(std::stoi(program.signature.type(variable.type).name.substr(1)));
    return rule;
}

std::array<std::size_t, 3> size_of(const Rule& rule) {
    std::size_t symbols = 0;
    std::vector<int> code;
    rule.head.code(code);
    for (const Goal& goal : rule.body) goal.code(code);
    for (std::size_t i = 0; i < code.size(); i += 2) symbols += code[i] == Pattern::Variable ? 0 : 1;
    return {rule.body.size(), symbols, 100 - rule.types.size()};
}

struct Tally {
    std::size_t languages = 0;
    std::size_t clauses = 0;
    std::size_t steps = 0;
    std::size_t checked_steps = 0;
};

// What is wrong with refinement in this language; empty if nothing is, none if there are too many clauses to tell.
std::optional<std::string> check_language(const Language& language, Tally& tally) {
    Diagnostics diagnostics;
    Program program = parse_program("language.nm", language.text(), {}, diagnostics);
    if (diagnostics.has_errors()) return "not accepted: " + render(diagnostics, *program.sources);
    const auto all = every_rule(language, 15'000);
    if (!all || all->size() > 2'000) return std::nullopt;

    Refiner refiner(program, {program.modes, language.bounds});
    const PredicateId target = program.signature.find_predicate("p0", language.predicates[0].args.size());
    std::map<std::vector<std::uint32_t>, std::vector<int>> reached;  // key → code
    std::set<std::vector<int>> codes;
    std::vector<SearchClause> open;
    std::string wrong;
    const auto text = [&](const SearchClause& clause) { return print_clause(program, clause.clause) + "\n"; };
    const auto reach = [&](const std::vector<SearchClause>& clauses) {
        for (std::size_t i = 0; i < clauses.size(); ++i) {
            if (i > 0 && !(clauses[i - 1].key < clauses[i].key)) wrong += "not in order: " + text(clauses[i]);
            if (reached.contains(clauses[i].key)) continue;
            const Rule rule = rule_of(program, clauses[i].clause);
            std::vector<int> code = canonical_code(rule);
            if (!codes.insert(code).second) wrong += "two keys for one clause: " + text(clauses[i]);
            if (!refiner.admits(clauses[i])) wrong += "not admitted: " + text(clauses[i]);
            if (refiner.canonical(refiner.readable(clauses[i])).key != clauses[i].key)
                wrong += "another clause when made readable: " + text(clauses[i]);
            if (!all->contains(code)) wrong += "not in the language: " + text(clauses[i]);
            reached.emplace(clauses[i].key, std::move(code));
            open.push_back(clauses[i]);
        }
    };
    reach(refiner.most_general(target));
    while (!open.empty() && wrong.size() < 2'000) {
        const SearchClause clause = std::move(open.back());
        open.pop_back();
        const std::vector<SearchClause> results = refiner.refine(clause);
        reach(results);
        for (const SearchClause& result : results) {
            if (result.key == clause.key) wrong += "itself: " + text(clause);
            if (tally.steps++ % 29 != 0) continue;
            ++tally.checked_steps;
            const Rule from = rule_of(program, clause.clause);
            const Rule to = rule_of(program, result.clause);
            if (!covers(from, to)) wrong += "no specialisation: " + text(clause) + "  " + text(result);
            if (covers(to, from) && !(size_of(from) < size_of(to)))
                wrong += "no step down: " + text(clause) + "  " + text(result);
        }
    }
    for (const auto& [code, rule] : *all) {
        if (wrong.size() > 2'000) break;
        if (codes.contains(code)) continue;
        wrong += fmt::format("never reached: {}", fmt::join(code, " "));
        wrong += "\n";
    }
    ++tally.languages;
    tally.clauses += all->size();
    return wrong;
}

TEST(RefineOracle, ReachesExactlyTheLanguage) {
    const char* one = std::getenv("NEUMANN_ORACLE_SEED");
    const char* many = std::getenv("NEUMANN_ORACLE_COUNT");
    const std::uint64_t first = one != nullptr ? std::stoull(one) : 1;
    const std::uint64_t count = one != nullptr ? 1 : many != nullptr ? std::stoull(many) : 400;
    std::cout << "seeds " << first << " to " << first + count - 1 << "\n";
    Tally tally;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Rng rng(seed);
        const Language language = random_language(rng);
        const std::optional<std::string> wrong = check_language(language, tally);
        ASSERT_TRUE(!wrong || wrong->empty()) << "seed " << seed << "\n" << language.text() << *wrong;
    }
    std::cout << tally.languages << " languages, " << tally.clauses << " clauses, " << tally.steps << " steps, "
              << tally.checked_steps << " of them checked\n";
    EXPECT_TRUE(one != nullptr || tally.languages > count / 2);
}

TEST(ReduceOracle, EquivalentAndMinimal) {
    constexpr std::uint64_t seeds = 300;
    std::cout << "seeds 1 to " << seeds << "\n";
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Rng rng(seed);
        std::string text = ":- type(t0, [c0, c1]).\n:- functor(f0(t0), t0).\n:- pred(p0(t0)).\n:- pred(p1(t0)).\n"
                           ":- pred(p2(t0, t0)).\np0(X0) :- p1(X0)";
        const auto term = [&] {
            const std::string variable = fmt::format("X{}", rng.below(4));
            return rng.chance(0.1) ? "f0(" + variable + ")" : rng.chance(0.1) ? "c0" : variable;
        };
        for (std::uint32_t i = rng.below(6); i > 0; --i)
            text += rng.chance(0.3) ? fmt::format(", p1({})", term()) : fmt::format(", p2({},{})", term(), term());
        Diagnostics diagnostics;
        Program program = parse_program("clause.nm", text + ".\n", {}, diagnostics);
        ASSERT_FALSE(diagnostics.has_errors()) << text;
        const Clause& clause = program.clauses.at(0);
        const Clause reduced = reduce(program.terms, clause);
        const Rule before = rule_of(program, clause);
        const Rule after = rule_of(program, reduced);
        ASSERT_TRUE(covers(before, after) && covers(after, before)) << "seed " << seed << "\n" << text;
        for (std::size_t i = 0; i < after.body.size(); ++i) {
            Rule smaller = after;
            smaller.body.erase(smaller.body.begin() + static_cast<std::ptrdiff_t>(i));
            ASSERT_FALSE(covers(after, smaller)) << "seed " << seed << "\n" << text;
        }
        ASSERT_EQ(reduce(program.terms, reduced).body, reduced.body) << "seed " << seed << "\n" << text;
    }
}

}  // namespace
}  // namespace neumann::oracle
