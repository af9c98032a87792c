#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "syntax/folder.h"
#include "unit/read_program.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

using Files = std::initializer_list<std::pair<std::string, std::string_view>>;

class FolderTest : public ::testing::Test {
protected:
    ReadProgram load(Files files, const LoadOptions& options = {}) {
        for (const auto& [name, text] : files) folder_.write(name, text);
        ReadProgram result;
        result.program = load_program(folder_.path(), options, result.diagnostics);
        return result;
    }
    std::string canonical(Files files, const LoadOptions& options = {}) {
        const ReadProgram result = load(files, options);
        EXPECT_EQ(problems(result), "") << rendered(result);
        return print_program(result.program);
    }
    // The program in front of its facts and clauses is not what most tests are about.
    std::string items(Files files, const LoadOptions& options = {}) {
        const std::string text = canonical(files, options);
        const std::size_t last_directive = text.rfind("\n:- ");
        return text.substr(text.find('\n', last_directive + 1) + 1);
    }
    TemporaryFolder folder_;
};

constexpr std::string_view color_consts = "color:red,blue\n";
constexpr std::string_view color_preds = "p:1:color\nq:2:color,color\n";

TEST_F(FolderTest, EveryFileHasItsPart) {
    EXPECT_EQ(canonical({{"consts.txt", "color:red,blue\ncolors:*\n"},
                         {"preds.txt", "p:1:color\nl:1:colors\nnothing:0:\n"},
                         {"neural_preds.txt", "seen:2:color,colors\n"},
                         {"funcs.txt", "f:2:color,colors:colors\n"},
                         {"bk.txt", "p(red).\n0.5::p(blue).\nl(f(red,*)).\n"},
                         {"bk_clauses.txt", "l(f(X,Y)):-p(X),l(Y).\n"},
                         {"clauses.txt", "nothing:-p(X).\n"}}),
              ":- type(color, [red, blue]).\n"
              ":- type(colors, ['*']).\n"
              ":- functor(f(color, colors), colors).\n"
              ":- list(colors, color, f, '*').\n"
              ":- max_depth(colors, 3).\n"
              ":- no_repeats(colors).\n"
              ":- pred(p(color)).\n"
              ":- pred(l(colors)).\n"
              ":- pred(nothing).\n"
              ":- neural(seen(color, colors)).\n"
              "p(red).\n"
              "0.5::p(blue).\n"
              "l(f(red,'*')).\n"
              "l(f(X,Y)) :- p(X), l(Y).\n"
              "1::nothing :- p(X).\n");
}

TEST_F(FolderTest, BlanksAndCommentsChangeNothing) {
    EXPECT_EQ(items({{"consts.txt", "# types\n  color : red , blue  # two\n\n\r\n"},
                     {"preds.txt", "p:1:color\r\n q : 2 : color , color # pairs\r\n"},
                     {"bk.txt", "# facts\np(red). # one\n\n"},
                     {"bk_clauses.txt", "% also a comment\nq(X,Y) :-\n  p(X), p(Y). /* and this */\n"}}),
              "p(red).\nq(X,Y) :- p(X), p(Y).\n");
}

TEST_F(FolderTest, EmptyBodiesAndWeights) {
    EXPECT_EQ(
        items({{"consts.txt", color_consts},
               {"preds.txt", color_preds},
               {"bk_clauses.txt", "p(X):-.\nq(red,blue):-.\n0.25::q(X,X):-.\n"},
               {"clauses.txt", "0.5::p(X):-q(X,Y).\np(Y):-q(X,Y).\np(red).\n"}}),
        "p(X).\nq(red,blue) :- true.\n0.25::q(X,X).\n0.5::p(X) :- q(X,Y).\n1::p(Y) :- q(X,Y).\n1::p(red) :- true.\n");
}

