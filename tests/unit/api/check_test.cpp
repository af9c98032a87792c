#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "unit/temporary_folder.h"

namespace neumann {
namespace {

constexpr const char* path_program = R"(:- type(node, [a, b]).
:- pred(edge(node, node)).
:- pred(path(node, node)).
:- query(path(a, X)).
edge(a,b).
edge(b,a).
path(X,Y) :- edge(X,Y).
path(X,Z) :- edge(X,Y), path(Y,Z).
)";

TEST(CheckProgram, AGoodProgramIsCountedAndPrinted) {
    const TemporaryFolder folder;
    folder.write("path.nm", path_program);
    const ProgramCheck check = check_program(folder.path() / "path.nm");
    EXPECT_TRUE(check.good) << check.text;
    EXPECT_TRUE(check.problems.empty()) << check.text;
    EXPECT_EQ(check.predicates, 2U);
    EXPECT_EQ(check.facts, 2U);
    EXPECT_EQ(check.clauses, 2U);
    EXPECT_NE(check.program.find("path(X,Z) :- edge(X,Y), path(Y,Z)."), std::string::npos) << check.program;
}

TEST(CheckProgram, AProblemSaysWhereAndWhat) {
    const TemporaryFolder folder;
    folder.write("bad.nm", ":- type(node, [a, b]).\n:- pred(edge(node, node)).\nedge(X,Y) :- egde(X,Y).\n");
    const std::string file = (folder.path() / "bad.nm").string();
    const ProgramCheck check = check_program(file);
    EXPECT_FALSE(check.good);
    EXPECT_TRUE(check.program.empty());
    ASSERT_FALSE(check.problems.empty());
    const Problem& first = check.problems.front();
    EXPECT_EQ(first.severity, Problem::Severity::Error);
    EXPECT_FALSE(first.code.empty());
    EXPECT_FALSE(first.message.empty());
    EXPECT_EQ(first.place.file, file);
    EXPECT_EQ(first.place.line, 3U);
    EXPECT_GT(first.place.column, 0U);
    EXPECT_GE(first.place.end_column, first.place.column);
    EXPECT_NE(check.text.find(first.message), std::string::npos);

    // The same from compiling, as an exception.
    try {
        Model::compile(file);
        FAIL() << "it was compiled";
    } catch (const Error& error) {
        ASSERT_EQ(error.problems().size(), check.problems.size());
        EXPECT_EQ(error.problems().front().message, first.message);
        const Error copy = error;  // NOLINT(performance-unnecessary-copy-initialization): it is what is tested
        EXPECT_EQ(copy.problems().front().place.line, 3U);
    }
    EXPECT_TRUE(Error("other").problems().empty());
}

TEST(CheckProgram, WarningsAreSwitchedOffByTheirCodes) {
    const TemporaryFolder folder;
    folder.write("lonely.nm", ":- type(node, [a, b]).\n:- pred(edge(node, node)).\n:- pred(start(node)).\n"
                              "edge(a,b).\nstart(X) :- edge(X,Lonely).\n");
    const ProgramCheck check = check_program(folder.path() / "lonely.nm");
    ASSERT_EQ(check.problems.size(), 1U) << check.text;
    EXPECT_EQ(check.problems.front().severity, Problem::Severity::Warning);
    const std::string code = check.problems.front().code;
    EXPECT_TRUE(check_program(folder.path() / "lonely.nm", {.no_warnings = {code}}).problems.empty());
    EXPECT_THROW(check_program(folder.path() / "lonely.nm", {.no_warnings = {"lonely"}}), std::invalid_argument);
}

TEST(Model, SizesAddUp) {
    const Model model = Model::parse(path_program);
    const ModelSizes sizes = model.sizes();
    EXPECT_EQ(sizes.grounding, "relevant");
    EXPECT_EQ(sizes.atoms, model.atom_count());
    EXPECT_EQ(sizes.nodes, sizes.atoms + sizes.ground_clauses);
    std::uint64_t atoms = 0;
    for (const ModelSizes::Predicate& predicate : sizes.predicates) atoms += predicate.atoms;
    EXPECT_EQ(atoms, sizes.atoms);
    std::uint64_t instances = 0;
    std::uint64_t edges = 0;
    ASSERT_EQ(sizes.rules.size(), model.clause_count());
    for (const ModelSizes::Rule& rule : sizes.rules) {
        instances += rule.instances;
        edges += rule.edges;
        EXPECT_GT(rule.line, 0U);
    }
    EXPECT_EQ(instances, sizes.ground_clauses);
    EXPECT_EQ(edges, sizes.edges);
    EXPECT_EQ(model.levels().cyclic_components, 2U) << "paths to a and paths to b";
    EXPECT_EQ(Model::parse(path_program, {.grounding = Grounding::Full}).sizes().grounding, "full");
}

TEST(Model, GraphsAreExportedAndSavedOnesAreKnown) {
    const TemporaryFolder folder;
    const Model model = Model::parse(path_program);
    std::string dot;
    model.export_graph(GraphFormat::Dot, [&](const std::string& text) { dot += text; });
    EXPECT_TRUE(dot.starts_with("digraph")) << dot.substr(0, 100);
    EXPECT_NE(dot.find("path(a,b)"), std::string::npos);
    folder.write("path.nm", path_program);
    const std::filesystem::path saved = folder.path() / "path.nmg";
    model.save(saved);
    EXPECT_TRUE(Model::is_saved(saved));
    EXPECT_FALSE(Model::is_saved(folder.path() / "path.nm"));
    EXPECT_EQ(Model::open(saved).levels().levels, model.levels().levels);
    EXPECT_EQ(Model::open(folder.path() / "path.nm").atom_count(), model.atom_count());
}

TEST(Model, EvaluatedFactsAreNotInTheGraph) {
    EXPECT_LT(Model::parse(path_program, {.facts = Facts::Evaluate}).atom_count(),
              Model::parse(path_program).atom_count());
}

}  // namespace
}  // namespace neumann
