#include <fmt/format.h>

#include "learn/readers/background.h"
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

}  // namespace
}  // namespace neumann::search
