#include "print/explain_output.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/files.h"
#include "cli/text.h"
#include "command.h"
#include "options/output_files.h"

namespace neumann::app {
namespace {

namespace fs = std::filesystem;

// For the name of a file: special characters of shells become underscores.
std::string file_stem(const Explanation& explanation) {
    constexpr std::size_t longest = 150;
    std::string id = explanation.id;
    if (id.size() > 1 && id.front() == '"') id = id.substr(1, id.size() - 2);
    std::string name = fmt::format("{}_{}", id, explanation.atom).substr(0, longest);
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '_');
    while (!name.empty() && name.back() == '_') name.pop_back();
    return name;
}

bool ends_in(const std::string& name, std::string_view ending) { return fs::path(name).extension() == ending; }

}  // namespace

void ExplainOutputOptions::require_names() const {
    for (const std::string& name : {dot, svg, html, heat_map}) {
        const fs::path folder = fs::path(name).parent_path();
        std::error_code error;
        const bool is_folder_to_make = name == heat_map && !ends_in(heat_map, ".png");
        if (!folder.empty() && !fs::is_directory(folder, error) && !is_folder_to_make)
            throw UsageError(fmt::format("cannot write {}: there is no folder {}", name, folder.string()));
    }
    if (!svg.empty()) require_svg_name(svg);
    const auto require_ending = [](const std::string& name, std::string_view option, std::string_view ending) {
        if (!name.empty() && !ends_in(name, ending))
            throw UsageError(fmt::format("{}: the name of the file must end in {}, not '{}'", option, ending, name));
    };
    require_ending(dot, "--dot", ".dot");
    if (!html.empty() && !ends_in(html, ".html") && !ends_in(html, ".htm"))
        throw UsageError(fmt::format("--html: the name of the file must end in .html, not '{}'", html));
    if (const fs::path ending = fs::path(heat_map).extension(); !ending.empty() && ending != ".png")
        throw UsageError(fmt::format("--heat-map: a file that ends in .png, or a folder, not '{}'", heat_map));
    std::error_code ignored;
    if (!heat_map.empty() && !ends_in(heat_map, ".png") && fs::exists(heat_map, ignored) &&
        !fs::is_directory(heat_map, ignored))
        throw UsageError(fmt::format("--heat-map: '{}' is neither a folder nor a name that ends in .png", heat_map));
}

ExplainOutput::ExplainOutput(ExplainOutputOptions options) : options_(std::move(options)) {}

void ExplainOutput::add(Explanation explanation, const Example& example) {
    ++count_;
    const char* single = !options_.dot.empty()                ? "--dot"
                         : !options_.svg.empty()              ? "--svg"
                         : ends_in(options_.heat_map, ".png") ? "--heat-map FILE.png"
                                                              : nullptr;
    if (count_ > 1 && single != nullptr)
        throw UsageError(
            fmt::format("{} shows one explanation, and there are more: choose an example with --example, or"
                        " an atom with --atom{}",
                        single, ends_in(options_.heat_map, ".png") ? ", or name a folder" : ""));
    const std::string text =
        options_.json ? to_json(explanation) : (count_ > 1 ? "\n" : "") + to_text(explanation, options_.text);
    if (single != nullptr) {
        only_text_ = text;
    } else {
        print_text(text);
    }
    if (!options_.dot.empty()) drawn_dot_ = to_dot(explanation);
    if (!options_.svg.empty()) drawn_svg_ = to_svg(explanation);
    if (!options_.heat_map.empty() && example.seen != nullptr) add_pictures(explanation, example);
    if (!options_.html.empty()) add_to_report(std::move(explanation), example);
}

void ExplainOutput::print_text(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw FileError("cannot write the explanation to standard output");
}

void ExplainOutput::add_pictures(const Explanation& explanation, const Example& example) {
    fs::path output = options_.heat_map;
    if (!ends_in(options_.heat_map, ".png")) {
        std::error_code error;
        fs::create_directories(output, error);
        if (error) throw FileError(fmt::format("cannot make the folder {}: {}", output.string(), error.message()));
        output /= picture_file(explanation);
    }
    for (const fs::path& file : write_heat_maps(example, explanation, output)) written_.push_back(file);
}

// Different explanations get different files, even with equal ids.
fs::path ExplainOutput::picture_file(const Explanation& explanation) {
    const std::string stem = file_stem(explanation);
    std::string name = stem;
    for (std::size_t again = 2; !picture_names_.insert(name).second; ++again) name = fmt::format("{}-{}", stem, again);
    return name + ".png";
}

void ExplainOutput::add_to_report(Explanation explanation, const Example& example) {
    if (reported_.size() == most_in_report) {
        ++not_reported_;
        return;
    }
    std::vector<ReportPicture> pictures = report_pictures(example, explanation);
    reported_.push_back({std::move(explanation), std::move(pictures)});
}

void ExplainOutput::finish() {
    print_text(only_text_);
    const auto write = [&](const std::string& path, const std::string& text) {
        if (path.empty() || text.empty()) return;
        write_file(path, text);
        written_.emplace_back(path);
    };
    write(options_.dot, drawn_dot_);
    write(options_.svg, drawn_svg_);
    if (!options_.html.empty() && !reported_.empty()) {
        std::vector<ReportInput> inputs;
        for (Reported& one : reported_)
            inputs.push_back({&one.explanation, std::move(one.pictures), sources_, options_.program, options_.command});
        write_file(options_.html, to_html(inputs));
        written_.insert(written_.begin(), options_.html);
        if (not_reported_ > 0)
            fmt::print(stderr,
                       "note: {} shows the first {} explanations, {} more were left out: choose with --example\n",
                       options_.html, most_in_report, not_reported_);
    }
    constexpr std::size_t most_named = 10;
    for (std::size_t i = 0; i < std::min(written_.size(), most_named); ++i)
        fmt::print(stderr, "written: {}\n", written_[i].string());
    if (written_.size() > most_named)
        fmt::print(stderr, "… and {} more\n", counted(written_.size() - most_named, "file"));
}

}  // namespace neumann::app
