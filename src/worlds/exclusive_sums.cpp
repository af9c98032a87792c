#include "worlds/exclusive_sums.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/optional_index.h"
#include "base/pod_vector.h"
#include "worlds/choice_sets.h"
#include "worlds/decision_diagrams.h"
#include "worlds/exclusive_families.h"

namespace neumann {
namespace {

using Node = Circuit::Node;

constexpr std::uint32_t no_family = UINT32_MAX;
constexpr std::size_t most_intervals = std::size_t{1} << 24;
constexpr std::size_t atoms_between_looks = std::size_t{1} << 12;

// A literal, or how a choice comes out.
struct Event {
    Node node = Circuit::never;
    ChoiceSets::Set choices = ChoiceSets::empty;
    FamilyMember member = {no_family, 0};
};

class SumCompiler {
public:
    SumCompiler(const ReasoningGraph& graph, const GraphLevels& levels, const RandomChoices& choices,
                const CompileLimits& limits)
        : graph_(graph), levels_(levels), choices_(choices), limits_(limits), event_(graph.atom_count()),
          number_(choices.count()), family_(choices.count(), no_family) {}

    Circuit run(const WorldsTask& task) {
        if (!task.observed.empty()) throw DiagramLimit("there is evidence about derived atoms");
        std::vector<std::uint32_t> used(choices_.count());
        std::iota(used.begin(), used.end(), 0U);
        first_way_ = add_distributions(choices_, used, circuit_);
        term_begin_.resize(circuit_.first_sum() + 1, 0);
        std::vector<std::uint32_t> atoms(choices_.atoms().begin(), choices_.atoms().end());
        std::ranges::stable_sort(atoms, {}, [&](std::uint32_t atom) { return levels_.level[atom]; });
        for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
            const std::uint32_t level = levels_.level[atoms[begin]];
            while (end < atoms.size() && levels_.level[atoms[end]] == level) ++end;
            make_level(std::span(atoms).subspan(begin, end - begin));
        }
        for (const std::uint32_t atom : task.asked) circuit_.asked.push_back(event_[atom].node);
        circuit_.term_begin = SharedArray(std::move(term_begin_));
        circuit_.left = SharedArray(std::move(left_));
        circuit_.right = SharedArray(std::move(right_));
        return std::move(circuit_);
    }

private:
    struct Derived {
        std::uint32_t atom;
        std::uint32_t begin;  // its rules
        std::uint32_t end;
    };
    struct Rule {
        std::uint32_t begin;  // its members
        std::uint32_t end;
    };

    void look() const {
        if (limits_.watch) limits_.watch(done_, choices_.atoms().size(), term_begin_.size());
    }

    Event of_outcome(RandomChoices::Outcome outcome) {
        const std::uint32_t choice = *outcome.choice;
        if (!number_[choice]) {
            number_[choice] = numbered_++;
            family_[choice] = families_.add(static_cast<std::uint32_t>(choices_.members(choice).size()) + 1);
        }
        return {Circuit::node_of_way(first_way_[choice] + outcome.way),
                sets_.of(*number_[choice]),
                {family_[choice], outcome.way}};
    }
    // A fact with a choice of its own can be negated: that is the other way it comes out.
    Event of_literal(GraphLiteral literal) {
        if (!literal.negated()) return event_[literal.atom()];
        const Node node = event_[literal.atom()].node;
        if (node == Circuit::never) return {Circuit::always};
        if (node == Circuit::always) return {};
        const RandomChoices::Outcome outcome = choices_.of_atom(literal.atom());
        const bool is_fact = outcome.random() && graph_.dependencies(literal.atom()).empty() &&
                             graph_.in_begin[literal.atom()] == graph_.in_begin[literal.atom() + 1];
        if (!is_fact || choices_.members(*outcome.choice).size() != 1) throw DiagramLimit("a derived atom is negated");
        return of_outcome({outcome.choice, 0});
    }

    void make_level(std::span<const std::uint32_t> atoms) {
        derived_.clear();
        rules_.clear();
        members_.clear();
        for (const std::uint32_t atom : atoms) {
            if (levels_.cyclic[levels_.component[atom]] != 0)
                throw DiagramLimit("uncertain atoms depend on themselves");
            make_sum(atom);
            if (++done_ % atoms_between_looks == 0) look();
        }
        find_families();
        if (sets_.intervals() > most_intervals) throw DiagramLimit("rules depend on too many sets of choices");
        if (left_.capacity_bytes() + right_.capacity_bytes() + term_begin_.capacity_bytes() > limits_.bytes)
            throw DiagramLimit("the sums of rules take too much memory");
    }

