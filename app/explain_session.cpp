#include "explain_session.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "asked_queries.h"
#include "command.h"
#include "logic/print.h"
#include "runtime/restore.h"

namespace neumann::app {
namespace {

// What the program itself asks for, and if that is nothing what it is taught.
std::vector<std::string> own_questions(const CompiledProgram& compiled) {
    std::vector<std::string> questions = compiled.queries;
    if (!questions.empty()) return questions;
    const Program& program = compiled.program;
    for (const Atom& label : program.labels)
        questions.push_back(print_atom(program.signature, program.terms, label.predicate, label.args));
    return questions;
}

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
            throw UsageError(fmt::format("--trust: the program has no predicate '{}'; write it as color/2", name));
        found.push_back(predicate);
    }
    return found;
}

}  // namespace

ExplainSession::ExplainSession(const ExplainSessionOptions& options, const std::vector<std::string>& inputs)
    : answers_(options.answers) {
    compile(options, inputs, false);
    const bool lacks = std::ranges::any_of(questions_, [](const auto& one) { return one.atoms.empty(); });
    // What nothing derives is in no graph but the full one, which knows what its rules lack.
    if (lacks && !compiled().loaded && options.grounding.ground.mode == GroundMode::Relevant &&
        !options.grounding.mode_given()) {
        fmt::print(stderr, "note: nothing that is given leads to it; looking among all ground atoms (--mode full)\n");
        compile(options, inputs, true);
    }
    for (const AtomNames::QueryAtoms& question : questions_) {
        if (question.atoms.empty())
            throw UsageError(fmt::format("--atom: {} can never be derived: no ground rule leads to it{}", question.text,
                                         options.grounding.mode_given() ? "; --mode full shows what they lack" : ""));
    }
    if (compiled().facts_evaluated)
        throw UsageError("explanations need the facts in the graph: leave out --facts evaluate");
    restore_texts(loaded_.compiled);
    reasoner_ = make_reasoner(compiled().ground.graph, options.reason,
                              loaded_.levels.level.empty() ? nullptr : &loaded_.levels);
    ExplainOptions explaining = options.explain;
    explaining.near.trusted = trusted_predicates(options.trusted, compiled().program.signature);
    explainer_ = std::make_unique<Explainer>(loaded_.compiled, *reasoner_, std::move(explaining));
}

void ExplainSession::compile(const ExplainSessionOptions& options, const std::vector<std::string>& inputs,
                             bool in_full) {
    ReadingOptions reading = options.reading;
    // All has been said the first time; and that nothing leads to an atom is explained.
    reading.no_warn.emplace_back(!inputs.empty() || in_full ? "all" : "no-match");
    GroundingOptions grounding = options.grounding;
    grounding.inputs = inputs;
    if (!is_saved_graph(options.path)) grounding.queries = options.atoms;
    grounding.queries_from = "--atom";
    if (in_full) grounding.ground.mode = GroundMode::Full;
    loaded_ = compile_program(options.path, reading, grounding, !options.reason.steps);
    names_ = std::make_unique<AtomNames>(loaded_.compiled);
    binder_ = std::make_unique<ExampleBinder>(*names_);
    const std::vector<std::string> texts = options.atoms.empty() ? own_questions(compiled()) : options.atoms;
    if (texts.empty())
        throw UsageError("the program asks for nothing: say with --atom what to explain, such as --atom 'p(a)'");
    questions_.clear();
    for (AtomNames::QueryAtoms& question :
         asked_queries(texts, "--atom", *names_, compiled(), options.path, options.reading)) {
        if (std::ranges::find(questions_, question.text, &AtomNames::QueryAtoms::text) == questions_.end())
            questions_.push_back(std::move(question));
    }
}

// The best of what matches, the first ones of equal.
std::vector<std::uint32_t> ExplainSession::best_atoms(const AtomNames::QueryAtoms& query, std::size_t example) const {
    std::vector<std::uint32_t> atoms = query.atoms;
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(-explainer_->value(a, example), a) < std::pair(-explainer_->value(b, example), b);
    };
    const std::size_t wanted = std::min(answers_, atoms.size());
    std::partial_sort(atoms.begin(), atoms.begin() + static_cast<std::ptrdiff_t>(wanted), atoms.end(), better);
    atoms.resize(wanted);
    return atoms;
}

void ExplainSession::explain(std::span<const BoundExample> examples,
                             const std::function<void(const BoundExample&, Explanation)>& take) {
    InputBatch::Builder inputs(examples.size());
    std::vector<std::vector<Explainer::Unneeded>> unneeded(examples.size());
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (const AtomValue& value : examples[e].values) inputs.add(e, value.atom, value.value);
        for (const auto& [atom, value] : examples[e].unneeded)
            unneeded[e].push_back({atom, static_cast<double>(value)});
    }
    explainer_->run(inputs.build());
    // Each backward pass explains one atom of every example.
    std::vector<std::vector<Explanation>> explanations(examples.size());
    std::vector<std::uint32_t> atoms(examples.size());
    for (const AtomNames::QueryAtoms& question : questions_) {
        std::vector<std::vector<std::uint32_t>> best(examples.size());
        for (std::size_t e = 0; e < examples.size(); ++e) best[e] = best_atoms(question, e);
        for (std::size_t rank = 0; rank < std::min(answers_, question.atoms.size()); ++rank) {
            for (std::size_t e = 0; e < examples.size(); ++e) atoms[e] = best[e][rank];
            explainer_->differentiate(atoms);
            for (std::size_t e = 0; e < examples.size(); ++e)
                explanations[e].push_back(explainer_->explain(e, examples[e].id, unneeded[e]));
            for (std::vector<Explanation>& ones : explanations)
                ones.back().other_matches = question.atoms.size() - std::min(answers_, question.atoms.size());
        }
    }
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (Explanation& one : explanations[e]) take(examples[e], std::move(one));
    }
}

}  // namespace neumann::app
