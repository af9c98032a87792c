#include "learn/probabilities/weight_examples.h"

#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "learn/task/learn_error.h"
#include "session/asked_queries.h"

namespace neumann {
namespace {

constexpr std::size_t examples_read_at_once = 1000;

class WeightExampleReader {
public:
    WeightExampleReader(const std::string& file, Model::State& model, const SupervisedAtoms& supervised,
                        const std::optional<SupervisedAtoms::Number>& label)
        : source_(open_examples(file)), binder_(shared_binder(model)),
          labels_(*source_, binder_, model.compiled(), supervised, label) {}

    WeightExamples read() {
        for (std::vector<Example> some; !(some = source_->next(examples_read_at_once)).empty();) {
            BindingFailure failed;
            const std::vector<BoundExample> bound = binder_.bind_all(*source_, std::move(some), failed);
            for (const BoundExample& example : bound) {
                labels_.add(example, row_of(example), result_.underivable);
                ++result_.examples;
            }
            if (!failed.empty()) throw ExampleError(failed);
        }
        if (result_.examples == 0) throw LearnError(fmt::format("{}: there are no examples", source_->name()));
        return std::move(result_);
    }

private:
    SupervisedExample& row_of(const BoundExample& example) {
        std::map<std::uint32_t, float> last;  // of several values for one atom the last counts
        for (const AtomValue& value : example.values) last[value.atom] = value.value;
        std::vector<std::pair<std::uint32_t, float>> key(last.begin(), last.end());
        const auto [place, is_new] = rows_.try_emplace(std::move(key), result_.different.size());
        if (is_new) {
            SupervisedExample& made = result_.different.emplace_back();
            for (const auto& [atom, value] : place->first) made.given.push_back({atom, value});
        }
        return result_.different[place->second];
    }

    std::unique_ptr<ExampleSource> source_;
    ExampleBinder binder_;
    LabelReader labels_;
    std::map<std::vector<std::pair<std::uint32_t, float>>, std::size_t> rows_;
    WeightExamples result_;
};

}  // namespace

double WeightExamples::labels() const {
    double all = underivable.count;
    for (const SupervisedExample& one : different) {
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
    std::optional<SupervisedAtoms::Number> atom;
    if (!label.empty()) atom = model.names.find(label).number;
    return WeightExampleReader(file, model, supervised, atom).read();
}

}  // namespace neumann
