#include "worlds/random_choices.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "reason/require_that.h"

namespace neumann {
void require_random_inputs(const InputBatch& inputs, const ReasoningGraph& graph, const WorldsTask& task) {
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        for (std::size_t i = 0; i < inputs.atoms(e).size(); ++i) {
            const std::uint32_t atom = inputs.atoms(e)[i];
            require_that(task.random_atom[atom] || inputs.values(e)[i] == graph.initial[atom],
                         "atom {} is certain in this program, and example {} gives it a probability: say that it is an "
                         "input when the program is compiled",
                         atom, e);
        }
    }
}

void require_certain_weights(std::span<const double> weights, const WorldsTask& task) {
    for (std::size_t k = 0; k < weights.size(); ++k)
        require_that(task.random_clause[k] || weights[k] == 1,
                     "clause {} was certain when the program was compiled, and has the weight {} now: compile it with "
                     "a weight below 1",
                     k, weights[k]);
    for (std::size_t k = 0; k < task.fixed_weights.size(); ++k)
        require_that(weights[k] == task.fixed_weights[k],
                     "clause {} has the weight {} now and had {} when the program was compiled for fixed weights", k,
                     weights[k], task.fixed_weights[k]);
}

void require_disjunctions(std::span<const double> weights, const WorldsTask& task) {
    std::map<std::uint32_t, std::vector<std::size_t>> clauses_of;
    for (std::size_t k = 0; k < weights.size(); ++k)
        if (task.disjunction[k]) clauses_of[*task.disjunction[k]].push_back(k);
    for (const auto& [disjunction, clauses] : clauses_of) {
        double sum = 0;
        for (const std::size_t clause : clauses) sum += weights[clause];
        const std::string names = fmt::format("{}", fmt::join(clauses, ", "));
        require_that(
            sum <= 1 + most_rounding,
            "clauses {} are the alternatives of one disjunction, and their weights add up to {:.4f}; it can be "
            "1 at most",
            names, sum);
    }
}

RandomChoices::RandomChoices(const ReasoningGraph& graph, const WorldsTask& task) : separate_(task.separate) {
    find_atoms(graph, task);
    atom_outcome_.resize(graph.atom_count());
    conjunction_outcome_.resize(graph.conjunction_count());
    add_exclusive(task);
    add_facts(task);
    add_instances(graph, task);
    find_complete(task);
}

void RandomChoices::find_complete(const WorldsTask& task) {
    complete_.assign(count(), false);
    if (task.fixed_weights.empty()) return;
    for (std::uint32_t choice = 0; choice < count(); ++choice) {
        double sum = 0;
        for (const Member member : members(choice)) sum += member.is_clause ? task.fixed_weights[member.number] : 0;
        complete_[choice] = sum >= 1 - rounding_of_sums;
    }
}

void RandomChoices::find_atoms(const ReasoningGraph& graph, const WorldsTask& task) {
    needed_.assign(graph.atom_count(), false);
    const auto need = [&](std::uint32_t atom) {
        if (needed_[atom]) return;
        needed_[atom] = true;
        atoms_.push_back(atom);
    };
    for (const std::uint32_t atom : task.asked) need(atom);
    for (const GraphLiteral literal : task.observed) need(literal.atom());
    for (std::size_t next = 0; next < atoms_.size(); ++next)
        for (const GraphLiteral below : graph.dependencies(atoms_[next])) need(below.atom());
    std::ranges::sort(atoms_);
}

TooProbable::TooProbable(std::vector<std::uint32_t> which, double together)
    : ReasonError(
          fmt::format("the probabilities of {} atoms that exclude each other add up to {:.4f}; it can be 1 at most",
                      which.size(), together)),
      atoms(std::move(which)), sum(together) {}

RandomChoices::Outcome RandomChoices::add_member(Member member) {
    members_.push_back(member);
    members_begin_.back() = static_cast<std::uint32_t>(members_.size());
    const auto choice = static_cast<std::uint32_t>(count() - 1);
    return {choice, static_cast<std::uint32_t>(members(choice).size())};
}

void RandomChoices::probabilities(std::uint32_t choice, const Chances& chances, std::vector<double>& to) const {
    to.assign(1, 0.0);
    double sum = 0;
    for (const Member member : members(choice)) {
        to.push_back(member.is_clause ? chances.weight[member.number] : chances.initial[member.number]);
        sum += to.back();
    }
    if (sum > 1 + most_rounding && std::ranges::none_of(members(choice), &Member::is_clause)) {
        std::vector<std::uint32_t> atoms;
        for (const Member member : members(choice)) atoms.push_back(member.number);
        throw TooProbable(std::move(atoms), sum);
    }
    require_that(sum <= 1 + most_rounding,
                 "the probabilities of {} outcomes that exclude each other add up to {:.4f}; it can be 1 at most",
                 members(choice).size(), sum);
    to[0] = std::max(1 - sum, 0.0);
}

// Outcomes of a group that are not needed are part of its way 0.
void RandomChoices::add_exclusive(const WorldsTask& task) {
    for (const std::vector<std::uint32_t>& group : task.exclusive) {
        if (std::ranges::none_of(group, [&](std::uint32_t atom) { return needed_[atom]; })) continue;
        begin_choice();
        for (const std::uint32_t atom : group)
            if (needed_[atom]) atom_outcome_[atom] = add_member({false, atom});
    }
}

void RandomChoices::add_facts(const WorldsTask& task) {
    for (const std::uint32_t atom : atoms_) {
        if (!task.random_atom[atom] || atom_outcome_[atom].random()) continue;
        begin_choice();
        atom_outcome_[atom] = add_member({false, atom});
    }
}

void RandomChoices::add_instances(const ReasoningGraph& graph, const WorldsTask& task) {
    // Of a disjunction and a body; by how often a clause had that body before, which only propositional ones do twice.
    std::map<std::tuple<std::uint32_t, std::vector<GraphLiteral>, std::uint32_t>, std::vector<std::uint32_t>> heads;
    std::map<std::pair<std::uint32_t, std::vector<GraphLiteral>>, std::uint32_t> seen;
    for (const std::uint32_t atom : atoms_) {
        for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) {
            const std::uint32_t clause = graph.clause[c];
            if (!task.random_clause[clause]) continue;
            if (!task.disjunction[clause]) {
                begin_choice();
                conjunction_outcome_[c] = add_member({true, clause});
                continue;
            }
            const std::span<const GraphLiteral> literals = graph.literals(c);
            std::vector<GraphLiteral> body(literals.begin(), literals.end());
            const std::uint32_t before = seen[{clause, body}]++;
            heads[{*task.disjunction[clause], std::move(body), before}].push_back(c);
        }
    }
    for (const auto& [key, conjunctions] : heads) {
        begin_choice();
        for (const std::uint32_t c : conjunctions) conjunction_outcome_[c] = add_member({true, graph.clause[c]});
    }
}

}  // namespace neumann
