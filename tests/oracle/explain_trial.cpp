#include "oracle/explain_trial.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "compile/compile.h"
#include "logic/print.h"

namespace neumann::oracle {
namespace {

constexpr std::size_t most_atoms = 4;  // explained of each program

}  // namespace

Trial::Trial(const Case& one, Semantics semantics, ExplainOptions options) : rng_(one.seed * 1000003) {
    ProgramText source = one.source;
    // A variable without a name is not told, so it is given one.
    for (ClauseText& clause : source.clauses) {
        for (std::size_t v = 0; v < clause.variables.size(); ++v) {
            if (clause.variables[v] == "_") clause.variables[v] = fmt::format("Nameless{}", v);
        }
    }
    const bool full = rng_.chance(0.3);
    CompileOptions compiling;
    compiling.ground.mode = full ? GroundMode::Full : GroundMode::Relevant;
    Diagnostics diagnostics;
    if (!compile(load(text_of(source), full), compiling, diagnostics, loaded_))
        throw std::logic_error(render(diagnostics, *loaded_.compiled.program.sources));
    names_ = std::make_unique<AtomNames>(loaded_.compiled);

    // Where several minima hang at 1, a smooth maximum of kinks, no choice of a derivative is right.
    const bool no_ties = info(semantics).both(0.5, 0.5) == 0.5;
    ReasonOptions reasoning;
    reasoning.semantics = semantics;
    if (info(semantics).needs_steps || rng_.chance(0.4)) reasoning.steps = 1 + rng_.below(5);
    for (std::uint32_t k = 0; k < graph().clause_count(); ++k)
        weights_.push_back(rng_.chance(0.3) && !no_ties ? 1.0 : 0.3 + 0.7 * rng_.uniform());
    PodVector<double> own_weights;
    own_weights.append(weights_);
    loaded_.compiled.ground.graph.weight = SharedArray(std::move(own_weights));
    reasoner_ = make_reasoner(graph(), reasoning);
    reference_ = std::make_unique<ReferenceReasoner>(graph(), semantics, reasoning.gamma, reasoner_->schedule());

    InputBatch::Builder inputs(1);
    initial_.assign(graph().initial.begin(), graph().initial.end());
    for (std::uint32_t a = 0; a < graph().atom_count(); ++a) {
        if (!is_neural(a) && !(no_ties && initial_[a] == 1)) continue;
        const float value = rng_.chance(0.2) ? 0 : static_cast<float>(rng_.uniform());
        inputs.add(0, a, value);
        initial_[a] = static_cast<double>(value);
    }
    explainer_ = std::make_unique<Explainer>(loaded_.compiled, *reasoner_, std::move(options));
    explainer_->run(inputs.build());
}

std::vector<std::uint32_t> Trial::chosen() {
    std::vector<std::uint32_t> derived;
    for (std::uint32_t a = 0; a < graph().atom_count(); ++a) {
        if (graph().in_begin[a] < graph().in_begin[a + 1]) derived.push_back(a);
    }
    while (derived.size() > most_atoms)
        derived.erase(derived.begin() + rng_.below(static_cast<std::uint32_t>(derived.size())));
    return derived;
}

Explanation Trial::explain(std::uint32_t atom) {
    explainer_->differentiate({&atom, 1});
    return explainer_->explain(0, "");
}

double Trial::value_with(std::uint32_t atom, const std::vector<double>& weights,
                         const std::vector<double>& initial) const {
    return reference_->forward(weights, initial).result()[atom];
}

std::uint32_t Trial::number(const std::string& text) {
    const NamedAtom& found = names_->find(text);
    if (found.kind != NamedAtom::Kind::InGraph) throw std::logic_error("not in the graph: " + text);
    return found.atom;
}

bool Trial::is_neural(std::uint32_t atom) const {
    return signature().predicate(loaded_.compiled.ground.atoms.predicate_of(AtomId(atom))).neural;
}

std::vector<std::uint32_t> Trial::rivals_of(std::uint32_t atom) const {
    const AtomTable& table = loaded_.compiled.ground.atoms;
    const PredicateDecl& predicate = signature().predicate(table.predicate_of(AtomId(atom)));
    if (!predicate.neural || predicate.args.size() < 2) return {};
    const TypeId last = predicate.args.back();
    if (std::ranges::count(predicate.args, last) > 1 || signature().type(last).constants.size() < 2) return {};
    std::vector<std::uint32_t> found;
    for (std::uint32_t other = 0; other < graph().atom_count(); ++other) {
        if (other == atom || table.predicate_of(AtomId(other)) != table.predicate_of(AtomId(atom))) continue;
        const auto a = table.args_of(AtomId(atom));
        const auto b = table.args_of(AtomId(other));
        if (std::ranges::equal(a.first(a.size() - 1), b.first(b.size() - 1))) found.push_back(other);
    }
    return found;
}

std::vector<double> Trial::with(std::uint32_t atom, double value) const {
    std::vector<double> changed = initial_;
    const double now = initial_[atom];
    const double left = value > now ? (1 - value) / (1 - now) : 1;
    for (const std::uint32_t rival : rivals_of(atom)) changed[rival] = left * initial_[rival];
    changed[atom] = value;
    return changed;
}

std::optional<std::string> Trial::instance(const Clause& clause, const Atom& atom, const ExplainedStep& step) const {
    std::string text = quote_name(signature().predicate(atom.predicate).name);
    for (std::size_t i = 0; i < atom.args.size(); ++i) {
        const std::optional<std::string> arg = term(clause, atom.args[i], step);
        if (!arg) return std::nullopt;
        text += (i == 0 ? "(" : ",") + *arg;
    }
    return text + (atom.args.empty() ? "" : ")");
}

std::optional<std::string> Trial::term(const Clause& clause, TermId id, const ExplainedStep& step) const {
    const TermTable& terms = loaded_.compiled.program.terms;
    if (terms.kind(id) == TermKind::Variable) {
        const std::string& name = clause.variables[terms.variable_index(id)].name;
        const auto found = std::ranges::find(step.substitution, name, &std::pair<std::string, std::string>::first);
        return found == step.substitution.end() ? std::nullopt : std::optional(found->second);
    }
    if (terms.kind(id) == TermKind::Constant) return print_term(signature(), terms, id);
    std::string text = quote_name(signature().functor(terms.functor_of(id)).name);
    for (std::size_t i = 0; i < terms.args(id).size(); ++i) {
        const std::optional<std::string> arg = term(clause, terms.args(id)[i], step);
        if (!arg) return std::nullopt;
        text += (i == 0 ? "(" : ",") + *arg;
    }
    return text + ")";
}

void check_explanations(std::uint64_t first_seed, std::uint64_t count, Semantics semantics,
                        const ExplainOptions& options, const CheckOne& check) {
    check_programs(first_seed, count, [&](const Case& one) -> std::string {
        Trial trial(one, semantics, options);
        for (const std::uint32_t atom : trial.chosen()) {
            const Explanation explanation = trial.explain(atom);
            const std::string wrong = check(trial, atom, explanation);
            if (!wrong.empty())
                return fmt::format("{} ({}, value {}): {}", explanation.atom, explanation.semantics, explanation.value,
                                   wrong);
        }
        return {};
    });
}

}  // namespace neumann::oracle
