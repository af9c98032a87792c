// The parts of an explanation beside its proofs: clauses, inputs, objects, history, and values without each of them.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "explain/explainer.h"
#include "explain/explanation_begun.h"
#include "explain/what_if.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr double worth_telling = 0.05;  // least value of an object's attribute that is reported
constexpr std::size_t most_left_out = 64;
constexpr std::size_t largest_history = 100'000;  // atoms × steps: a larger history is of no use to a reader

double part_of(double amount, double sum) { return sum > 0 ? amount / sum : 0; }

}  // namespace

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
