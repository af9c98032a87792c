#include "datasets/questions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/parallel.h"
#include "base/random_draws.h"

namespace neumann {
namespace {

constexpr std::size_t items_per_chunk = 256;
constexpr std::array<const char*, 4> row_colors{"cyan", "gray", "red", "yellow"};
constexpr std::array<std::string_view, 4> operation_names{"delete", "append", "reverse", "sort"};
constexpr std::array<std::string_view, 3> place_names{"1st", "2nd", "3rd"};

bool names_color(RowOperation operation) {
    return operation == RowOperation::Delete || operation == RowOperation::Append;
}

// The first `length` colours are the row, the others are not in it.
Question ask(RowOperation operation, const std::vector<std::string>& colors, std::uint32_t length, std::uint32_t scene,
             Rng& rng) {
    Question question;
    question.operation = operation;
    question.scene = scene;
    const auto all = static_cast<std::uint32_t>(colors.size());
    if (operation == RowOperation::Delete) question.color = colors[rng.below(length)];
    if (operation == RowOperation::Append) question.color = colors[length + rng.below(all - length)];
    const std::vector<std::string> after =
        row_after(operation, question.color, {colors.begin(), colors.begin() + length});
    question.place = rng.below(static_cast<std::uint32_t>(after.size()));
    question.answer = after[question.place];
    return question;
}

void make_item(const QuestionOptions& options, std::size_t item, QuestionSet& set) {
    Rng rng(item_seed(options.seed, "behind-the-scenes", {static_cast<std::uint64_t>(options.split), item}));
    std::size_t question = item * std::size(question_operations);
    for (const std::uint32_t length : {3U, 2U}) {
        const std::size_t number = 2 * item + (length == 3 ? 0 : 1);
        std::vector<std::string> colors(row_colors.begin(), row_colors.end());
        shuffle_in_place(colors, rng);
        Scene& scene = set.scenes[number];
        scene = make_row({colors.begin(), colors.begin() + length}, rng.next(), options.row);
        scene.image = fmt::format("BehindTheScenes_{}_{:06}.png", split_name(options.split), number);
        for (const RowOperation operation : question_operations) {
            if ((operation == RowOperation::Append) != (length == 2)) continue;
            set.questions[question++] = ask(operation, colors, length, static_cast<std::uint32_t>(number), rng);
        }
    }
}

// "delete", "cyan", "2nd" with the given separator, each in the given quotes
std::string words(const Question& question, std::string_view separator, std::string_view quote) {
    std::string text = fmt::format("{0}{1}{0}", quote, operation_name(question.operation));
    if (names_color(question.operation)) text += fmt::format("{1}{0}{2}{0}", quote, separator, question.color);
    return text + fmt::format("{1}{0}{2}{0}", quote, separator, place_names[question.place]);
}

void write_question(std::string& out, const QuestionSet& set, std::size_t index) {
    const Question& question = set.questions[index];
    const std::string& file = set.scenes[question.scene].image;
    fmt::format_to(
        std::back_inserter(out),
        R"json({{"program": "query{}({})", "question": [{}], "answer": "{}", "split": "{}", "image_index": {}, )json"
        R"("image": "{}", "image_filename": "{}", "question_index": {}}})",
        names_color(question.operation) ? 3 : 2, words(question, ",", ""), words(question, ", ", "\""), question.answer,
        split_name(set.split), question.scene, file.substr(0, file.rfind('.')), file, index);
}

template <std::size_t N>
std::size_t number_of(const std::array<std::string_view, N>& known, const FieldReader& field) {
    const std::string word = field.text();
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) field.refuse_word(word, {known.begin(), known.end()});
    return static_cast<std::size_t>(found - known.begin());
}

std::string color_of(const FieldReader& field) {
    static constexpr std::array<std::string_view, 4> known{"cyan", "gray", "red", "yellow"};
    return std::string(known[number_of(known, field)]);
}

ReadQuestion read_question(const FieldReader& entry) {
    ReadQuestion result;
    Question& question = result.question;
    const FieldReader asked = entry.at("question");
    const std::size_t count = asked.size();
    if (count == 0) asked.refuse("a list of an operation, a colour for delete and append, and a position was expected");
    question.operation = question_operations[number_of(operation_names, asked.at(0))];
    const std::size_t expected = names_color(question.operation) ? 3 : 2;
    if (count != expected) asked.refuse(fmt::format("{} words; {} are expected", count, expected));
    if (expected == 3) question.color = color_of(asked.at(1));
    question.place = static_cast<std::uint32_t>(number_of(place_names, asked.at(expected - 1)));
    question.answer = color_of(entry.at("answer"));
    result.image = entry.at("image_filename").text();
    if (entry.has("image_index")) question.scene = static_cast<std::uint32_t>(entry.at("image_index").index());
    return result;
}

}  // namespace

std::string_view operation_name(RowOperation operation) { return operation_names[static_cast<std::size_t>(operation)]; }

std::vector<std::string> row_after(RowOperation operation, const std::string& color, std::vector<std::string> row) {
    switch (operation) {
    case RowOperation::Delete:
        std::erase(row, color);
        break;
    case RowOperation::Append:
        row.insert(row.begin(), color);
        break;
    case RowOperation::Reverse:
        std::reverse(row.begin(), row.end());
        break;
    case RowOperation::Sort:
        std::sort(row.begin(), row.end());
        break;
    }
    return row;
}

std::string query_atom(const Question& question) {
    return fmt::format("query{}(q,q_{})", names_color(question.operation) ? 3 : 2, words(question, ",", ""));
}

QuestionSet make_questions(const QuestionOptions& options) {
    QuestionSet set;
    set.split = options.split;
    set.scenes.resize(2 * options.per_operation);
    set.questions.resize(std::size(question_operations) * options.per_operation);
    const std::size_t chunks = (options.per_operation + items_per_chunk - 1) / items_per_chunk;
    parallel_chunks(options.threads, chunks, [&](std::size_t chunk) {
        const std::size_t end = std::min(options.per_operation, (chunk + 1) * items_per_chunk);
        for (std::size_t item = chunk * items_per_chunk; item < end; ++item) make_item(options, item, set);
    });
    Rng rng(item_seed(options.seed, "behind-the-scenes order", {static_cast<std::uint64_t>(options.split)}));
    shuffle_in_place(set.questions, rng);
    return set;
}

std::string questions_json(const QuestionSet& set) {
    std::string out = fmt::format(R"({{"info": {{"split": "{}"}}, "questions": [)", split_name(set.split));
    for (std::size_t i = 0; i < set.questions.size(); ++i) {
        out += i == 0 ? "\n" : ",\n";
        write_question(out, set, i);
    }
    return out + "\n]}\n";
}

std::string questions_json_lines(const QuestionSet& set) {
    std::string out;
    for (std::size_t i = 0; i < set.questions.size(); ++i) {
        write_question(out, set, i);
        out += '\n';
    }
    return out;
}

std::vector<ReadQuestion> read_questions(const std::filesystem::path& path) {
    std::vector<ReadQuestion> questions;
    read_json_entries(path, "questions", [&](const FieldReader& entry) { questions.push_back(read_question(entry)); });
    return questions;
}

}  // namespace neumann
