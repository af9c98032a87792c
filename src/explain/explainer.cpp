#include "explain/explainer.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "explain/rivals.h"
#include "explain/top_proofs.h"

namespace neumann {
namespace {

constexpr double no_gradient = 1e-7;     // what 32-bit floats make of 0
constexpr double worth_telling = 0.05;   // what is said of an object
constexpr std::size_t most_repairs = 5;  // failures whose repair is tried one by one
constexpr unsigned repair_levels = 8;    // values tried between what the first failure is and 1
constexpr std::size_t most_left_out = 64;

double part_of(double amount, double sum) { return sum > 0 ? amount / sum : 0; }

}  // namespace

struct Explainer::Found {
    Explanation& explanation;
    std::size_t example;
    std::uint32_t atom;
    RunView run;
    Column initial;
    Column values;
    std::vector<std::uint32_t> in_proofs;  // atoms, of all proofs
    std::vector<std::uint32_t> inputs;     // the atoms of explanation.inputs
};

// Collects examples that differ from one in a few inputs, and runs them together.
class Explainer::WhatIf {
public:
    WhatIf(Explainer& explainer, const Found& found) : explainer_(explainer), found_(found) {}

    struct Change {
        std::uint32_t atom;
        double value;
    };
    std::size_t add(std::span<const Change> changes) {
        const std::size_t number = inputs_.examples();
        inputs_.resize(number + 1);
        for (const AtomNumbers::Entry& entry : explainer_.inputs_.of(found_.example))
            inputs_.set(number, entry.atom, entry.value);
        for (const Change& change : changes) {
            // What is more probable leaves less to its rivals: no object becomes red and stays blue.
            const auto now = static_cast<double>(found_.initial[change.atom]);
            const double left = change.value > now ? (1 - change.value) / (1 - now) : 1;
            for (const std::uint32_t rival :
                 rivals(explainer_.compiled_.program, explainer_.compiled_.ground.atoms, change.atom))
                inputs_.set(number, rival, static_cast<float>(left * static_cast<double>(found_.initial[rival])));
        }
        for (const Change& change : changes) inputs_.set(number, change.atom, static_cast<float>(change.value));
        return number;
    }
    std::size_t add(Change change) { return add(std::span(&change, 1)); }
    void run(GraphReasoner& reasoner) { reasoner.forward(inputs_, explainer_.other_run_); }
    double value(std::size_t number) const {
        return static_cast<double>(explainer_.other_run_.value(found_.atom, number));
    }

private:
    Explainer& explainer_;
    const Found& found_;
    AtomNumbers inputs_;
};

Explainer::Explainer(CompiledProgram& compiled, GraphReasoner& reasoner, ExplainOptions options)
    : compiled_(compiled), reasoner_(reasoner), options_(std::move(options)),
      describer_(compiled, options_.in_pictures), objects_(compiled.program, compiled.ground.atoms),
      derivations_(reasoner.graph(), reasoner.schedule()), near_misses_(compiled, reasoner.schedule(), options_.near) {
    const auto predicates = compiled.program.signature.predicates();
    for (std::uint32_t p = 0; p < predicates.size(); ++p) {
        const AtomTable::Range& range = compiled.ground.atoms.range(PredicateId(p));
        for (std::uint32_t atom = range.first; atom < range.first + range.count; ++atom) {
            if (predicates[p].neural || reasoner.graph().initial[atom] > 0) possible_inputs_.push_back(atom);
        }
    }
}

void Explainer::run(const AtomNumbers& inputs) {
    inputs_ = inputs;
    reasoner_.forward(inputs_, run_, options_.history ? Keep::HistoryAndBackward : Keep::Backward);
}

void Explainer::differentiate(std::span<const std::uint32_t> atoms) {
    atoms_.assign(atoms.begin(), atoms.end());
    seeds_.resize(atoms.size());
    for (std::size_t e = 0; e < atoms.size(); ++e) {
        seeds_.clear(e);
        seeds_.set(e, atoms[e], 1.0F);
    }
    reasoner_.backward(run_, seeds_, gradients_);
}

Explanation Explainer::explain(std::size_t example, std::string id, std::span<const Unneeded> unneeded) {
    Explanation explanation;
    const std::uint32_t atom = atoms_[example];
    const RunView view{reasoner_, run_, example};
    Found found{explanation, example, atom, view, run_.initials(example), run_.values(example), {}, {}};
    const SemanticsInfo& semantics = info(reasoner_.options().semantics);
    explanation.id = std::move(id);
    explanation.atom = describer_.atom(atom);
    explanation.sentence = describer_.sentence(atom);
    explanation.value = value(atom, example);
    explanation.threshold = options_.threshold;
    explanation.semantics = semantics.name;
    if (semantics.uses_gamma) explanation.gamma = reasoner_.options().gamma;
    explanation.steps = run_.steps(example);
    explanation.exact = semantics.idempotent_or;
    add_proofs(found);
    add_clauses(found);
    add_inputs(found);
    add_objects(found);
    if (options_.history) add_history(found);
    const bool wanted = options_.why_not == ExplainOptions::WhyNot::Always ||
                        (options_.why_not == ExplainOptions::WhyNot::WhenFalse && !explanation.holds());
    if (wanted) add_why_not(found, unneeded);
    if (options_.leave_one_out) leave_out(found);
    return explanation;
}

void Explainer::add_proofs(Found& found) {
    if (options_.proofs == 0) return;
    const Schedule& schedule = reasoner_.schedule();
    std::vector<std::uint32_t> rounds;
    if (schedule.cyclic_components > 0 && !info(reasoner_.options().semantics).idempotent_or)
        rounds = run_.rounds(schedule, found.example);
    derivations_.find({.root = found.atom,
                       .norm = tnorm_of(reasoner_.options().semantics),
                       .weights = reasoner_.weights(),
                       .initial = found.initial,
                       .ceiling = found.values,
                       .rounds = rounds,
                       .only_best = options_.proofs == 1});
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
        if (best.empty()) return;
        proofs.push_back(std::move(best));
    }
    for (const Proof& proof : proofs) {
        found.explanation.proofs.push_back(
            describer_.proof(proof, found.run, [&](std::uint32_t a) { return gradient(a, found.example); }));
        for (const ProofStep& step : proof.steps) found.in_proofs.push_back(step.atom);
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
        clause.weight = reasoner_.weights()[k];
        clause.gradient = static_cast<double>(gradients_.weight(k, found.example));
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
        if (slope <= no_gradient && !in_proof) continue;
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
    Explanation::History& history = found.explanation.history;
    for (const std::uint32_t a : atoms) history.atoms.push_back(describer_.atom(a));
    for (const std::vector<float>& step : reasoner_.history(run_, found.example, atoms))
        history.steps.emplace_back(step.begin(), step.end());
}

Failure Explainer::describe_failure(const Found& found, std::uint32_t atom, std::span<const Unneeded> unneeded) {
    Failure failure;
    failure.atom = describer_.atom(atom);
    failure.sentence = describer_.sentence(atom);
    failure.value = static_cast<double>(found.initial[atom]);
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
        near_misses_.find(found.atom, reasoner_.weights(), found.initial, tnorm_of(reasoner_.options().semantics));
    WhyNot& why_not = found.explanation.why_not.emplace();
    if (misses.empty()) {
        why_not.impossible =
            fmt::format("No rule of the program leads to {} from what it is given.", found.explanation.atom);
        return;
    }
    for (const Miss& miss : misses) {
        NearMiss told;
        told.proof =
            describer_.proof(miss.proof, found.run, [&](std::uint32_t a) { return gradient(a, found.example); });
        for (const std::uint32_t atom : miss.failures) told.failures.push_back(describe_failure(found, atom, unneeded));
        why_not.nearest.push_back(std::move(told));
    }
    try_repairs(found, misses, why_not);
}

// What the value would be if the failures were mended: all that is asked is run together, in one pass.
void Explainer::try_repairs(const Found& found, const std::vector<Miss>& misses, WhyNot& why_not) {
    WhatIf what_if(*this, found);
    std::vector<std::pair<std::size_t, std::size_t>> of_misses;  // miss, number
    std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> of_failures;
    for (std::size_t m = 0; m < misses.size(); ++m) {
        std::vector<WhatIf::Change> all;
        for (const std::uint32_t atom : misses[m].failures) all.push_back({atom, 1.0});
        if (!all.empty()) of_misses.emplace_back(m, what_if.add(all));
        for (std::size_t f = 0; f < all.size() && of_failures.size() < most_repairs; ++f)
            of_failures.emplace_back(m, f, what_if.add(all[f]));
    }
    std::array<std::pair<double, std::size_t>, repair_levels> levels{};  // value of the first failure, number
    const bool has_first = !misses.empty() && !misses.front().failures.empty();
    if (has_first) {
        const std::uint32_t first = misses.front().failures.front();
        const auto now = static_cast<double>(found.initial[first]);
        for (unsigned level = 0; level < repair_levels; ++level) {
            const double tried = now + (1 - now) * (level + 1) / (repair_levels + 1);
            levels[level] = {tried, what_if.add({first, tried})};
        }
    }
    what_if.run(reasoner_);
    for (const auto& [miss, number] : of_misses) why_not.nearest[miss].if_true = what_if.value(number);
    for (const auto& [miss, failure, number] : of_failures)
        why_not.nearest[miss].failures[failure].if_true = what_if.value(number);
    if (!has_first) return;
    // The least value that is enough, between the two that were tried on either side of it.
    Failure& first = why_not.nearest.front().failures.front();
    std::pair<double, double> below{first.value, found.explanation.value};
    const auto reaches = [&](double tried, double result) {
        if (result < options_.threshold) {
            below = {tried, result};
            return false;
        }
        const double rise = result - below.second;
        first.needed =
            rise > 0 ? below.first + (tried - below.first) * (options_.threshold - below.second) / rise : tried;
        return true;
    };
    if (found.explanation.holds()) return;
    for (const auto& [tried, number] : levels) {
        if (reaches(tried, what_if.value(number))) return;
    }
    if (first.if_true) reaches(1, *first.if_true);
}

void Explainer::leave_out(Found& found) {
    Explanation& told = found.explanation;
    WhatIf without(*this, found);
    std::vector<std::pair<std::size_t, std::size_t>> numbers;
    for (std::size_t i = 0; i < told.inputs.size() && numbers.size() < most_left_out; ++i) {
        if (told.inputs[i].value > 0) numbers.emplace_back(i, without.add({found.inputs[i], 0}));
    }
    if (!numbers.empty()) without.run(reasoner_);
    for (const auto& [input, number] : numbers) told.inputs[input].without = without.value(number);

    if (altered_ == nullptr) altered_ = std::make_unique<GraphReasoner>(reasoner_.graph(), reasoner_.options());
    std::vector<double> weights(reasoner_.weights().begin(), reasoner_.weights().end());
    for (std::uint32_t k = 0; k < told.clauses.size(); ++k) {
        ExplainedClause& clause = told.clauses[k];
        if (clause.gradient <= no_gradient && !clause.used) continue;
        const double kept = std::exchange(weights[k], 0);
        altered_->set_weights(weights);
        weights[k] = kept;
        WhatIf once(*this, found);
        once.add(std::span<const WhatIf::Change>());
        once.run(*altered_);
        clause.without = once.value(0);
    }
}

}  // namespace neumann