TEST_F(FolderTest, BackgroundIsCertainAndClausesAreParameters) {
    const ReadProgram result = load({{"consts.txt", color_consts},
                                     {"preds.txt", color_preds},
                                     {"bk_clauses.txt", "q(X,X):-p(X).\n0.5::q(X,Y):-p(X),p(Y).\n"},
                                     {"clauses.txt", "p(X):-q(X,X).\n"}});
    ASSERT_EQ(result.program.clauses.size(), 3U);
    EXPECT_TRUE(result.program.clauses[0].certain);
    EXPECT_FALSE(result.program.clauses[1].certain) << "it carries a weight";
    EXPECT_FALSE(result.program.clauses[2].certain);
}

TEST_F(FolderTest, MissingFilesAreEmpty) { EXPECT_EQ(canonical({{"preds.txt", "p:0:\n"}}), ":- pred(p).\n"); }

TEST_F(FolderTest, AFolderOfSomethingElseIsNoProgram) {
    EXPECT_EQ(problems(load({{"photo.txt", "x"}})), "cannot-read@1");
}

TEST_F(FolderTest, OtherFilesAreNoted) {
    const ReadProgram result = load({{"consts.txt", color_consts},
                                     {"learned_clauses.txt", "nonsense"},  // written by the original beside a program
                                     {".hidden", "x"},
                                     {"notes.txt", "x"},
                                     {"cluases.txt", "x"}});
    EXPECT_FALSE(result.diagnostics.has_errors());
    std::string noted;
    for (const Diagnostic& diagnostic : result.diagnostics.sorted()) {
        EXPECT_EQ(diagnostic.code.name, "unused-file");
        const std::filesystem::path file = result.program.sources->file(diagnostic.span.file).name();
        noted += file.filename().string() + " ";
    }
    EXPECT_EQ(noted, "cluases.txt notes.txt ");
}

TEST_F(FolderTest, TypesAreDeclaredByUsingThem) {
    const ReadProgram result = load({{"preds.txt", "p:1:image\n"}, {"neural_preds.txt", "n:1:thing\n"}});
    EXPECT_EQ(problems(result), "");
    EXPECT_EQ(print_program(result.program),
              ":- type(image, []).\n:- type(thing, []).\n:- pred(p(image)).\n:- neural(n(thing)).\n");
}

TEST_F(FolderTest, AnotherFileOfClauses) {
    LoadOptions options;
    options.clauses_file = "other.txt";
    EXPECT_EQ(items({{"consts.txt", color_consts},
                     {"preds.txt", color_preds},
                     {"bk_clauses.txt", "q(X,X):-p(X).\n"},
                     {"clauses.txt", "p(X):-.\n"},
                     {"other.txt", "p(X):-q(X,X).\n"}},
                    options),
              "q(X,X) :- p(X).\n1::p(X) :- q(X,X).\n")
        << "background is always there";
}

TEST_F(FolderTest, TheFileOfClausesMayStandElsewhere) {
    const TemporaryFolder other;
    LoadOptions options;
    options.clauses_file = other.write("mine.txt", "p(X):-q(X,X).\n").string();
    EXPECT_EQ(items({{"consts.txt", color_consts}, {"preds.txt", color_preds}}, options), "1::p(X) :- q(X,X).\n");
}

TEST_F(FolderTest, TheFileOfClausesMayBeNamedFromHere) {
    const TemporaryFolder other;
    LoadOptions options;
    options.clauses_file = std::filesystem::relative(other.write("mine.txt", "p(X):-q(X,X).\n")).string();
    EXPECT_EQ(items({{"consts.txt", color_consts}, {"preds.txt", color_preds}}, options), "1::p(X) :- q(X,X).\n");
}

TEST_F(FolderTest, AFileThatWasAskedForMustExist) {
    LoadOptions options;
    options.clauses_file = "other.txt";
    EXPECT_EQ(problems(load({{"consts.txt", color_consts}}, options)), "cannot-read@1");
    LoadOptions modes;
    modes.modes_file = folder_.path() / "modes.nm";
    EXPECT_EQ(problems(load({{"consts.txt", color_consts}}, modes)), "cannot-read@1");
}

