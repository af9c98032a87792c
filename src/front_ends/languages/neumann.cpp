// The single-file language of this project, docs/language.md.
#include <array>

#include "front_ends/front_end.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::array<std::string_view, 1> neumann_endings = {".nm"};

Program read_neumann(const ReadRequest& request, Diagnostics& diagnostics, std::vector<std::string>&) {
    return load_program(request.path, request.load, diagnostics);
}

constexpr std::array<Road, 1> neumann_roads = {{{.grounding = "", .read = read_neumann}}};

// Lists are declared and printed as such. Atoms that are predicates become names in quotes.
WrittenProgram write_neumann(Program& program, const WriteRequest&, Diagnostics&) {
    for (std::uint32_t t = 0; t < program.signature.types().size(); ++t) {
        if (auto& list = program.signature.type(TypeId(t)).list) list->printed = true;
    }
    for (std::uint32_t p = 0; p < program.signature.predicates().size(); ++p)
        program.signature.predicate(PredicateId(p)).spelled = false;
    return {print_program(program), {}};
}

}  // namespace

const FrontEnd neumann_front_end = {.name = "neumann",
                                    .summary = "the language of this project",
                                    .endings = neumann_endings,
                                    .refuses = "Prolog's cut, side effects, assert",
                                    .default_semantics = {},
                                    .roads = neumann_roads,
                                    .write = write_neumann};

}  // namespace neumann
