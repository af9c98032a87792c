// Grounding against brute force, on thousands of random programs.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analyse/analyse.h"
#include "oracle/cases.h"
#include "oracle/random_vocabulary.h"
#include "oracle/values.h"
#include "reason/reference/reference.h"
#include "syntax/load.h"

namespace neumann::oracle {
namespace {

constexpr double tolerance = 1e-9;

GroundOptions options(GroundMode mode, FactMode facts = FactMode::Keep) {
    GroundOptions result;
    result.mode = mode;
    result.facts = facts;
    return result;
}

Case without_queries(Case one) {
    one.source.queries.clear();
    one.source.labels.clear();
    one.text = text_of(one.source);
    one.brute.asked.assign(one.brute.atoms.size(), true);
    return one;
}

// The instances that a graph of these atoms should hold: derivable bodies only, and nothing about what is not there.
std::vector<Instance> instances_of(const BruteForce& brute, const std::vector<bool>& heads,
                                   const std::vector<bool>& derivable) {
    std::vector<Instance> result;
    std::ranges::copy_if(brute.instances, std::back_inserter(result), [&](const Instance& i) {
        return heads[i.head] && std::ranges::all_of(i.body, [&](std::uint32_t atom) { return derivable[atom]; });
    });
    for (Instance& i : result) std::erase_if(i.negated, [&](std::uint32_t atom) { return !derivable[atom]; });
    std::ranges::sort(result);
    return result;
}

std::string check_initial(const BruteForce& brute, const Translated& graph) {
    for (std::size_t a = 0; a < brute.atoms.size(); ++a) {
        const auto expected = static_cast<double>(static_cast<float>(brute.initial[a]));
        if (graph.present[a] && graph.initial[a] != expected)
            return fmt::format("{} starts at {} instead of {}", brute.atoms[a], graph.initial[a], expected);
    }
    return {};
}

// What the graph makes of the setting, on the asked atoms, against all of the brute-force ground program.
std::string compare_values(const BruteForce& brute, const Translated& graph, const Setting& setting, Or how,
                           std::size_t steps) {
    Setting own{graph.initial, setting.weights};
    for (std::size_t a = 0; a < brute.atoms.size(); ++a) {
        if (brute.neural[a] && graph.present[a]) own.initial[a] = setting.initial[a];
    }
    const std::vector<double> expected = evaluate(brute.instances, setting, how, steps);
    const std::vector<double> actual = evaluate(graph.instances, own, how, steps);
    for (std::size_t a = 0; a < brute.atoms.size(); ++a) {
        // An asked input is what it was set to, whether or not the graph has a place for it.
        if (!brute.asked[a] || std::abs(actual[a] - expected[a]) <= tolerance) continue;
        return fmt::format("{} is {} instead of {} ({})", brute.atoms[a], actual[a], expected[a],
                           how == Or::Soft ? "soft-or" : "max");
    }
    return {};
}

std::string check_full(const Case& one) {
    const Grounded grounded = ground_case(one, options(GroundMode::Full));
    if (std::string wrong = check_structure(grounded); !wrong.empty()) return wrong;
    const Translated graph = translate(one.brute, grounded);
    if (std::string wrong =
            compare(one.brute, graph, std::vector<bool>(one.brute.atoms.size(), true), one.brute.instances);
        !wrong.empty())
        return wrong;
    if (grounded.ground.terms != one.brute.terms)
        return fmt::format("{} terms instead of {}", grounded.ground.terms, one.brute.terms);
    std::vector<bool> asked(one.brute.atoms.size(),
                            grounded.program.queries.empty() && grounded.program.labels.empty());
    const auto ask = [&](const Query& query) {
        for (AtomId atom : matching_atoms(grounded.program, grounded.ground.atoms, query)) {
            asked[static_cast<std::size_t>(std::ranges::lower_bound(one.brute.atoms, grounded.text_of(atom.value())) -
                                           one.brute.atoms.begin())] = true;
        }
    };
    for (const Query& query : grounded.program.queries) ask(query);
    for (const Atom& label : grounded.program.labels) ask({label, {}});
    if (asked != one.brute.asked) return "matching_atoms finds others than those that match";
    return check_initial(one.brute, graph);
}

std::string check_relevant(const Case& one) {
    const Grounded grounded = ground_case(one, options(GroundMode::Relevant));
    if (std::string wrong = check_structure(grounded); !wrong.empty()) return wrong;
    const Translated graph = translate(one.brute, grounded);
    const std::vector<bool> derivable = derivable_atoms(one.brute);
    const std::vector<bool> needed = needed_atoms(one.brute, derivable, std::vector<bool>(derivable.size(), false));
    if (std::string wrong = compare(one.brute, graph, needed, instances_of(one.brute, needed, derivable));
        !wrong.empty())
        return wrong;
    if (std::string wrong = check_initial(one.brute, graph); !wrong.empty()) return wrong;
    std::set<TermId> terms;
    for (std::uint32_t a = 0; a < grounded.ground.atoms.size(); ++a) {
        for (TermId term : grounded.ground.atoms.args_of(AtomId(a))) terms.insert(term);
    }
    if (grounded.ground.terms != terms.size())
        return fmt::format("{} terms instead of {}", grounded.ground.terms, terms.size());
    const Setting setting = random_setting(one.brute, one.seed, false);
    // Where an atom that is not there is negated, strata may differ, and with them what a few steps come to.
    const bool monotone =
        std::ranges::all_of(one.brute.instances, &std::vector<std::uint32_t>::empty, &Instance::negated);
    for (Or how : {Or::Soft, Or::Max}) {
        if (!monotone && how == Or::Soft && !is_acyclic(one.brute)) continue;
        const std::size_t steps = monotone ? 12 : enough_steps(one.brute);
        if (std::string wrong = compare_values(one.brute, graph, setting, how, steps); !wrong.empty()) return wrong;
    }
    return {};
}

// The reference reasoner on the graph, level by level, against the formulas on the brute-force ground program.
std::string check_reference(const Case& one) {
    const GroundMode mode = one.seed % 2 == 0 ? GroundMode::Full : GroundMode::Relevant;
    const Grounded grounded = ground_case(one, options(mode));
    const ReasoningGraph& graph = grounded.ground.graph;
    const Setting setting = random_setting(one.brute, one.seed, false);
    std::vector<std::uint32_t> number;  // per atom of the graph
    std::vector<double> initial;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        number.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(one.brute.atoms, grounded.text_of(a)) -
                                                    one.brute.atoms.begin()));
        initial.push_back(setting.initial[number.back()]);
    }
    const Schedule schedule = automatic_schedule(graph, find_levels(graph));
    for (const Or how : {Or::Soft, Or::Max}) {
        if (how == Or::Soft && !is_acyclic(one.brute)) continue;
        const Semantics semantics = semantics_named(how == Or::Soft ? "softor" : "max-product");
        const ReferenceRun run =
            ReferenceReasoner(graph, semantics, default_gamma, schedule).forward(graph.weight.span(), initial);
        const std::vector<double> expected = evaluate(one.brute.instances, setting, how, enough_steps(one.brute));
        for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
            if (std::abs(run.result()[a] - expected[number[a]]) <= tolerance) continue;
            return fmt::format("{} is {} instead of {}", grounded.text_of(a), run.result()[a], expected[number[a]]);
        }
    }
    return {};
}

