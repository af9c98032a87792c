#include "options/output_files.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "cli/files.h"
#include "command.h"

namespace neumann::app {
namespace {

namespace fs = std::filesystem;

// By the name of the option, for every command.
constexpr std::array file_options = {"--output",          "--out",   "--html",   "--svg",      "--dot",
                                     "--history-picture", "--scene", "--curves", "--detector", "--checkpoint"};
constexpr std::array folder_options = {"--attention", "--cache"};
constexpr std::array either_options = {"--annotate", "--heat-map", "--report"};  // a file if the name has an ending

// File types that a command reads from a folder.
constexpr std::array read_endings = {".txt", ".nm", ".png", ".jpg", ".jpeg", ".json", ".jsonl"};

bool is_one_of(const CLI::Option& option, const auto& names) {
    return std::ranges::any_of(names, [&](const char* name) { return option.check_name(name); });
}

bool is_stream(const fs::path& path) {
    std::error_code ignored;
    return path.empty() || path == "-" || (fs::exists(path, ignored) && fs::is_other(path, ignored));
}

bool takes_paths(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    return option.get_positional() || type.find("FILE") != std::string::npos || type.find("DIR") != std::string::npos ||
           type.find("IMAGE") != std::string::npos;
}

void require_no_input(const NamedPath& output, const std::vector<NamedPath>& inputs) {
    std::error_code ignored;
    for (const NamedPath& input : inputs) {
        const bool folder = fs::is_directory(input.path, ignored);
        if (!folder && same_file(output.path, input.path))
            throw UsageError(fmt::format("{}: '{}' is what {} reads, and would be overwritten; name another file",
                                         output.option, output.path.string(), input.option));
        const std::string ending = output.path.extension().string();
        if (folder && fs::exists(output.path, ignored) && lies_in(output.path, input.path) &&
            std::ranges::find(read_endings, std::string_view(ending)) != read_endings.end())
            throw UsageError(
                fmt::format("{}: '{}' is in the folder that {} reads, and would be overwritten; name another file",
                            output.option, output.path.string(), input.option));
    }
}

void require_writable_file(const NamedPath& output) {
    std::error_code ignored;
    if (fs::is_directory(output.path, ignored))
        throw UsageError(
            fmt::format("{}: '{}' is a folder; name a file to write", output.option, output.path.string()));
    const fs::path parent = output.path.parent_path().empty() ? fs::path(".") : output.path.parent_path();
    if (!fs::is_directory(parent, ignored))
        throw UsageError(fmt::format("{}: cannot write '{}': there is no folder '{}'", output.option,
                                     output.path.string(), parent.string()));
    if (::access(parent.c_str(), W_OK) != 0)
        throw UsageError(fmt::format("{}: cannot write '{}': nothing may be written into the folder '{}'",
                                     output.option, output.path.string(), parent.string()));
}

// The nearest part of the path that exists must be a folder that can be written to.
void require_folder(const NamedPath& output) {
    std::error_code ignored;
    fs::path existing = fs::absolute(output.path, ignored);
    while (!existing.empty() && !fs::exists(existing, ignored) && existing != existing.parent_path())
        existing = existing.parent_path();
    if (!fs::is_directory(existing, ignored))
        throw UsageError(
            fmt::format("{}: '{}' is a file, and cannot be a folder to write to", output.option,
                        existing == fs::absolute(output.path, ignored) ? output.path.string() : existing.string()));
    // Permissions alone do not say it: some file systems take nothing from anybody.
    std::string probe = (existing / "neumann-XXXXXX").string();
    if (::mkdtemp(probe.data()) == nullptr)
        throw UsageError(
            fmt::format("{}: nothing may be written into the folder '{}'", output.option, existing.string()));
    ::rmdir(probe.c_str());
}

// `convert` writes a file or a folder.
bool writes_folder(const CLI::App& command, const CLI::Option& option) {
    if (!option.check_name("--output")) return false;
    const CLI::Option* const to = command.get_option_no_throw("--to");
    return option.get_type_name() == "DIR" || (to != nullptr && to->count() > 0 && to->results().back() == "folder");
}

void add_beside_output(const CLI::App& command, OutputFiles& all) {
    const CLI::Option* const checkpoint = command.get_option_no_throw("--checkpoint");
    if (checkpoint == nullptr || checkpoint->count() > 0) return;
    const char* const ending = command.get_name() == "clauses" ? ".journal" : ".checkpoint";
    for (const NamedPath& file : std::vector(all.files)) {
        if (file.option != "--output" && file.option != "--out") continue;
        all.files.push_back({"--checkpoint", file.path.string() + ending});
    }
}

}  // namespace

void require_svg_name(const fs::path& path) {
    if (path.extension() == ".svg") return;
    throw UsageError(fmt::format("cannot write '{}': pictures are SVG; name it '{}'", path.string(),
                                 fs::path(path).replace_extension(".svg").string()));
}

OutputFiles output_files(const CLI::App& command) {
    OutputFiles all;
    for (const CLI::Option* const option : command.get_options()) {
        if (option->count() == 0 || option->get_expected_max() == 0) continue;
        const std::string name = option->get_name();
        const bool makes_folder = is_one_of(*option, folder_options) || writes_folder(command, *option);
        for (const std::string& value : option->results()) {
            if (value.empty() || is_stream(value)) continue;
            std::error_code ignored;
            const bool ends =
                fs::path(value).has_extension() && !value.ends_with('/') && !fs::is_directory(value, ignored);
            if (makes_folder || (is_one_of(*option, either_options) && !ends)) {
                all.folders.push_back({name, value});
            } else if (is_one_of(*option, file_options) || is_one_of(*option, either_options)) {
                all.files.push_back({name, value});
            } else if (takes_paths(*option) && fs::exists(value, ignored)) {
                all.inputs.push_back({name, value});
            }
        }
    }
    add_beside_output(command, all);
    return all;
}

void require_safe_outputs(const OutputFiles& all) {
    for (std::size_t i = 0; i < all.files.size(); ++i) {
        require_writable_file(all.files[i]);
        require_no_input(all.files[i], all.inputs);
        for (std::size_t j = 0; j < i; ++j) {
            if (same_file(all.files[i].path, all.files[j].path))
                throw UsageError(fmt::format("{} and {} would both write '{}'; name another file", all.files[j].option,
                                             all.files[i].option, all.files[i].path.string()));
        }
    }
    for (const NamedPath& folder : all.folders) require_folder(folder);
}

}  // namespace neumann::app
