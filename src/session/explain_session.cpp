#include <algorithm>
#include <charconv>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <neumann/session.h>

#include "compile/restore.h"
#include "compile/with_errors.h"
#include "examples/example_stream.h"
#include "explain/explainer.h"
#include "logic/print.h"
#include "session/asked_queries.h"
#include "session/model_reasoner.h"
#include "session/model_worlds.h"
#include "session/reasoner_options.h"

namespace neumann {
namespace {

std::vector<PredicateId> trusted_predicates(const std::vector<std::string>& names, const Signature& signature) {
    std::vector<PredicateId> found;
    for (const std::string& name : names) {
        const std::size_t slash = name.rfind('/');
        std::size_t arity = 0;
        PredicateId predicate = PredicateId::none();
        if (slash != std::string::npos) {
            const char* const end = name.data() + name.size();
            const auto [rest, error] = std::from_chars(name.data() + slash + 1, end, arity);
            if (error == std::errc() && rest == end) predicate = signature.find_predicate(name.substr(0, slash), arity);
        }
        if (predicate.is_none())
            throw OptionError("trust", fmt::format("the program has no predicate '{}'; write it as color/2", name));
        found.push_back(predicate);
    }
    return found;
}

ExplainOptions explain_options(const ExplainSessionOptions& options) {
    ExplainOptions result;
    result.proofs = options.proofs;
    result.threshold = options.threshold;
    result.why_not = options.why_not == ExplainSessionOptions::WhyNot::Always  ? ExplainOptions::WhyNot::Always
                     : options.why_not == ExplainSessionOptions::WhyNot::Never ? ExplainOptions::WhyNot::Never
                                                                               : ExplainOptions::WhyNot::WhenFalse;
    result.near.most = options.near;
    result.leave_one_out = options.leave_one_out;
    result.history = options.history;
    result.in_pictures = options.in_pictures;
    return result;
}

// Finds the best proofs; the value of each is the product of its random events.
std::unique_ptr<GraphReasoner> make_proof_reasoner(Model::State& model, const ReasonerOptions& options) {
    ReasonerOptions proofs = options;
    proofs.semantics = "max-product";
    const ReasonOptions reason = reason_options(proofs);
    return make_reasoner(options.engine, model.graph(), reason, reason.steps ? nullptr : &model.levels());
}

}  // namespace

struct ExplainSession::State {
    State(ModelMaker maker_of_models, const ExplainSessionOptions& session_options,
          const std::vector<std::string>& inputs);

    void ask();  // with the mutex held
    std::vector<std::uint32_t> best_atoms(const AtomNames::QueryAtoms& query, std::size_t example) const;
    void explain(std::span<const BoundExample> examples,
                 const std::function<void(const BoundExample&, Explanation)>& take);

    ModelMaker maker;
    ExplainSessionOptions options;
    Model model;
    std::vector<AtomNames::QueryAtoms> questions;  // the atoms to explain
    std::unique_ptr<ExampleBinder> binder;
    std::unique_ptr<GraphReasoner> reasoner;
    std::unique_ptr<Explainer> explainer;
    SessionsByInputs<State> others;
};

ExplainSession::State::State(ModelMaker maker_of_models, const ExplainSessionOptions& session_options,
                             const std::vector<std::string>& inputs)
    : maker(std::move(maker_of_models)), options(session_options), model(maker({.inputs = inputs})) {
    ask();
    const bool lacks = std::ranges::any_of(questions, [](const auto& one) { return one.atoms.empty(); });
    // Only the full graph has atoms that no rule derives, and the failed premises of their rules.
    const CompiledProgram& compiled = model.state_->compiled();
    const bool may_be_full = compiled.program.item_orders.empty();  // full grounding has no aggregates
    if (lacks && may_be_full && options.full_if_needed && !compiled.loaded && compiled.mode == "relevant") {
        model = maker({.inputs = inputs, .all_atoms = true});
        ask();
    }
    // Of several queries of the program those are left that have something to explain; a warning named the others.
    const auto is_empty = [](const AtomNames::QueryAtoms& one) { return one.atoms.empty(); };
    if (options.atoms.empty() && !std::ranges::all_of(questions, is_empty)) std::erase_if(questions, is_empty);
    for (const AtomNames::QueryAtoms& question : questions) {
        if (question.atoms.empty())
            throw OptionError(
                "atom",
                fmt::format("{} can never be derived: no ground rule leads to it{}", question.text,
                            options.full_if_needed || !may_be_full ? "" : "; full grounding shows what they lack"));
    }
    Model::State& of = *model.state_;
    if (of.compiled().facts_evaluated)
        throw OptionError("facts", "explanations need them in the graph: keep facts instead of evaluating them");
    const SemanticsSummary& laws = semantics_summary(options.reason.semantics);
    if (laws.has_worlds && !laws.is_exact)
        throw OptionError("semantics", fmt::format("explanations go proof by proof, which {} does not: take another",
                                                   options.reason.semantics));
    const std::scoped_lock lock(of.mutex);
    restore_texts(of.loaded.compiled);
    binder = std::make_unique<ExampleBinder>(shared_binder(of));
    ExplainOptions explaining = explain_options(options);
    if (laws.has_worlds) {
        explaining.semantics = laws.name;
        reasoner = make_proof_reasoner(of, options.reason);
        for (const AtomNames::QueryAtoms& question : questions)
            explaining.asked.insert(explaining.asked.end(), question.atoms.begin(), question.atoms.end());
        explaining.worlds = [this](std::span<const std::uint32_t> atoms) {
            Model::State& asked = *model.state_;
            WorldDiagrams worlds = compile_model_worlds(asked, options.reason, atoms, asked.graph().weight.span());
            return ProofWorlds(asked.graph(), std::move(worlds.task), std::move(worlds.choices),
                               std::move(worlds.diagrams));
        };
    } else {
        reasoner = make_model_reasoner(of, options.reason, {}, of.graph().weight.span());
    }
    explaining.near.trusted = trusted_predicates(options.trusted, of.compiled().program.signature);
    explainer = std::make_unique<Explainer>(of.loaded.compiled, *reasoner, std::move(explaining));
}

void ExplainSession::State::ask() {
    Model::State& of = *model.state_;
    const std::scoped_lock lock(of.mutex);
    std::vector<AtomNames::QueryAtoms> asked =
        options.atoms.empty() ? own_queries(of, "--atom") : asked_queries(options.atoms, "--atom", of);
    if (asked.empty())
        throw OptionError("atom", "the program asks for nothing: say which atom to explain, such as 'p(a)'");
    questions.clear();
    for (AtomNames::QueryAtoms& question : asked) {
        if (std::ranges::find(questions, question.text, &AtomNames::QueryAtoms::text) == questions.end())
            questions.push_back(std::move(question));
    }
}

// The matching atoms with the best value, the first ones of equal.
std::vector<std::uint32_t> ExplainSession::State::best_atoms(const AtomNames::QueryAtoms& query,
                                                             std::size_t example) const {
    std::vector<std::uint32_t> atoms = query.atoms;
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(-explainer->value(a, example), a) < std::pair(-explainer->value(b, example), b);
    };
    const std::size_t wanted = std::min(options.answers, atoms.size());
    std::partial_sort(atoms.begin(), atoms.begin() + static_cast<std::ptrdiff_t>(wanted), atoms.end(), better);
    atoms.resize(wanted);
    return atoms;
}

