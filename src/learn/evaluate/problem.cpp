#include "learn/evaluate/problem.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "ground/limit.h"
#include "learn/clauses/reduce.h"
#include "learn/task/learn_error.h"
#include "logic/bounds.h"
#include "logic/print.h"

namespace neumann {
namespace {

// A learned predicate may hold of any terms, so their types must be bounded.
void check_bounded(const Program& program, Diagnostics& diagnostics) {
    const TermBounds bounds(program.signature);
    for (const LearnTarget& target : program.learn) {
        const PredicateDecl& predicate = program.signature.predicate(target.predicate);
        for (const TypeId type : predicate.args) {
            if (bounds.is_finite(type)) continue;
            diagnostics.report(codes::unbounded_type, target.span,
                               fmt::format("type '{}' is unbounded: any atom of '{}' may turn out to hold",
                                           program.signature.type(type).name, print_indicator(predicate)),
                               bounds.how_to_bound(type));
            break;
        }
    }
}

// Graphs consist of copies of instances: the candidates' instances are a part of the memory.
constexpr std::uint64_t copies_of_instances = 3;

}  // namespace

double written_size(const TermTable& terms, const Clause& clause) {
    constexpr double of_tuple = 0.25;
    auto size = static_cast<double>(clause.body.size());
    const auto add = [&](auto&& self, TermId term) -> void {
        if (terms.kind(term) == TermKind::Variable) return;
        ++size;
        for (const TermId arg : terms.args(term)) self(self, arg);
    };
    std::set<std::vector<TermId>> tuples;
    for (const TermId arg : clause.head.args) add(add, arg);
    for (const Literal& goal : clause.body) {
        for (const TermId arg : goal.atom.args) add(add, arg);
        if (goal.atom.args.size() > 1) tuples.insert(goal.atom.args);
    }
    return size + of_tuple * static_cast<double>(tuples.size());
}

LearningProblem::LearningProblem(Program program, const AtomPool& pool, std::span<const ExampleSet* const> sets,
                                 const GroundOptions& options, const SemanticsLaws& laws, Diagnostics& diagnostics)
    : program_(std::move(program)), reducts_are_equal_(laws.instances_compete),
      most_bytes_(memory_limit_of(options) / copies_of_instances) {
    check_bounded(program_, diagnostics);
    if (diagnostics.has_errors()) return;
    declare_inputs(pool, sets);
    // Queries do not matter: labels come with the examples.
    program_.queries.clear();
    program_.labels.clear();
    std::vector<bool> open(program_.signature.predicates().size(), false);
    for (const LearnTarget& target : program_.learn) open[target.predicate.index()] = true;
    grounder_ = std::make_unique<ClauseGrounder>(program_, open, options, diagnostics);
    is_input_.resize(grounder_->atoms().size(), false);
    for (std::uint32_t a = 0; a < pool.size(); ++a)
        atom_of_pool_.push_back(grounder_->find(pool.predicate(a), pool.args(a)).value_or(no_atom_number));
    for (const ExampleSet* set : sets) {
        for (const LabelledExample& example : set->examples) {
            for (const AtomValue& input : example.inputs) {
                if (atom(input.atom) != no_atom_number) is_input_[atom(input.atom)] = true;
            }
        }
    }
}

void LearningProblem::declare_inputs(const AtomPool& pool, std::span<const ExampleSet* const> sets) {
    std::vector<bool> given(pool.size(), false);
    for (const ExampleSet* set : sets) {
        for (const LabelledExample& example : set->examples) {
            for (const AtomValue& input : example.inputs) {
                if (input.value > 0) given[input.atom] = true;
            }
        }
    }
    AtomPool facts;
    for (std::size_t i = 0; i < program_.facts.size(); ++i)
        facts.add(program_.facts[i].predicate, program_.facts[i].args);
    const std::size_t own = facts.size();
    for (std::uint32_t a = 0; a < pool.size(); ++a) {
        if (given[a] && facts.add(pool.predicate(a), pool.args(a)) >= own)
            program_.facts.add(pool.predicate(a), pool.args(a), 0.0, {});
    }
    for (std::uint32_t p = 0; p < program_.signature.predicates().size(); ++p)
        program_.signature.predicate(PredicateId(p)).neural = false;
}

void LearningProblem::interrupt_by(const std::atomic<bool>* stop) {
    stop_ = stop;
    grounder_->watch([stop] {
        if (stop != nullptr && *stop) throw LearningInterrupted();
    });
}

std::uint32_t LearningProblem::add(const SearchClause& clause) {
    const auto known = by_key_.find(clause.key);
    if (known != by_key_.end()) return known->second;
    if (stop_ != nullptr && *stop_) throw LearningInterrupted();
    // θ-equivalent clauses have the same value where instances of a clause compete (docs/semantics.md): the shortest
    // has the fewest instances. Where instances add up, each of them counts.
    const Clause grounded = reducts_are_equal_ ? reduce(program_.terms, clause.clause) : clause.clause;
    const std::optional<SolvedClause> solved = solve_constraints(program_.terms, grounded);
    std::shared_ptr<const InstanceBlock>& instances =
        by_grounded_[canonicalize(program_.terms, *solved, grounded.variables.size()).key];
    if (instances == nullptr) {
        instances = std::make_shared<const InstanceBlock>(grounder_->ground(grounded));
        bytes_ += instances->rows.size() * sizeof(std::uint32_t);
        if (bytes_ > most_bytes_)
            throw GroundingLimit(
                {},
                fmt::format("the instances of {} candidate clauses take {}", candidates_.size(), format_bytes(bytes_)),
                "allow fewer variables or goals, or more --memory-limit");
    }
    std::uint32_t number = no_candidate;
    if (instances->count() > 0) {
        number = checked_id<Id<struct CandidateTag>>(candidates_.size(), "candidates").value();
        const auto target = std::ranges::find(program_.learn, clause.clause.head.predicate, &LearnTarget::predicate);
        candidates_.push_back({clause, static_cast<std::uint32_t>(target - program_.learn.begin()), instances,
                               written_size(program_.terms, grounded)});
    }
    by_key_.emplace(clause.key, number);
    return number;
}

}  // namespace neumann
