#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <neumann/convert.h>

#include "api/as_written.h"
#include "base/files.h"
#include "compile/compile.h"
#include "compile/problems.h"
#include "interchange/asp_reader.h"
#include "interchange/problog_reader.h"
#include "interchange/writers.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

struct ReadProgram {
    Program program;
    std::string text;  // of the single-file language, if another one's was turned into it
};

// Text in another language is translated first; the ordinary reader then reports any remaining errors.
ReadProgram read_text(const fs::path& path, Language language, const ConvertOptions& options, Diagnostics& diagnostics,
                      std::vector<std::string>& notes) {
    SourceSet sources;
    Diagnostics told = make_diagnostics(options.reading);
    const std::optional<std::uint32_t> file = load_text(path, sources, told);
    std::string text;
    if (file && language == Language::Asp) text = interchange::read_asp(sources, *file, told, notes);
    if (file && language == Language::Problog) text = interchange::read_problog(sources, *file, told, notes);
    if (told.has_errors()) throw error_of(told, sources, options.reading);
    // Answer set programs change their lines, so places are those of the result.
    const std::string name = language == Language::Asp ? path.string() + ", converted" : path.string();
    return {parse_program(name, text, load_options(options.reading), diagnostics), text};
}

void require_kind(const fs::path& path, Language from) {
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    if (folder != (from == Language::Folder) && (folder || fs::exists(path, ignored)))
        throw FileError(fmt::format("'{}' is {}, and cannot be read as {}", path.string(),
                                    folder ? "a folder" : "a file", folder ? "a text" : "a folder of the original"));
}

bool changes_program(const ModelOptions& reading) {
    return reading.term_depth || reading.allow_repeats || reading.distinct || !reading.tables.empty();
}

}  // namespace

const std::vector<std::string>& language_names() {
    static const std::vector<std::string> names = {"neumann", "problog", "asp", "folder"};
    return names;
}

Language language_named(const std::string& name) {
    const auto found = std::ranges::find(language_names(), name);
    if (found == language_names().end()) throw std::invalid_argument(fmt::format("there is no language '{}'", name));
    return static_cast<Language>(found - language_names().begin());
}

Language language_of(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return Language::Folder;
    const std::string ending = path.extension().string();
    if (ending == ".lp" || ending == ".asp") return Language::Asp;
    return is_problog(path) ? Language::Problog : Language::Neumann;
}

Conversion convert_program(const fs::path& path, const ConvertOptions& options) {
    const Language from = options.from.value_or(language_of(path));
    require_kind(path, from);
    Conversion result;
    Diagnostics diagnostics = make_diagnostics(options.reading);
    const bool other_text = from == Language::Asp || from == Language::Problog;
    ReadProgram read = other_text ? read_text(path, from, options, diagnostics, result.notes)
                                  : ReadProgram{load_program(path, load_options(options.reading), diagnostics), {}};
    analyse_as_written(read.program, diagnostics);
    const SourceSet& sources = *read.program.sources;
    if (diagnostics.has_errors()) throw error_of(diagnostics, sources, options.reading);
    switch (options.to) {
    case Language::Neumann:
        // Text of another language stays close to the original, unless options require a change of the program.
        result.text = other_text && !changes_program(options.reading) ? read.text : print_as_file(read.program);
        break;
    case Language::Problog:
        result.text = interchange::write_problog(read.program, diagnostics);
        break;
    case Language::Asp:
        result.text = interchange::write_asp(read.program, {options.drop_probabilities}, diagnostics);
        break;
    case Language::Folder:
        result.files = interchange::write_folder(read.program, diagnostics, result.notes);
        break;
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
