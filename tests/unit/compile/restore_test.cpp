#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "compile/compile.h"
#include "compile/restore.h"
#include "graph/section_file.h"
#include "ground/saved.h"
#include "unit/read_program.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

constexpr const char* lists = R"(
:- type(e, [a, b, 'Odd one']). :- list(l, e, f, '*'). :- max_length(l, 2). :- type(n, [0]). :- functor(s(n), n). :- max_depth(n, 2).
:- pred(reverse(l, l, l)). :- pred(even(n)). :- pred(k). :- pred(other(e, e)). :- neural(seen(e, n)).
reverse([], A, A).
0.5::reverse([H|T], A, R) :- reverse(T, [H|A], R).
even(0).
even(s(s(X))) :- even(X).
k :- seen(_, X), even(X), X \= s(0).
other('Odd one', b) :- true.
0.25::k.
:- say(reverse(X, [], Y), '{X} backwards is {Y}, isn''t it?').
:- say(seen('Odd one', _), 'plain').
:- say(k, '{{k}}\n').
)";

LoadedProgram compiled(const std::string& text) {
    LoadedProgram result;
    Diagnostics diagnostics;
    EXPECT_TRUE(compile(read(text).program, {}, diagnostics, result)) << render(diagnostics, {});
    return result;
}

LoadedProgram saved_and_loaded(const LoadedProgram& before) {
    const TemporaryFolder folder;
    save_compiled(before.compiled, find_levels(before.compiled.ground.graph), folder.path() / "graph.nmg");
    return load_compiled(folder.path() / "graph.nmg");
}

std::string texts(const Program& program) {
    std::string text;
    for (const Clause& clause : program.clauses) text += print_clause(program, clause) + "\n";
    for (const Saying& saying : program.sayings) text += print_saying(program, saying) + "\n";
    return text;
}

TEST(Restore, ClausesAndSayingsComeBack) {
    const LoadedProgram before = compiled(lists);
    LoadedProgram after = saved_and_loaded(before);
    EXPECT_TRUE(after.compiled.program.clauses.empty());
    for (int twice = 0; twice < 2; ++twice) {
        restore_texts(after.compiled);
        EXPECT_EQ(texts(after.compiled.program), texts(before.compiled.program));
    }
    EXPECT_EQ(after.compiled.program.clauses.size(), 5U);
    EXPECT_EQ(after.compiled.program.sayings.size(), 3U);
    EXPECT_EQ(after.compiled.program.facts.size(), 0U);
    EXPECT_EQ(after.compiled.program.sayings[2].text, "{{k}}\n");
    for (std::size_t c = 0; c < after.compiled.clauses.size(); ++c)
        EXPECT_EQ(print_clause(after.compiled.program, after.compiled.program.clauses[c]),
                  after.compiled.clauses[c].text);
}

TEST(Restore, AProgramWithoutSayingsOrClauses) {
    for (const char* text : {":- pred(p).", ":- pred(p). :- pred(q). q. p :- q."}) {
        const LoadedProgram before = compiled(text);
        LoadedProgram after = saved_and_loaded(before);
        restore_texts(after.compiled);
        EXPECT_EQ(texts(after.compiled.program), texts(before.compiled.program));
    }
}

TEST(Restore, AProgramThatWasNotLoadedStaysAsItIs) {
    LoadedProgram program = compiled(lists);
    const std::string before = texts(program.compiled.program);
    const std::size_t sources = program.compiled.program.sources->size();
    restore_texts(program.compiled);
    EXPECT_EQ(texts(program.compiled.program), before);
    EXPECT_EQ(program.compiled.program.sources->size(), sources);
}

TEST(Restore, TextsThatDoNotReadAreRefused) {
    const auto refuses = [](auto&& damage) {
        LoadedProgram loaded = saved_and_loaded(compiled(lists));
        damage(loaded.compiled);
        EXPECT_THROW(restore_texts(loaded.compiled), DamagedFile);
    };
    refuses([](CompiledProgram& c) { c.clauses[1].text = "k :- unknown(a)."; });
    refuses([](CompiledProgram& c) { c.clauses[1].text = "k :- "; });
    refuses([](CompiledProgram& c) { c.clauses[1].text = "k."; });  // a fact, not a clause
    refuses([](CompiledProgram& c) { c.clauses[1].text = ""; });
    refuses([](CompiledProgram& c) { c.clauses[1].text = "even(X). even(s(X))."; });
    refuses([](CompiledProgram& c) { c.clauses[1].text = ":- say(k, 'k')."; });
    refuses([](CompiledProgram& c) {  // as many as there should be, but not one for each
        c.clauses[1].text = "even(X). even(s(X)).";
        c.clauses[2].text = "% none";
    });
    refuses([](CompiledProgram& c) { c.sayings[0] = ":- say(unknown, 'k')."; });
    refuses([](CompiledProgram& c) { c.sayings[0] = ":- query(k)."; });
    refuses([](CompiledProgram& c) { c.sayings[0] = "k."; });
}

}  // namespace
}  // namespace neumann
