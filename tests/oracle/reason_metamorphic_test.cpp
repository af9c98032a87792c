// The same program said differently gives the same numbers, to the bit: in another order and with other names, cut into
// parts that share nothing, grounded as far as its queries reach, with its certain facts computed away.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/cases.h"
#include "oracle/other_words.h"
#include "oracle/random_vocabulary.h"
#include "reason/reasoner.h"
#include "unit/all_gradients.h"

namespace neumann::oracle {
namespace {

using ByAtom = std::map<std::string, float>;  // by plain_text

struct Numbers {
    ByAtom inputs;  // of the neural atoms
    ByAtom seeds;   // gradients of a loss by the results, of all atoms
};

Numbers random_numbers(const BruteForce& brute, Rng& rng) {
    Numbers result;
    for (std::size_t a = 0; a < brute.atoms.size(); ++a) {
        const auto value = static_cast<float>(rng.uniform());
        if (brute.neural[a]) result.inputs[brute.atoms[a]] = rng.chance(0.2) ? std::round(value) : value;
        result.seeds[brute.atoms[a]] = rng.chance(0.5) ? 0.0F : static_cast<float>(rng.uniform() - 0.5);
    }
    return result;
}

struct Outcome {
    ByAtom values;
    ByAtom inputs;               // gradients
    std::vector<float> weights;  // gradients, per clause of the graph
};

Outcome reason(const Grounded& grounded, const ReasonOptions& options, const Numbers& numbers) {
    const ReasoningGraph& graph = grounded.ground.graph;
    const auto reasoner = make_reasoner(graph, options);
    InputBatch::Builder inputs(1);
    InputBatch::Builder seeds(1);
    std::vector<std::string> names;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        names.push_back(grounded.text_of(a));
        if (const auto input = numbers.inputs.find(names[a]); input != numbers.inputs.end())
            inputs.add(0, a, input->second);
        seeds.add(0, a, numbers.seeds.at(names[a]));
    }
    const Pass run = reasoner->forward(inputs.build(), reasoner->own_weights(), {.keep = Keep::Backward});
    const AllGradients gradients(*reasoner, run, seeds.build());
    Outcome result;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        result.values[names[a]] = run.value(a, 0);
        result.inputs[names[a]] = gradients.input(a, 0);
    }
    for (std::uint32_t k = 0; k < graph.clause_count(); ++k) result.weights.push_back(gradients.weight(k, 0));
    return result;
}

bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

std::string difference(const char* what, const ByAtom& a, const ByAtom& b) {
    if (a.size() != b.size()) return "other atoms";
    for (const auto& [atom, value] : a) {
        const auto found = b.find(atom);
        if (found == b.end()) return "no " + atom;
        if (!same_bits(value, found->second))
            return fmt::format("{} of {} is {} instead of {}", what, atom, found->second, value);
    }
    return {};
}

// Every semantics with a few steps and, where that exists, automatically.
std::vector<ReasonOptions> all_options() {
    std::vector<ReasonOptions> result;
    for (const SemanticsInfo& one : all_semantics()) {
        ReasonOptions options;
        options.semantics = one.semantics;
        options.gamma = 0.05;
        options.steps = 3;
        result.push_back(options);
        options.steps.reset();
        if (!one.needs_steps) result.push_back(options);
    }
    return result;
}

std::string describe(const ReasonOptions& options, const std::string& wrong) {
    return fmt::format("{}, {}: {}", info(options.semantics).name, options.steps ? "fixed steps" : "automatic", wrong);
}

GroundOptions grounding(GroundMode mode, FactMode facts = FactMode::Keep) {
    GroundOptions options;
    options.mode = mode;
    options.facts = facts;
    return options;
}

std::string check_other_words(const Case& one) {
    Rng rng(one.seed);
    std::vector<std::size_t> original;
    const std::string text = text_of(in_other_words(one.source, rng, original));
    const Numbers numbers = random_numbers(one.brute, rng);
    for (const GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const Grounded a = ground_text(one.text, grounding(mode));
        const Grounded b = ground_text(text, grounding(mode));
        const ReasoningGraph& x = a.ground.graph;
        const ReasoningGraph& y = b.ground.graph;
        if (x.conjunction_count() != y.conjunction_count()) return "another number of conjunctions";
        for (const ReasonOptions& options : all_options()) {
            const Outcome first = reason(a, options, numbers);
            const Outcome second = reason(b, options, numbers);
            std::string wrong = difference("value", first.values, second.values);
            if (wrong.empty()) wrong = difference("input gradient", first.inputs, second.inputs);
            // Conjunctions stand in the same order, clauses do not.
            for (std::uint32_t c = 0; wrong.empty() && c < x.conjunction_count(); ++c) {
                const float expected = first.weights[x.clause[c]];
                if (!same_bits(expected, second.weights[y.clause[c]]))
                    wrong = fmt::format("weight gradient {} instead of {}", second.weights[y.clause[c]], expected);
            }
            if (!wrong.empty()) return describe(options, wrong) + "\nin other words:\n" + text;
        }
    }
    return {};
}