    void make_sum(std::uint32_t atom) {
        const auto first_rule = static_cast<std::uint32_t>(rules_.size());
        const std::size_t first_member = members_.size();
        Event only;
        ChoiceSets::Set choices = ChoiceSets::empty;
        bool certain = false;
        // The product of the events so far; never: it cannot be.
        const auto add_rule = [&] {
            if (std::ranges::any_of(body_, [](const Event& one) { return one.node == Circuit::never; })) return;
            if (body_.empty()) certain = true;
            const auto begin = static_cast<std::uint32_t>(members_.size());
            ChoiceSets::Set all = ChoiceSets::empty;
            for (const Event& one : body_) {
                const auto both = sets_.disjoint_union(all, one.choices);
                if (!both) throw DiagramLimit("goals of a rule depend on the same choices");
                all = *both;
                if (one.member.family != no_family) members_.push_back(one.member);
            }
            std::sort(members_.begin() + begin, members_.end());
            rules_.push_back({begin, static_cast<std::uint32_t>(members_.size())});
            choices = sets_.any_union(choices, all);
            if (body_.size() == 1) only = body_[0];
            pending_.push_back(body_.empty() ? Circuit::always : body_[0].node);
            pending_.push_back(body_.size() < 2 ? Circuit::always : body_[1].node);
            if (body_.size() > 2) wide_.emplace_back(pending_.size() - 2, product_of_rest());
        };
        pending_.clear();
        wide_.clear();
        body_.clear();
        if (const RandomChoices::Outcome outcome = choices_.of_atom(atom); outcome.random()) {
            body_.push_back(of_outcome(outcome));
            add_rule();
        } else if (graph_.initial[atom] >= 1.0F) {
            certain = true;
        }
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1] && !certain; ++c) {
            body_.clear();
            for (const GraphLiteral literal : graph_.literals(c)) {
                const Event event = of_literal(literal);
                if (event.node != Circuit::always) body_.push_back(event);
            }
            if (const RandomChoices::Outcome outcome = choices_.of_conjunction(c); outcome.random())
                body_.push_back(of_outcome(outcome));
            add_rule();
        }
        const std::size_t count = rules_.size() - first_rule;
        const bool is_alias = count == 1 && pending_[1] == Circuit::always;
        if (certain || count == 0 || is_alias) {
            rules_.resize(first_rule);
            members_.resize(first_member);
            event_[atom] = certain ? Event{Circuit::always} : is_alias ? only : Event{};
            return;
        }
        for (const auto& [place, node] : wide_) pending_[place + 1] = node;
        for (std::size_t i = 0; i < pending_.size(); i += 2) {
            left_.push_back(pending_[i]);
            right_.push_back(pending_[i + 1]);
        }
        event_[atom] = {finish_node(), choices, {no_family, 0}};
        derived_.push_back({atom, first_rule, static_cast<std::uint32_t>(rules_.size())});
    }
    // … the first event.
    Node product_of_rest() {
        Node product = body_[1].node;
        for (std::size_t i = 2; i < body_.size(); ++i) {
            left_.push_back(product);
            right_.push_back(body_[i].node);
            product = finish_node();
        }
        return product;
    }
    Node finish_node() {
        term_begin_.push_back(static_cast<std::uint32_t>(left_.size()));
        return static_cast<Node>(term_begin_.size() - 2);
    }

    // Atoms whose rules have members of the same families are divided into families together.
    void find_families() {
        std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> groups;
        std::vector<std::uint32_t> common;
        for (std::uint32_t d = 0; d < derived_.size(); ++d) {
            common_families(derived_[d], common);
            groups[common].push_back(d);
        }
        std::vector<ExclusiveFamilies::Rule> rules;
        for (const auto& [key, some] : groups) {
            rules.clear();
            for (std::uint32_t i = 0; i < some.size(); ++i)
                for (std::uint32_t r = derived_[some[i]].begin; r < derived_[some[i]].end; ++r)
                    rules.push_back({i, rules_[r].begin, rules_[r].end});
            const auto places = families_.divide(static_cast<std::uint32_t>(some.size()), rules, members_);
            if (!places) throw DiagramLimit("rules of an atom may hold together");
            for (std::size_t i = 0; i < some.size(); ++i) event_[derived_[some[i]].atom].member = (*places)[i];
        }
    }
    void common_families(const Derived& one, std::vector<std::uint32_t>& common) const {
        common.clear();
        const Rule first = rules_[one.begin];
        for (std::uint32_t m = first.begin; m < first.end; ++m) common.push_back(members_[m].family);
        for (std::uint32_t r = one.begin + 1; r < one.end; ++r) {
            std::uint32_t m = rules_[r].begin;
            std::erase_if(common, [&](std::uint32_t family) {
                while (m < rules_[r].end && members_[m].family < family) ++m;
                return m == rules_[r].end || members_[m].family != family;
            });
        }
    }

    const ReasoningGraph& graph_;
    const GraphLevels& levels_;
    const RandomChoices& choices_;
    const CompileLimits& limits_;
    Circuit circuit_;
    std::vector<std::uint32_t> first_way_;
    PodVector<std::uint32_t> term_begin_;
    PodVector<Node> left_;
    PodVector<Node> right_;
    std::vector<Event> event_;           // per atom
    std::vector<OptionalIndex> number_;  // per choice: in the order of their use
    std::vector<std::uint32_t> family_;  // per choice: its ways
    std::uint32_t numbered_ = 0;
    ChoiceSets sets_;
    ExclusiveFamilies families_;
    std::size_t done_ = 0;
    // Of the current level.
    std::vector<Derived> derived_;
    std::vector<Rule> rules_;
    std::vector<FamilyMember> members_;
    // Of the current atom.
    std::vector<Event> body_;
    std::vector<Node> pending_;                       // two factors of each rule
    std::vector<std::pair<std::size_t, Node>> wide_;  // the second factor of rules with more than two
};

}  // namespace

Circuit sum_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                    const RandomChoices& choices, const CompileLimits& limits) {
    return SumCompiler(graph, levels, choices, limits).run(task);
}

}  // namespace neumann
