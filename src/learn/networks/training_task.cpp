#include "learn/networks/training_task.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/random_draws.h"
#include "base/text.h"
#include "compile/compile.h"
#include "compile/parse_atom.h"
#include "compile/problems.h"
#include "examples/image_examples.h"
#include "perceive/looking.h"
#include "session/asked_queries.h"

namespace neumann {
namespace {

constexpr std::size_t every_example = std::numeric_limits<std::size_t>::max();

std::vector<PictureExample> chosen_examples(const LogicTraining& request) {
    PictureList list = list_pictures(request.images);
    if (request.most_images == 0 || list.examples.size() <= request.most_images) return std::move(list.examples);
    std::vector<std::size_t> numbers(list.examples.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    Rng rng(request.part.seed);
    shuffle_in_place(numbers, rng);
    std::vector<PictureExample> some;
    for (std::size_t k = 0; k < request.most_images; ++k) some.push_back(std::move(list.examples[numbers[k]]));
    return some;
}

class TrainingReader {
public:
    TrainingReader(const std::filesystem::path& path, const LogicTraining& request)
        : request_(request), list_(chosen_examples(request)), diagnostics_(make_diagnostics(request.reading)),
          program_(load_typed(path, load_options(request.reading), diagnostics_)), source_(list_, program_.signature),
          examples_(source_.next(every_example)) {}

    TrainingTask read() {
        if (diagnostics_.has_errors()) throw error_of(diagnostics_, *program_.sources, request_.reading);
        ask_labels();
        compile_for({});
        const std::set<std::string> inputs = bind();
        if (!inputs.empty()) {
            compile_for({inputs.begin(), inputs.end()});
            bind();
        }
        add_labels();
        task_.declared = program_.signature;
        return std::move(task_);
    }

private:
    // Labels stay queries, so that no text is made of them and read again.
    void ask_labels() {
        own_ = std::exchange(program_.queries, {});
        const auto some = [&](auto&& has) { return std::ranges::any_of(examples_, has); };
        if (some([](const Example& one) { return one.label.has_value(); }))
            for (const Atom& label : program_.labels) program_.queries.push_back({label, {}});
        const bool own = some([&](const Example& one) {
            return !one.answer.empty() || (one.label.has_value() && program_.labels.empty());
        });
        if (own) program_.queries.insert(program_.queries.end(), own_.begin(), own_.end());
        std::set<std::uint32_t> targets;
        for (const Example& one : examples_) {
            for (const Example::Target& target : one.targets) targets.insert(target.atom);
            for (const AtomValue& target : one.value_targets) targets.insert(target.atom);
        }
        for (const std::uint32_t target : targets) {  // errors in them are reported as those of their examples
            if (std::optional<Query> query = parse_atom(program_, source_.texts().text(target)).query)
                program_.queries.push_back(std::move(*query));
        }
    }

    void compile_for(const std::vector<std::string>& inputs) {
        CompileOptions options;
        options.with_levels = true;
        options.inputs = inputs;
        LoadedProgram compiled;
        const bool good = compile(Program(program_), options, diagnostics_, compiled);
        const SourceSet& sources = *program_.sources;
        if (!good) throw error_of(diagnostics_, sources, request_.reading);
        const std::string warnings = without_last_break(rendered(diagnostics_, sources, request_.reading));
        if (request_.warn && inputs.empty() && !warnings.empty()) request_.warn(warnings);
        task_.model = std::make_unique<Model::State>(std::move(compiled), "");
        binder_.emplace(shared_binder(*task_.model));
    }

    // Returns inputs that the program must be compiled with first: see BoundExample::no_inputs.
    std::set<std::string> bind() {
        BindingFailure failed;
        bound_ = binder_->bind_all(source_, examples_, failed);
        if (!failed.empty()) throw ExampleError(failed);
        std::set<std::string> inputs;
        for (const BoundExample& one : bound_) inputs.insert(one.no_inputs.begin(), one.no_inputs.end());
        return inputs;
    }

    void add_labels() {
        Model::State& model = *task_.model;
        std::vector<AtomNames::QueryAtoms> asked;
        for (const Query& query : own_) asked.push_back(model.names.atoms_of(query));
        const SupervisedAtoms supervised(model.compiled(), model.names, asked);
        LabelReader labels(source_, *binder_, model.compiled(), supervised, supervised.label());
        AtomLabels underivable;
        for (const BoundExample& one : bound_) {
            TrainingExample& made = task_.examples.emplace_back();
            made.id = list_[one.line - 1].id;
            made.images = one.images;
            made.query = one.query;
            made.given = one.values;
            labels.add(one, made, underivable);
            task_.images += one.images.size();
        }
        if (request_.warn && underivable.count > 0)
            request_.warn(fmt::format("warning: {} of atoms that cannot be derived: nothing is learned from them",
                                      counted(static_cast<std::size_t>(underivable.count), "label")));
    }

    const LogicTraining& request_;
    std::vector<PictureExample> list_;
    Diagnostics diagnostics_;
    Program program_;
    ListedExamples source_;
    std::vector<Example> examples_;
    std::vector<Query> own_;  // the program's own
    TrainingTask task_;
    std::optional<ExampleBinder> binder_;
    std::vector<BoundExample> bound_;
};

}  // namespace

TrainingTask read_training_task(const std::filesystem::path& program, const LogicTraining& request) {
    return TrainingReader(program, request).read();
}

}  // namespace neumann