// Certain atoms are computed away: exactly those, and answers stay the same for other weights and inputs too.
std::string check_evaluate(const Case& one, GroundMode mode) {
    const BruteForce& brute = one.brute;
    const Grounded grounded = ground_case(one, options(mode, FactMode::Evaluate));
    const Translated graph = translate(brute, grounded);
    const bool acyclic = is_acyclic(brute);
    for (std::uint64_t round = 0; round < 3; ++round) {
        const Setting setting = random_setting(brute, one.seed + round, round > 0);
        if (std::string wrong = compare_values(brute, graph, setting, Or::Max, enough_steps(brute)); !wrong.empty())
            return wrong;
        if (!acyclic) continue;
        if (std::string wrong = compare_values(brute, graph, setting, Or::Soft, enough_steps(brute)); !wrong.empty())
            return wrong;
    }
    const std::vector<bool> all(brute.atoms.size(), true);
    const std::vector<bool> derivable = mode == GroundMode::Full ? all : derivable_atoms(brute);
    const std::vector<bool> certain = certain_atoms(brute, derivable);
    std::vector<bool> kept = mode == GroundMode::Full ? all : needed_atoms(brute, derivable, certain);
    std::vector<bool> heads = kept;
    for (std::size_t a = 0; a < kept.size(); ++a) {
        kept[a] = kept[a] && (!certain[a] || brute.asked[a]);
        heads[a] = kept[a] && !certain[a];
    }
    std::vector<Instance> instances = instances_of(brute, heads, derivable);
    std::erase_if(instances, [&](const Instance& i) {
        return std::ranges::any_of(i.negated, [&](std::uint32_t atom) { return certain[atom]; });
    });
    for (Instance& i : instances) std::erase_if(i.body, [&](std::uint32_t atom) { return certain[atom]; });
    std::ranges::sort(instances);
    if (std::string wrong = compare(brute, graph, kept, instances); !wrong.empty()) return wrong;
    return check_structure(grounded);
}

