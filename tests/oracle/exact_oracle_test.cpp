// Exact probabilities against the distribution semantics by its definition: all worlds, one after the other, on random
// graphs with cycles, negation, annotated disjunctions, exclusive facts and evidence.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "graph/build.h"
#include "graph/levels.h"
#include "prove/compile.h"
#include "prove/exact_reasoner.h"

namespace neumann::oracle {
namespace {

constexpr double double_tolerance = 1e-9;    // docs/semantics.md: the reference engine
constexpr double float_tolerance = 1e-5;     // … and the graph engine
constexpr double gradient_tolerance = 1e-5;  // against finite differences
constexpr std::size_t most_worlds = 3000;

// One of several things happens, or none: member m with the probability of a fact or of a clause.
struct Choice {
    struct Member {
        bool is_clause;
        std::uint32_t number;                  // of the atom or the clause
        std::vector<std::uint32_t> instances;  // of a clause: those that it switches on, in Puzzle::instances
    };
    std::vector<Member> members;
};

struct Instance {
    std::uint32_t clause;
    std::uint32_t head;
    std::vector<GraphLiteral> body;
};

// A random graph in a form of its own, with what is random in it.
struct Puzzle {
    std::uint32_t atoms = 0;
    std::vector<std::uint32_t> stratum;  // per atom
    std::vector<Instance> instances;
    std::vector<double> weight;   // per clause
    std::vector<double> initial;  // per atom; floats
    std::vector<std::uint32_t> disjunction;
    std::vector<std::vector<std::uint32_t>> exclusive;
    std::vector<GraphLiteral> observed;
    std::vector<Choice> choices;

    std::size_t worlds() const {
        std::size_t count = 1;
        for (const Choice& choice : choices) count *= choice.members.size() + 1;
        return count;
    }
};

class PuzzleMaker {
public:
    explicit PuzzleMaker(Rng& rng) : rng_(rng) {}

    Puzzle make() {
        puzzle_.atoms = 2 + rng_.below(7);
        for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) puzzle_.stratum.push_back(a * 3 / puzzle_.atoms);
        puzzle_.initial.assign(puzzle_.atoms, 0);
        add_facts();
        const std::uint32_t clauses = 1 + rng_.below(4);
        for (std::uint32_t k = 0; k < clauses; ++k) add_clause();
        if (rng_.chance(0.5)) add_disjunction();
        for (std::uint32_t i = rng_.below(3); i > 0; --i)
            puzzle_.observed.emplace_back(rng_.below(puzzle_.atoms), rng_.chance(0.5));
        return std::move(puzzle_);
    }

private:
    static double as_float(double x) { return static_cast<double>(static_cast<float>(x)); }

    void add_facts() {
        for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) {
            if (!rng_.chance(0.5)) continue;
            puzzle_.initial[a] = rng_.chance(0.15) ? 1.0 : as_float(0.05 + 0.9 * rng_.uniform());
        }
        std::vector<std::uint32_t> group;
        for (std::uint32_t a = 0; a < puzzle_.atoms && group.size() < 3; ++a) {
            const bool random = puzzle_.initial[a] > 0 && puzzle_.initial[a] < 1;
            if (random && rng_.chance(0.5)) group.push_back(a);
        }
        if (group.size() > 1) {
            Choice choice;
            for (const std::uint32_t a : group) {
                puzzle_.initial[a] = as_float(puzzle_.initial[a] / static_cast<double>(group.size()));
                choice.members.push_back({false, a, {}});
            }
            puzzle_.exclusive.push_back(group);
            puzzle_.choices.push_back(std::move(choice));
        }
        for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) {
            const bool random = puzzle_.initial[a] > 0 && puzzle_.initial[a] < 1;
            if (random && (group.size() < 2 || std::ranges::find(group, a) == group.end()))
                puzzle_.choices.push_back({{{false, a, {}}}});
        }
    }

    // Positive literals of the head's stratum or below, negative ones of lower strata.
    std::vector<GraphLiteral> random_body(std::uint32_t head) {
        std::vector<GraphLiteral> body;
        for (std::uint32_t left = rng_.below(4); left > 0; --left) {
            const std::uint32_t atom = rng_.below(puzzle_.atoms);
            if (puzzle_.stratum[atom] > puzzle_.stratum[head]) continue;
            body.emplace_back(atom, puzzle_.stratum[atom] < puzzle_.stratum[head] && rng_.chance(0.4));
        }
        std::ranges::sort(body);
        body.erase(std::unique(body.begin(), body.end()), body.end());
        return body;
    }

    std::uint32_t new_clause(bool certain, std::uint32_t disjunction, double most) {
        puzzle_.weight.push_back(certain ? 1.0 : most * (0.05 + 0.9 * rng_.uniform()));
        puzzle_.disjunction.push_back(disjunction);
        return static_cast<std::uint32_t>(puzzle_.weight.size() - 1);
    }

    void add_clause() {
        const bool certain = rng_.chance(0.6);
        const std::uint32_t clause = new_clause(certain, WorldsTask::none, 1);
        for (std::uint32_t left = 1 + rng_.below(certain ? 5 : 2); left > 0; --left) {
            const std::uint32_t head = rng_.below(puzzle_.atoms);
            const auto place = static_cast<std::uint32_t>(puzzle_.instances.size());
            puzzle_.instances.push_back({clause, head, random_body(head)});
            if (!certain) puzzle_.choices.push_back({{{true, clause, {place}}}});
        }
    }

    // Two heads, for one or two bodies.
    void add_disjunction() {
        const std::uint32_t first = new_clause(false, 0, 0.5);
        const std::uint32_t second = new_clause(false, 0, 0.5);
        const std::uint32_t heads[] = {rng_.below(puzzle_.atoms), rng_.below(puzzle_.atoms)};
        const std::uint32_t lower = std::min(heads[0], heads[1]);
        std::vector<std::vector<GraphLiteral>> bodies;
        for (std::uint32_t left = 1 + rng_.below(2); left > 0; --left) {
            std::vector<GraphLiteral> body = random_body(lower);
            if (std::ranges::find(bodies, body) != bodies.end()) continue;
            const auto place = static_cast<std::uint32_t>(puzzle_.instances.size());
            puzzle_.instances.push_back({first, heads[0], body});
            puzzle_.instances.push_back({second, heads[1], body});
            puzzle_.choices.push_back({{{true, first, {place}}, {true, second, {place + 1}}}});
            bodies.push_back(std::move(body));
        }
    }

    Rng& rng_;
    Puzzle puzzle_;
};

