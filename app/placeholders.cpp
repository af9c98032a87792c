#include "placeholders.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "base/suggest.h"

namespace neumann::app {
namespace {

bool names(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

std::string_view name_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && names(text[end])) ++end;
    return text.substr(at, end - at);
}

struct Found {
    std::string name, index;  // index: empty without brackets
    std::size_t end = 0;      // behind the closing brace; 0: no placeholder
};

// What the brace at this place opens.
Found placeholder_at(std::string_view text, std::size_t brace) {
    Found found;
    found.name = name_at(text, brace + 1);
    std::size_t at = brace + 1 + found.name.size();
    if (found.name.empty()) return {};
    if (at < text.size() && text[at] == '[') {
        found.index = name_at(text, at + 1);
        at += 1 + found.index.size();
        if (found.index.empty() || at >= text.size() || text[at] != ']') return {};
        ++at;
    }
    if (at >= text.size() || text[at] != '}') return {};
    found.end = at + 1;
    return found;
}

}  // namespace

const Json* binding(const Bindings& bindings, const std::string& variable) {
    for (const auto& [name, value] : bindings)
        if (name == variable) return &value;
    return nullptr;
}

std::string plain_text(const Json& scalar) {
    return scalar.is_string() ? scalar.get<std::string>() : scalar.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string plain_text(const Bindings& bindings) {
    std::string out;
    for (const auto& [name, value] : bindings)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, plain_text(value));
    return out;
}

Json Placeholders::value_of(const std::string& name, const std::string& index, const Bindings& bindings) const {
    const std::string full = index.empty() ? name : fmt::format("{}[{}]", name, index);
    for (const auto& [folder, path] : folders_)
        if (folder == full) return path;
    const Json* value = binding(bindings, name);
    if (value == nullptr && settings_->contains(name)) value = &settings_->at(name);
    if (value == nullptr) {
        std::vector<std::string> known;
        for (const auto& [variable, bound] : bindings) known.push_back(variable);
        for (const auto& [setting, given] : settings_->items()) known.push_back(setting);
        for (const auto& [folder, path] : folders_) known.push_back(folder);
        throw PlaceholderError(fmt::format("there is no setting or loop variable '{}' for {{{}}}; {}", name, full,
                                           did_you_mean_or_list(name, known)));
    }
    if (index.empty()) return *value;
    if (!value->is_object()) throw PlaceholderError(fmt::format("{{{}}}: '{}' is not an object", full, name));
    const Json* key = binding(bindings, index);
    if (key == nullptr && settings_->contains(index)) key = &settings_->at(index);
    const std::string entry = key == nullptr ? index : plain_text(*key);
    if (!value->contains(entry)) throw PlaceholderError(fmt::format("{{{}}}: '{}' has no '{}'", full, name, entry));
    return value->at(entry);
}

std::string Placeholders::fill(const std::string& text, const Bindings& bindings) const {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '{') {
            out += text[at++];
            continue;
        }
        const bool doubled = at + 1 < text.size() && text[at + 1] == '{';
        const Found found = placeholder_at(text, at + (doubled ? 1 : 0));
        if (found.end == 0) {
            out += text[at++];
        } else if (doubled && found.end < text.size() && text[found.end] == '}') {
            out += text.substr(at + 1, found.end - at - 1);
            at = found.end + 1;
        } else if (doubled) {
            out += text[at++];
        } else {
            const Json value = value_of(found.name, found.index, bindings);
            if (value.is_structured())
                throw PlaceholderError(fmt::format("'{}': {{{}}} is a list or an object", text, found.name));
            out += plain_text(value);
            at = found.end;
        }
    }
    return out;
}

std::vector<std::string> Placeholders::fill_arguments(const std::vector<std::string>& arguments,
                                                      const Bindings& bindings) const {
    std::vector<std::string> out;
    for (const std::string& argument : arguments) {
        const Found found = argument.starts_with('{') ? placeholder_at(argument, 0) : Found();
        if (found.end == 0 || found.end != argument.size()) {
            out.push_back(fill(argument, bindings));
            continue;
        }
        const Json value = value_of(found.name, found.index, bindings);
        if (!value.is_array()) {
            out.push_back(fill(argument, bindings));
            continue;
        }
        for (const Json& one : value) {
            if (one.is_structured()) throw PlaceholderError(fmt::format("'{}': not a list of texts", argument));
            out.push_back(fill(plain_text(one), bindings));
        }
    }
    return out;
}

}  // namespace neumann::app
