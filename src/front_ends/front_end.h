// Front ends: the languages that programs are read from and written to. Each is a file of front_ends/languages and a
// line in registry.inc there.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"
#include "syntax/load.h"

namespace neumann {

// A request to read a program.
struct ReadRequest {
    std::filesystem::path path;
    const LoadOptions& load;
    std::span<const std::string> queries = {};  // if there are any, they replace the program's own
    std::string queries_from = "--query";       // their place in diagnostics
    // Types are needed: for inputs that examples name, for tables of facts, or to ground everything.
    bool needs_types = false;
    bool needs_queries = true;  // false: a program that asks for nothing is no error
};

// A way to read a program. A front end tries its roads in order: the first whose program compiles without a remark is
// taken, or else the last, which then reports.
struct Road {
    std::string_view grounding;  // how the program was made ground while it was read; empty: it is a typed program
    // Returns a program whose sources are set, so that diagnostics can be rendered. `notes` lists omitted parts.
    Program (*read)(const ReadRequest& request, Diagnostics& diagnostics, std::vector<std::string>& notes);
    bool (*suits)(const Program& program) = nullptr;  // whether to go on with it; null: always
    std::span<const Code> intended = {};              // warnings that have no meaning for such programs
    std::span<const Code> harmless = {};              // warnings that are no remarks

    bool is_typed() const { return grounding.empty(); }
};

struct WriteRequest {
    bool drop_probabilities = false;  // for languages without probabilities: possible atoms hold
    std::vector<std::string>& notes;
};

// A program as text, or as the files of a folder: names and texts.
struct WrittenProgram {
    std::string text;
    std::vector<std::pair<std::string, std::string>> files;
};

// A text of the single-file language with the same meaning. Places in later diagnostics are those of `name`.
struct TranslatedText {
    std::string text;
    std::string name;
};

struct FrontEnd {
    std::string_view name;                      // "problog"
    std::string_view summary;                   // "ProbLog's programs"
    std::span<const std::string_view> endings;  // ".pl"; empty: known by other means
    std::string_view refuses;                   // constructs that are errors
    std::string_view default_semantics;         // of programs in this language; empty: the command's
    bool is_folder = false;
    bool has_probabilities = true;  // false: writing one with probabilities is an error
    bool writes_ground = false;     // it is written from the ground program, not by write()
    std::string_view task_of = {};  // a learning task, no program: the option that reads it
    bool (*detects)(const std::filesystem::path& path) = nullptr;  // beside the endings
    std::span<const Road> roads = {};                              // none: a learning task
    // For conversion, if it is another language's text: it stays close to the original.
    TranslatedText (*translate)(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                                std::vector<std::string>& notes) = nullptr;
    // The program is one that analysis has nothing against. Aggregates stand in it as they were written.
    WrittenProgram (*write)(Program& program, const WriteRequest& request, Diagnostics& diagnostics) = nullptr;
};

#define FRONT_END(name) extern const FrontEnd name##_front_end;
#include "front_ends/languages/registry.inc"
#undef FRONT_END

std::span<const FrontEnd* const> all_front_ends();
const FrontEnd* find_front_end(std::string_view name);  // null: there is none of this name

// The language of a file or folder, by its name and kind: the single-file language unless another one claims it.
const FrontEnd& front_end_of(const std::filesystem::path& path);

// The roads that can meet a request, at least one.
std::vector<const Road*> roads_for(const FrontEnd& front_end, const ReadRequest& request);

// A program of another language's text, by way of a text of the single-file language, which goes to `text`.
Program read_translated(const FrontEnd& front_end, const ReadRequest& request, Diagnostics& diagnostics,
                        std::vector<std::string>& notes, std::string* text = nullptr);

}  // namespace neumann