ReasoningGraph graph_of(const Puzzle& puzzle) {
    GraphInput input;
    for (const Instance& instance : puzzle.instances) {
        InstanceBlock block;
        block.clause = instance.clause;
        block.width = static_cast<std::uint32_t>(instance.body.size());
        block.rows.push_back(instance.head);
        for (const GraphLiteral literal : instance.body) {
            block.rows.push_back(literal.atom());
            block.negated.push_back(literal.negated());
        }
        input.blocks.push_back(std::move(block));
    }
    for (const double initial : puzzle.initial) input.initial.push_back(static_cast<float>(initial));
    for (const double weight : puzzle.weight) input.weight.push_back(weight);
    return build_graph(std::move(input), 1);
}

WorldsTask task_of(const Puzzle& puzzle) {
    WorldsTask task;
    for (std::uint32_t a = 0; a < puzzle.atoms; ++a) {
        task.asked.push_back(a);
        task.random_atom.push_back(puzzle.initial[a] > 0 && puzzle.initial[a] < 1);
    }
    for (const double weight : puzzle.weight) task.random_clause.push_back(weight != 1);
    task.observed = puzzle.observed;
    task.exclusive = puzzle.exclusive;
    task.disjunction = puzzle.disjunction;
    return task;
}

// The distribution semantics, as it is defined.
class Enumeration {
public:
    explicit Enumeration(const Puzzle& puzzle) : puzzle_(puzzle), on_(puzzle.instances.size()) {}

    // The probability of the evidence, then those of all atoms together with it.
    std::vector<double> joint(const std::vector<double>& weight, const std::vector<double>& initial) {
        weight_ = &weight;
        initial_ = &initial;
        sums_.assign(puzzle_.atoms + 1, 0);
        given_.assign(puzzle_.atoms, false);
        for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) given_[a] = puzzle_.initial[a] == 1;
        for (std::size_t i = 0; i < on_.size(); ++i) on_[i] = puzzle_.weight[puzzle_.instances[i].clause] == 1;
        decide(0, 1);
        return sums_;
    }
    // Of all atoms, given the evidence; nothing if that cannot be true.
    std::optional<std::vector<double>> conditional(const std::vector<double>& weight,
                                                   const std::vector<double>& initial) {
        std::vector<double> sums = joint(weight, initial);
        if (sums[0] <= 0) return std::nullopt;
        std::vector<double> result;
        for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) result.push_back(sums[a + 1] / sums[0]);
        return result;
    }

private:
    void decide(std::size_t choice, double probability) {
        if (choice == puzzle_.choices.size()) return count_world(probability);
        double rest = 1;
        for (const Choice::Member& member : puzzle_.choices[choice].members) {
            const double chance = member.is_clause ? (*weight_)[member.number] : (*initial_)[member.number];
            rest -= chance;
            set(member, true);
            decide(choice + 1, probability * chance);
            set(member, false);
        }
        decide(choice + 1, probability * rest);
    }
    void set(const Choice::Member& member, bool to) {
        if (!member.is_clause) given_[member.number] = to;
        for (const std::uint32_t instance : member.instances) on_[instance] = to;
    }
    void count_world(double probability) {
        std::vector<bool> holds = given_;
        for (std::uint32_t stratum = 0; stratum < 3; ++stratum) {
            for (bool any = true; any;) {
                any = false;
                for (std::size_t i = 0; i < on_.size(); ++i) {
                    const Instance& instance = puzzle_.instances[i];
                    if (!on_[i] || holds[instance.head] || puzzle_.stratum[instance.head] != stratum) continue;
                    const bool follows = std::ranges::all_of(instance.body, [&](GraphLiteral literal) {
                        return holds[literal.atom()] != literal.negated();
                    });
                    if (follows) holds[instance.head] = any = true;
                }
            }
        }
        const bool agrees = std::ranges::all_of(
            puzzle_.observed, [&](GraphLiteral literal) { return holds[literal.atom()] != literal.negated(); });
        if (!agrees) return;
        sums_[0] += probability;
        for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) sums_[a + 1] += holds[a] ? probability : 0;
    }

    const Puzzle& puzzle_;
    const std::vector<double>* weight_ = nullptr;
    const std::vector<double>* initial_ = nullptr;
    std::vector<bool> on_;
    std::vector<bool> given_;
    std::vector<double> sums_;
};

