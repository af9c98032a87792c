#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/suggest.h"

namespace neumann {
namespace {

TEST(Suggest, FindsTypingMistakes) {
    const std::vector<std::string> known = {"color/2", "shape/2", "closeby/2", "in/2"};
    EXPECT_EQ(nearest_name("colour/2", known), "color/2");  // one letter too many
    EXPECT_EQ(nearest_name("colr/2", known), "color/2");    // one too few
    EXPECT_EQ(nearest_name("clor/2", known), "color/2");
    EXPECT_EQ(nearest_name("coolr/2", known), "color/2");  // neighbours swapped count as one
    EXPECT_EQ(nearest_name("shepe/2", known), "shape/2");
}

TEST(Suggest, SaysNothingWhenNothingIsNear) {
    const std::vector<std::string> known = {"color", "x"};
    EXPECT_EQ(nearest_name("elephant", known), "");
    EXPECT_EQ(nearest_name("y", known), "");  // another letter is another word
    EXPECT_EQ(nearest_name("color", {}), "");
    EXPECT_EQ(nearest_name("color", {"color"}), "");  // not a mistake
    EXPECT_EQ(nearest_name(std::string(10'000, 'a'), {std::string(9999, 'a')}), "");
}

TEST(Suggest, TiesGoToTheEarlierCandidate) {
    EXPECT_EQ(nearest_name("cat", {"bat", "hat"}), "bat");
    EXPECT_EQ(nearest_name("cat", {"hat", "bat"}), "hat");
}

TEST(Suggest, AsAQuestionOrOtherwise) {
    EXPECT_EQ(did_you_mean("colr", {"color"}), "did you mean 'color'?");
    EXPECT_EQ(did_you_mean("colr", {}, "declare it"), "declare it");
}

}  // namespace
}  // namespace neumann
