#include "resolution/ground_probability.h"

#include <algorithm>
#include <map>
#include <utility>

#include "resolution/built_ins.h"
#include "worlds/decision_diagrams.h"

namespace neumann::resolution {
namespace {

using Node = DecisionDiagrams::Node;
constexpr std::uint64_t most_steps = 20'000'000;

// The heads of a rule for the same values of its variables are the outcomes of one choice; outcome 0 is none of them.
struct Choice {
    std::uint32_t number = 0;
    std::uint32_t instance = 0;  // the first
    std::map<std::uint32_t, std::uint32_t> way_of_head;
    std::vector<double> chances{1.0};
};

class Evaluation {
public:
    explicit Evaluation(const GroundRules& ground) : ground_(ground) { find_choices(); }

    std::vector<double> evaluate() {
        return with_diagrams([&](DecisionDiagrams& diagrams) { return evaluate(diagrams); });
    }

    Strategy search(std::span<const Utility> utilities) {
        utilities_ = utilities;
        return with_diagrams([&](DecisionDiagrams& diagrams) { return search(diagrams); });
    }

    bool are_equivalent(std::span<const std::uint32_t> some, std::span<const std::uint32_t> others) {
        return with_diagrams([&](DecisionDiagrams& diagrams) {
            for (const std::span<const std::uint32_t> all : {some, others}) {
                for (const std::uint32_t instance : all) {
                    for (const GroundLiteral one : ground_.instances[instance].body) visit(one.atom, diagrams);
                }
            }
            return any_of(some, diagrams) == any_of(others, diagrams);
        });
    }

private:
    template <class Compute>
    auto with_diagrams(Compute&& compute) -> decltype(compute(std::declval<DecisionDiagrams&>())) {
        std::vector<std::uint32_t> outcomes;
        for (const Choice* one : by_number_) outcomes.push_back(static_cast<std::uint32_t>(one->chances.size()));
        DecisionDiagrams diagrams(outcomes, {.steps = most_steps});
        values_.assign(ground_.atoms.size(), DecisionDiagrams::never);
        order_.assign(ground_.atoms.size(), 0);
        try {
            return compute(diagrams);
        } catch (const DiagramLimit&) {
            throw GoalError("this is too large to be computed exactly while the program is resolved");
        }
    }

    // Decisions first.
    void find_choices() {
        for (const bool decisions : {true, false}) {
            for (std::uint32_t i = 0; i < ground_.instances.size(); ++i) {
                const GroundInstance& instance = ground_.instances[i];
                if (instance.weight && instance.decision == decisions) add_outcome(i);
            }
            if (decisions) decisions_ = by_number_.size();
        }
    }

    void add_outcome(std::uint32_t number) {
        const GroundInstance& instance = ground_.instances[number];
        const auto [found, added] = choices_.try_emplace({instance.rule, instance.values});
        Choice& choice = found->second;
        if (added) {
            choice.number = static_cast<std::uint32_t>(by_number_.size());
            choice.instance = number;
            by_number_.push_back(&choice);
        }
        const auto way = static_cast<std::uint32_t>(choice.chances.size());
        if (!choice.way_of_head.try_emplace(instance.head, way).second) return;
        choice.chances.push_back(*instance.weight);
        choice.chances[0] = std::max(0.0, choice.chances[0] - *instance.weight);
    }

