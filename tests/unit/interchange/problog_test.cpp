// ProbLog's text, read and written.
#include <gtest/gtest.h>

#include "interchange/problog_reader.h"
#include "interchange/writers.h"
#include "unit/read_program.h"

namespace neumann::interchange {
namespace {

std::string from_problog(std::string text) {
    SourceSet sources;
    Diagnostics diagnostics;
    std::vector<std::string> notes;
    const std::uint32_t file = sources.add("test.pl", std::move(text));
    std::string result = read_problog(sources, file, diagnostics, notes);
    return diagnostics.has_errors() ? render(diagnostics, sources) : result;
}

std::string to_problog(std::string text) {
    ReadProgram read = neumann::read(std::move(text));
    EXPECT_FALSE(read.diagnostics.has_errors()) << rendered(read);
    std::string result = write_problog(read.program, read.diagnostics);
    return read.diagnostics.has_errors() ? rendered(read) : result;
}

TEST(ProblogReader, KeepsWhatReadsTheSame) {
    const std::string text =
        "% a coin\n0.4::heads(1).  /* and */\nwin :- heads(X), X > 0, \\+ lost.\nlost.\nquery(win).\n";
    EXPECT_EQ(from_problog(text), text);
}

TEST(ProblogReader, LibrariesAndLearnedProbabilities) {
    EXPECT_EQ(from_problog(":- use_module(library(lists)).\np. q :- t(1). t(1).\n"), "p. q :- t(1). t(1).\n");
    EXPECT_EQ(from_problog("t(0.5)::p. t(_)::q."), "t(0.5)::p. t(_)::q.");
    EXPECT_EQ(from_problog("t(0.25 , X)::q(X) :- r(X). r(a)."), "0.25::q(X) :- r(X). r(a).");
    EXPECT_NE(from_problog("t(_,X)::p(X) :- r(X).").find("has no first value"), std::string::npos);
}

TEST(ProblogReader, AFactThatStandsTwiceIsTwoChances) {
    EXPECT_EQ(from_problog("0.5::p. 0.4::p. q. q. 0.1::r."), "0.5::p :- true. 0.4::p :- true. q. q. 0.1::r.");
}

TEST(ProblogReader, PredicatesOfLibrariesUnlessTheyAreDefined) {
    EXPECT_NE(from_problog("p(X) :- member(X, [1]).").find("ProbLog's 'member/2' is not part"), std::string::npos);
    const std::string own = "last(a). p(X) :- last(X).";
    EXPECT_EQ(from_problog(own), own);
}

TEST(ProblogWriter, GoalsCanBeCalledFromLeftToRight) {
    EXPECT_EQ(to_problog("p(1). q(Z) :- Z > 1, \\+ r(Z), Z is Y * 2, Y is X + 1, p(X). r(9)."),
              "p(1).\nr(9).\nq(Z) :- p(X), Y is X + 1, Z is Y * 2, Z > 1, \\+ r(Z).\n");
}

TEST(ProblogWriter, TypesBecomeGoals) {
    EXPECT_EQ(
        to_problog(
            ":- type(c, [red, '1st']).\n:- pred(p(c)).\n:- pred(q(c, c)).\n:- distinct(q/2).\np(_). q(X,Y) :- p(X), p(Y)."),
        "type_c(red).\ntype_c('1st').\np(Any0) :- type_c(Any0).\nq(X,Y) :- p(X), p(Y), X \\= Y.\n");
}

TEST(ProblogWriter, ExclusiveFactsAreOneDisjunction) {
    EXPECT_EQ(to_problog(":- exclusive(d/2, 2).\n0.2::d(a, 1). 0.8::d(a, 2). d(b, 1)."),
              "0.2::d(a,1) ; 0.8::d(a,2).\n1::d(b,1).\n");
}

TEST(FolderWriter, FilesAndDirectives) {
    ReadProgram read =
        neumann::read(":- type(c, [red, blue]).\n:- pred(p(c)).\n:- neural(n(c)).\np(red). 0.5::p(blue).\n"
                      "a(X) :- p(X), n(X).\n0.3::b(X) :- a(X).\n:- query(b(X)).\n");
    std::vector<std::string> notes;
    const auto files = write_folder(read.program, read.diagnostics, notes);
    std::string text;
    for (const auto& [name, content] : files) text += name + "\n" + content;
    EXPECT_EQ(text, "consts.txt\nc:red,blue\npreds.txt\np:1:c\na:1:c\nb:1:c\nneural_preds.txt\nn:1:c\n"
                    "bk.txt\np(red).\n0.5::p(blue).\nbk_clauses.txt\na(X):-p(X),n(X).\n"
                    "clauses.txt\n0.3::b(X):-a(X).\nmodes.txt\n:- query(b(X)).\n");
    EXPECT_EQ(notes.size(), 1U);
}

}  // namespace
}  // namespace neumann::interchange