std::unique_ptr<GraphReasoner> reasoner_for(const Puzzle& puzzle, const char* engine) {
    const ReasoningGraph graph = graph_of(puzzle);
    const GraphLevels levels = find_levels(graph);
    WorldsTask task = task_of(puzzle);
    Circuit circuit = compile_circuit(graph, levels, task, {});
    ReasonOptions options;
    options.semantics = circuit_semantics();
    return make_exact_reasoner(engine, graph, levels, std::move(task), std::move(circuit), options);
}

// What differs; empty: nothing.
std::string compare_values(const Puzzle& puzzle, const char* engine, double tolerance,
                           const std::vector<double>& expected) {
    const std::unique_ptr<GraphReasoner> reasoner = reasoner_for(puzzle, engine);
    const Pass pass = reasoner->forward(InputBatch(1), puzzle.weight);
    std::vector<double> values(puzzle.atoms);
    pass.values(0, values);
    for (std::uint32_t a = 0; a < puzzle.atoms; ++a) {
        if (std::abs(values[a] - expected[a]) > tolerance)
            return fmt::format("{} engine, atom {}: {} where {} is expected", engine, a, values[a], expected[a]);
    }
    return {};
}

std::string compare_gradients(const Puzzle& puzzle, Enumeration& worlds, std::uint32_t asked) {
    const std::unique_ptr<GraphReasoner> reasoner = reasoner_for(puzzle, "reference");
    const Pass pass = reasoner->forward(InputBatch(1), puzzle.weight, {.keep = Keep::Backward});
    InputBatch::Builder seeds(1);
    seeds.add(0, asked, 1.0F);
    std::vector<double> by_atom(puzzle.atoms);
    std::vector<double> by_clause(puzzle.weight.size());
    reasoner->backward(pass, seeds.build(), {.by_atom = by_atom, .by_clause = by_clause});
    constexpr double step = 1e-5;
    const auto slope = [&](auto&& value_at) { return (value_at(step) - value_at(-step)) / (2 * step); };
    const auto check = [&](const char* kind, std::size_t number, double found, double expected) {
        return std::abs(found - expected) <= gradient_tolerance * std::max(1.0, std::abs(expected))
                   ? std::string()
                   : fmt::format("gradient of atom {} by {} {}: {} where {} is expected", asked, kind, number, found,
                                 expected);
    };
    std::string wrong;
    for (std::uint32_t a = 0; a < puzzle.atoms && wrong.empty(); ++a) {
        if (!(puzzle.initial[a] > 0 && puzzle.initial[a] < 1)) continue;
        std::vector<double> initial = puzzle.initial;
        wrong = check("fact", a, by_atom[a], slope([&](double by) {
                          initial[a] = puzzle.initial[a] + by;
                          return (*worlds.conditional(puzzle.weight, initial))[asked];
                      }));
    }
    for (std::size_t k = 0; k < puzzle.weight.size() && wrong.empty(); ++k) {
        if (puzzle.weight[k] == 1) continue;
        std::vector<double> weight = puzzle.weight;
        wrong = check("clause", k, by_clause[k], slope([&](double by) {
                          weight[k] = puzzle.weight[k] + by;
                          return (*worlds.conditional(weight, puzzle.initial))[asked];
                      }));
    }
    return wrong;
}

TEST(ExactOracle, ProbabilitiesAreThoseOfAllWorlds) {
    int compared = 0;
    int impossible = 0;
    for (std::uint64_t seed = 1; compared < 20'000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = PuzzleMaker(rng).make();
        if (puzzle.worlds() > most_worlds) continue;
        Enumeration worlds(puzzle);
        const std::optional<std::vector<double>> expected = worlds.conditional(puzzle.weight, puzzle.initial);
        if (!expected) {
            ++impossible;
            EXPECT_THROW(compare_values(puzzle, "reference", 1, {}), ReasonError) << "seed " << seed;
            continue;
        }
        ++compared;
        std::string wrong = compare_values(puzzle, "reference", double_tolerance, *expected);
        if (wrong.empty() && compared % 4 == 0) wrong = compare_values(puzzle, "graph", float_tolerance, *expected);
        if (wrong.empty() && compared % 20 == 0 && puzzle.worlds() < 500)
            wrong = compare_gradients(puzzle, worlds, rng.below(puzzle.atoms));
        ASSERT_EQ(wrong, "") << "seed " << seed;
    }
    EXPECT_GT(impossible, 100);
}

}  // namespace
}  // namespace neumann::oracle