    // The best that can follow when the utilities are down to these nodes.
    struct Best {
        double score = 0;
        bool acts = false;
        std::size_t decision = 0;
    };
    const Best& best(const std::vector<Node>& nodes, DecisionDiagrams& diagrams) {
        if (const auto known = best_.find(nodes); known != best_.end()) return known->second;
        constexpr std::size_t most_states = 1'000'000;
        if (best_.size() >= most_states) throw DiagramLimit("");
        Best found;
        found.decision = decisions_;
        for (const Node node : nodes) {
            if (!DecisionDiagrams::is_constant(node))
                found.decision = std::min<std::size_t>(found.decision, diagrams.choice(node));
        }
        if (found.decision == decisions_) {
            for (std::size_t u = 0; u < nodes.size(); ++u)
                found.score += utilities_[u].value * probability(nodes[u], diagrams);
        } else {
            const double stays = best(after(nodes, found.decision, 0, diagrams), diagrams).score;
            const double acts = best(after(nodes, found.decision, 1, diagrams), diagrams).score;
            found.acts = acts > stays;
            found.score = std::max(acts, stays);
        }
        return best_.emplace(nodes, found).first->second;
    }

    static std::vector<Node> after(const std::vector<Node>& nodes, std::size_t decision, std::size_t way,
                                   const DecisionDiagrams& diagrams) {
        std::vector<Node> left = nodes;
        for (Node& node : left) {
            if (!DecisionDiagrams::is_constant(node) && diagrams.choice(node) == decision)
                node = diagrams.branches(node)[way];
        }
        return left;
    }

    Strategy search(DecisionDiagrams& diagrams) {
        std::vector<Node> nodes;
        for (const Utility& one : utilities_) {
            visit(one.literal.atom, diagrams);
            nodes.push_back(literal(one.literal, diagrams));
        }
        Strategy strategy;
        strategy.score = best(nodes, diagrams).score;
        for (Best now = best(nodes, diagrams); now.decision < decisions_; now = best(nodes, diagrams)) {
            if (now.acts) strategy.taken.push_back(by_number_[now.decision]->instance);
            nodes = after(nodes, now.decision, now.acts ? 1 : 0, diagrams);
        }
        return strategy;
    }

    std::vector<double> evaluate(DecisionDiagrams& diagrams) {
        for (const std::uint32_t query : ground_.queries) visit(query, diagrams);
        for (const GroundEvidence& one : ground_.evidence) visit(one.literal.atom, diagrams);
        Node observed = DecisionDiagrams::always;
        for (const GroundEvidence& one : ground_.evidence)
            observed = diagrams.both(observed, literal(one.literal, diagrams));
        const double whole = probability(observed, diagrams);
        if (whole <= 0) throw GoalError("the evidence of a subquery has probability 0");
        std::vector<double> found;
        for (const std::uint32_t query : ground_.queries)
            found.push_back(probability(diagrams.both(values_[query], observed), diagrams) / whole);
        return found;
    }

    // Tarjan's components, without recursion: the members of a cycle are computed together, from false upwards.
    void visit(std::uint32_t root, DecisionDiagrams& diagrams) {
        struct Frame {
            std::uint32_t atom;
            std::vector<std::uint32_t> needs;
            std::size_t next = 0;
        };
        if (order_[root] != 0) return;
        std::vector<Frame> frames;
        const auto open = [&](std::uint32_t atom) {
            order_[atom] = ++last_;
            low_[atom] = last_;
            stack_.push_back(atom);
            frames.push_back({atom, needs_of(atom)});
        };
        open(root);
        while (!frames.empty()) {
            Frame& frame = frames.back();
            if (frame.next < frame.needs.size()) {
                const std::uint32_t needed = frame.needs[frame.next++];
                if (order_[needed] == 0)
                    open(needed);
                else if (low_.contains(needed))
                    low_[frame.atom] = std::min(low_[frame.atom], order_[needed]);
                continue;
            }
            const std::uint32_t atom = frame.atom;
            frames.pop_back();
            if (!frames.empty()) low_[frames.back().atom] = std::min(low_[frames.back().atom], low_[atom]);
            if (low_[atom] == order_[atom]) close(atom, diagrams);
        }
    }

    std::vector<std::uint32_t> needs_of(std::uint32_t atom) const {
        std::vector<std::uint32_t> needs;
        if (ground_.atoms[atom].certain) return needs;
        for (const std::uint32_t instance : ground_.atoms[atom].instances) {
            for (const GroundLiteral one : ground_.instances[instance].body) needs.push_back(one.atom);
        }
        return needs;
    }

