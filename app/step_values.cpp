#include "step_values.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <regex>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "base/whole_file.h"

namespace neumann::app {
namespace {

using Kind = ValueSource::Kind;
using Which = ValueSource::Which;

// The standard library's matcher calls itself for each character: longer lines could exhaust the stack.
constexpr std::size_t searched_line_bytes = 4096;

std::string content_of(const std::filesystem::path& path) {
    std::optional<std::string> content = read_file(path);
    if (!content) throw ValueError(fmt::format("{} cannot be read", path.string()));
    return std::move(*content);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(std::move(line));
    }
    return lines;
}

Json number_or_text(const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole_text = !text.empty() && error == std::errc() && end == text.data() + text.size();
    if (!whole_text || !std::isfinite(number)) return text;
    if (number == std::round(number) && std::abs(number) < 1e15) return static_cast<std::int64_t>(number);
    return number;
}

Json parsed(const std::string& text) {
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) throw ValueError("not JSON");
    return json;
}

Json at_pointer(const std::string& text, const ValueSource& source, const std::string& pointer) {
    std::string part = text;
    if (source.line) {
        std::vector<std::string> lines = lines_of(text);
        std::erase(lines, "");
        const auto count = static_cast<long>(lines.size());
        const long index = *source.line < 0 ? count + *source.line : *source.line;
        if (index < 0 || index >= count) throw ValueError(fmt::format("no line {} of {}", *source.line, count));
        part = lines[static_cast<std::size_t>(index)];
    }
    const Json json = parsed(part);
    try {
        return json.at(Json::json_pointer(pointer));
    } catch (const Json::exception&) {
        throw ValueError(fmt::format("no {}", pointer));
    }
}

Json match(const std::string& text, const ValueSource& source) {
    const std::regex expression(source.what);
    std::vector<std::string> found;
    for (const std::string& line : lines_of(text)) {
        const std::string part = line.substr(0, searched_line_bytes);
        for (std::sregex_iterator at(part.begin(), part.end(), expression), end; at != end; ++at) {
            found.push_back(at->str(1));
            if (source.which == Which::First) return number_or_text(found.front());
        }
    }
    if (found.empty()) throw ValueError(fmt::format("nothing matches '{}'", source.what));
    if (source.which == Which::Last) return number_or_text(found.back());
    Json numbers = Json::array();
    std::string joined;
    bool all_numbers = true;
    for (const std::string& one : found) {
        numbers.push_back(number_or_text(one));
        all_numbers = all_numbers && numbers.back().is_number();
        joined += (joined.empty() ? "" : "\n") + one;
    }
    return all_numbers ? numbers : Json(joined);
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells{""};
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += line[++i];
        } else if (line[i] == '"') {
            quoted = !quoted;
        } else if (line[i] == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += line[i];
        }
    }
    return cells;
}

Json column(const std::string& text, const std::string& name) {
    const std::vector<std::string> lines = lines_of(text);
    const std::vector<std::string> titles = lines.empty() ? std::vector<std::string>() : cells_of(lines.front());
    const auto found = std::ranges::find(titles, name);
    if (found == titles.end()) throw ValueError(fmt::format("no column '{}'", name));
    const auto index = static_cast<std::size_t>(found - titles.begin());
    Json values = Json::array();
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        const std::vector<std::string> cells = cells_of(lines[i]);
        if (index >= cells.size()) throw ValueError(fmt::format("line {} has no column '{}'", i + 1, name));
        values.push_back(cells[index].empty() ? Json() : number_or_text(cells[index]));
    }
    return values;
}

std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    return text;
}

Json measured(const ChildOutcome& outcome, const std::string& what) {
    if (what == "seconds") return outcome.seconds;
    if (what == "peak_bytes") return outcome.peak_bytes;
    if (what == "exit_code") return outcome.exit_code;
    return outcome.timed_out ? 1 : 0;
}

Json computed(const ValueSource& source, const Json& before) {
    std::vector<double> parts;
    for (const std::string& part : source.parts) {
        if (!before.contains(part) || !before[part].is_number())
            throw ValueError(fmt::format("'{}' is not a number", part));
        parts.push_back(before[part].get<double>());
    }
    double sum = 0;
    for (const double part : parts) sum += part;
    const double result = source.kind == Kind::Sum ? sum : parts[0] / parts[1];
    if (!std::isfinite(result)) throw ValueError("division by 0");
    return result;
}

}  // namespace

Json step_values(const Step& step, const Bindings& bindings, const Placeholders& placeholders,
                 const StepOutputs& outputs, bool lenient) {
    Json values = Json::object();
    for (const auto& [name, source] : step.values) {
        std::filesystem::path from = source.from_errors ? outputs.errors : outputs.output;
        if (!source.file.empty()) from = placeholders.fill(source.file, bindings);
        try {
            switch (source.kind) {
            case Kind::Measured:
                values[name] = measured(outputs.outcome, source.what);
                break;
            case Kind::Sum:
            case Kind::Ratio:
                values[name] = computed(source, values);
                break;
            case Kind::Pointer:
                values[name] = at_pointer(content_of(from), source, placeholders.fill(source.what, bindings));
                break;
            case Kind::Match:
                values[name] = match(content_of(from), source);
                break;
            case Kind::Text:
                values[name] = trimmed(content_of(from));
                break;
            case Kind::Column:
                values[name] = column(content_of(from), source.what);
                break;
            }
        } catch (const ValueError& error) {
            if (!lenient) throw ValueError(fmt::format("value '{}': {} (in {})", name, error.what(), from.string()));
        }
    }
    return values;
}

}  // namespace neumann::app
