#include "explain/explainer.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <neumann/semantics.h>

#include "explain/rivals.h"
#include "explain/what_if.h"
#include "logic/print.h"
#include "proofs/top_proofs.h"
#include "reason/formulas.h"

namespace neumann {
namespace {

constexpr double worth_telling = 0.05;  // least value of an object's attribute that is reported
constexpr std::size_t most_left_out = 64;
constexpr std::size_t largest_history = 100'000;  // atoms × steps: a larger history is of no use to a reader

ExplainOptions with_one_threshold(ExplainOptions options) {
    options.near.threshold = options.threshold;
    return options;
}

double part_of(double amount, double sum) { return sum > 0 ? amount / sum : 0; }

}  // namespace

struct Explainer::Found {
    Explanation& explanation;
    std::size_t example;
    std::uint32_t atom;
    RunView run;
    std::span<float> values;               // of the run, with those of negations behind them
    std::span<const float> initial;        // with the negations behind it, as the values of the run
    std::vector<std::uint32_t> rounds;     // per phase, where they count
    std::vector<AtomValue> given;          // the inputs of the example
    std::vector<std::uint32_t> in_proofs;  // atoms, of all proofs; no negations
    std::vector<std::uint32_t> inputs;     // the atoms of explanation.inputs
    std::vector<double> parts;             // of the proofs, where the value is made of them
};

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

void Explainer::add_clauses(Found& found) {
    std::vector<ExplainedClause>& clauses = found.explanation.clauses;
    double sum = 0;
    for (std::uint32_t k = 0; k < compiled_.clauses.size(); ++k) {
        const ClauseInfo& known = compiled_.clauses[k];
        ExplainedClause clause;
        clause.text = known.text;
        clause.file = known.file;
        clause.line = known.line;
        clause.weight = found.run.weights[k];
        clause.gradient = static_cast<double>(by_clause_[found.example * reasoner_.graph().clause_count() + k]);
        if (std::abs(clause.gradient) <= no_gradient) clause.gradient = 0;
        sum += clause.weight * clause.gradient;
        clauses.push_back(std::move(clause));
    }
    for (ExplainedClause& clause : clauses) clause.share = part_of(clause.weight * clause.gradient, sum);
    for (const ExplainedProof& proof : found.explanation.proofs) {
        for (const ExplainedStep& step : proof.steps) {
            if (step.origin == ExplainedStep::Origin::Rule) clauses[step.clause].used = true;
        }
    }
}

void Explainer::add_inputs(Found& found) {
    double sum = 0;
    for (const std::uint32_t a : possible_inputs_) {
        const double slope = gradient(a, found.example);
        const bool in_proof = found.initial[a] > 0 && std::ranges::binary_search(found.in_proofs, a);
        if (slope <= 0 && !in_proof) continue;
        found.inputs.push_back(a);
        sum += static_cast<double>(found.initial[a]) * slope;
    }
    const auto amount = [&](std::uint32_t a) {
        return static_cast<double>(found.initial[a]) * gradient(a, found.example);
    };
    std::ranges::sort(found.inputs, [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(-amount(a), -gradient(a, found.example), a) <
               std::tuple(-amount(b), -gradient(b, found.example), b);
    });
    for (const std::uint32_t a : found.inputs) {
        found.explanation.inputs.push_back({describer_.atom(a), describer_.sentence(a), describer_.origin(a),
                                            static_cast<double>(found.initial[a]), gradient(a, found.example),
                                            part_of(amount(a), sum), std::nullopt});
    }
}

void Explainer::add_objects(Found& found) {
    const std::span<const PictureObject> objects = objects_.objects();
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const ObjectAtoms::Weight weight =
            objects_.weight_of(i, [&](std::uint32_t a) { return gradient(a, found.example); });
        ExplainedObject object;
        object.name = objects[i].name;
        object.image = objects[i].image;
        object.row = objects[i].row;
        object.weight = weight.value;
        if (weight.atom) object.atom = describer_.atom(*weight.atom);
        std::vector<std::uint32_t> said;
        for (const std::uint32_t a : objects_.atoms_of(i)) {
            if (static_cast<double>(found.initial[a]) >= worth_telling) said.push_back(a);
        }
        std::ranges::stable_sort(said,
                                 [&](std::uint32_t a, std::uint32_t b) { return found.initial[a] > found.initial[b]; });
        for (const std::uint32_t a : said)
            object.atoms.emplace_back(describer_.atom(a), static_cast<double>(found.initial[a]));
        if (object.weight > 0 || !object.atoms.empty()) found.explanation.objects.push_back(std::move(object));
    }
}

void Explainer::add_history(Found& found) {
    std::vector<std::uint32_t> atoms = found.in_proofs;
    if (atoms.empty()) atoms.push_back(found.atom);
    if (atoms.size() * (found.explanation.steps + 1) > largest_history) return;
    Explanation::History& history = found.explanation.history;
    for (const std::uint32_t a : atoms) history.atoms.push_back(describer_.atom(a));
    history.steps = run_.history<double>(found.example, atoms);
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

void Explainer::leave_out_worlds(Found& found) {
    Explanation& told = found.explanation;
    ProofWorlds& worlds = worlds_of(found.example);
    std::vector<float> initial = own_initials(found.example);
    std::vector<double> weights(found.run.weights.begin(), found.run.weights.end());
    const auto without = [&](auto& chance) -> std::optional<double> {
        const auto kept = std::exchange(chance, 0);
        std::optional<double> value;
        try {
            worlds.weigh({.initial = initial, .weight = weights});
            value = worlds.value(found.atom);
        } catch (const ReasonError&) {  // without it the evidence cannot be true
        }
        chance = kept;
        return value;
    };
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < told.inputs.size() && left_out < most_left_out; ++i, ++left_out) {
        if (told.inputs[i].gradient > 0) told.inputs[i].without = without(initial[found.inputs[i]]);
    }
    for (std::uint32_t k = 0; k < told.clauses.size() && left_out < 2 * most_left_out; ++k) {
        if (told.clauses[k].gradient <= no_gradient) continue;
        told.clauses[k].without = without(weights[k]);
        ++left_out;
    }
    weighed_ = SIZE_MAX;
}

void Explainer::leave_out(Found& found) {
    Explanation& told = found.explanation;
    WhatIf without(compiled_, found.given, found.initial, found.atom);
    std::vector<std::pair<std::size_t, std::size_t>> numbers;  // input, number
    for (std::size_t i = 0; i < told.inputs.size() && numbers.size() < most_left_out; ++i) {
        if (told.inputs[i].value > 0) numbers.emplace_back(i, without.add({found.inputs[i], 0}));
    }
    without.run(reasoner_, found.run.weights);
    for (const auto& [input, number] : numbers) told.inputs[input].without = without.value(number);

    std::vector<double> weights(found.run.weights.begin(), found.run.weights.end());
    std::size_t left_out = 0;
    for (std::uint32_t k = 0; k < told.clauses.size() && left_out < most_left_out; ++k) {
        ExplainedClause& clause = told.clauses[k];
        if (clause.gradient <= no_gradient && !clause.used) continue;
        const double kept = std::exchange(weights[k], 0);
        WhatIf same(compiled_, found.given, found.initial, found.atom);
        same.add(std::span<const WhatIf::Change>());
        same.run(reasoner_, weights);
        weights[k] = kept;
        clause.without = same.value(0);
        ++left_out;
    }
}

}  // namespace neumann