    void close(std::uint32_t root, DecisionDiagrams& diagrams) {
        std::vector<std::uint32_t> members;
        do {
            members.push_back(stack_.back());
            low_.erase(stack_.back());
            stack_.pop_back();
        } while (members.back() != root);
        for (const std::uint32_t member : members) require_positive(member, members);
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::uint32_t member : members) {
                const Node value = value_of(member, diagrams);
                changed = changed || value != values_[member];
                values_[member] = value;
            }
        }
    }

    void require_positive(std::uint32_t atom, const std::vector<std::uint32_t>& members) const {
        if (ground_.atoms[atom].certain) return;
        for (const std::uint32_t instance : ground_.atoms[atom].instances) {
            for (const GroundLiteral one : ground_.instances[instance].body) {
                if (one.negated && std::ranges::find(members, one.atom) != members.end())
                    throw GoalError("the goal of a subquery depends on its own negation");
            }
        }
    }

    Node value_of(std::uint32_t atom, DecisionDiagrams& diagrams) const {
        if (ground_.atoms[atom].certain) return DecisionDiagrams::always;
        return any_of(ground_.atoms[atom].instances, diagrams);
    }

    Node any_of(std::span<const std::uint32_t> instances, DecisionDiagrams& diagrams) const {
        std::vector<Node> ways;
        for (const std::uint32_t number : instances) {
            const GroundInstance& instance = ground_.instances[number];
            std::vector<Node> body;
            for (const GroundLiteral one : instance.body) body.push_back(literal(one, diagrams));
            if (instance.weight) {
                const Choice& choice = choices_.at({instance.rule, instance.values});
                body.push_back(diagrams.outcome(choice.number, choice.way_of_head.at(instance.head)));
            }
            ways.push_back(diagrams.all_of(body));
        }
        return diagrams.any_of(ways);
    }

    Node literal(GroundLiteral one, DecisionDiagrams& diagrams) const {
        return one.negated ? diagrams.negation(values_[one.atom]) : values_[one.atom];
    }

    double probability(Node root, const DecisionDiagrams& diagrams) const {
        std::map<Node, double> values = {{DecisionDiagrams::never, 0}, {DecisionDiagrams::always, 1}};
        for (const Node node : diagrams.nodes_under({&root, 1})) {
            const std::vector<double>& chances = by_number_[diagrams.choice(node)]->chances;
            double sum = 0;
            for (std::size_t way = 0; way < chances.size(); ++way)
                sum += chances[way] * values.at(diagrams.branches(node)[way]);
            values[node] = sum;
        }
        return values.at(root);
    }

    const GroundRules& ground_;
    std::map<std::pair<std::uint32_t, Term>, Choice> choices_;
    std::vector<const Choice*> by_number_;
    std::size_t decisions_ = 0;  // so many choices are decisions
    std::span<const Utility> utilities_;
    std::map<std::vector<Node>, Best> best_;
    std::vector<Node> values_;                    // per atom
    std::vector<std::uint32_t> order_;            // per atom: 0 before it is visited
    std::map<std::uint32_t, std::uint32_t> low_;  // of atoms whose component is open
    std::vector<std::uint32_t> stack_;
    std::uint32_t last_ = 0;
};

}  // namespace

std::vector<double> probabilities(const GroundRules& ground) { return Evaluation(ground).evaluate(); }

Strategy best_strategy(const GroundRules& ground, std::span<const Utility> utilities) {
    return Evaluation(ground).search(utilities);
}

bool are_equivalent(const GroundRules& ground, std::span<const std::uint32_t> some,
                    std::span<const std::uint32_t> others) {
    return Evaluation(ground).are_equivalent(some, others);
}

}  // namespace neumann::resolution
