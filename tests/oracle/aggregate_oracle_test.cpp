// Aggregates, arithmetic and negation, from the text to values and gradients: every engine against the reference and
// finite differences, crisp worlds against a direct computation, probabilities against the enumeration of all worlds.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/cases.h"
#include "oracle/differences.h"
#include "oracle/every_semantics.h"
#include "oracle/random_aggregates.h"
#include "reason/reasoner.h"

namespace neumann::oracle {
namespace {

using Numbers = std::vector<double>;

// A random program, grounded; what is asked of it is everything it derives.
struct Trial {
    std::uint64_t seed;
    Rng rng;
    AggregateProgram program;
    Grounded grounded;
    std::map<std::string, std::uint32_t> atoms;  // by plain_text

    Trial(std::uint64_t number, const AggregateShape& shape)
        : seed(number), rng(number), program(random_aggregates(rng, shape)),
          grounded(ground_text(program.text(), GroundOptions{})) {
        for (std::uint32_t a = 0; a < graph().atom_count(); ++a) atoms[grounded.text_of(a)] = a;
    }
    const ReasoningGraph& graph() const { return grounded.ground.graph; }
    std::string text() const { return fmt::format("seed {}\n{}", seed, program.text()); }

    // Which facts hold in the world of this number: a bit for each that is uncertain.
    std::vector<bool> world(std::uint64_t number) const {
        std::vector<bool> holds;
        for (const AggregateFact& fact : program.facts) {
            holds.push_back(!fact.probability || (number & 1U) != 0);
            if (fact.probability) number >>= 1U;
        }
        return holds;
    }
    std::uint64_t worlds() const {
        return std::uint64_t{1} << std::ranges::count_if(
                   program.facts, [](const AggregateFact& fact) { return fact.probability.has_value(); });
    }
    void add_world(InputBatch::Builder& inputs, std::size_t example, const std::vector<bool>& holds) const {
        for (std::size_t f = 0; f < holds.size(); ++f) {
            const auto atom = atoms.find(program.facts[f].text);
            if (atom != atoms.end()) inputs.add(example, atom->second, holds[f] ? 1.0F : 0.0F);
        }
    }
};

// Not what aggregates and alternatives are made of.
bool is_answer(const std::string& atom) {
    static constexpr const char* predicates[] = {"'total", "'flag", "'calm", "'twice", "'best", "'small"};
    return atom.find(' ') == std::string::npos &&
           std::ranges::any_of(predicates, [&](const char* start) { return atom.starts_with(start); });
}

class Aggregates : public testing::TestWithParam<Semantics> {};

INSTANTIATE_TEST_SUITE_P(Oracle, Aggregates, every_semantics(), semantics_name);

ReasonOptions options_for(const SemanticsInfo& semantics, Rng& rng) {
    constexpr double gammas[] = {0.01, 0.05, 0.2};
    ReasonOptions options;
    options.semantics = semantics.semantics;
    options.gamma = gammas[rng.below(3)];
    if (semantics.needs_steps || rng.chance(0.3)) options.steps = 1 + rng.below(4);
    return options;
}

TEST_P(Aggregates, ValuesAndGradientsAreThoseOfTheReferenceAndOfFiniteDifferences) {
    const SemanticsInfo& semantics = info(GetParam());
    double worst_value = 0;
    double worst_gradient = 0;
    std::size_t checked = 0;
    std::size_t kinks = 0;
    fmt::print("seeds 1 to 150\n");
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        Trial s(seed, {.uncertain_clauses = true});
        const std::size_t atoms = s.graph().atom_count();
        std::vector<std::uint32_t> all(atoms);
        std::iota(all.begin(), all.end(), 0U);
        std::vector<float> initial(s.graph().initial.begin(), s.graph().initial.end());
        // The kinks of an atom and of its negation hide each other where both stand on one.
        for (float& value : initial)
            value = value == 1 && !semantics.smooth ? 0.9F + 0.1F * static_cast<float>(s.rng.uniform()) : value;
        std::vector<float> seeds(atoms);
        for (float& g : seeds) g = s.rng.chance(0.5) ? static_cast<float>(s.rng.uniform()) : 0.0F;
        InputBatch::Builder inputs(1);
        InputBatch::Builder output(1);
        for (const std::uint32_t a : all) {
            inputs.add(0, a, initial[a]);
            output.add(0, a, seeds[a]);
        }
        const ReasonOptions given = options_for(semantics, s.rng);
        for (const EngineInfo* engine : all_engines()) {
            if (engine->device_use != DeviceUse::Never) continue;
            ReasonOptions options = given;
            if (!engine->automatic_steps && !options.steps) options.steps = 3;
            const auto reasoner = make_reasoner(engine->name, s.graph(), options);
            const ReferenceReasoner reference(s.graph(), GetParam(), options.gamma, reasoner->schedule());
            const Numbers weights(reasoner->own_weights().begin(), reasoner->own_weights().end());
            const Numbers start(initial.begin(), initial.end());
            const ReferenceRun expected = reference.forward(weights, start);
            const Pass pass = reasoner->forward(inputs.build(), weights, {.keep = Keep::Backward});
            Numbers values(atoms);
            pass.outputs(all, values);
            for (std::size_t a = 0; a < atoms; ++a) {
                const double error = std::abs(values[a] - expected.result()[a]);
                ASSERT_LT(error, engine->double_precision ? 1e-12 : most_in_values)
                    << engine->name << ", " << s.grounded.text_of(static_cast<std::uint32_t>(a)) << ", " << s.text();
                worst_value = std::max(worst_value, error);
            }
            if (!engine->gradients) continue;
            Numbers by_atom(atoms);
            Numbers by_clause(weights.size());
            reasoner->backward(pass, output.build(), {.by_atom = by_atom, .by_clause = by_clause});
            Differences differences(reference, options.gamma, weights, start, {seeds.begin(), seeds.end()});
            const ReferenceGradients right = differences.gradients();
            for (std::size_t a = 0; a < atoms; ++a) {
                const double error = std::abs(by_atom[a] - right.initial[a]) / (1 + std::abs(right.initial[a]));
                ASSERT_LT(error, most_in_gradients)
                    << engine->name << ", " << s.grounded.text_of(static_cast<std::uint32_t>(a)) << ", " << s.text();
                worst_gradient = std::max(worst_gradient, error);
            }
            for (std::size_t k = 0; k < weights.size(); ++k) {
                const double error = std::abs(by_clause[k] - right.weights[k]) / (1 + std::abs(right.weights[k]));
                ASSERT_LT(error, most_in_gradients) << engine->name << ", clause " << k << ", " << s.text();
                worst_gradient = std::max(worst_gradient, error);
            }
            if (!engine->double_precision) continue;
            ASSERT_EQ(differences.wrong(right, 1e-3), "") << s.text();
            checked += differences.checked();
            kinks += differences.kinks();
        }
    }
    fmt::print("largest error of a value {:.2g}, of a gradient {:.2g}; {} derivatives checked, {} kinks left out\n",
               worst_value, worst_gradient, checked, kinks);
    EXPECT_GT(checked, kinks);
}

TEST_P(Aggregates, CrispWorldsAreComputedDirectly) {
    const SemanticsInfo& semantics = info(GetParam());
    if (!semantics.keeps_zero) GTEST_SKIP() << "what is false creeps up";
    std::size_t answers = 0;
    fmt::print("seeds 1000 to 1399\n");
    for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
        Trial s(seed, {});
        const std::size_t count = std::min<std::uint64_t>(s.worlds(), 24);
        std::vector<std::vector<bool>> worlds;
        InputBatch::Builder inputs(count);
        for (std::size_t e = 0; e < count; ++e) {
            worlds.push_back(s.world(count < 24 ? e : s.rng.next()));
            s.add_world(inputs, e, worlds.back());
        }
        ReasonOptions options;
        options.semantics = GetParam();
        const auto reasoner = make_reasoner(s.graph(), options);
        const Pass pass = reasoner->forward(inputs.build(), reasoner->own_weights());
        for (std::size_t e = 0; e < count; ++e) {
            std::set<std::string> found;
            for (const auto& [text, atom] : s.atoms) {
                if (!is_answer(text)) continue;
                const float value = pass.value(atom, e);
                ASSERT_TRUE(value == 0 || value == 1) << text << " is " << value << ", " << s.text();
                if (value == 1) found.insert(text);
            }
            ASSERT_EQ(found, s.program.answers(worlds[e])) << s.text();
            answers += found.size();
        }
    }
    EXPECT_GT(answers, 20'000U);
}

// The probability of every answer, over all worlds.
std::map<std::string, double> probabilities(const Trial& s) {
    std::map<std::string, double> result;
    for (std::uint64_t number = 0; number < s.worlds(); ++number) {
        const std::vector<bool> holds = s.world(number);
        double probability = 1;
        for (std::size_t f = 0; f < holds.size(); ++f) {
            const std::optional<double>& of_fact = s.program.facts[f].probability;
            if (of_fact) probability *= holds[f] ? *of_fact : 1 - *of_fact;
        }
        for (const std::string& answer : s.program.answers(holds)) result[answer] += probability;
    }
    return result;
}

// And what is made of them: flags are of numbers that exclude each other. docs/semantics.md has what this prints.
TEST_P(Aggregates, OfIndependentEventsTheyAreProbabilitiesUnderSumProduct) {
    const SemanticsInfo& semantics = info(GetParam());
    std::map<std::string, double> worst;  // by kind
    fmt::print("seeds 2000 to 2299\n");
    for (std::uint64_t seed = 2000; seed < 2300; ++seed) {
        Trial s(seed, {.independent = true});
        const std::map<std::string, double> expected = probabilities(s);
        ReasonOptions options;
        options.semantics = GetParam();
        if (semantics.needs_steps) options.steps = 10;
        const auto reasoner = make_reasoner(s.graph(), options);
        const Pass pass = reasoner->forward(InputBatch(1), reasoner->own_weights());
        for (const auto& [text, probability] : expected) {
            const auto atom = s.atoms.find(text);
            ASSERT_NE(atom, s.atoms.end()) << text << ", " << s.text();
            const double error = std::abs(static_cast<double>(pass.value(atom->second, 0)) - probability);
            // Of a condition on all, those that make it fail do not exclude each other.
            if (semantics.name == (text.starts_with("'small") ? "noisy-or" : "sum-product")) {
                ASSERT_LT(error, 1e-6) << text << ", " << s.text();
            }
            if (!text.starts_with("'total")) continue;
            double& most = worst[s.program.rules[static_cast<std::size_t>(text[6] - '0')].kind];
            most = std::max(most, error);
        }
    }
    for (const auto& [kind, error] : worst) fmt::print("{}: off by at most {:.2g}\n", kind, error);
}

}  // namespace
}  // namespace neumann::oracle
