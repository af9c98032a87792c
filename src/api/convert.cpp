#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <neumann/convert.h>

#include "api/as_written.h"
#include "base/files.h"
#include "base/suggest.h"
#include "compile/compile.h"
#include "compile/problems.h"
#include "front_ends/front_end.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

void require_kind(const fs::path& path, const FrontEnd& from) {
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    if (folder != from.is_folder && (folder || fs::exists(path, ignored)))
        throw FileError(fmt::format("'{}' is {}, and cannot be read as {}", path.string(),
                                    folder ? "a folder" : "a file", folder ? "a text" : "a folder of the original"));
}

const FrontEnd& front_end_named(const std::string& name) {
    const FrontEnd* const found = find_front_end(name);
    if (found == nullptr || found->roads.empty())
        throw std::invalid_argument(
            fmt::format("there is no language '{}'; {}", name, did_you_mean_or_list(name, language_names())));
    return *found;
}

LanguageInfo info_of(const FrontEnd& one) {
    return {.name = std::string(one.name),
            .summary = std::string(one.summary),
            .endings = {one.endings.begin(), one.endings.end()},
            .refuses = std::string(one.refuses),
            .task_of = std::string(one.task_of),
            .default_semantics = std::string(one.default_semantics),
            .is_folder = one.is_folder,
            .has_probabilities = one.has_probabilities,
            .is_read = one.task_of.empty(),
            .is_written = one.write != nullptr || one.writes_ground,
            .several_groundings = one.roads.size() > 1};
}

bool changes_program(const ModelOptions& reading) {
    return reading.term_depth || reading.allow_repeats || reading.distinct || !reading.tables.empty();
}

}  // namespace

const std::vector<LanguageInfo>& known_languages() {
    static const std::vector<LanguageInfo> all = [] {
        std::vector<LanguageInfo> infos;
        for (const FrontEnd* one : all_front_ends()) infos.push_back(info_of(*one));
        return infos;
    }();
    return all;
}

const std::vector<std::string>& language_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const LanguageInfo& one : known_languages())
            if (one.is_read && one.is_written) found.push_back(one.name);
        return found;
    }();
    return names;
}

const LanguageInfo& language_named(const std::string& name) {
    const std::string_view known = front_end_named(name).name;
    return *std::ranges::find(known_languages(), known, &LanguageInfo::name);
}

const LanguageInfo& language_of(const fs::path& path) {
    return *std::ranges::find(known_languages(), front_end_of(path).name, &LanguageInfo::name);
}

Conversion convert_program(const fs::path& path, const ConvertOptions& options) {
    const FrontEnd& from = options.from ? front_end_named(*options.from) : front_end_of(path);
    const FrontEnd& to = front_end_named(options.to);
    require_kind(path, from);
    Conversion result;
    if (to.writes_ground) {
        const Model model = Model::compile(path, options.reading);
        result.warnings = model.warnings();
        model.export_graph(GraphFormat::Cnf, [&](const std::string& text) { result.text += text; });
        return result;
    }
    Diagnostics diagnostics = make_diagnostics(options.reading);
    const LoadOptions load = load_options(options.reading);
    const ReadRequest request{.path = path, .load = load, .needs_types = true};
    std::string text;  // of the single-file language
    Program program = from.translate != nullptr ? read_translated(from, request, diagnostics, result.notes, &text)
                      : from.roads.empty()      ? load_typed(path, load, diagnostics)  // reports that it is no program
                                                : from.roads.front().read(request, diagnostics, result.notes);
    if (from.translate != nullptr && text.empty() && diagnostics.has_errors())
        throw error_of(diagnostics, *program.sources, options.reading);
    analyse_as_written(program, diagnostics);
    const SourceSet& sources = *program.sources;
    if (diagnostics.has_errors()) throw error_of(diagnostics, sources, options.reading);
    // Text of another language stays close to the original, unless options require a change of the program.
    if (&to == all_front_ends().front() && from.translate != nullptr && !changes_program(options.reading)) {
        result.text = std::move(text);
    } else {
        WrittenProgram written =
            to.write(program, {.drop_probabilities = options.drop_probabilities, .notes = result.notes}, diagnostics);
        result.text = std::move(written.text);
        result.files = std::move(written.files);
    }
    if (diagnostics.has_errors()) throw error_of(diagnostics, sources, options.reading);
    result.warnings = rendered(diagnostics, sources, options.reading);
    return result;
}

// Beside the folder first, so that it is there as a whole or not at all.
void save_folder(const Conversion& conversion, const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_empty(folder, error))
        throw FileError(fmt::format("'{}' is not empty; name a new folder", folder.string()));
    const fs::path whole = folder.filename().empty() ? folder.parent_path() : folder;
    const fs::path unfinished = fmt::format("{}.unfinished-{}", whole.string(), ::getpid());
    try {
        fs::create_directories(unfinished);
        for (const auto& [name, text] : conversion.files) write_file(unfinished / name, text);
        fs::rename(unfinished, whole);
    } catch (const std::exception& reason) {
        fs::remove_all(unfinished, error);
        throw FileError(fmt::format("cannot write the folder '{}': {}", folder.string(), reason.what()));
    }
}

}  // namespace neumann
