// Small programs written inside a test: read, analysed, grounded, and turned back into text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analyse/analyse.h"
#include "base/diagnostics.h"
#include "ground/ground.h"
#include "logic/print.h"
#include "syntax/load.h"

namespace neumann {

struct ReadProgram {
    Program program;
    Diagnostics diagnostics;
};

inline ReadProgram read(std::string text, const LoadOptions& options = {}) {
    ReadProgram result;
    result.program = parse_program("test.nm", std::move(text), options, result.diagnostics);
    return result;
}

inline ReadProgram read_and_analyse(std::string text, const AnalyseOptions& options = {}) {
    ReadProgram result = read(std::move(text));
    if (!result.diagnostics.has_errors()) analyse(result.program, options, result.diagnostics);
    return result;
}

// The language has no sign for it as yet: makes a literal of a program the negation of its atom.
inline void negate(Program& program, std::size_t clause, std::size_t goal) {
    program.clauses.at(clause).body.at(goal).negated = true;
}

// "unknown-type@3 syntax@7": every diagnostic with its line; without a line if it has no place.
inline std::string problems(const ReadProgram& read) {
    std::string text;
    for (const Diagnostic& diagnostic : read.diagnostics.sorted()) {
        text += text.empty() ? "" : " ";
        text += diagnostic.code.name;
        if (!diagnostic.span.is_none()) text += fmt::format("@{}", read.program.sources->line(diagnostic.span));
    }
    return text;
}
inline std::string problems(std::string text) { return problems(read(std::move(text))); }

inline std::string rendered(const ReadProgram& read) { return render(read.diagnostics, *read.program.sources); }

// The program as it was understood; a text that is not accepted is a failure of the test.
inline std::string canonical_text(std::string text, const LoadOptions& options = {}) {
    const ReadProgram result = read(std::move(text), options);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    return print_program(result.program);
}

// What the items add to a program that already has this vocabulary: declarations print first, so it is the rest.
inline std::string canonical_items(const std::string& vocabulary, const std::string& items) {
    const std::string alone = canonical_text(vocabulary);
    const std::string both = canonical_text(vocabulary + items + "\n");
    EXPECT_TRUE(both.starts_with(alone)) << both;
    std::string added = both.substr(alone.size());
    if (added.ends_with('\n')) added.pop_back();
    return added;
}

struct GroundedText {
    Program program;
    GroundProgram ground;
};

inline GroundedText ground_program(Program program, const GroundOptions& options = {}) {
    GroundedText result;
    result.program = std::move(program);
    Diagnostics diagnostics;
    analyse(result.program, {options.mode == GroundMode::Full}, diagnostics);
    std::optional<GroundProgram> grounded;
    if (!diagnostics.has_errors()) grounded = ground(result.program, options, diagnostics);
    if (grounded) {
        result.ground = std::move(*grounded);
    } else {
        ADD_FAILURE() << render(diagnostics, *result.program.sources);
    }
    return result;
}

inline GroundedText ground_text(std::string text, const GroundOptions& options = {}) {
    ReadProgram result = read(std::move(text));
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    return ground_program(std::move(result.program), options);
}

inline std::string atom_text(const GroundedText& grounded, std::uint32_t atom) {
    const AtomTable& atoms = grounded.ground.atoms;
    return print_atom(grounded.program.signature, grounded.program.terms, atoms.predicate_of(AtomId(atom)),
                      atoms.args_of(AtomId(atom)));
}

inline std::vector<std::string> atom_texts(const GroundedText& grounded) {
    std::vector<std::string> texts;
    for (std::uint32_t a = 0; a < grounded.ground.graph.atom_count(); ++a) texts.push_back(atom_text(grounded, a));
    return texts;
}

// "p(a) :- q(a), r(b)": the ground clauses in the order of the graph.
inline std::vector<std::string> clause_texts(const GroundedText& grounded) {
    const ReasoningGraph& graph = grounded.ground.graph;
    std::vector<std::string> texts;
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        std::vector<std::string> body;
        for (const GraphLiteral literal : graph.literals(c))
            body.push_back((literal.negated() ? "\\+ " : "") + atom_text(grounded, literal.atom()));
        texts.push_back(atom_text(grounded, graph.head[c]));
        if (!body.empty()) texts.back() += fmt::format(" :- {}", fmt::join(body, ", "));
    }
    return texts;
}

// "o0, o1, …": names for types that have to be large.
inline std::string many_names(std::size_t count) {
    std::string names;
    for (std::size_t i = 0; i < count; ++i) names += fmt::format("{}o{}", i == 0 ? "" : ",", i);
    return names;
}

}  // namespace neumann