TEST_F(FolderTest, ModesTurnClausesIntoTheStartOfTheSearch) {
    const TemporaryFolder other;
    LoadOptions options;
    options.modes_file =
        other.write("modes.nm", ":- modeh(1, p(+color)).\n:- modeb(*, q(+color, -color)).\n:- learn(p/1, 1).\n");
    const std::string text = canonical({{"consts.txt", color_consts},
                                        {"preds.txt", color_preds},
                                        {"bk_clauses.txt", "q(X,X):-.\n"},
                                        {"clauses.txt", "p(X):-q(X,Y).\np(X):-.\n"}},
                                       options);
    EXPECT_EQ(text.substr(text.find(":- modeh")), ":- modeh(1, p(+color)).\n"
                                                  ":- modeb(*, q(+color, -color)).\n"
                                                  ":- learn(p/1, 1).\n"
                                                  ":- initial((p(X) :- q(X,Y))).\n"
                                                  ":- initial(p(X)).\n"
                                                  "q(X,X).\n");
}

TEST_F(FolderTest, AModesFileInTheFolderIsNotAnUnusedFile) {
    LoadOptions options;
    options.modes_file = folder_.path() / "modes.nm";
    EXPECT_EQ(problems(load({{"preds.txt", "p:0:\n"}, {"modes.nm", ":- learn(p/0, 1).\n"}}, options)), "");
}

TEST_F(FolderTest, BoundsMayBeGivenWithTheModes) {
    const TemporaryFolder other;
    LoadOptions options;
    options.modes_file = other.write("modes.nm", ":- max_length(colors, 1).\n");
    const std::string text =
        canonical({{"consts.txt", "color:red\ncolors:*\n"}, {"funcs.txt", "f:2:color,colors:colors\n"}}, options);
    EXPECT_NE(text.find(":- max_length(colors, 1)."), std::string::npos) << text;
}

TEST_F(FolderTest, WeightsOfInitialClausesCanBeReadBack) {
    const TemporaryFolder other;
    LoadOptions options;
    options.modes_file = other.write("modes.nm", ":- learn(p/1, 1).\n");
    const std::string text = canonical(
        {{"consts.txt", color_consts}, {"preds.txt", color_preds}, {"clauses.txt", "0.5::p(X):-q(X,Y).\n"}}, options);
    EXPECT_EQ(canonical_text(text), text);
}

constexpr std::string_view list_consts = "color:red,blue\ncolors:*\n";
constexpr std::string_view list_funcs = "f:2:color,colors:colors\n";
constexpr std::string_view list_preds = "l:1:colors\n";

TEST_F(FolderTest, ListsAreRecognisedByTheirShape) {
    const ReadProgram result = load({{"consts.txt", list_consts},
                                     {"funcs.txt", list_funcs},
                                     {"preds.txt", list_preds},
                                     {"bk.txt", "l([red,blue]).\nl([]).\n"}});
    EXPECT_EQ(problems(result), "");
    const std::string text = print_program(result.program);
    EXPECT_NE(text.find("\nl(f(red,f(blue,'*'))).\nl('*').\n"), std::string::npos)
        << "printed as folders spell it: " << text;
}

TEST_F(FolderTest, NoListWithoutExactlyOneConstant) {
    const ReadProgram result = load({{"consts.txt", "color:red\ncolors:*,+\n"}, {"funcs.txt", list_funcs}});
    EXPECT_EQ(problems(result), "syntax@2") << "+ is no name";
    const ReadProgram two = load({{"consts.txt", "color:red\ncolors:*,**\n"}, {"funcs.txt", list_funcs}});
    EXPECT_FALSE(two.program.signature.type(two.program.signature.find_type("colors")).list.has_value());
}

