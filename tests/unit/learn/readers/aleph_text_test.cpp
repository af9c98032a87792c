#include <gtest/gtest.h>

#include "learn/readers/aleph_text.h"

namespace neumann::search {
namespace {

using Texts = std::vector<std::string>;

TEST(AlephText, DirectivesHaveNamesArgumentsAndPlaces) {
    const std::string text = "p(a).\n:- modeb(*, q(+t, #[a,b])). % c\n:-aleph.\n:- set(i, 2), set(noise, 'a, b').\n";
    const std::vector<AlephDirective> found = aleph_directives(text);
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0].name, "modeb");
    EXPECT_EQ(found[0].arguments, (Texts{"*", "q(+t, #[a,b])"}));
    EXPECT_EQ(text.substr(found[0].begin, found[0].end - found[0].begin), ":- modeb(*, q(+t, #[a,b])).");
    EXPECT_EQ(found[1].name, "aleph");
    EXPECT_TRUE(found[1].arguments.empty());
    EXPECT_EQ(found[2].arguments, (Texts{"i", "2"}));
    EXPECT_EQ(found[3].arguments, (Texts{"noise", "'a, b'"}));
    EXPECT_EQ(found[3].begin, found[2].begin);  // one statement
}

TEST(AlephText, DeclarationsOfPredicatesAreNoDirectives) {
    EXPECT_TRUE(aleph_directives(":- dynamic p/1.\n:-discontiguous(q/2).\n").empty());
    EXPECT_EQ(aleph_section(":- dynamic p/1.\n:- aleph.\np(a).", ""), ":- dynamic p/1.\n         \np(a).");
}

TEST(AlephText, SectionsKeepTheirPlaces) {
    const std::string text =
        ":- modeh(1,f(+t)).\n:- begin_bg.\np(a).\n:- end_bg.\n:-begin_in_pos.\nf(a).\n:-end_in_pos.\n";
    EXPECT_TRUE(has_aleph_section(text, "bg"));
    EXPECT_FALSE(has_aleph_section(text, "in_neg"));
    const std::string positives = aleph_section(text, "in_pos");
    EXPECT_EQ(positives.size(), text.size());
    EXPECT_EQ(positives.find("f(a)."), text.find("f(a)."));
    EXPECT_EQ(positives.find_first_not_of(" \n"), text.find("f(a)."));
    EXPECT_EQ(positives.find_last_not_of(" \n"), text.find("f(a).") + 4);
}

TEST(AlephText, ArgumentsEndAtTheirCommas) {
    std::string name;
    EXPECT_EQ(arguments_of(" p ( a , f(b,c), [d,e], 'g,h' )", name), (Texts{"a", "f(b,c)", "[d,e]", "'g,h'"}));
    EXPECT_EQ(name, "p");
    EXPECT_TRUE(arguments_of("p", name).empty());
    EXPECT_EQ(arguments_of("p(a", name), Texts{""});  // which nothing closes
}

TEST(AlephText, NamesLoseTheirQuotes) {
    EXPECT_EQ(unquoted(" 'is ''so''' "), "is 'so'");
    EXPECT_EQ(unquoted("plain"), "plain");
    EXPECT_EQ(unquoted("'"), "'");
    EXPECT_EQ(unquoted("''"), "");
}

}  // namespace
}  // namespace neumann::search
