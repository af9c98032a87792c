#include "checked_json.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/suggest.h"
#include "base/whole_file.h"

namespace neumann::app {
namespace {

// nlohmann's text begins with its own error number and place.
std::string without_prefix(const std::string& what) {
    const std::size_t end = what.find("] ");
    return end == std::string::npos ? what : what.substr(end + 2);
}

}  // namespace

Json read_json_file(const std::filesystem::path& path) {
    const std::optional<std::string> text = read_file(path);
    if (!text) throw JsonFileError(fmt::format("{}: cannot be read", path.string()));
    try {
        return Json::parse(*text);
    } catch (const Json::parse_error& error) {
        throw JsonFileError(fmt::format("{}: {}", path.string(), without_prefix(error.what())));
    }
}

void CheckedJson::fail(const std::string& what) const {
    throw JsonFileError(fmt::format("{}: {}: {}", *file_, place(), what));
}

void CheckedJson::require_keys(const std::vector<std::string>& known) const {
    if (!value_->is_object()) fail("expected an object");
    for (const auto& [key, member] : value_->items()) {
        if (std::ranges::find(known, key) == known.end())
            fail(fmt::format("unknown key '{}'; {}", key, did_you_mean_or_list(key, known)));
    }
}

CheckedJson CheckedJson::at(const std::string& key) const {
    if (!value_->is_object()) fail("expected an object");
    const auto found = value_->find(key);
    if (found == value_->end()) fail(fmt::format("'{}' is missing", key));
    return {*file_, *found, place_ + "/" + key};
}

std::vector<std::pair<std::string, CheckedJson>> CheckedJson::members() const {
    if (!value_->is_object()) fail("expected an object");
    std::vector<std::pair<std::string, CheckedJson>> result;
    for (const auto& [key, member] : value_->items())
        result.emplace_back(key, CheckedJson(*file_, member, place_ + "/" + key));
    return result;
}

std::vector<CheckedJson> CheckedJson::elements() const {
    if (!value_->is_array()) fail("expected a list");
    std::vector<CheckedJson> result;
    for (const Json& element : *value_)
        result.push_back(CheckedJson(*file_, element, fmt::format("{}/{}", place_, result.size())));
    return result;
}

std::string CheckedJson::text() const {
    if (!value_->is_string() || value_->get_ref<const std::string&>().empty()) fail("expected a text");
    return value_->get<std::string>();
}

double CheckedJson::number() const {
    if (!value_->is_number()) fail("expected a number");
    return value_->get<double>();
}

bool CheckedJson::flag() const {
    if (!value_->is_boolean()) fail("expected true or false");
    return value_->get<bool>();
}

Json CheckedJson::scalar() const {
    if (!value_->is_string() && !value_->is_number()) fail("expected a text or a number");
    return *value_;
}

std::string CheckedJson::text_or(const std::string& key, std::string otherwise) const {
    if (!has(key)) return otherwise;
    const CheckedJson found = at(key);
    return found.value() == "" ? "" : found.text();
}

bool CheckedJson::flag_or(const std::string& key, bool otherwise) const {
    return has(key) ? at(key).flag() : otherwise;
}

std::vector<CheckedJson> CheckedJson::elements_of(const std::string& key) const {
    return has(key) ? at(key).elements() : std::vector<CheckedJson>();
}

}  // namespace neumann::app
