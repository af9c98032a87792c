#include "perceive/nets/labelled_pictures.h"

#include <algorithm>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "base/files.h"
#include "perceive/perceiver.h"
#include "perceive/picture_examples.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_classes = 1000;

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> result;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error))
        if (is_folder(at->path()) && !at->path().filename().string().starts_with('.')) result.push_back(at->path());
    if (error) throw FileError(fmt::format("cannot read the folder '{}': {}", folder.string(), error.message()));
    std::ranges::sort(result);
    return result;
}

PictureList pictures_in(const fs::path& folder) {
    const std::string argument = folder.string();
    return find_pictures(std::span(&argument, 1));
}

// Numbers with as many digits each, so that they are in order as text, too.
std::string class_name(std::int64_t label) { return fmt::format("{:03}", label); }

bool is_number(const std::string& name) {
    return !name.empty() && name.size() <= 3 && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

std::string class_name(const fs::path& folder) {
    const std::string name = folder.filename().string();
    return is_number(name) ? class_name(std::int64_t{std::stoi(name)}) : name;
}

std::string shown_name(const std::string& name) { return is_number(name) ? fmt::format("{}", std::stoi(name)) : name; }

// Images by the names of their classes.
using ByClass = std::map<std::string, std::vector<fs::path>>;

void add_class(const fs::path& folder, const std::string& name, ByClass& found) {
    std::vector<fs::path>& pictures = found[name];
    for (const PictureExample& example : pictures_in(folder).examples)
        pictures.insert(pictures.end(), example.images.begin(), example.images.end());
}

void add_list(const fs::path& folder, ByClass& found) {
    for (const PictureExample& example : pictures_in(folder).examples) {
        if (!example.label)
            throw PerceptionError(fmt::format("{}: example {} has no label", folder.string(), example.id));
        if (*example.label < 0 || *example.label >= most_classes)
            throw PerceptionError(fmt::format("{}: example {}: expected a label from 0 to {}, not {}", folder.string(),
                                              example.id, most_classes - 1, *example.label));
        if (example.images.size() != 1)
            throw PerceptionError(fmt::format("{}: example {} has {} pictures; baselines look at one", folder.string(),
                                              example.id, example.images.size()));
        found[class_name(*example.label)].push_back(example.images.front());
    }
}

// Whether there is such a split.
bool add_split(const fs::path& folder, std::string_view split, ByClass& found) {
    const fs::path inside = folder / split;
    if (is_folder(inside)) {
        std::error_code ignored;
        if (fs::exists(inside / "examples.jsonl", ignored)) {
            add_list(inside, found);
        } else {
            for (const fs::path& one : folders_in(inside)) add_class(one, class_name(one), found);
        }
        return true;
    }
    bool any = false;
    for (const fs::path& one : folders_in(folder)) {
        if (!is_folder(one / split)) continue;
        add_class(one / split, class_name(one), found);
        any = true;
    }
    return any;
}

}  // namespace

PictureClasses find_labelled_pictures(std::span<const fs::path> folders) {
    if (folders.empty()) throw PerceptionError("no folder of labelled pictures to learn from");
    PictureClasses result;
    std::vector<std::string> keys;
    for (const Split split : {Split::Train, Split::Val, Split::Test}) {
        ByClass found;
        for (const fs::path& folder : folders) {
            if (!is_folder(folder)) throw FileError(fmt::format("there is no folder '{}'", folder.string()));
            if (!add_split(folder, split_name(split), found) && split != Split::Test)
                throw FileError(fmt::format("'{}' has no folder {}", folder.string(), split_name(split)));
        }
        std::erase_if(found, [](const auto& one) { return one.second.empty(); });
        if (split == Split::Train) {
            for (const auto& one : found) keys.push_back(one.first);
            if (keys.size() < 2)
                throw PerceptionError(fmt::format("'{}': pictures of {} to learn from; at least two are needed",
                                                  (folders.front() / "train").string(),
                                                  keys.empty() ? "no class" : "one class"));
            for (const std::string& key : keys) result.names.push_back(shown_name(key));
        }
        LabelledPictures& into = split == Split::Train ? result.train
                                 : split == Split::Val ? result.validation
                                                       : result.test;
        for (const auto& [key, pictures] : found) {
            const auto at = std::ranges::find(keys, key);
            if (at == keys.end())
                throw PerceptionError(
                    fmt::format("class {} is in {}, but not in train", shown_name(key), split_name(split)));
            into.pictures.insert(into.pictures.end(), pictures.begin(), pictures.end());
            into.labels.insert(into.labels.end(), pictures.size(), at - keys.begin());
        }
        if (into.pictures.empty() && split == Split::Val)
            throw PerceptionError(fmt::format("'{}': there are no pictures", (folders.front() / "val").string()));
    }
    return result;
}

}  // namespace neumann