std::size_t depth_of(const std::vector<TermText>& terms) {
    std::size_t depth = 0;
    for (const TermText& t : terms) depth = std::max(depth, t.args.empty() ? 0 : 1 + depth_of(t.args));
    return depth;
}

// The brute-force program with every type cut off at this depth as well.
std::optional<BruteForce> cut_off(Program program, std::size_t depth) {
    for (std::uint32_t t = 0; t < program.signature.types().size(); ++t) {
        std::optional<std::uint32_t>& bound = program.signature.type(TypeId(t)).max_depth;
        bound = std::min(bound.value_or(1000), static_cast<std::uint32_t>(depth));
    }
    BruteForceLimits limits;
    limits.terms_per_type = 300;
    limits.atoms = 5000;
    return brute_force(program, limits);
}

std::set<std::string> derivable_texts(const BruteForce& brute) {
    const std::vector<bool> derivable = derivable_atoms(brute);
    std::set<std::string> texts;
    for (std::size_t a = 0; a < derivable.size(); ++a) {
        if (derivable[a]) texts.insert(brute.atoms[a]);
    }
    return texts;
}

// Relevant grounding asks for bounds only where terms could grow without end. Of what it accepts without them, brute
// force cuts the universe off at a depth that makes no difference any more.
std::string check_unbounded(const Case& one) {
    ProgramText source = one.source;
    Rng rng(one.seed);
    std::erase_if(source.declarations, [&](const std::string& text) {
        return (text.starts_with(":- max_") || text.starts_with(":- no_repeats")) && rng.chance(0.7);
    });
    std::string errors;
    const std::string text = text_of(source);
    const Program program = load(text, false, &errors);
    if (!errors.empty()) return {};
    std::size_t depth = 1;
    for (const ClauseText& fact : source.facts) depth = std::max(depth, depth_of(fact.head.args));
    for (const ClauseText& clause : source.clauses) {
        depth = std::max(depth, depth_of(clause.head.args));
        for (const GoalText& goal : clause.body) depth = std::max(depth, depth_of(goal.args));
    }
    const std::optional<BruteForce> brute = cut_off(program, depth + 1);
    const std::optional<BruteForce> deeper = brute ? cut_off(program, depth + 2) : std::nullopt;
    if (!deeper || derivable_texts(*brute) != derivable_texts(*deeper)) return {};
    return check_relevant({one.seed, source, text, *brute});
}

