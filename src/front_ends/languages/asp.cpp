// Answer set programs for clingo, stratified ones: translated to the single-file language.
#include <array>

#include <fmt/format.h>

#include "front_ends/front_end.h"
#include "interchange/asp_reader.h"
#include "interchange/writers.h"

namespace neumann {
namespace {

constexpr std::array<std::string_view, 2> asp_endings = {".lp", ".asp"};

// Lines change, so places are those of the result.
TranslatedText translate_asp(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                             std::vector<std::string>& notes) {
    return {interchange::read_asp(sources, file, diagnostics, notes),
            fmt::format("{}, converted", sources.file(file).name())};
}

Program read_asp_program(const ReadRequest& request, Diagnostics& diagnostics, std::vector<std::string>& notes) {
    return read_translated(asp_front_end, request, diagnostics, notes);
}

constexpr std::array<Road, 1> asp_roads = {{{.grounding = "", .read = read_asp_program}}};

}  // namespace

const FrontEnd asp_front_end = {
    .name = "asp",
    .summary = "answer set programs for clingo",
    .endings = asp_endings,
    .refuses = "constraints, choices, disjunctions, classical negation, optimisation, scripts, `#include`",
    .default_semantics = {},
    .has_probabilities = false,
    .roads = asp_roads,
    .translate = translate_asp,
    .write = [](Program& program, const WriteRequest& request, Diagnostics& diagnostics) {
        return WrittenProgram{interchange::write_asp(program, {request.drop_probabilities}, diagnostics), {}};
    }};

}  // namespace neumann
