#include "session/scorer.h"

#include <algorithm>

#include <fmt/format.h>

#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t most_problems = 3;  // reported at most

}  // namespace

SupervisedAtoms::SupervisedAtoms(const CompiledProgram& compiled, AtomNames& names,
                                 std::span<const AtomNames::QueryAtoms> queries) {
    const Program& program = compiled.program;
    const ReasoningGraph& graph = compiled.ground.graph;
    std::vector<bool> asked(graph.atom_count(), false);
    std::size_t underivable = 0;
    for (const AtomNames::QueryAtoms& query : queries) {
        for (const std::uint32_t atom : query.atoms) asked[atom] = true;
        underivable += query.ground && query.atoms.empty() ? 1 : 0;
    }
    if (queries.empty()) {  // the heads of rules
        for (std::uint32_t a = 0; a < graph.atom_count(); ++a) asked[a] = graph.in_begin[a] != graph.in_begin[a + 1];
    }
    const auto first = std::ranges::find(asked, true);
    if (program.labels.size() == 1) {
        label_ = names.find(program.labels.front().predicate, program.labels.front().args);
    } else if (std::ranges::count(asked, true) + static_cast<std::ptrdiff_t>(underivable) == 1) {
        label_ = first == asked.end() ? Number() : Number(static_cast<std::uint32_t>(first - asked.begin()));
    }
    const auto add = [&](std::uint32_t atom, std::size_t argument) {
        const std::span<const TermId> args = compiled.ground.atoms.args_of(AtomId(atom));
        answers_.push_back({print_term(program.signature, program.terms, args[argument]), atom});
    };
    // The atoms of a predicate answer/1 are answers.
    if (const PredicateId answer = program.signature.find_predicate("answer", 1); !answer.is_none()) {
        const AtomTable::Range& range = compiled.ground.atoms.range(answer);
        for (std::uint32_t a = range.first; a < range.first + range.count; ++a)
            if (asked[a]) add(a, 0);
        if (!answers_.empty()) return;
    }
    const AtomNames::QueryAtoms* only = nullptr;
    for (const AtomNames::QueryAtoms& query : queries) {
        if (!query.answer_argument) continue;
        if (only != nullptr) return;  // more than one: the label is ambiguous
        only = &query;
    }
    if (only == nullptr) return;
    for (const std::uint32_t atom : only->atoms) add(atom, *only->answer_argument);
}

void Scorer::not_understood(const ExampleSource& source, const Example& example, ExampleMistake mistake) {
    ++score_.not_understood;
    mistake.harmless = true;
    if (score_.problems.size() < most_problems) score_.problems.push_back(source.describe(example, mistake));
}

void Scorer::count(const ExampleSource& source, const BoundExample& example, ExampleBinder& binder,
                   const SupervisedAtoms& atoms, const ValueOf& value) {
    for (const ExampleMistake& mistake : example.not_understood) not_understood(source, example, mistake);
    if (example.label) count_label(source, example, atoms, value);
    if (!example.targets.empty()) count_targets(source, example, binder, value);
    if (!example.answer.empty()) count_answer(source, example, atoms, value);
}

void Scorer::count_label(const ExampleSource& source, const BoundExample& example, const SupervisedAtoms& atoms,
                         const ValueOf& value) {
    if (!atoms.label())
        return not_understood(source, example,
                              {.key = "label",
                               .message = "nobody says which atom the label is for; add ':- label(…).' to the "
                                          "program, or ask for one atom with --query"});
    if (options_.positive && example.label->is_truth)
        return not_understood(source, example,
                              {.key = "label",
                               .message = "the label says true or false, but --positive takes labels for numbers of "
                                          "classes: leave it out"});
    const std::int64_t number = example.label->number;
    score_.labels_are_classes = score_.labels_are_classes || (!options_.positive && number != 0 && number != 1);
    const double probability = *atoms.label() ? value(**atoms.label()) : 0;
    score_.labels.count(number == options_.positive.value_or(1), probability >= options_.threshold);
}

void Scorer::count_targets(const ExampleSource& source, const BoundExample& example, ExampleBinder& binder,
                           const ValueOf& value) {
    for (const Example::Target& target : example.targets) {
        const NamedAtom& atom = binder.find(source.texts(), target.atom);
        const std::string& text = source.texts().text(target.atom);
        const auto refuse = [&](std::string message, std::size_t offset) {
            not_understood(source, example,
                           {.key = text, .message = std::move(message), .section = "targets", .offset = offset});
        };
        if (atom.number) {
            score_.targets.count(target.positive, value(*atom.number) >= options_.threshold);
        } else if (atom.kind == NamedAtom::Kind::Invalid || atom.kind == NamedAtom::Kind::Impossible) {
            refuse(what_is_wrong(text, atom), atom.column);
        } else if (atom.underivable) {
            score_.targets.count(target.positive, 0 >= options_.threshold);
        } else {
            refuse(fmt::format("'{}': nobody asked for it, so it was not computed; ask for it with --query", text), 0);
        }
    }
}

void Scorer::count_answer(const ExampleSource& source, const BoundExample& example, const SupervisedAtoms& atoms,
                          const ValueOf& value) {
    if (atoms.answers().empty())
        return not_understood(
            source, example,
            {.key = "answer", .message = "nobody says what this answers; ask with --query \"p(X)\" for one term"});
    // The likeliest answer; two that are equally likely are none.
    double best = 0;
    const SupervisedAtoms::Answer* likeliest = nullptr;
    for (const SupervisedAtoms::Answer& answer : atoms.answers()) {
        const double probability = answer.atom ? value(*answer.atom) : 0;
        if (probability == best) likeliest = nullptr;
        if (probability <= best) continue;
        best = probability;
        likeliest = &answer;
    }
    ++score_.answers.all;
    const bool right =
        likeliest != nullptr && (likeliest->term == example.answer || likeliest->term == quote_name(example.answer));
    score_.answers.right += right ? 1 : 0;
}

}  // namespace neumann
