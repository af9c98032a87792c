// Semirings on the worlds of a program, against sums over all worlds written out.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/semantics.h>
#include <neumann/session.h>

namespace neumann {
namespace {

// wet needs rain or the sprinkler; the wind matters to nothing that is asked but `cold`.
constexpr const char* program = R"(
0.3::rain. 0.6::sprinkler. 0.2::wind.
wet :- rain.
wet :- sprinkler, \+ rain.
cold :- wind.
:- query(wet). :- query(cold).
evidence(wet).
)";

WorldCircuit circuit_of(const std::string& text) {
    SessionOptions options;
    options.reason.semantics = "exact";
    options.most_probable_world = true;
    Session session([&](const ModelRequest&) { return Model::parse(text); }, options);
    session.run_own_facts();
    return session.world_circuit(0);
}

struct Worlds {
    double probability = 0;
    double best = 0;
    double surprise = 0;  // probability times its negative logarithm
    double count = 0;     // probability times the number of facts that hold
};

// All worlds in which it is wet and, if that is wanted, cold.
Worlds worlds(double rain, bool cold) {
    const std::array<double, 3> chances{rain, 0.6, 0.2};
    Worlds all;
    for (int world = 0; world < 8; ++world) {
        double probability = 1;
        int facts = 0;
        for (int i = 0; i < 3; ++i) {
            const bool holds = (world >> i) % 2 != 0;
            probability *= holds ? chances[static_cast<std::size_t>(i)] : 1 - chances[static_cast<std::size_t>(i)];
            facts += holds ? 1 : 0;
        }
        if (world % 4 == 0 || (cold && world < 4)) continue;
        all.probability += probability;
        all.best = std::max(all.best, probability);
        all.surprise -= probability * std::log(probability);
        all.count += probability * facts;
    }
    return all;
}

class WorldCircuits : public testing::Test {
protected:
    std::size_t place(const std::string& query) const {
        for (std::size_t i = 0; i < circuit.queries.size(); ++i)
            if (circuit.queries[i] == query) return i;
        ADD_FAILURE() << "no query " << query;
        return 0;
    }
    const WorldCircuit circuit = circuit_of(program);
    const Worlds wet = worlds(0.3, false);
    const Worlds wet_and_cold = worlds(0.3, true);
};

TEST_F(WorldCircuits, ProbabilitiesAreSumsOverWorlds) {
    const auto labels =
        circuit.labels([](std::size_t, std::size_t, const WorldCircuit::Way& way) { return way.probability; });
    const std::vector<double> found = evaluate(circuit, ProbabilitySemiring(), labels);
    EXPECT_NEAR(found[place("cold")], wet_and_cold.probability, 1e-7);
    EXPECT_NEAR(found.back(), wet.probability, 1e-7);
}

TEST_F(WorldCircuits, TheMostProbableWorldNamesItsEvents) {
    const auto found = evaluate(circuit, MostProbableSemiring(), circuit.labels(&MostProbableSemiring::label));
    const auto& [probability, ways] = found[place("cold")];
    EXPECT_NEAR(probability, wet_and_cold.best, 1e-7);
    std::vector<std::string> events;
    for (const auto& [choice, way] : ways)
        if (!circuit.choices[choice][way].event.empty()) events.push_back(circuit.choices[choice][way].event);
    std::sort(events.begin(), events.end());
    EXPECT_EQ(events, (std::vector<std::string>{"sprinkler", "wind"}));
    EXPECT_NEAR(found.back().probability, wet.best, 1e-7);
}

TEST_F(WorldCircuits, EntropiesExpectationsAndSensitivities) {
    const auto entropy = [](const Worlds& of) { return of.surprise / of.probability + std::log(of.probability); };
    EXPECT_NEAR(entropies(circuit)[place("cold")], entropy(wet_and_cold), 1e-6);
    EXPECT_NEAR(entropies(circuit).back(), entropy(wet), 1e-6);
    const auto is_event = [](std::size_t, std::size_t, const WorldCircuit::Way& way) {
        return way.event.empty() ? 0.0 : 1.0;
    };
    EXPECT_NEAR(expectations(circuit, is_event).back(), wet.count / wet.probability, 1e-6);
    for (std::size_t choice = 0; choice < circuit.choices.size(); ++choice) {
        if (circuit.choices[choice][1].event != "rain") continue;
        const auto share = [](double rain) { return worlds(rain, true).probability / worlds(rain, false).probability; };
        EXPECT_NEAR(sensitivities(circuit, choice, 1)[place("cold")], (share(0.301) - share(0.299)) / 0.002, 1e-6);
    }
}

// Worlds are counted, several weightings at once: values are what the semiring says.
struct BatchOfCounts {
    using Value = std::array<long, 2>;
    static Value zero() { return {0, 0}; }
    static Value one() { return {1, 1}; }
    static Value plus(Value a, Value b) { return {a[0] + b[0], a[1] + b[1]}; }
    static Value times(Value a, Value b) { return {a[0] * b[0], a[1] * b[1]}; }
};

TEST_F(WorldCircuits, SemiringsOfOnesOwn) {
    const auto labels = circuit.labels([](std::size_t, std::size_t way, const WorldCircuit::Way&) {
        return BatchOfCounts::Value{1, way == 0 ? 2 : 1};
    });
    const auto found = evaluate(circuit, BatchOfCounts(), labels);
    EXPECT_EQ(found.back(), (BatchOfCounts::Value{6, 15}));  // 3 of 4 worlds of rain and sprinkler, 2 of wind
    EXPECT_EQ(found[place("cold")], (BatchOfCounts::Value{3, 5}));
}

}  // namespace
}  // namespace neumann