// Of a program whose predicates are split into two halves, the clauses that stay within one half, or within this one.
// Their names are p0 to p3.
bool is_in_half(const std::string& predicate, std::uint64_t halves) {
    return ((halves >> (predicate[1] - '0')) & 1U) != 0;
}
ProgramText part_of(const ProgramText& program, std::uint64_t halves, std::optional<bool> half) {
    ProgramText result;
    result.declarations = program.declarations;
    const auto belongs = [&](const ClauseText& clause) {
        const bool side = is_in_half(clause.head.predicate, halves);
        return (!half || *half == side) && std::ranges::all_of(clause.body, [&](const GoalText& goal) {
                   return goal.kind != GoalText::Kind::Atom || is_in_half(goal.predicate, halves) == side;
               });
    };
    std::ranges::copy_if(program.facts, std::back_inserter(result.facts), belongs);
    std::ranges::copy_if(program.clauses, std::back_inserter(result.clauses), belongs);
    return result;
}

std::string check_parts(const Case& one) {
    Rng rng(one.seed);
    const std::uint64_t halves = rng.below(16);
    const Numbers numbers = random_numbers(one.brute, rng);
    for (const GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const Grounded whole = ground_text(text_of(part_of(one.source, halves, {})), grounding(mode));
        for (const bool half : {false, true}) {
            const Grounded part = ground_text(text_of(part_of(one.source, halves, half)), grounding(mode));
            for (const ReasonOptions& options : all_options()) {
                const Outcome together = reason(whole, options, numbers);
                const Outcome alone = reason(part, options, numbers);
                for (const auto& [atom, value] : together.values) {
                    if (is_in_half(atom.substr(1), halves) != half) continue;  // atoms are written 'p0'(…)
                    const auto found = alone.values.find(atom);
                    if (found == alone.values.end()) return describe(options, "the part lacks " + atom);
                    if (!same_bits(found->second, value) || !same_bits(alone.inputs.at(atom), together.inputs.at(atom)))
                        return describe(options, fmt::format("{} is {}, alone {}", atom, value, found->second));
                }
            }
        }
    }
    return {};
}

// The value of an atom that the graph left out because nothing can derive it.
float value_of(const Outcome& outcome, const std::string& atom) {
    const auto found = outcome.values.find(atom);
    return found == outcome.values.end() ? 0.0F : found->second;
}

// Both groundings put the conjunctions of a head into an order of their own, so that sums are rounded differently; a
// maximum is not, and 0 is 0.
bool agree(const ReasonOptions& options, float a, float b) {
    if (info(options.semantics).idempotent_or || a == 0 || b == 0) return same_bits(a, b);
    return std::abs(a - b) <= 1e-6F;
}

// On a cycle, unless the OR is idempotent, automatic steps are as many as a component needs. What cannot be derived may
// tie two components of the full graph together, which then go through more steps than either alone.
bool is_well_defined(const Grounded& full, const ReasonOptions& options) {
    return options.steps || info(options.semantics).idempotent_or ||
           find_levels(full.ground.graph).cyclic_component_count() == 0;
}

std::string check_relevant(const Case& one) {
    Rng rng(one.seed);
    const Numbers numbers = random_numbers(one.brute, rng);
    const Grounded full = ground_text(one.text, grounding(GroundMode::Full));
    const Grounded relevant = ground_text(one.text, grounding(GroundMode::Relevant));
    for (const ReasonOptions& options : all_options()) {
        if (!info(options.semantics).keeps_zero || !is_well_defined(full, options)) continue;
        const Outcome expected = reason(full, options, numbers);
        const Outcome actual = reason(relevant, options, numbers);
        for (std::size_t a = 0; a < one.brute.atoms.size(); ++a) {
            const std::string& atom = one.brute.atoms[a];
            if (one.brute.asked[a] && !agree(options, value_of(expected, atom), value_of(actual, atom)))
                return describe(options, fmt::format("{} is {} in the relevant graph, {} in the full one", atom,
                                                     value_of(actual, atom), value_of(expected, atom)));
        }
    }
    return {};
}

std::string check_evaluated(const Case& one) {
    Rng rng(one.seed);
    const Numbers numbers = random_numbers(one.brute, rng);
    for (const GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const Grounded kept = ground_text(one.text, grounding(mode));
        const Grounded evaluated = ground_text(one.text, grounding(mode, FactMode::Evaluate));
        const bool cyclic = find_levels(kept.ground.graph).cyclic_component_count() > 0;
        for (ReasonOptions options : all_options()) {
            if (!options.steps || info(options.semantics).needs_steps) continue;
            if (cyclic && !info(options.semantics).idempotent_or) continue;  // it never comes to rest
            options.steps = 1'000;
            const Outcome expected = reason(kept, options, numbers);
            const Outcome actual = reason(evaluated, options, numbers);
            for (std::size_t a = 0; a < one.brute.atoms.size(); ++a) {
                const std::string& atom = one.brute.atoms[a];
                if (!one.brute.asked[a]) continue;
                if (!(std::abs(value_of(expected, atom) - value_of(actual, atom)) <= 1e-6F))
                    return describe(options, fmt::format("{} is {} with facts evaluated, else {}", atom,
                                                         value_of(actual, atom), value_of(expected, atom)));
            }
        }
    }
    return {};
}

TEST(ReasonMetamorphic, OrderAndNamesChangeNothing) { check_programs(20'000'000, 100, check_other_words); }
TEST(ReasonMetamorphic, PartsThatShareNothingAreIndependent) { check_programs(21'000'000, 100, check_parts); }
TEST(ReasonMetamorphic, RelevantGroundingIsExact) { check_programs(22'000'000, 250, check_relevant); }
TEST(ReasonMetamorphic, EvaluatingFactsIsExact) { check_programs(23'000'000, 150, check_evaluated); }

}  // namespace
}  // namespace neumann::oracle
