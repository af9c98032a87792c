#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "graph/section_file.h"
#include "ground/saved.h"
#include "unit/read_program.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

CompiledProgram compile(std::string text, const GroundOptions& options = {}) {
    GroundedText grounded = ground_text(std::move(text), options);
    CompiledProgram compiled;
    compiled.clauses = describe_clauses(grounded.program);
    compiled.program = std::move(grounded.program);
    compiled.ground = std::move(grounded.ground);
    compiled.queries = {"reverse([a,b],X)"};
    compiled.mode = "relevant";
    return compiled;
}

constexpr const char* lists = R"(
:- type(e, [a, b, 'Odd one']). :- list(l, e, f, '*'). :- max_length(l, 2). :- type(n, [0]). :- functor(s(n), n). :- max_depth(n, 2).
:- pred(reverse(l, l, l)). :- pred(even(n)). :- pred(k). :- neural(seen(e, n)).
reverse([], A, A).
0.5::reverse([H|T], A, R) :- reverse(T, [H|A], R).
even(0).
even(s(s(X))) :- even(X).
k :- seen(_, X), even(X).
0.25::k.
)";

TEST(Saved, ComesBackAsItWas) {
    const TemporaryFolder folder;
    for (const char* text : {lists, ":- pred(p).", ":- type(t, [a]). :- pred(p(t)). p(a)."}) {
        const CompiledProgram before = compile(text);
        const GraphLevels levels = find_levels(before.ground.graph);
        save_compiled(before, levels, folder.path() / "graph.nmg");
        const LoadedProgram loaded = load_compiled(folder.path() / "graph.nmg");
        const CompiledProgram& after = loaded.compiled;

        const ReasoningGraph& a = before.ground.graph;
        const ReasoningGraph& b = after.ground.graph;
        EXPECT_TRUE(std::ranges::equal(a.in_begin, b.in_begin));
        EXPECT_TRUE(std::ranges::equal(a.head, b.head));
        EXPECT_TRUE(std::ranges::equal(a.clause, b.clause));
        EXPECT_TRUE(std::ranges::equal(a.body_begin, b.body_begin));
        EXPECT_TRUE(std::ranges::equal(a.body, b.body));
        EXPECT_TRUE(std::ranges::equal(a.use_begin, b.use_begin));
        EXPECT_TRUE(std::ranges::equal(a.use, b.use));
        EXPECT_TRUE(std::ranges::equal(a.initial, b.initial));
        EXPECT_TRUE(std::ranges::equal(a.weight, b.weight));
        EXPECT_TRUE(std::ranges::equal(levels.level, loaded.levels.level));
        EXPECT_TRUE(std::ranges::equal(levels.cyclic, loaded.levels.cyclic));
        for (std::uint32_t atom = 0; atom < a.atom_count(); ++atom)
            EXPECT_EQ(before.atom_text(atom), after.atom_text(atom));
        ASSERT_EQ(before.clauses.size(), after.clauses.size());
        for (std::size_t c = 0; c < before.clauses.size(); ++c) {
            EXPECT_EQ(before.clauses[c].text, after.clauses[c].text);
            EXPECT_EQ(before.clauses[c].line, after.clauses[c].line);
            EXPECT_EQ(before.ground.rules[c].instances, after.ground.rules[c].instances);
        }
        EXPECT_EQ(before.queries, after.queries);
        EXPECT_EQ(before.mode, after.mode);
        EXPECT_EQ(before.ground.terms, after.ground.terms);
    }
}

TEST(Saved, AQueryCanBeAskedOfALoadedProgram) {
    const TemporaryFolder folder;
    const CompiledProgram before = compile(lists);
    save_compiled(before, find_levels(before.ground.graph), folder.path() / "graph.nmg");
    LoadedProgram loaded = load_compiled(folder.path() / "graph.nmg");
    Diagnostics diagnostics;
    const auto query = parse_query(loaded.compiled.program, "--query", "reverse([a,b],[],X)", diagnostics);
    ASSERT_TRUE(query.has_value()) << render(diagnostics, *loaded.compiled.program.sources);
    const std::vector<AtomId> found = matching_atoms(loaded.compiled.program, loaded.compiled.ground.atoms, *query);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(loaded.compiled.atom_text(found[0].value()), "reverse([a,b],[],[b,a])");
}

TEST(Saved, SavingTwiceGivesTheSameFile) {
    const TemporaryFolder folder;
    const auto bytes = [&](const char* name) {
        CompiledProgram compiled = compile(lists);
        for (RuleStats& stats : compiled.ground.rules) stats.seconds = 0;  // the only thing that may differ
        save_compiled(compiled, find_levels(compiled.ground.graph), folder.path() / name);
        std::ifstream file(folder.path() / name, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    EXPECT_EQ(bytes("first"), bytes("second"));
}

TEST(Saved, OtherFilesAreRefused) {
    const TemporaryFolder folder;
    EXPECT_THROW(load_compiled(folder.write("text.nmg", "p(a).")), DamagedFile);
    EXPECT_THROW(load_compiled(folder.write("empty.nmg", "")), DamagedFile);
    EXPECT_THROW(load_compiled(folder.path() / "none.nmg"), std::runtime_error);
    SectionWriter writer;  // a file of the right kind that holds no graph
    writer.write(folder.path() / "sections.nmg");
    EXPECT_THROW(load_compiled(folder.path() / "sections.nmg"), DamagedFile);
}

}  // namespace
}  // namespace neumann
