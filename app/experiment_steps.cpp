#include "experiment_steps.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/whole_file.h"
#include "experiment_check.h"

namespace neumann::app {
namespace {

// FNV-1a: the same everywhere, as names of files must be.
std::string hash_of(const std::vector<std::string>& texts) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::string& text : texts) {
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        hash = (hash ^ 0xFFU) * 0x100000001b3U;  // no byte of UTF-8: texts do not run into each other
    }
    return fmt::format("{:016x}", hash);
}

// All paths in a folder, such as {work}, that a command mentions, also inside of longer arguments such as
// --out={work}/x or a script.
std::vector<std::string> paths_in(std::string_view folder, const std::vector<std::string>& shown) {
    const std::string mark = fmt::format("{}/", folder);
    std::vector<std::string> paths;
    for (const std::string& argument : shown) {
        for (std::size_t at = argument.find(mark); at != std::string::npos; at = argument.find(mark, at + 1)) {
            const std::size_t end = argument.find_first_of(" \t\n'\"<>|;&(),:=", at);
            std::string path = argument.substr(at, end == std::string::npos ? end : end - at);
            while (path.ends_with('/') || path.ends_with('*')) path.pop_back();
            paths.push_back(std::move(path));
        }
    }
    return paths;
}

bool lies_in(const std::string& path, const std::string& folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// What is in the files that a command takes from a folder: with it, the command changes. Files that those include in
// turn go unnoticed.
std::vector<std::string> contents_in(const std::string& mark, const std::filesystem::path& folder,
                                     const std::vector<std::string>& shown) {
    std::vector<std::string> contents;
    for (const std::string& path : paths_in(mark, shown)) {
        const std::filesystem::path file = folder / path.substr(mark.size() + 1);
        if (!std::filesystem::is_regular_file(file)) continue;
        if (std::optional<std::string> content = read_file(file)) contents.push_back(std::move(*content));
    }
    return contents;
}

class MakerIndex {
public:
    // Who made the paths of the next instance; those that nobody mentioned before are its own, and are added to
    // `made_here`.
    std::vector<std::size_t> makers_of(std::size_t instance, const std::vector<std::string>& paths,
                                       std::vector<std::string>& made_here) {
        std::vector<std::size_t> result;
        for (const std::string& path : paths) {
            bool made = false;
            for (const auto& [known, maker] : makers_) {
                if (maker == instance) continue;
                if (!lies_in(path, known) && !lies_in(known, path)) continue;
                made = made || lies_in(path, known);
                result.push_back(maker);
            }
            if (made) continue;
            if (makers_.emplace(path, instance).second) made_here.push_back(path);
        }
        std::ranges::sort(result);
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

private:
    std::map<std::string, std::size_t> makers_;
};

}  // namespace

Placeholders run_placeholders(const Experiment& experiment, const RunFolders& folders) {
    std::vector<std::pair<std::string, std::string>> filled = {
        {"work", folders.work(experiment.name, experiment.quick).string()},
        {"root", folders.root.string()},
        {"neumann", folders.executable},
        {"threads", fmt::format("{}", folders.threads)}};
    for (const std::string& other : experiment.needs)
        filled.emplace_back(fmt::format("work[{}]", other), folders.work(other, experiment.quick).string());
    return {experiment.settings, std::move(filled)};
}

std::vector<StepInstance> expand_steps(const Experiment& experiment, const RunFolders& folders) {
    const Placeholders unfilled(experiment.settings, unfilled_folders(experiment));
    const Placeholders filled = run_placeholders(experiment, folders);
    std::vector<std::pair<std::string, std::filesystem::path>> others = {{"{root}", folders.root}};
    for (const std::string& other : experiment.needs)
        others.emplace_back(fmt::format("{{work[{}]}}", other), folders.work(other, experiment.quick));
    std::vector<StepInstance> result;
    MakerIndex index;
    for (const auto* steps : {&experiment.steps, &experiment.baselines}) {
        for (const Step& step : *steps) {
            for (Bindings& bindings : combinations(step.loops)) {
                StepInstance instance;
                instance.step = &step;
                instance.shown = unfilled.fill_arguments(step.run, bindings);
                instance.run = filled.fill_arguments(step.run, bindings);
                instance.bindings = std::move(bindings);
                instance.makers = index.makers_of(result.size(), paths_in("{work}", instance.shown), instance.made);
                for (std::string& path : instance.made) path.erase(0, std::string_view("{work}/").size());
                std::vector<std::string> parts = instance.shown;
                parts.push_back(plain_text(instance.bindings));
                for (const auto& [mark, folder] : others)
                    for (std::string& content : contents_in(mark, folder, instance.shown))
                        parts.push_back(std::move(content));
                for (const std::size_t maker : instance.makers) parts.push_back(result[maker].key);
                instance.key = hash_of(parts);
                result.push_back(std::move(instance));
            }
        }
    }
    return result;
}

std::vector<bool> needed_for_baselines(const std::vector<StepInstance>& instances, const Experiment& experiment) {
    std::vector<bool> needed(instances.size());
    for (std::size_t i = instances.size(); i-- > 0;) {
        const bool baseline =
            std::ranges::any_of(experiment.baselines, [&](const Step& one) { return &one == instances[i].step; });
        if (baseline) needed[i] = true;
        if (!needed[i]) continue;
        for (const std::size_t maker : instances[i].makers) needed[maker] = true;
    }
    return needed;
}

std::string quoted_command(const std::vector<std::string>& arguments) {
    std::string out;
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("-_./=:,+@%{}").find(c) != std::string_view::npos;
    };
    for (const std::string& argument : arguments) {
        if (!out.empty()) out += ' ';
        if (!argument.empty() && std::ranges::all_of(argument, plain)) {
            out += argument;
            continue;
        }
        out += '\'';
        for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        out += '\'';
    }
    return out;
}

}  // namespace neumann::app
