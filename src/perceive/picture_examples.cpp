#include "perceive/picture_examples.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/json_fields.h"
#include "image/pictures.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

constexpr const char* split_list = "examples.jsonl";

struct FolderLabel {
    std::optional<std::int64_t> number;
    bool is_truth = false;
};

FolderLabel label_of(const std::string& folder) {
    for (const char* name : {"true", "positive"})
        if (folder == name) return {1, true};
    for (const char* name : {"false", "negative"})
        if (folder == name) return {0, true};
    if (folder == "0" || folder == "1") return {folder == "1" ? 1 : 0, false};
    // class0, class1, …
    constexpr std::string_view prefix = "class";
    std::int64_t number = 0;
    const char* const end = folder.data() + folder.size();
    if (folder.size() > prefix.size() && folder.starts_with(prefix) && folder[prefix.size()] != '-') {
        const auto [rest, error] = std::from_chars(folder.data() + prefix.size(), end, number);
        if (error == std::errc() && rest == end) return {number, false};
    }
    return {};
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> entries;
    fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) entries.push_back(at->path());
    if (error) throw FileError(fmt::format("cannot read the folder '{}': {}", folder.string(), error.message()));
    std::ranges::sort(entries);
    return entries;
}

void add_folder(const fs::path& folder, const FolderLabel& label, PictureList& list) {
    for (const fs::path& entry : sorted_entries(folder)) {
        const std::string name = entry.filename().string();
        if (name.starts_with('.')) continue;
        std::error_code ignored;
        if (fs::is_directory(entry, ignored)) {
            // A link may lead back up here.
            if (name == "masks" || fs::is_symlink(entry, ignored)) continue;
            const FolderLabel own = label_of(name);
            add_folder(entry, own.number ? own : label, list);
        } else if (is_picture_name(entry)) {
            list.examples.push_back(
                {.id = entry.string(), .images = {entry}, .label = label.number, .label_is_truth = label.is_truth});
        } else {
            ++list.other_files;
        }
    }
}

fs::path place_of_picture(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    const fs::path inside = folder / "images" / name;
    return fs::exists(inside, ignored) ? inside : folder / name;
}

std::vector<std::pair<std::string, double>> probabilities(const FieldReader& entry, const char* key) {
    std::vector<std::pair<std::string, double>> atoms;
    if (!entry.has(key)) return atoms;
    const FieldReader field = entry.at(key);
    for (const std::string& atom : field.keys()) {
        const double value = field.at(atom).number();
        if (!(value >= 0 && value <= 1)) field.at(atom).refuse(fmt::format("{} is not in [0,1]", value));
        atoms.emplace_back(atom, value);
    }
    return atoms;
}

void add_list(const fs::path& path, PictureList& list) {
    const fs::path folder = path.parent_path();
    std::size_t number = 0;
    read_json_entries(path, "examples", [&](const FieldReader& entry) {
        ++number;
        PictureExample example;
        const FieldReader images = entry.at("images");
        for (std::size_t i = 0; i < images.size(); ++i)
            example.images.push_back(place_of_picture(folder, images.at(i).text()));
        if (example.images.empty()) images.refuse("no pictures");
        example.id = entry.has("id") ? entry.at("id").text() : fmt::format("{}:{}", path.string(), number);
        if (entry.has("label")) example.label = static_cast<std::int64_t>(entry.at("label").index());
        if (entry.has("query")) example.query = entry.at("query").text();
        if (entry.has("answer")) example.answer = entry.at("answer").text();
        example.atoms = probabilities(entry, "atoms");
        example.targets = probabilities(entry, "targets");
        list.examples.push_back(std::move(example));
    });
}

bool is_list_name(const fs::path& path) { return path.extension() == ".jsonl" || path.extension() == ".json"; }

}  // namespace

PictureList find_pictures(std::span<const std::string> arguments) {
    PictureList list;
    for (const std::string& argument : arguments) {
        const fs::path path = argument;
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (!fs::exists(status)) throw FileError(fmt::format("there is no '{}'", argument));
        const bool folder = fs::is_directory(status);
        if (list.folder.empty() && (folder || is_list_name(path)))
            list.folder = folder ? path : path.has_parent_path() ? path.parent_path() : fs::path(".");
        if (!folder && is_list_name(path)) {
            add_list(path, list);
        } else if (!folder) {
            list.examples.push_back({.id = argument, .images = {path}});
        } else if (fs::exists(path / split_list, error)) {
            add_list(path / split_list, list);
        } else {
            add_folder(path, label_of(fs::absolute(path).lexically_normal().filename().string()), list);
        }
    }
    return list;
}

bool is_picture_list(const fs::path& path) {
    if (!is_list_name(path)) return false;
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line) && line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const nlohmann::json first = nlohmann::json::parse(line, nullptr, false);
    return first.is_object() && first.contains("images") && !first.contains("atoms");
}

}  // namespace neumann
