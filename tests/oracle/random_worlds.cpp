#include "oracle/random_worlds.h"

#include <algorithm>
#include <utility>

#include "graph/build.h"

namespace neumann::oracle {
namespace {

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
            Puzzle::Choice choice;
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

    std::uint32_t new_clause(bool certain, OptionalIndex disjunction, double most) {
        puzzle_.weight.push_back(certain ? 1.0 : most * (0.05 + 0.9 * rng_.uniform()));
        puzzle_.disjunction.push_back(disjunction);
        return static_cast<std::uint32_t>(puzzle_.weight.size() - 1);
    }

    void add_clause() {
        const bool certain = rng_.chance(0.6);
        const std::uint32_t clause = new_clause(certain, std::nullopt, 1);
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

}  // namespace

Puzzle random_puzzle(Rng& rng) { return PuzzleMaker(rng).make(); }

ReasoningGraph graph_of(const Puzzle& puzzle) {
    GraphInput input;
    for (const Puzzle::Instance& instance : puzzle.instances) {
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

void WorldEnumeration::for_each(const std::vector<double>& weight, const std::vector<double>& initial,
                                const Each& each) {
    weight_ = &weight;
    initial_ = &initial;
    each_ = &each;
    given_.assign(puzzle_.atoms, false);
    for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) given_[a] = puzzle_.initial[a] == 1;
    for (std::size_t i = 0; i < on_.size(); ++i) on_[i] = puzzle_.weight[puzzle_.instances[i].clause] == 1;
    decide(0, 1);
}

std::vector<double> WorldEnumeration::joint(const std::vector<double>& weight, const std::vector<double>& initial) {
    std::vector<double> sums(puzzle_.atoms + 1, 0.0);
    for_each(weight, initial, [&](double probability, const std::vector<bool>& holds) {
        sums[0] += probability;
        for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) sums[a + 1] += holds[a] ? probability : 0;
    });
    return sums;
}

std::optional<std::vector<double>> WorldEnumeration::conditional(const std::vector<double>& weight,
                                                                 const std::vector<double>& initial) {
    std::vector<double> sums = joint(weight, initial);
    if (sums[0] <= 0) return std::nullopt;
    std::vector<double> result;
    for (std::uint32_t a = 0; a < puzzle_.atoms; ++a) result.push_back(sums[a + 1] / sums[0]);
    return result;
}

void WorldEnumeration::decide(std::size_t choice, double probability) {
    if (choice == puzzle_.choices.size()) return derive(probability);
    double rest = 1;
    for (const Puzzle::Choice::Member& member : puzzle_.choices[choice].members) {
        const double chance = member.is_clause ? (*weight_)[member.number] : (*initial_)[member.number];
        rest -= chance;
        set(member, true);
        decide(choice + 1, probability * chance);
        set(member, false);
    }
    decide(choice + 1, probability * rest);
}

void WorldEnumeration::set(const Puzzle::Choice::Member& member, bool to) {
    if (!member.is_clause) given_[member.number] = to;
    for (const std::uint32_t instance : member.instances) on_[instance] = to;
}

void WorldEnumeration::derive(double probability) {
    std::vector<bool> holds = given_;
    for (std::uint32_t stratum = 0; stratum < 3; ++stratum) {
        for (bool any = true; any;) {
            any = false;
            for (std::size_t i = 0; i < on_.size(); ++i) {
                const Puzzle::Instance& instance = puzzle_.instances[i];
                if (!on_[i] || holds[instance.head] || puzzle_.stratum[instance.head] != stratum) continue;
                const bool follows = std::ranges::all_of(
                    instance.body, [&](GraphLiteral literal) { return holds[literal.atom()] != literal.negated(); });
                if (follows) holds[instance.head] = any = true;
            }
        }
    }
    const bool agrees = std::ranges::all_of(
        puzzle_.observed, [&](GraphLiteral literal) { return holds[literal.atom()] != literal.negated(); });
    if (agrees) (*each_)(probability, holds);
}

}  // namespace neumann::oracle
