#include "explain/describe.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/hash.h"
#include "explain/or_share.h"
#include "explain/substitution_of.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t most_kept = 100'000;

}  // namespace

Describer::Describer(CompiledProgram& compiled, const PositiveGraph& positive, bool in_pictures)
    : compiled_(compiled), positive_(positive), wording_(compiled.program), in_pictures_(in_pictures) {}

const Describer::AtomWords& Describer::words_of(std::uint32_t atom) {
    if (atoms_.size() >= most_kept) atoms_.clear();
    const auto [place, added] = atoms_.try_emplace(atom);
    if (added && positive_.is_negation(atom)) {
        const AtomWords of = words_of(positive_.negated(atom));
        return atoms_[atom] = {"\\+ " + of.text, "it is not so that " + of.sentence};
    }
    if (added) {
        const AtomTable& table = compiled_.ground.atoms;
        const AtomId id(atom);
        place->second = {compiled_.atom_text(atom), wording_.sentence(table.predicate_of(id), table.args_of(id))};
    }
    return place->second;
}

const Describer::RuleWords& Describer::words_of_rule(std::uint32_t conjunction) {
    if (rules_.size() >= most_kept) rules_.clear();
    const auto [place, added] = rules_.try_emplace(conjunction);
    RuleWords& words = place->second;
    if (!added) return words;
    const ReasoningGraph& graph = compiled_.ground.graph;
    const std::span<const GraphLiteral> body = graph.literals(conjunction);
    words.order.resize(body.size());
    std::iota(words.order.begin(), words.order.end(), 0U);
    Program& program = compiled_.program;
    const std::uint32_t number = graph.clause[conjunction];
    if (number >= program.clauses.size()) return words;
    const Clause& clause = program.clauses[number];
    const std::optional<ClauseInstance> instance =
        substitution_of(program, compiled_.ground.atoms, clause, graph.head[conjunction], body);
    if (!instance) return words;
    for (std::size_t v = 0; v < instance->bindings.size(); ++v) {
        const std::string& name = clause.variables[v].name;
        if (instance->bindings[v].is_none() || name.starts_with('_')) continue;
        words.substitution.emplace_back(name, print_term(program.signature, program.terms, instance->bindings[v]));
    }
    std::ranges::sort(words.order, {}, [&](std::uint32_t i) {
        return std::ranges::find(instance->body, body[i]) - instance->body.begin();
    });
    return words;
}

ExplainedStep::Origin Describer::origin(std::uint32_t atom) const {
    if (positive_.is_negation(atom)) return ExplainedStep::Origin::Negation;
    const PredicateId predicate = compiled_.ground.atoms.predicate_of(AtomId(atom));
    const bool neural = compiled_.program.signature.predicate(predicate).neural;
    if (!neural && compiled_.ground.graph.initial[atom] > 0) return ExplainedStep::Origin::Fact;
    return neural && in_pictures_ ? ExplainedStep::Origin::Picture : ExplainedStep::Origin::Example;
}

ExplainedProof Describer::proof(const Proof& proof, const RunView& run,
                                const std::function<double(std::uint32_t)>& gradient) {
    ExplainedProof result;
    result.value = proof.value();
    for (const ProofStep& step : proof.steps) {
        ExplainedStep told;
        const AtomWords& words = words_of(step.atom);
        told.atom = words.text;
        told.sentence = words.sentence;
        told.value = run.value(step.atom);
        told.proof_value = step.value;
        if (step.conjunction == Derivations::given) {
            told.origin = origin(step.atom);
            if (told.origin == ExplainedStep::Origin::Negation) {
                told.premises = step.premises;
            } else {
                told.gradient = gradient(step.atom);
                describe_fact(told, step.atom);
            }
        } else {
            describe_rule(step, run, told);
        }
        result.steps.push_back(std::move(told));
    }
    return result;
}

void Describer::describe_rule(const ProofStep& step, const RunView& run, ExplainedStep& told) {
    told.origin = ExplainedStep::Origin::Rule;
    told.clause = compiled_.ground.graph.clause[step.conjunction];
    told.weight = run.weights[told.clause];
    told.share = or_share(run, step.conjunction);
    told.file = compiled_.clauses[told.clause].file;
    told.line = compiled_.clauses[told.clause].line;
    const RuleWords& words = words_of_rule(step.conjunction);
    told.substitution = words.substitution;
    for (const std::uint32_t place : words.order) told.premises.push_back(step.premises[place]);
}

void Describer::describe_fact(ExplainedStep& told, std::uint32_t atom) {
    if (told.origin != ExplainedStep::Origin::Fact) return;
    const Program& program = compiled_.program;
    if (!facts_) {
        facts_.emplace();
        for (std::size_t f = 0; f < program.facts.size(); ++f) {
            const FactList::Fact fact = program.facts[f];
            facts_->emplace(hash_ids(fact.predicate.value(), fact.args), f);
        }
    }
    const PredicateId predicate = compiled_.ground.atoms.predicate_of(AtomId(atom));
    const std::span<const TermId> args = compiled_.ground.atoms.args_of(AtomId(atom));
    const auto [first, last] = facts_->equal_range(hash_ids(predicate.value(), args));
    for (auto found = first; found != last; ++found) {
        const FactList::Fact fact = program.facts[found->second];
        if (fact.predicate != predicate || !std::ranges::equal(fact.args, args)) continue;
        told.file = program.sources->file(fact.span.file).name();
        told.line = program.sources->line(fact.span);
        return;
    }
}

}  // namespace neumann
