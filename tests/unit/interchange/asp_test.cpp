// Answer set programs, read and written. tests/clingo/convert_test.py compares with clingo itself.
#include <gtest/gtest.h>

#include "interchange/asp_names.h"
#include "interchange/asp_reader.h"
#include "interchange/writers.h"
#include "unit/read_program.h"

namespace neumann::interchange {
namespace {

std::string from_asp(std::string text) {
    SourceSet sources;
    Diagnostics diagnostics;
    std::vector<std::string> notes;
    const std::uint32_t file = sources.add("test.lp", std::move(text));
    std::string result = read_asp(sources, file, diagnostics, notes);
    return diagnostics.has_errors() ? render(diagnostics, sources) : result;
}

std::string to_asp(std::string text, const WriteOptions& options = {}) {
    ReadProgram read = neumann::read(std::move(text));
    EXPECT_FALSE(read.diagnostics.has_errors()) << rendered(read);
    std::string result = write_asp(read.program, options, read.diagnostics);
    return read.diagnostics.has_errors() ? rendered(read) : result;
}

TEST(AspNames, ConstantsGoThereAndBack) {
    for (const char* name : {"red", "New York", "\"red\"", "\"\"red\"\"", "\"7\"", "not", "Red", "_x", "it's", "a\"b",
                             "back\\slash", "two\nlines", "\"\"", "\"", "\"Two words\"", "1st", "*", "\"1.5\""}) {
        const std::string there = asp_constant(name);
        const std::string read = from_asp("p(" + there + ").");
        EXPECT_EQ(read, "p(" + quote_name(name) + ").\n") << there;
    }
}

TEST(AspNames, DifferentStringsAreDifferentNames) {
    EXPECT_EQ(from_asp("p(a). p(\"a\"). p(7). p(\"7\"). p(\"\")."),
              "p(a).\np('\"a\"').\np(7).\np('\"7\"').\np('\"\"').\n");
}

TEST(AspNames, TheCommentAboutListsIsFound) {
    EXPECT_EQ(find_list_comment("p.\n% lists: cell/2 and end\nq."), std::pair(std::string("cell"), std::string("end")));
    EXPECT_EQ(find_list_comment("p. % lists: cell/2 and end").first, "");
    EXPECT_EQ(find_list_comment(list_comment("cons", "nil")).second, "nil");
}

TEST(AspReader, PoolsIntervalsAndConstants) {
    EXPECT_EQ(from_asp("#const n = 2. p(1..n;5). q(a,(b;c))."), "p(1).\np(2).\np(5).\nq(a,b).\nq(a,c).\n");
    EXPECT_EQ(from_asp("p(1..99999)."), "p(V1) :- between(1, 99999, V1).\n");
    EXPECT_EQ(from_asp("p(1). q(X..X+1) :- p(X;X+1)."), "p(1).\nq(V1) :- p(X), between(X, X + 1, V1).\n"
                                                        "q(V2) :- p(V1), X is V1 - 1, between(X, X + 1, V2).\n");
}

TEST(AspReader, ArithmeticGetsNamesAndIsSolved) {
    EXPECT_EQ(from_asp("p(1). q(X+1) :- p(X)."), "p(1).\nq(V1) :- p(X), V1 is X + 1.\n");
    EXPECT_EQ(from_asp("p(1). q(X) :- p(X+1)."), "p(1).\nq(X) :- p(V1), X is V1 - 1.\n");
    EXPECT_EQ(from_asp("p(1). q(Y) :- p(X), X = 3 - Y."), "p(1).\nq(Y) :- p(X), Y is 3 - X.\n");
    EXPECT_EQ(from_asp("p(1). q :- p(X), not X*2 = 4/2."), "p(1).\nq :- p(X), X * 2 =\\= 2.\n");
    EXPECT_EQ(from_asp("p(1). q(X\\3) :- p(X)."), "p(1).\nq(V1) :- p(X), V1 is X - X // 3 * 3.\n");
    EXPECT_EQ(from_asp("p(1). q((X\\3+3)\\3) :- p(X)."), "p(1).\nq(V1) :- p(X), V1 is X mod 3.\n");
}

TEST(AspReader, AggregatesOverTuples) {
    EXPECT_EQ(from_asp("p(1,2). q(N) :- N = #count{ X,Y : p(X,Y) }."),
              "p(1,2).\nq(N) :- aggregate_all(count, p(_X,_Y), N).\n");
    EXPECT_EQ(from_asp("p(1,2). q(N) :- N = #count{ X : p(X,Y) }."),
              "p(1,2).\nq(N) :- aggregate_all(count, q_count_1(_V1), N).\nq_count_1(X) :- p(X,_Y).\n");
    EXPECT_EQ(from_asp("p(1,2). q :- #min{ X : p(X,Y) } >= 3."),
              "p(1,2).\nq :- \\+ (aggregate_all(min(X), p(X,_Y), V1), V1 < 3).\n");
    EXPECT_EQ(from_asp("p(1,2). q(M) :- p(X,Y), M = #max{ X ; Y ; 3 }."),
              "p(1,2).\nq(M) :- p(X,Y), M is max(max(X,Y),3).\n");
}

TEST(AspReader, ConditionsAndUndefinedPredicates) {
    EXPECT_EQ(from_asp("p(1). q :- r(X) : p(X)."), "p(1).\nq :- forall(p(X), r(X)).\nr(V1) :- r(V1).\n");
    EXPECT_EQ(from_asp("query(a). query(X) :- not not query(X), query(X)."),
              "'query'(a).\n'query'(X) :- \\+ \\+ 'query'(X), 'query'(X).\n");
}

TEST(AspReader, VariablesOfTwoConditionsStayApart) {
    EXPECT_EQ(from_asp("p(1). q(N) :- N = #sum{ X : p(X) }, #sum{ X : p(X) } > 0."),
              "p(1).\nq(N) :- aggregate_all(sum(V1), p(V1), N), aggregate_all(sum(V2), p(V2), V3), V3 > 0.\n");
}

TEST(AspWriter, TermsAndGoals) {
    EXPECT_EQ(to_asp("p([a,'B'|[c]]). q(T) :- p([_|T]), \\+ r(T). r([])."),
              "% lists: cons/2 and nil\n"
              "p(cons(a,cons(\"B\",cons(c,nil)))).\nr(nil).\nq(T) :- p(cons(_,T)), not r(T).\n");
}

TEST(AspWriter, ArithmeticKeepsItsMeaning) {
    EXPECT_EQ(to_asp("p(3). q(Y) :- p(X), Y is (X + 1) mod 2 - X // 2 * -1."),
              "p(3).\nq(Y) :- p(X), Y = ((X + 1) \\ 2 + 2) \\ 2 - X / 2 * -1.\n");
}

TEST(AspWriter, AnAggregateSaysItsGroups) {
    EXPECT_EQ(to_asp("p(a,1). q(X,N) :- aggregate_all(min(W), p(X,W), N)."),
              "p(a,1).\nq(X,N) :- p(X,_), N = #min{ W,W : p(X,W) }, N < #sup.\n");
}

TEST(AspWriter, ProbabilitiesAreRefusedOrDropped) {
    EXPECT_NE(to_asp("0.5::p(a). 0::p(b).").find("no place for a probability"), std::string::npos);
    EXPECT_EQ(to_asp("0.5::p(a). 0::p(b).", {.drop_probabilities = true}),
              "% without probabilities: what is possible holds\np(a).\n");
}

}  // namespace
}  // namespace neumann::interchange
