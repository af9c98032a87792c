#include "base/json_fields.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/input_files.h"
#include "base/suggest.h"

namespace neumann {
namespace {

using nlohmann::json;

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

std::string read_all(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw FileError(fmt::format("{}: this is a folder, not a file", path.string()));
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) throw FileError(fmt::format("{}: cannot be read", path.string()));
    note_input(path);
    std::ostringstream content;
    content << in.rdbuf();
    if (in.bad()) throw FileError(fmt::format("{}: cannot be read", path.string()));
    return std::move(content).str();
}

// The library's messages begin with its own name for the error and a place; ours is before that already.
std::string reason(const json::exception& error) {
    const std::string text = error.what();
    const std::size_t colon = text.find(": ");
    return colon == std::string::npos ? text : text.substr(colon + 2);
}

json parse(std::string_view text, const std::string& file, std::size_t first_line) {
    try {
        return json::parse(text);
    } catch (const json::parse_error& error) {
        const std::size_t at = std::min(error.byte, text.size());
        const auto newlines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw SceneError(
            fmt::format("{}:{}: not JSON: {}", file, first_line + static_cast<std::size_t>(newlines), reason(error)));
    } catch (const json::exception& error) {  // a number that no double can hold
        throw SceneError(fmt::format("{}:{}: not JSON: {}", file, first_line, reason(error)));
    }
}

}  // namespace

bool FieldReader::has(std::string_view key) const {
    if (!value_->is_object()) refuse("an object was expected");
    const auto found = value_->find(key);
    return found != value_->end() && !found->is_null();
}

FieldReader FieldReader::at(std::string_view key) const {
    if (!has(key)) refuse(fmt::format("there is no '{}'", key));
    return {*value_->find(key), file_, field_.empty() ? std::string(key) : fmt::format("{}.{}", field_, key)};
}

FieldReader FieldReader::at(std::size_t index) const {
    if (index >= size()) refuse(fmt::format("{} entries; at least {} are needed", size(), index + 1));
    return {(*value_)[index], file_, fmt::format("{}[{}]", field_, index)};
}

bool FieldReader::is_array() const { return value_->is_array(); }

std::size_t FieldReader::size() const {
    if (!value_->is_array()) refuse("a list was expected");
    return value_->size();
}

std::vector<std::string> FieldReader::keys() const {
    if (!value_->is_object()) refuse("an object was expected");
    std::vector<std::string> keys;
    for (const auto& item : value_->items()) keys.push_back(item.key());
    return keys;
}

std::string FieldReader::text() const {
    if (!value_->is_string()) refuse("a text was expected");
    return value_->get<std::string>();
}

double FieldReader::number() const {
    if (!value_->is_number()) refuse("a number was expected");
    const double number = value_->get<double>();
    if (!std::isfinite(number)) refuse("the number is not finite");
    return number;
}

std::uint64_t FieldReader::index() const {
    if (!value_->is_number_unsigned()) refuse("a whole number from 0 was expected");
    return value_->get<std::uint64_t>();
}

std::array<double, 3> FieldReader::triple() const {
    if (size() != 3) refuse(fmt::format("{} numbers; 3 are expected", size()));
    return {at(std::size_t{0}).number(), at(std::size_t{1}).number(), at(std::size_t{2}).number()};
}

void FieldReader::refuse(const std::string& why) const {
    throw SceneError(fmt::format("{}: {}{}{}", file_, field_, field_.empty() ? "" : ": ", why));
}

void FieldReader::refuse_word(const std::string& word, const std::vector<std::string>& known) const {
    refuse(fmt::format("unknown word '{}'; {}", word, did_you_mean_or_list(word, known)));
}

void read_json_entries(const std::filesystem::path& path, std::string_view list,
                       const std::function<void(const FieldReader&)>& visit) {
    const std::string file = path.string();
    const std::string content = read_all(path);
    const std::string_view all = content;
    if (is_blank(all)) throw SceneError(fmt::format("{}: the file is empty", file));

    const std::size_t first_end = std::min(all.find('\n'), all.size());
    if (!is_blank(all.substr(first_end)) && json::accept(all.substr(0, first_end))) {
        std::size_t line = 1;
        for (std::size_t begin = 0; begin < all.size(); ++line) {
            const std::size_t end = std::min(all.find('\n', begin), all.size());
            const std::string_view text = all.substr(begin, end - begin);
            begin = end + 1;
            if (!is_blank(text)) visit({parse(text, file, line), fmt::format("{}:{}", file, line), ""});
        }
        return;
    }
    const json whole = parse(all, file, 1);
    const FieldReader reader(whole, file, "");
    if (!reader.has(list)) return visit(reader);
    const FieldReader entries = reader.at(list);
    for (std::size_t i = 0; i < entries.size(); ++i) visit(entries.at(i));
}

std::string json_text(std::string_view text) { return json(text).dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace neumann