TEST_F(FolderTest, RepeatsAndDepthAreOptions) {
    const Files files = {{"consts.txt", list_consts},
                         {"funcs.txt", list_funcs},
                         {"preds.txt", list_preds},
                         {"bk_clauses.txt", "l(X):-.\n"}};
    const auto terms = [&](const LoadOptions& options) {
        ReadProgram result = load(files, options);
        EXPECT_EQ(problems(result), "");
        return ground_program(std::move(result.program)).ground.graph.atom_count();
    };
    EXPECT_EQ(terms({}), 1U + 2 + 2);  // no repeats: at most two elements
    LoadOptions repeats;
    repeats.allow_repeats = true;
    EXPECT_EQ(terms(repeats), 1U + 2 + 4 + 8);  // depth 3
    repeats.term_depth = 4;
    EXPECT_EQ(terms(repeats), 1U + 2 + 4 + 8 + 16);
    LoadOptions shallow;
    shallow.term_depth = 1;
    EXPECT_EQ(terms(shallow), 1U + 2);
}

TEST_F(FolderTest, DistinctIsAnOption) {
    const Files files = {
        {"consts.txt", "o:a,b,c\n"}, {"preds.txt", "p:2:o,o\nq:2:o,o\n"}, {"bk_clauses.txt", "p(X,Y):-.\nq(X,Y):-.\n"}};
    const auto atoms = [&](const LoadOptions& options) {
        ReadProgram result = load(files, options);
        EXPECT_EQ(problems(result), "");
        return ground_program(std::move(result.program), {.mode = GroundMode::Full}).ground.graph.atom_count();
    };
    LoadOptions options;
    EXPECT_EQ(atoms(options), 18U);
    options.distinct = "all";
    EXPECT_EQ(atoms(options), 12U);
    options.distinct = "q";
    EXPECT_EQ(atoms(options), 15U);
    options.distinct = "none";
    EXPECT_EQ(atoms(options), 18U);
}

TEST_F(FolderTest, LinesThatAreWrong) {
    const std::tuple<std::string, const char*, const char*> cases[] = {
        {"consts.txt", "color\n", "syntax@1"},
        {"consts.txt", "color:red:blue\n", "syntax@1"},
        {"consts.txt", "color:red,,blue\n", "syntax@1"},
        {"consts.txt", "color:red,Blue\n", "syntax@1"},
        {"consts.txt", "color:red\ncolor:blue,red\n", "duplicate-declaration@2"},
        {"preds.txt", "p:1\n", "syntax@1"},
        {"preds.txt", "p:2:color\n", "wrong-arity@1"},
        {"preds.txt", "p:one:color\n", "bad-number@1"},
        {"preds.txt", "p::color\n", "bad-number@1"},
        {"preds.txt", "P:1:color\n", "syntax@1"},
        {"preds.txt", "p:1:color\np:1:color\n", "duplicate-declaration@2"},
        {"preds.txt", "p:2:color,\n", "syntax@1"},
        {"funcs.txt", "f:1:color\n", "syntax@1"},
        {"funcs.txt", "f:0::color\n", "bad-declaration@1"},
        {"funcs.txt", "f:1:color:color\nf:1:color:color\n", "duplicate-declaration@2"},
        {"bk.txt", "p(red)\n", "syntax@1"},
        {"bk.txt", "q(red).\n", "unknown-predicate@1"},
    };
    for (const auto& [name, text, expected] : cases) {
        const TemporaryFolder folder;
        folder.write(name, text);
        ReadProgram result;
        result.program = load_program(folder.path(), {}, result.diagnostics);
        EXPECT_EQ(problems(result), expected) << name << ": " << text;
    }
}

TEST_F(FolderTest, FactsAreGroundAndHaveNoBody) {
    const ReadProgram result = load({{"consts.txt", color_consts},
                                     {"preds.txt", color_preds},
                                     {"bk.txt", "p(X).\np(red):-q(red,red).\np(blue).\n:- query(p(X)).\n"}});
    EXPECT_EQ(problems(result), "not-ground@1 syntax@2 syntax@4");
    EXPECT_EQ(result.program.facts.size(), 1U);
}

}  // namespace
}  // namespace neumann
