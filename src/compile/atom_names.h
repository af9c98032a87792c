// Lookup of atoms by name: from the text of an atom or a query to the numbers of the graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/slot_table.h"
#include "ground/compiled_program.h"
#include "logic/bounds.h"

namespace neumann {

// The meaning of an atom's text in a compiled program.
struct NamedAtom {
    enum class Kind {
        InGraph,
        Unneeded,    // an input that no query depends on: its value makes no difference
        NoInput,     // the graph was grounded as if it could not have a value of its own, or its fact evaluated away
        Impossible,  // beyond the bounds of the program
        Invalid,     // not an atom of the program
    };
    Kind kind = Kind::Invalid;
    std::uint32_t atom = 0;    // InGraph
    PredicateId predicate;     // all but Invalid
    std::string text;          // Unneeded: canonical; NoInput: the same if it has constants that the graph lacks
    std::string message;       // Invalid: the error
    std::string advice;        // … and how to fix it
    std::uint32_t column = 0;  // … and where in the text, from 0
    // Its number if the graph has the atom, even if examples set it; and if not, whether no clause derives it or no
    // query needs it.
    std::optional<std::uint32_t> number;
    bool underivable = false;
};

// Reads a ground atom of the program. Its kind is InGraph if it is one (there is no graph to look into yet), Invalid or
// Impossible if not.
NamedAtom read_ground_atom(Program& program, const TermBounds& bounds, std::string_view text, Atom& atom);

// The error message for an atom that is Invalid or Impossible.
std::string what_is_wrong(std::string_view text, const NamedAtom& atom);

class AtomNames {
public:
    explicit AtomNames(CompiledProgram& compiled);  // borrowed; interns the terms it is asked about

    // The same text is parsed once. The reference holds until the next call.
    const NamedAtom& find(std::string_view text);
    // The same for those who remember it themselves.
    NamedAtom look_up(std::string_view text);

    std::string indicator(PredicateId predicate) const;  // "edge/2"

    std::optional<std::uint32_t> find(PredicateId predicate, std::span<const TermId> args);

    // A query: the atoms of the graph that match it. A ground query that is not in the graph has an empty list.
    struct QueryAtoms {
        std::string text;  // canonical
        bool ground = false;
        std::optional<std::size_t> answer_argument = {};  // where its only variable stands, if that is an argument
        bool answerable = true;  // false: the graph was pruned for other queries and may lack atoms of this one
        std::vector<std::uint32_t> atoms;
    };
    QueryAtoms atoms_of(const Query& query);
    // Those the program was compiled for, as compile() lists their texts; nothing: a saved graph has only the texts.
    std::optional<std::vector<QueryAtoms>> own_queries();
    // `source` stands for the text's place in diagnostics.
    std::optional<QueryAtoms> query(const std::string& text, Diagnostics& diagnostics,
                                    const std::string& source = "--query");

private:
    bool is_kept_for(PredicateId predicate, std::span<const TermId> args);
    bool has_new_constant(std::span<const TermId> terms) const;
    const std::vector<Query>& asked();

    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    CompiledProgram& compiled_;
    TermBounds bounds_;
    std::size_t constants_;                    // that the graph was grounded with: a text may add some to open types
    std::optional<std::vector<Query>> asked_;  // the queries that the graph was pruned for
    std::vector<std::optional<SlotTable>> by_arguments_;  // per predicate, made when first needed
    std::unordered_map<std::string, NamedAtom, TextHash, std::equal_to<>> known_;
    NamedAtom long_name_;  // the last one that was too long to be kept
};

}  // namespace neumann
