#include "learn/probabilities/weight_examples.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "examples/bind_examples.h"
#include "learn/task/learn_error.h"
#include "logic/print.h"
#include "session/asked_queries.h"

namespace neumann {
namespace {

constexpr std::size_t examples_read_at_once = 1000;

class WeightExampleReader {
public:
    WeightExampleReader(const std::string& file, Model::State& model, const SupervisedAtoms& supervised,
                        const std::string& label)
        : model_(model), supervised_(supervised), label_(label), source_(open_examples(file)),
          binder_(shared_binder(model)) {
        for (const SupervisedAtoms::Answer& answer : supervised.answers())
            if (answer.atom) answers_.push_back(*answer.atom);
    }

    WeightExamples read() {
        for (std::vector<Example> some; !(some = source_->next(examples_read_at_once)).empty();) {
            BindingFailure failed;
            const std::vector<BoundExample> bound = binder_.bind_all(*source_, std::move(some), failed);
            for (const BoundExample& example : bound) add(example);
            if (!failed.empty()) throw ExampleError(failed);
        }
        if (result_.examples == 0) throw LearnError(fmt::format("{}: there are no examples", source_->name()));
        return std::move(result_);
    }

private:
    [[noreturn]] void fail(const Example& example, const ExampleMistake& mistake) const {
        throw ExampleError(source_->describe(example, mistake));
    }

    void add(const BoundExample& example) {
        for (ExampleMistake mistake : example.not_understood) {
            if (mistake.is_value) continue;
            if (mistake.section == "targets") mistake.message += ", nor a probability between them";
            fail(example, mistake);
        }
        if (!example.label && example.targets.empty() && example.value_targets.empty() && example.answer.empty())
            fail(example, {.key = "atoms",
                           .message = "this example has no label; expected \"label\": 0 or 1, \"targets\": {atom: "
                                      "probability, …} or \"answer\": \"term\""});
        ++result_.examples;
        WeightExample& row = row_of(example);
        std::set<std::uint32_t> decided;  // classes one atom of which was so: the others were not
        for (const Example::Target& target : example.targets)
            if (target.positive) add_class(row, example, target.atom, decided);
        for (const Example::Target& target : example.targets)
            add_target(row, example, target.atom, target.positive, decided);
        for (const AtomValue& target : example.value_targets)
            add_target(row, example, target.atom, static_cast<double>(target.value), decided);
        if (example.label) add_label(row, example);
        if (!example.answer.empty()) add_answer(row, example);
    }

    WeightExample& row_of(const BoundExample& example) {
        std::map<std::uint32_t, float> last;  // of several values for one atom the last counts
        for (const AtomValue& value : example.values) last[value.atom] = value.value;
        std::vector<std::pair<std::uint32_t, float>> key(last.begin(), last.end());
        const auto [place, is_new] = rows_.try_emplace(std::move(key), result_.different.size());
        if (is_new) {
            WeightExample& made = result_.different.emplace_back();
            for (const auto& [atom, value] : place->first) made.given.push_back({atom, value});
        }
        return result_.different[place->second];
    }

    // Nothing: it cannot be derived.
    std::optional<std::uint32_t> number(const Example& example, std::uint32_t text_number) {
        const NamedAtom& atom = binder_.find(source_->texts(), text_number);
        const std::string& text = source_->texts().text(text_number);
        if (atom.kind == NamedAtom::Kind::Invalid || atom.kind == NamedAtom::Kind::Impossible)
            fail(example,
                 {.key = text, .message = what_is_wrong(text, atom), .section = "targets", .offset = atom.column});
        return atom.number;
    }

    static void count(AtomLabels& labels, double value) {
        labels.count += 1;
        labels.sum += value;
        labels.squares += value * value;
        labels.certain += value == 0 || value == 1 ? 1 : 0;
        labels.positive += value == 1 ? 1 : 0;
    }

    void add_target(WeightExample& row, const Example& example, std::uint32_t text, double value,
                    const std::set<std::uint32_t>& decided) {
        const std::optional<std::uint32_t> atom = number(example, text);
        if (!atom) return count(result_.underivable, value);
        const std::vector<std::uint32_t>* group = group_of(*atom);
        if (group != nullptr && decided.contains(group->front())) return;
        count(row.atoms[*atom], value);
    }

