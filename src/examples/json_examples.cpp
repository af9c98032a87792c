#include "examples/json_examples.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"
#include "examples/example_line.h"

namespace neumann {
namespace {

// An endless stream of new spellings must not fill the memory.
constexpr std::size_t most_texts = std::size_t{1} << 18;

std::string shortened(simdjson::dom::element value) { return std::string(simdjson::minify(value)).substr(0, 40); }

// 0, 1, true or false.
std::optional<Example::Label> truth_of(simdjson::dom::element value) {
    bool truth = false;
    if (value.get(truth) == simdjson::SUCCESS) return Example::Label{truth ? 1 : 0, true};
    double number = 0;
    if (!value.is_number() || value.get(number) != simdjson::SUCCESS || (number != 0 && number != 1))
        return std::nullopt;
    return Example::Label{number == 1 ? 1 : 0, false};
}

// A probability.
std::optional<double> value_of(simdjson::dom::element value) {
    double number = 0;
    if (!value.is_number() || value.get(number) != simdjson::SUCCESS || !(number >= 0 && number <= 1))
        return std::nullopt;
    return number;
}

std::string where(const JsonLines& lines, const JsonLines::Line& line, const ExampleMistake& mistake) {
    std::size_t from = mistake.section.empty() ? 0 : JsonLines::place_of(line, mistake.section);
    std::size_t at = JsonLines::place_of(line, mistake.key, from);
    if (mistake.twice) {  // none if it was spelled in another way
        const std::size_t second = JsonLines::place_of(line, mistake.key, at);
        at = second == 0 ? at : second;
    }
    return lines.error(line, at + mistake.offset, mistake.message, mistake.harmless);
}

}  // namespace

struct JsonExamples::Json {
    explicit Json(const JsonLines& lines) : line(lines) {}
    ExampleLine line;
    // The keys of a line without a label and without any key similar to one: most lines are like the one before.
    std::vector<std::string> unlabelled;
};

JsonExamples::JsonExamples(const std::string& path) : lines_(path), json_(std::make_unique<Json>(lines_)) {}
JsonExamples::JsonExamples(std::FILE* file, std::string name)
    : lines_(file, std::move(name)), json_(std::make_unique<Json>(lines_)) {}
JsonExamples::~JsonExamples() = default;

std::vector<Example> JsonExamples::next(std::size_t most) {
    if (!failed_.empty()) throw ExampleError(failed_);
    std::vector<Example> examples;
    if (texts_.size() >= most_texts) texts_.clear();
    if (!lines_.next_lines(most)) return examples;
    examples.reserve(lines_.size());
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (read_line(lines_.line(i), examples.emplace_back())) continue;
        examples.pop_back();
        failed_ = json_->line.failed();
        if (examples.empty()) throw ExampleError(failed_);
        break;
    }
    return examples;
}

bool JsonExamples::read_line(const JsonLines::Line& text, Example& example) {
    ExampleLine& line = json_->line;
    if (!line.read(text)) return false;
    example.line = text.number;
    example.id = line.id();
    for (const auto& field : line.atoms()) {
        double value = 0;
        if (!line.probability(field.key, field.value, value)) return false;
        example.atoms.push_back({texts_.add(field.key), static_cast<float>(value)});
    }
    read_label(example);
    read_targets(example);
    read_question(example);
    return true;
}

void JsonExamples::read_label(Example& example) const {
    const ExampleLine& line = json_->line;
    const std::optional<simdjson::dom::element> given = line.field("label");
    if (given) {
        std::int64_t number = 0;
        example.label = truth_of(*given);
        if (!example.label && given->get(number) == simdjson::SUCCESS) example.label = Example::Label{number, false};
        if (!example.label)
            example.not_understood.push_back(
                {.key = "label", .message = fmt::format("'label': expected 0 or 1, not {}", shortened(*given))});
        return;
    }
    if (line.field("targets")) return;
    const std::vector<std::string> keys = line.keys();
    if (keys == json_->unlabelled) return;
    for (const char* wanted : {"label", "targets"}) {
        const std::string near = nearest_name(wanted, keys);
        if (near.empty()) continue;
        example.not_understood.push_back(
            {.key = near, .message = fmt::format("there is \"{}\" but no \"label\" or \"targets\"", near)});
        return;
    }
    json_->unlabelled = keys;
}

void JsonExamples::read_targets(Example& example) {
    const std::optional<simdjson::dom::element> given = json_->line.field("targets");
    if (!given) return;
    const auto refuse = [&](ExampleMistake mistake) { example.not_understood.push_back(std::move(mistake)); };
    simdjson::dom::object targets;
    if (given->get(targets) != simdjson::SUCCESS)
        return refuse({.key = "targets", .message = "\"targets\" must be an object from atoms to 0 or 1"});
    if (targets.begin() == targets.end()) return refuse({.key = "targets", .message = "\"targets\" names no atom"});
    for (const auto& field : targets) {
        if (const std::optional<Example::Label> truth = truth_of(field.value)) {
            example.targets.push_back({texts_.add(field.key), truth->number == 1});
        } else {
            const std::optional<double> value = value_of(field.value);
            if (value) example.value_targets.push_back({texts_.add(field.key), static_cast<float>(*value)});
            refuse({.key = std::string(field.key),
                    .message = fmt::format("'{}': expected 0 or 1, not {}", field.key, shortened(field.value)),
                    .section = "targets",
                    .is_value = value.has_value()});
        }
    }
}

void JsonExamples::read_question(Example& example) const {
    const ExampleLine& line = json_->line;
    std::string_view words;
    if (const auto query = line.field("query"); query && query->get(words) == simdjson::SUCCESS) example.query = words;
    if (const auto answer = line.field("answer")) {
        if (answer->get(words) == simdjson::SUCCESS) {
            example.answer = words;
        } else if (answer->is_number() || answer->is_bool()) {
            example.answer = simdjson::minify(*answer);
        } else {
            example.not_understood.push_back(
                {.key = "answer",
                 .message = fmt::format("'answer': expected the text of a term, not {}", shortened(*answer))});
        }
    }
    simdjson::dom::array images;
    if (const auto given = line.field("images"); given && given->get(images) == simdjson::SUCCESS) {
        for (const simdjson::dom::element image : images)
            if (image.get(words) == simdjson::SUCCESS) example.images.emplace_back(words);
    }
}

std::string JsonExamples::place(const Example& example) const {
    return fmt::format("{}:{}", lines_.name(), example.line);
}

std::string JsonExamples::describe(const Example& example, const ExampleMistake& mistake) const {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (lines_.line(i).number == example.line) return where(lines_, lines_.line(i), mistake);
    }
    return fmt::format("{}: {}: {}", place(example), mistake.harmless ? "warning" : "error", mistake.message);
}

}  // namespace neumann