void ExplainSession::State::explain(std::span<const BoundExample> examples,
                                    const std::function<void(const BoundExample&, Explanation)>& take) {
    std::unique_lock lock(model.state_->mutex);
    InputBatch::Builder inputs(examples.size());
    std::vector<std::vector<Explainer::Unneeded>> unneeded(examples.size());
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (const AtomValue& value : examples[e].values) inputs.add(e, value.atom, value.value);
        for (const auto& [atom, value] : examples[e].unneeded)
            unneeded[e].push_back({atom, static_cast<double>(value)});
    }
    explainer->run(inputs.build());
    // Each backward pass explains one atom of every example.
    std::vector<std::vector<Explanation>> explanations(examples.size());
    std::vector<std::uint32_t> atoms(examples.size());
    for (const AtomNames::QueryAtoms& question : questions) {
        std::vector<std::vector<std::uint32_t>> best(examples.size());
        for (std::size_t e = 0; e < examples.size(); ++e) best[e] = best_atoms(question, e);
        for (std::size_t rank = 0; rank < std::min(options.answers, question.atoms.size()); ++rank) {
            for (std::size_t e = 0; e < examples.size(); ++e) atoms[e] = best[e][rank];
            explainer->differentiate(atoms);
            for (std::size_t e = 0; e < examples.size(); ++e)
                explanations[e].push_back(explainer->explain(e, examples[e].id, unneeded[e]));
            for (std::vector<Explanation>& ones : explanations)
                ones.back().other_matches = question.atoms.size() - std::min(options.answers, question.atoms.size());
        }
    }
    lock.unlock();
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (Explanation& one : explanations[e]) take(examples[e], std::move(one));
    }
}

ExplainSession::ExplainSession(ModelMaker maker, const ExplainSessionOptions& options)
    : state_(std::make_unique<State>(std::move(maker), options, std::vector<std::string>())) {}
ExplainSession::ExplainSession(ExplainSession&&) noexcept = default;
ExplainSession& ExplainSession::operator=(ExplainSession&&) noexcept = default;
ExplainSession::~ExplainSession() = default;

const Model& ExplainSession::model() const { return state_->model; }

std::vector<ReportSource> ExplainSession::sources() const {
    std::vector<ReportSource> sources;
    const CompiledProgram& compiled = state_->model.state_->compiled();
    if (compiled.loaded) return sources;
    const std::scoped_lock lock(state_->model.state_->mutex);
    const SourceSet& files = *compiled.program.sources;
    for (std::uint32_t f = 0; f < files.size(); ++f)
        sources.push_back({files.file(f).name(), std::string(files.file(f).text())});
    return sources;
}

StreamSummary ExplainSession::run(ExampleSource& source, const StreamOptions& options, const ExplainStream& stream) {
    const auto make = [&](const std::vector<std::string>& named) {
        return std::make_unique<State>(state_->maker, state_->options, named);
    };
    const auto user_for = [&](const std::vector<std::string>& inputs) {
        State& with = inputs.empty() ? *state_ : state_->others.get(inputs, make);
        const auto run_batch = [&](std::span<const BoundExample> these) {
            std::vector<BoundExample> wanted;
            for (const BoundExample& one : these)
                if (!stream.wanted || stream.wanted(one)) wanted.push_back(one);
            if (!wanted.empty()) with.explain(wanted, stream.take);
            return !stream.more || stream.more();
        };
        return ExampleUser{with.binder.get(), state_->model.state_->compiled().loaded, run_batch};
    };
    return with_errors([&] { return run_stream(source, options, user_for); });
}

void ExplainSession::run_own_facts(const std::function<void(Explanation)>& take) {
    BoundExample own;
    own.id.clear();
    state_->explain({&own, 1}, [&](const BoundExample&, Explanation one) { take(std::move(one)); });
}

}  // namespace neumann
