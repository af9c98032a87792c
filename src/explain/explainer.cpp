#include "explain/explainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <neumann/semantics.h>

#include "explain/explanation_begun.h"
#include "explain/rivals.h"
#include "explain/what_if.h"
#include "logic/print.h"
#include "proofs/top_proofs.h"
#include "reason/formulas.h"

namespace neumann {
namespace {

ExplainOptions with_one_threshold(ExplainOptions options) {
    options.near.threshold = options.threshold;
    return options;
}

}  // namespace

Explainer::Explainer(CompiledProgram& compiled, const GraphReasoner& reasoner, ExplainOptions options)
    : compiled_(compiled), reasoner_(reasoner), options_(with_one_threshold(std::move(options))),
      positive_(reasoner.graph()), describer_(compiled, positive_, options_.in_pictures),
      objects_(compiled.program, compiled.ground.atoms), derivations_(positive_.graph(), reasoner.schedule()),
      near_misses_(compiled, positive_, reasoner.schedule(), options_.near) {
    const auto predicates = compiled.program.signature.predicates();
    for (std::uint32_t p = 0; p < predicates.size(); ++p) {
        const AtomTable::Range& range = compiled.ground.atoms.range(PredicateId(p));
        for (std::uint32_t atom = range.first; atom < range.first + range.count; ++atom) {
            if (predicates[p].neural || reasoner.graph().initial[atom] > 0) possible_inputs_.push_back(atom);
        }
    }
}

void Explainer::run(const InputBatch& inputs) {
    inputs_ = inputs;
    weighed_ = SIZE_MAX;
    run_ = reasoner_.forward(inputs_, reasoner_.own_weights(),
                             {.keep = options_.history ? Keep::HistoryAndBackward : Keep::Backward}, std::move(run_));
}

std::vector<float> Explainer::own_initials(std::size_t example) const {
    std::vector<float> initials(reasoner_.graph().atom_count());
    run_.initials(example, initials);
    return initials;
}

ProofWorlds& Explainer::worlds_of(std::size_t example) {
    if (!worlds_) {
        worlds_.emplace(options_.worlds(options_.asked));
        weighed_ = SIZE_MAX;
    }
    if (weighed_ != example) worlds_->weigh({.initial = own_initials(example), .weight = run_.weights()});
    weighed_ = example;
    return *worlds_;
}

double Explainer::value(std::uint32_t atom, std::size_t example) {
    return options_.worlds ? worlds_of(example).value(atom) : static_cast<double>(run_.value(atom, example));
}

void Explainer::differentiate(std::span<const std::uint32_t> atoms) {
    atoms_.assign(atoms.begin(), atoms.end());
    const std::size_t atom_count = reasoner_.graph().atom_count();
    const std::size_t clause_count = reasoner_.graph().clause_count();
    if (options_.worlds) {
        by_atom_.assign(atoms.size() * atom_count, 0.0F);
        by_clause_.assign(atoms.size() * clause_count, 0.0F);
        for (std::size_t e = 0; e < atoms.size(); ++e)
            worlds_of(e).add_gradients(atoms[e], std::span(by_atom_).subspan(e * atom_count, atom_count),
                                       std::span(by_clause_).subspan(e * clause_count, clause_count));
        return;
    }
    InputBatch::Builder seeds(atoms.size());
    for (std::size_t e = 0; e < atoms.size(); ++e) seeds.add(e, atoms[e], 1.0F);
    by_atom_.resize(atoms.size() * atom_count);
    by_clause_.resize(atoms.size() * clause_count);
    reasoner_.backward(run_, seeds.build(), {.by_atom = by_atom_, .by_clause = by_clause_});
}

Explanation Explainer::explain(std::size_t example, std::string id, std::span<const Unneeded> unneeded) {
    Explanation explanation;
    const std::uint32_t atom = atoms_[example];
    std::vector<float> values(reasoner_.graph().atom_count());
    std::vector<float> initials(values.size());
    run_.values(example, values);
    run_.initials(example, initials);
    double (*const negation)(double) = formulas::formulas_of(reasoner_.options().semantics).negation;
    positive_.append_negations(initials, values, negation);
    positive_.append_negations(values, values, negation);
    Found found{explanation, example, atom, {reasoner_, run_.weights(), values, initials}, values, initials, {}, {},
                {},          {},      {}};
    for (std::size_t i = 0; i < inputs_.atoms(example).size(); ++i)
        found.given.push_back({inputs_.atoms(example)[i], inputs_.values(example)[i]});
    const SemanticsInfo& semantics = info(reasoner_.options().semantics);
    explanation.id = std::move(id);
    explanation.atom = describer_.atom(atom);
    explanation.sentence = describer_.sentence(atom);
    explanation.value = value(atom, example);
    explanation.threshold = options_.threshold;
    explanation.semantics = options_.worlds ? options_.semantics : semantics.name;
    if (semantics.uses_gamma) explanation.gamma = reasoner_.options().gamma;
    explanation.steps = run_.steps(example);
    explanation.exact = semantics.idempotent_or && !options_.worlds;
    add_proofs(found);
    add_clauses(found);
    add_inputs(found);
    add_objects(found);
    if (options_.history && !options_.worlds) add_history(found);
    const bool wanted = options_.why_not == ExplainOptions::WhyNot::Always ||
                        (options_.why_not == ExplainOptions::WhyNot::WhenFalse && !explanation.holds());
    if (wanted) add_why_not(found, unneeded);
    if (options_.leave_one_out && options_.worlds) {
        leave_out_worlds(found);
    } else if (options_.leave_one_out) {
        leave_out(found);
    }
    return explanation;
}

DerivationTask Explainer::task_of(const Found& found, std::uint32_t root, bool only_best) const {
    return {.root = root,
            .norm = info(reasoner_.options().semantics).both,
            .weights = found.run.weights,
            .initial = found.initial,
            .ceiling = found.run.values,
            .rounds = found.rounds,
            .only_best = only_best};
}

// The best first, without those under negations.
std::vector<Proof> Explainer::find_proofs(Found& found) {
    if (reasoner_.schedule().cyclic_components > 0 && !info(reasoner_.options().semantics).idempotent_or)
        found.rounds = run_.rounds(found.example);
    derivations_.find(task_of(found, found.atom, options_.proofs == 1));
    std::vector<Proof> proofs;
    if (options_.proofs > 1) {
        ProofSearch search(derivations_);
        while (proofs.size() < options_.proofs) {
            std::optional<Proof> proof = search.next();
            if (!proof) break;
            proofs.push_back(std::move(*proof));
        }
        found.explanation.more_proofs = search.given_up() || search.next();
    }
    // Too large a tree for the search may still be a small graph.
    if (proofs.empty()) {
        Proof best = best_proof(derivations_);
        if (!best.empty()) proofs.push_back(std::move(best));
    }
    return proofs;
}

// Makes the probability of the atom out of its proofs: parts that exclude each other, the largest first, and a rest.
void Explainer::split_value(Found& found, std::vector<Proof>& proofs) {
    std::vector<std::uint32_t> atoms = options_.asked;
    for (const Proof& proof : proofs) {
        for (const ProofStep& step : proof.steps)
            atoms.push_back(positive_.is_negation(step.atom) ? positive_.negated(step.atom) : step.atom);
    }
    std::ranges::sort(atoms);
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    if (std::ranges::any_of(atoms, [&](std::uint32_t a) { return !worlds_of(found.example).has(a); })) {
        worlds_.emplace(options_.worlds(atoms));
        weighed_ = SIZE_MAX;
    }
    ProofWorlds& worlds = worlds_of(found.example);
    for (const std::uint32_t a : atoms) found.values[a] = static_cast<float>(worlds.value(a));
    for (const Proof& proof : proofs) {
        for (const ProofStep& step : proof.steps)
            if (positive_.is_negation(step.atom))
                found.values[step.atom] = 1 - found.values[positive_.negated(step.atom)];
    }
    const ProofWorlds::Partition partition = worlds.partition(found.atom, proofs, positive_);
    std::vector<Proof> ordered;
    for (const ProofWorlds::Part& part : partition.parts) {
        ordered.push_back(proofs[part.proof]);
        ordered.back().steps.front().value = part.alone;
        found.parts.push_back(part.part);
    }
    proofs = std::move(ordered);
    found.explanation.rest = partition.rest;
    found.explanation.more_proofs = partition.rest > no_gradient;
    if (worlds.has_evidence()) found.explanation.evidence = worlds.evidence();
}

void Explainer::add_proofs(Found& found) {
    if (options_.proofs == 0) return;
    std::vector<Proof> proofs = find_proofs(found);
    if (options_.worlds && !proofs.empty()) split_value(found, proofs);
    for (Proof& proof : proofs) {
        add_counter_proofs(proof, positive_, [&](std::uint32_t atom) {
            derivations_.find(task_of(found, atom, true));
            return best_proof(derivations_);
        });
        found.explanation.proofs.push_back(
            describer_.proof(proof, found.run, [&](std::uint32_t a) { return gradient(a, found.example); }));
        if (!found.parts.empty()) {
            ExplainedProof& told = found.explanation.proofs.back();
            told.part = found.parts[found.explanation.proofs.size() - 1];
            for (ExplainedStep& step : told.steps) step.share = 0;  // without an OR there are no shares
        }
        for (const ProofStep& step : proof.steps) {
            if (!positive_.is_negation(step.atom)) found.in_proofs.push_back(step.atom);
        }
    }
    std::ranges::sort(found.in_proofs);
    found.in_proofs.erase(std::unique(found.in_proofs.begin(), found.in_proofs.end()), found.in_proofs.end());
}

Failure Explainer::describe_failure(const Found& found, std::uint32_t atom, std::span<const Unneeded> unneeded) {
    Failure failure;
    failure.atom = describer_.atom(atom);
    failure.sentence = describer_.sentence(atom);
    failure.value = static_cast<double>((options_.worlds ? found.values : found.initial)[atom]);
    if (positive_.is_negation(atom)) return failure;
    failure.gradient = gradient(atom, found.example);
    const auto instead = [&](std::string text, double its_value) {
        if (its_value <= std::max(failure.value, failure.instead_value)) return;
        failure.instead = std::move(text);
        failure.instead_value = its_value;
    };
    for (const std::uint32_t other : rivals(compiled_.program, compiled_.ground.atoms, atom))
        instead(describer_.atom(other), static_cast<double>(found.initial[other]));
    if (!unneeded.empty()) {
        const std::vector<std::string> others = rival_texts(compiled_.program, compiled_.ground.atoms, atom);
        for (const Unneeded& one : unneeded) {
            if (std::ranges::find(others, one.atom) != others.end()) instead(one.atom, one.value);
        }
    }
    return failure;
}

void Explainer::add_why_not(Found& found, std::span<const Unneeded> unneeded) {
    const std::vector<Miss> misses =
        near_misses_.find(found.atom, found.run.weights, found.initial, info(reasoner_.options().semantics).both);
    WhyNot& why_not = found.explanation.why_not.emplace();
    if (misses.empty()) {
        why_not.impossible = why_impossible(found.atom);
        return;
    }
    for (const Miss& miss : misses) {
        NearMiss told;
        told.proof =
            describer_.proof(miss.proof, found.run, [&](std::uint32_t a) { return gradient(a, found.example); });
        for (const std::uint32_t atom : miss.failures) told.failures.push_back(describe_failure(found, atom, unneeded));
        why_not.nearest.push_back(std::move(told));
    }
    if (options_.worlds) return;
    WhatIf what_if(compiled_, found.given, found.initial, found.atom);
    try_repairs(what_if, found.run, positive_, misses, found.explanation, why_not);
}

std::string Explainer::why_impossible(std::uint32_t atom) const {
    const PredicateId predicate = compiled_.ground.atoms.predicate_of(AtomId(atom));
    const auto rules = std::ranges::count(compiled_.program.clauses, predicate,
                                          [](const Clause& clause) { return clause.head.predicate; });
    const std::string name = print_indicator(compiled_.program.signature.predicate(predicate));
    if (rules == 0) return fmt::format("It is not among the facts, and the program has no rules for {}.", name);
    return fmt::format("None of the {} for {} leads to it, whatever the inputs are.",
                       rules == 1 ? "rules (there is one)" : fmt::format("{} rules", rules), name);
}

}  // namespace neumann
