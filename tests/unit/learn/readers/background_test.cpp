#include <fmt/format.h>

#include "learn/readers/background.h"
#include "unit/learn/readers/read_task.h"

namespace neumann::search {
namespace {

TEST(Background, TablesAreFactsOrWhatFollows) {
    const auto background = background_of("e(a,b). e(b,c). r(X,Y) :- e(X,Y). r(X,Y) :- e(X,Z), r(Z,Y).");
    std::string described;
    EXPECT_EQ(relation_of(background, {"e", {0, 0}, 0, {}}, false, described).size(), 2U);
    EXPECT_EQ(relation_of(background, {"r", {0, 0}, 0, {}}, false, described).size(), 3U);
    EXPECT_EQ(relation_of(background, {"e", {0, 0}, 1, {}}, true, described).inputs(), 0U);
    EXPECT_TRUE(relation_of(background, {"r", {0, 0}, 1, {}}, true, described).on_demand());
    EXPECT_EQ(described, "");
}

// Terms that grow without end are no table, and soon known to be none.
TEST(Background, GrowingTermsEndResolution) {
    const auto background = background_of("n(0). n(s(X)) :- n(X). up(X) :- up(s(X)). l([]). l([_|T]) :- l(T).");
    for (const char* name : {"n", "up", "l"}) {
        std::string described;
        EXPECT_TRUE(relation_of(background, {name, {0}, 0, {}}, false, described).on_demand());
        EXPECT_EQ(
            described,
            fmt::format("{}/1 has no direction and no finite table: all but its last argument must be known", name));
    }
}

}  // namespace
}  // namespace neumann::search
