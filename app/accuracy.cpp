#include "accuracy.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string.h>  // memmem

#include "logic/print.h"

namespace neumann::app {
namespace {

constexpr std::size_t lines_at_once = 256;

// One past the quote that ends the text which begins at `at`.
std::size_t end_of_text(std::string_view line, std::size_t at) {
    for (++at; at < line.size() && line[at] != '"'; ++at) at += line[at] == '\\' ? 1 : 0;
    return at + 1;
}

// Several times as quick as std::string_view::find.
std::size_t find_from(std::string_view line, std::string_view part, std::size_t from) {
    const void* const found = ::memmem(line.data() + from, line.size() - from, part.data(), part.size());
    return found == nullptr ? std::string_view::npos
                            : static_cast<std::size_t>(static_cast<const char*>(found) - line.data());
}

}  // namespace

// Only what follows the key is looked at closely, and what is asked for usually follows the atoms: a key belongs to the
// outermost object if one bracket is left to be closed after it.
std::string_view top_level_field(std::string_view line, std::string_view key) {
    constexpr std::size_t none = std::string_view::npos;
    const std::string quoted = '"' + std::string(key) + '"';
    for (std::size_t at = find_from(line, quoted, 0); at != none; at = find_from(line, quoted, at + 1)) {
        const std::size_t colon = line.find_first_not_of(" \t", at + quoted.size());
        const bool within_text = at > 0 && line[at - 1] == '\\';
        if (within_text || colon == none || line[colon] != ':') continue;
        const std::size_t begin = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
        std::size_t end = none;  // of the value
        int depth = 0;
        for (std::size_t i = begin; i < line.size(); ++i) {
            const char c = line[i];
            if (c == '"') {
                i = end_of_text(line, i) - 1;
            } else if (c == '{' || c == '[') {
                ++depth;
            } else if (c == '}' || c == ']' || c == ',') {
                if (depth == 0 && end == none) end = i;
                if (c != ',') --depth;
            }
        }
        if (depth == -1) return line.substr(begin, end - begin);
    }
    return {};
}

KnownOutcome known_outcome(std::string_view line) {
    KnownOutcome known;
    const auto field = [&](std::string_view key) {
        const std::string_view text = top_level_field(line, key);
        return text.empty() ? nlohmann::json() : nlohmann::json::parse(text, nullptr, false);
    };
    if (const nlohmann::json label = field("label"); label.is_number_integer()) {
        known.label = label.get<std::int64_t>();
    } else if (label.is_boolean()) {
        known.label = label.get<bool>() ? 1 : 0;
    }
    if (const nlohmann::json answer = field("answer"); answer.is_string()) known.answer = answer.get<std::string>();
    return known;
}

std::optional<double> Accuracy::label_value(ReasonSession& session, std::size_t at) const {
    const Program& program = session.compiled().program;
    if (program.labels.size() == 1) {
        const std::optional<std::uint32_t> atom =
            session.names().find(program.labels.front().predicate, program.labels.front().args);
        return atom ? session.engine().value(*atom, at) : 0.0;
    }
    const std::vector<Answer>& answers = session.output().answers();
    if (answers.size() != 1) return std::nullopt;  // nobody says which one is meant
    return answers.front().atom ? session.engine().value(*answers.front().atom, at) : 0.0;
}

void Accuracy::count(ReasonSession& session, std::size_t at, const KnownOutcome& known) {
    if (known.label) {
        classes_ = classes_ || (!positive_ && *known.label != 0 && *known.label != 1);
        const bool truth = *known.label == positive_.value_or(1);
        if (const std::optional<double> value = label_value(session, at)) {
            ++labels_.all;
            labels_.right += (*value >= threshold_) == truth ? 1 : 0;
        }
    }
    if (known.answer.empty()) return;
    // The likeliest atom answer(X); two that are equally likely are no answer.
    double best = 0;
    std::string likeliest;
    bool asked = false;
    for (const Answer& answer : session.output().answers()) {
        if (!answer.text.starts_with("answer(")) continue;
        asked = true;
        const double value = answer.atom ? session.engine().value(*answer.atom, at) : 0.0;
        if (value == best) likeliest.clear();
        if (value <= best) continue;
        best = value;
        likeliest = answer.text;
    }
    if (!asked) return;
    ++answers_.all;
    answers_.right += likeliest == fmt::format("answer({})", quote_name(known.answer)) ? 1 : 0;
}

std::string Accuracy::text() const {
    std::string text;
    const auto put = [&](const Tally& tally, std::string_view what) {
        if (tally.all == 0) return;
        text += fmt::format("accuracy: {} of {} {} right ({:.4f})\n", tally.right, tally.all, what,
                            static_cast<double>(tally.right) / static_cast<double>(tally.all));
    };
    if (classes_) {
        text +=
            "accuracy: not known; labels are numbers of classes, --positive N says which one the program is about\n";
    } else {
        put(labels_, "labels");
    }
    put(answers_, "answers");
    return text;
}

KnownOutcome OutcomeReader::of_line(std::size_t number) {
    while (true) {
        for (; at_ < lines_.size(); ++at_) {
            if (lines_.line(at_).number == number) return known_outcome(lines_.line(at_).text);
        }
        at_ = 0;
        if (!lines_.next_lines(lines_at_once)) return {};
    }
}

}  // namespace neumann::app