    // The atoms that exclude each other, one of which this is; null: there are none.
    const std::vector<std::uint32_t>* group_of(std::uint32_t atom) {
        const AtomTable& atoms = model_.compiled().ground.atoms;
        const PredicateId predicate = atoms.predicate_of(AtomId(atom));
        const auto argument = model_.compiled().program.signature.predicate(predicate).exclusive;
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

    void add_class(WeightExample& row, const Example& example, std::uint32_t text, std::set<std::uint32_t>& decided) {
        const std::optional<std::uint32_t> atom = number(example, text);
        const std::vector<std::uint32_t>* group = atom ? group_of(*atom) : nullptr;
        if (group == nullptr) return;
        if (!decided.insert(group->front()).second)
            fail(example, {.key = source_->texts().text(text),
                           .message = fmt::format("'{}' is true beside another atom that excludes it",
                                                  source_->texts().text(text)),
                           .section = "targets"});
        count_class(row, *group, atom);
    }

    static void count_class(WeightExample& row, const std::vector<std::uint32_t>& group,
                            std::optional<std::uint32_t> atom) {
        ClassLabels& labels = row.classes[group.front()];
        labels.atoms = group;
        labels.all += 1;
        if (atom) labels.count[*atom] += 1;
    }

    void add_label(WeightExample& row, const Example& example) {
        if (label_.empty())
            fail(example, {.key = "label",
                           .message = "the program does not say which atom the label is for; add ':- label(…).' to "
                                      "it, or give \"targets\" here"});
        if (example.label->number != 0 && example.label->number != 1)
            fail(example, {.key = "label",
                           .message = fmt::format("'label': expected 0 or 1, not {}; a class is an \"answer\"",
                                                  example.label->number)});
        const NamedAtom& atom = model_.names.find(label_);
        count(atom.number ? row.atoms[*atom.number] : result_.underivable, static_cast<double>(example.label->number));
    }

    void add_answer(WeightExample& row, const Example& example) {
        if (answers_.empty())
            fail(example, {.key = "answer",
                           .message = "the program does not say what this answers; add ':- query(p(X)).' to it"});
        const auto found = std::ranges::find_if(supervised_.answers(), [&](const SupervisedAtoms::Answer& one) {
            return one.term == example.answer || one.term == quote_name(example.answer);
        });
        if (found == supervised_.answers().end())
            fail(example,
                 {.key = "answer",
                  .message = fmt::format("'{}' is none of the answers that the program can derive", example.answer)});
        count_class(row, answers_, found->atom);
    }

    Model::State& model_;
    const SupervisedAtoms& supervised_;
    const std::string& label_;
    std::unique_ptr<ExampleSource> source_;
    ExampleBinder binder_;
    std::vector<std::uint32_t> answers_;
    std::map<std::uint32_t, std::map<std::vector<TermId>, std::vector<std::uint32_t>>> exclusive_;  // by predicate
    std::map<std::vector<std::pair<std::uint32_t, float>>, std::size_t> rows_;
    WeightExamples result_;
};

}  // namespace

double WeightExamples::labels() const {
    double all = underivable.count;
    for (const WeightExample& one : different) {
        for (const auto& [atom, labels] : one.atoms) all += labels.count;
        for (const auto& [first, labels] : one.classes) all += labels.all;
    }
    return all;
}

std::set<std::string> inputs_of_examples(const std::string& file, Model::State& model) {
    const std::unique_ptr<ExampleSource> source = open_examples(file);
    ExampleBinder binder = shared_binder(model);
    std::set<std::string> inputs;
    for (std::vector<Example> some; !(some = source->next(examples_read_at_once)).empty();) {
        BindingFailure failed;
        for (const BoundExample& example : binder.bind_all(*source, std::move(some), failed))
            inputs.insert(example.no_inputs.begin(), example.no_inputs.end());
        if (!failed.empty()) throw ExampleError(failed);
    }
    return inputs;
}

WeightExamples read_weight_examples(const std::string& file, Model::State& model, const SupervisedAtoms& supervised,
                                    const std::string& label) {
    return WeightExampleReader(file, model, supervised, label).read();
}

}  // namespace neumann
