// Reading of clauses and directives, in two passes over the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"
#include "syntax/declarations.h"
#include "syntax/lexer.h"
#include "syntax/type_uses.h"

namespace neumann::syntax {

inline constexpr Dialect file_dialect{};
inline constexpr Dialect folder_dialect{.hash_comments = true, .starred_names = true, .empty_bodies = true};

// Pass one: keeps the directives; of clauses it collects only the uses of types, if `uses` is given. Names with a
// declaration that does not parse are marked as broken.
std::vector<Directive> read_directives(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                                       Signature* signature = nullptr, TypeUses* uses = nullptr);

// For a file that may hold directives only.
void refuse_clauses(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics);

enum class ClauseTarget {
    FactsAndClauses,  // single file: a ground head without a body is a fact
    FactsOnly,        // bk.txt
    ClausesOnly,      // bk_clauses.txt, clauses.txt
    Initial,          // clauses.txt beside mode declarations: where the search starts
};

// Pass two: facts and clauses, resolved against the program's vocabulary.
void read_clauses(Program& program, std::uint32_t file, Dialect dialect, ClauseTarget target, Diagnostics& diagnostics);

// Whether a text is a question of other goals than one atom.
bool is_question(std::string_view text);

// Adds the types that a question uses, if it is one that parses.
void add_question_uses(const Program& program, std::uint32_t file, TypeUses& uses);

// A question of several goals: adds its clause. Nothing if it is wrong, which is reported.
std::optional<Query> read_question(Program& program, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace neumann::syntax
