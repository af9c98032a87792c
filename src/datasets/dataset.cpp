#include "datasets/dataset.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "datasets/clevr_hans.h"
#include "datasets/clevr_list.h"
#include "datasets/kandinsky.h"
#include "datasets/questions.h"

namespace neumann {
namespace {

class ExampleList {
public:
    explicit ExampleList(Split split) : split_(split) {}

    SceneExample& add(std::vector<Scene> images, std::optional<unsigned> label) {
        SceneExample& example = examples_.emplace_back();
        example.id = fmt::format("{}_{:06}", split_name(split_), examples_.size() - 1);
        example.images = std::move(images);
        example.label = label;
        return example;
    }
    std::vector<SceneExample> take() { return std::move(examples_); }

private:
    Split split_;
    std::vector<SceneExample> examples_;
};

std::vector<SceneExample> make_figure_examples(const DatasetRequest& request, Split split) {
    const FigurePattern& pattern = *find_figure_pattern(request.pattern);
    const FigureSet set{&pattern, request.seed, split, {}, request.borderline};
    ExampleList list(split);
    for (Figure& figure : make_figures(set, 0, dataset_size(request, split), request.threads)) {
        const bool labelled = pattern.rule != nullptr;
        const bool wrong =
            split != Split::Test && Rng(item_seed(figure.scene.seed, "label", {})).chance(request.label_noise);
        list.add({std::move(figure.scene)},
                 labelled ? std::optional(figure.positive != wrong ? 1U : 0U) : std::nullopt);
    }
    return list.take();
}

std::vector<SceneExample> make_hans_examples(const DatasetRequest& request, Split split) {
    HansOptions options;
    options.seed = request.seed;
    options.split = split;
    options.per_class = (dataset_size(request, split) + hans_classes - 1) / hans_classes;
    options.threads = request.threads;
    ExampleList list(split);
    for (HansScene& made : make_hans_scenes(options)) list.add({std::move(made.scene)}, made.label);
    return list.take();
}

std::vector<SceneExample> make_relation_examples(const DatasetRequest& request, Split split) {
    ListOptions options;
    options.seed = request.seed;
    options.split = split;
    options.per_label = (dataset_size(request, split) + 1) / 2;
    options.threads = request.threads;
    options.relation = *std::ranges::find(list_relations, request.pattern, list_relation_name);
    ExampleList list(split);
    for (ListExample& made : make_list_examples(options)) list.add(std::move(made.images), made.positive ? 1U : 0U);
    return list.take();
}

std::vector<SceneExample> make_question_examples(const DatasetRequest& request, Split split) {
    const QuestionSet set = make_questions(question_options(request, split));
    ExampleList list(split);
    for (const Question& question : set.questions) {
        SceneExample& example = list.add({set.scenes[question.scene]}, std::nullopt);
        example.query = query_atom(question);
        example.answer = question.answer;
    }
    return list.take();
}

std::vector<std::string_view> figure_pattern_names() {
    std::vector<std::string_view> names;
    for (const FigurePattern& pattern : figure_patterns()) names.push_back(pattern.name);
    return names;
}

std::vector<std::string_view> relation_names() {
    std::vector<std::string_view> names;
    for (const ListRelation relation : list_relations) names.push_back(list_relation_name(relation));
    return names;
}

}  // namespace

const std::vector<DatasetInfo>& all_datasets() {
    static const std::vector<DatasetInfo> all = {
        {"kandinsky", "flat figures that follow a pattern, and near misses", figure_pattern_names(), false, 640, 640},
        {"clevr-hans", "scenes of three classes, with confounders in training and validation", {}, true, 480, 320},
        {"clevr-list", "relations between lists, every argument a picture", relation_names(), true, 480, 320},
        {"behind-the-scenes", "questions about rows of objects after an imagined change", {}, true, 480, 320},
    };
    return all;
}

const DatasetInfo* find_dataset(std::string_view name) {
    const auto found = std::ranges::find(all_datasets(), name, &DatasetInfo::name);
    return found == all_datasets().end() ? nullptr : &*found;
}

std::string dataset_problem(std::string_view name, std::string_view pattern) {
    const DatasetInfo* const info = find_dataset(name);
    if (info == nullptr) {
        std::vector<std::string> known;
        for (const DatasetInfo& one : all_datasets()) known.emplace_back(one.name);
        return fmt::format("there is no data set '{}'; {}", name, did_you_mean_or_list(name, known));
    }
    const std::vector<std::string> patterns(info->patterns.begin(), info->patterns.end());
    if (patterns.empty() && !pattern.empty()) return fmt::format("{} has no patterns; leave out '{}'", name, pattern);
    if (patterns.empty() || std::ranges::find(patterns, pattern) != patterns.end()) return {};
    const std::string known = fmt::format("it has {}", fmt::join(patterns, ", "));
    if (pattern.empty()) return fmt::format("{} needs a pattern: {}", name, known);
    return fmt::format("{} has no pattern '{}'; {}", name, pattern, did_you_mean(pattern, patterns, known));
}

std::string disturbance_problem(const DatasetRequest& request) {
    if (!(request.borderline >= 0 && request.borderline <= 1))
        return fmt::format("--borderline is a share from 0 to 1, not {}", request.borderline);
    if (!(request.label_noise >= 0 && request.label_noise < 0.5))
        return fmt::format("--label-noise is at least 0 and below 0.5, not {}", request.label_noise);
    const FigurePattern* const pattern = request.name == "kandinsky" ? find_figure_pattern(request.pattern) : nullptr;
    const std::string which = request.pattern.empty() ? request.name : request.name + " " + request.pattern;
    if (request.borderline > 0 && (pattern == nullptr || !pattern->has_borderline))
        return fmt::format(
            "the rule of {} is about no distance, so that no figure can be borderline; leave out --borderline", which);
    if (request.label_noise > 0 && (pattern == nullptr || pattern->rule == nullptr))
        return fmt::format("--label-noise is for the patterns of kandinsky that have a rule, not for {}", which);
    return "";
}

std::string bundled_program(const DatasetRequest& request) {
    std::string pattern = request.pattern;
    std::ranges::replace(pattern, '-', '_');
    if (request.name == "kandinsky")
        return find_figure_pattern(request.pattern)->rule == nullptr ? "" : fmt::format("kandinsky/{}.nm", pattern);
    if (request.name == "clevr-hans") return "clevr_hans/class0.nm";
    if (request.name == "clevr-list") return fmt::format("lists/{}.nm", pattern);
    return "behind_the_scenes/questions.nm";
}

QuestionOptions question_options(const DatasetRequest& request, Split split) {
    QuestionOptions options;
    options.seed = request.seed;
    options.split = split;
    options.per_operation = (dataset_size(request, split) + 3) / 4;
    options.threads = request.threads;
    return options;
}

std::size_t dataset_size(const DatasetRequest& request, Split split) {
    if (request.count) return *request.count;
    if (request.name == "kandinsky") return split == Split::Train ? 20'000 : 10'000;
    if (request.name == "clevr-hans") return hans_classes * hans_size(split);
    if (request.name == "clevr-list") return 400;
    return 40'000;
}

std::vector<SceneExample> make_examples(const DatasetRequest& request, Split split) {
    std::vector<SceneExample> result = request.name == "kandinsky"    ? make_figure_examples(request, split)
                                       : request.name == "clevr-hans" ? make_hans_examples(request, split)
                                       : request.name == "clevr-list" ? make_relation_examples(request, split)
                                                                      : make_question_examples(request, split);
    result.resize(std::min(result.size(), dataset_size(request, split)));
    return result;
}

}  // namespace neumann
