#include "learn/labels/example_labels.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "logic/print.h"

namespace neumann {
namespace {

void count_label(AtomLabels& labels, double value) {
    labels.count += 1;
    labels.sum += value;
    labels.squares += value * value;
    labels.certain += value == 0 || value == 1 ? 1 : 0;
    labels.positive += value == 1 ? 1 : 0;
}

void count_class(SupervisedExample& row, const std::vector<std::uint32_t>& group, std::optional<std::uint32_t> atom) {
    ClassLabels& labels = row.classes[group.front()];
    labels.atoms = group;
    labels.all += 1;
    if (atom) labels.count[*atom] += 1;
}

}  // namespace

LabelReader::LabelReader(const ExampleSource& source, ExampleBinder& binder, const CompiledProgram& compiled,
                         const SupervisedAtoms& supervised, const std::optional<SupervisedAtoms::Number>& label)
    : source_(source), binder_(binder), compiled_(compiled), supervised_(supervised), label_(label) {
    for (const SupervisedAtoms::Answer& answer : supervised.answers())
        if (answer.atom) answers_.push_back(*answer.atom);
}

void LabelReader::fail(const Example& example, const ExampleMistake& mistake) const {
    throw ExampleError(source_.describe(example, mistake));
}

void LabelReader::add(const BoundExample& example, SupervisedExample& row, AtomLabels& underivable) {
    underivable_ = &underivable;
    for (ExampleMistake mistake : example.not_understood) {
        if (mistake.is_value) continue;
        if (mistake.section == "targets") mistake.message += ", nor a probability between them";
        fail(example, mistake);
    }
    if (!example.label && example.targets.empty() && example.value_targets.empty() && example.answer.empty())
        fail(example, {.key = "atoms",
                       .message = "this example has no label; expected \"label\": 0 or 1, \"targets\": {atom: "
                                  "probability, …} or \"answer\": \"term\""});
    Classes decided;  // classes one atom of which was so: the others were not
    for (const Example::Target& target : example.targets)
        if (target.positive) add_class(row, example, target.atom, decided);
    for (const Example::Target& target : example.targets)
        add_target(row, example, target.atom, target.positive, decided);
    for (const AtomValue& target : example.value_targets)
        add_target(row, example, target.atom, static_cast<double>(target.value), decided);
    if (example.label) add_label(row, example);
    if (!example.answer.empty()) add_answer(row, example);
}

// Nothing: it cannot be derived.
std::optional<std::uint32_t> LabelReader::number(const Example& example, std::uint32_t text_number) {
    const NamedAtom& atom = binder_.find(source_.texts(), text_number);
    const std::string& text = source_.texts().text(text_number);
    if (atom.kind == NamedAtom::Kind::Invalid || atom.kind == NamedAtom::Kind::Impossible)
        fail(example, {.key = text, .message = what_is_wrong(text, atom), .section = "targets", .offset = atom.column});
    return atom.number;
}

void LabelReader::add_target(SupervisedExample& row, const Example& example, std::uint32_t text, double value,
                             const Classes& decided) {
    const std::optional<std::uint32_t> atom = number(example, text);
    if (!atom) return count_label(*underivable_, value);
    const std::vector<std::uint32_t>* group = group_of(*atom);
    if (group != nullptr && decided.contains(group->front())) return;
    count_label(row.atoms[*atom], value);
}

// The atoms that exclude each other, one of which this is; null: there are none.
const std::vector<std::uint32_t>* LabelReader::group_of(std::uint32_t atom) {
    const AtomTable& atoms = compiled_.ground.atoms;
    const PredicateId predicate = atoms.predicate_of(AtomId(atom));
    const auto argument = compiled_.program.signature.predicate(predicate).exclusive;
    if (!argument) return nullptr;
    const auto others = [&](std::uint32_t of) {
        const std::span<const TermId> args = atoms.args_of(AtomId(of));
        std::vector<TermId> rest(args.begin(), args.end());
        rest.erase(rest.begin() + *argument);
        return rest;
    };
    auto& groups = exclusive_[predicate.value()];
    if (groups.empty()) {
        const AtomTable::Range& range = atoms.range(predicate);
        for (std::uint32_t a = range.first; a < range.first + range.count; ++a) groups[others(a)].push_back(a);
    }
    return &groups[others(atom)];
}

void LabelReader::add_class(SupervisedExample& row, const Example& example, std::uint32_t text, Classes& decided) {
    const std::optional<std::uint32_t> atom = number(example, text);
    const std::vector<std::uint32_t>* group = atom ? group_of(*atom) : nullptr;
    if (group == nullptr) return;
    if (!decided.insert(group->front()).second)
        fail(example,
             {.key = source_.texts().text(text),
              .message = fmt::format("'{}' is true beside another atom that excludes it", source_.texts().text(text)),
              .section = "targets"});
    count_class(row, *group, atom);
}

void LabelReader::add_label(SupervisedExample& row, const Example& example) {
    if (!label_)
        fail(example, {.key = "label",
                       .message = "the program does not say which atom the label is for; add ':- label(…).' to "
                                  "it, or give \"targets\" here"});
    if (example.label->number != 0 && example.label->number != 1)
        fail(example, {.key = "label",
                       .message = fmt::format("'label': expected 0 or 1, not {}; a class is an \"answer\"",
                                              example.label->number)});
    count_label(*label_ ? row.atoms[**label_] : *underivable_, static_cast<double>(example.label->number));
}

void LabelReader::add_answer(SupervisedExample& row, const Example& example) {
    if (answers_.empty())
        fail(example,
             {.key = "answer", .message = "the program does not say what this answers; add ':- query(p(X)).' to it"});
    const auto found = std::ranges::find_if(supervised_.answers(), [&](const SupervisedAtoms::Answer& one) {
        return one.term == example.answer || one.term == quote_name(example.answer);
    });
    if (found == supervised_.answers().end())
        fail(example,
             {.key = "answer",
              .message = fmt::format("'{}' is none of the answers that the program can derive", example.answer)});
    count_class(row, answers_, found->atom);
}

}  // namespace neumann
