#include <array>
#include <string>

#include <fmt/format.h>

#include "learn/readers/background.h"
#include "learn/search/program_search.h"
#include "unit/learn/readers/read_task.h"

namespace neumann::search {
namespace {

TEST(Background, TablesAreFactsOrWhatFollows) {
    const auto background = background_of("e(a,b). e(b,c). r(X,Y) :- e(X,Y). r(X,Y) :- r(X,Z), e(Z,Y).");
    std::string described;
    EXPECT_EQ(table_of(background, {"e", {0, 0}, 0, {}}, false, described)->size(), 2U);
    EXPECT_EQ(table_of(background, {"r", {0, 0}, 0, {}}, false, described)->size(), 3U);  // left recursion has tables
    EXPECT_EQ(table_of(background, {"e", {0, 0}, 1, {}}, true, described)->inputs(), 0U);
    EXPECT_FALSE(table_of(background, {"r", {0, 0}, 1, {}}, true, described));
    EXPECT_EQ(described, "");
}

// Terms that grow without end are no table, and soon known to be none.
TEST(Background, GrowingTermsEndResolution) {
    const auto background = background_of("n(0). n(s(X)) :- n(X). up(X) :- up(s(X)). l([]). l([_|T]) :- l(T).");
    for (const char* name : {"n", "up", "l"}) {
        std::string described;
        EXPECT_FALSE(table_of(background, {name, {0}, 0, {}}, false, described));
        SampleValues samples;
        EXPECT_TRUE(asked_relation(background, {name, {0}, 0, {}}, false, samples, described).on_demand());
        EXPECT_TRUE(described.starts_with(fmt::format("{}/1 has no direction and no finite table", name)));
    }
}

// Two pieces in one row, two columns apart: the column between them is known, its row is not.
TEST(Background, ArgumentsMayLeaveAPartOpenUntilItIsKnown) {
    std::string background = "row([_,Y],[_,Y]). step([1,_],[2,_]). step([2,_],[3,_]). step([3,_],[4,_]).\n";
    std::string examples;
    int board = 0;
    for (int x = 1; x <= 4; ++x) {
        for (int y = 1; y <= 2; ++y) {
            for (int other = 1; other <= 2; ++other, ++board) {
                background += fmt::format("at(b{0},[1,{1}],k). at(b{0},[{2},{3}],q).\n", board, y, x, other);
                examples += fmt::format("{}(f(b{})).\n", x == 3 && y == other ? "pos" : "neg", board);
            }
        }
    }
    ReadTask read = read_popper({"head_pred(f,1). body_pred(at,3). body_pred(row,2). body_pred(step,2).\n"
                                 "direction(f,(in,)). direction(at,(in,out,out)). direction(row,(in,out)).\n"
                                 "direction(step,(in,out)). type(f,(board,)). type(at,(board,place,piece)).\n"
                                 "type(row,(place,place)). type(step,(place,place)). max_vars(6). max_body(5).\n",
                                 background, examples});
    EXPECT_FALSE(notes(read, "must be known before"));
    const SearchResult found = search_programs(read.task, {});
    EXPECT_TRUE(found.is_right());
    EXPECT_EQ(found.program.size(), 1U);
    EXPECT_TRUE(found.is_shortest());
}

TEST(Background, OpenPartsAgreeWithWhatIsKnown) {
    const auto background = background_of("row([_,Y],[_,Y]).");
    resolution::Terms& terms = background->rules.terms;
    const auto place = [&](resolution::Term x, resolution::Term y) { return terms.list(std::array{x, y}); };
    const resolution::Term one = terms.number(std::int64_t{1});
    const resolution::Term two = terms.number(std::int64_t{2});
    const resolution::Term any = terms.variable(0);
    const auto open = open_terms(background);
    EXPECT_TRUE(open->is_open(place(one, any)));
    EXPECT_EQ(open->common(place(one, any), place(any, two)), place(one, two));
    EXPECT_EQ(open->common(place(one, any), place(one, any)), place(one, any));
    EXPECT_FALSE(open->common(place(one, any), place(two, one)));
}

}  // namespace
}  // namespace neumann::search