// The analysis drops clauses that stand twice or never fire. Neither may lose or change what the clauses say.
std::string check_merging(const Case& one) {
    Diagnostics diagnostics;
    const Program written = parse_program("seed.nm", one.text, LoadOptions{}, diagnostics);
    BruteForceLimits limits;
    limits.substitutions *= 10;
    const std::optional<BruteForce> before = brute_force(written, limits);
    if (!before) return {};
    // Each ground clause with its weight, and whether that weight is nobody's parameter: of two clauses that are
    // merged, one with a parameter is enough to have one.
    using Said = std::map<std::tuple<std::uint32_t, std::vector<std::uint32_t>, double>, bool>;
    const auto said = [](const BruteForce& brute) {
        Said result;
        for (const Instance& i : brute.instances) {
            bool& certain = result.try_emplace({i.head, i.body, brute.weights[i.clause]}, true).first->second;
            certain = certain && brute.certain[i.clause];
        }
        return result;
    };
    if (said(*before) != said(one.brute)) return "analysis changes what the clauses say";
    // A copy of a clause under other names and in another order is recognised.
    ProgramText twice = one.source;
    Rng rng(one.seed);
    for (const ClauseText& clause : one.source.clauses) {
        ClauseText copy = clause;
        for (std::size_t v = 0; v < copy.variables.size(); ++v)
            copy.variables[v] = fmt::format("Y{}", copy.variables.size() - v);
        shuffle(copy.body, rng);
        twice.clauses.push_back(std::move(copy));
    }
    const std::size_t clauses = load(text_of(twice), true).clauses.size();
    if (clauses != one.brute.weights.size())
        return fmt::format("written twice, {} clauses become {}", one.brute.weights.size(), clauses);
    return {};
}

TEST(GroundOracle, FullIsEverySubstitution) { check_programs(1'000'000, 1000, check_full); }

TEST(GroundOracle, RelevantWithoutQueriesIsEverythingDerivable) {
    check_programs(2'000'000, 1000, [](const Case& one) { return check_relevant(without_queries(one)); });
}

TEST(GroundOracle, RelevantKeepsAnswersAndOnlyWhatTheyNeed) { check_programs(3'000'000, 1000, check_relevant); }

TEST(GroundOracle, RelevantNeedsBoundsOnlyWhereTermsGrow) { check_programs(4'000'000, 1500, check_unbounded); }

TEST(GroundOracle, EvaluatingFactsInFullKeepsAnswers) {
    check_programs(5'000'000, 300, [](const Case& one) { return check_evaluate(one, GroundMode::Full); });
}

TEST(GroundOracle, EvaluatingFactsInRelevantKeepsAnswers) {
    check_programs(6'000'000, 700, [](const Case& one) { return check_evaluate(one, GroundMode::Relevant); });
}

TEST(GroundOracle, StratifiedProgramsHaveNegatedLiterals) {
    std::size_t with_negation = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Rng rng(seed);
        const ProgramText program = random_stratified_program(rng);
        with_negation += std::ranges::any_of(program.clauses, [](const ClauseText& clause) {
            return std::ranges::any_of(clause.body, &GoalText::negated);
        });
    }
    EXPECT_GT(with_negation, 100U) << "of 200";
}

TEST(GroundOracle, NegatedLiteralsInFull) { check_programs(8'000'000, 1000, check_full, random_stratified_program); }

TEST(GroundOracle, NegatedLiteralsInRelevant) {
    const auto check = [](const Case& one) { return check_relevant(one.seed % 2 == 0 ? one : without_queries(one)); };
    check_programs(9'000'000, 2000, check, random_stratified_program);
}

TEST(GroundOracle, NegatedLiteralsWhereFactsAreEvaluated) {
    const auto check = [](const Case& one) {
        return check_evaluate(one, one.seed % 2 == 0 ? GroundMode::Full : GroundMode::Relevant);
    };
    check_programs(10'000'000, 1000, check, random_stratified_program);
}

TEST(GroundOracle, NegatedLiteralsReasonedWith) {
    check_programs(11'000'000, 1000, check_reference, random_stratified_program);
}

TEST(GroundOracle, MergingClausesKeepsTheirMeaning) { check_programs(7'000'000, 500, check_merging); }

}  // namespace
}  // namespace neumann::oracle
