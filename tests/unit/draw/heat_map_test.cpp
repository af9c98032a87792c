#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "draw/atom_label.h"
#include "draw/heat_map.h"
#include "unit/well_formed_xml.h"

namespace neumann {
namespace {

HeatMap map_of(std::size_t atoms, std::size_t steps, double value = 0.5) {
    HeatMap map{"title", "subtitle", {}, std::vector(steps, std::vector(atoms, value))};
    for (std::size_t i = 0; i < atoms; ++i) map.columns.push_back(fmt::format("atom({})", i));
    return map;
}

TEST(HeatMap, HasACellWithATooltipForEveryValue) {
    HeatMap map{"even", "", {"even(0)", "odd(0)"}, {{1, 0}, {0.123456, 1e-9}, {0.5, 0}}};
    const std::string svg = heat_map_svg(map);
    expect_well_formed(svg);
    EXPECT_EQ(count(svg, "width='1' height='1'"), 6U);
    EXPECT_TRUE(contains(svg, "<title>even(0), step 0: 1</title>"));
    EXPECT_TRUE(contains(svg, "<title>even(0), step 1: 0.1235</title>"));
    EXPECT_TRUE(contains(svg, "<title>odd(0), step 1: 1e-09</title>"));
    EXPECT_TRUE(contains(svg, "role='img'"));
    EXPECT_TRUE(contains(svg, "aria-label='even. 2 atoms at 3 steps"));
    EXPECT_EQ(svg, heat_map_svg(map));
}

TEST(HeatMap, TellsExactlyZeroFromAlmostZero) {
    const auto fill = [](double value) {
        const std::string svg = heat_map_svg({"", "", {"p"}, {{value}}});
        const std::string cell = svg.substr(svg.find("height='1' fill='"));
        return cell.substr(0, cell.find('>'));
    };
    EXPECT_NE(fill(0), fill(1e-12));
    EXPECT_EQ(fill(1e-12), fill(1e-9));
    EXPECT_TRUE(contains(fill(1e-12), colour_of(0)));
    EXPECT_TRUE(contains(fill(1 + 1e-7), colour_of(1)));
}

TEST(HeatMap, DarkensAllTheWay) {
    const auto green = [](double value) { return std::stoi(colour_of(value).substr(3, 2), nullptr, 16); };
    for (int i = 0; i < 64; ++i) EXPECT_GT(green(i / 64.0), green((i + 1) / 64.0)) << i;
}

TEST(HeatMap, EscapesNames) {
    const std::string svg = heat_map_svg({"<t>", "\"s\" & 't'", {"p('<&>\"')", "q(\x01)"}, {{0, 1}}});
    expect_well_formed(svg);
    EXPECT_TRUE(contains(svg, "p(&#39;&#60;&#38;&#62;&#34;&#39;)"));
    EXPECT_TRUE(contains(svg, "&#60;t&#62;"));
    EXPECT_FALSE(contains(svg, "\x01"));
}

TEST(HeatMap, ShortensLongNamesInLabelsOnly) {
    const std::string name = "p(" + std::string(50, 'a') + "," + std::string(50, 'b') + ")";
    const std::string svg = heat_map_svg({"", "", {name}, {{1}}});
    EXPECT_TRUE(contains(svg, "<title>" + name + "</title>p(aaaaaaaaaaaaa…bbbbbbbbbbbbb)</text>"));
    EXPECT_TRUE(contains(svg, "Names with … are shortened"));
    EXPECT_EQ(without_middle("ääääää", 6), "ääääää");
    EXPECT_EQ(without_middle("äbcdefö", 5), "äb…fö");
}

TEST(HeatMap, WritesNestedFunctorsAsPowers) {
    EXPECT_EQ(label_of("even(0)"), "even(0)");
    EXPECT_EQ(label_of("even(s(0))"), "even(s(0))");
    EXPECT_EQ(label_of("even(s(s(s(s(s(s(s(s(s(s(0)))))))))))"), "even(s¹⁰(0))");
    EXPECT_EQ(label_of("p(f(f(a)),g(g(g(X))),b)"), "p(f²(a),g³(X),b)");
    EXPECT_EQ(label_of("p(s(s(f(f(0)))))"), "p(s²(f²(0)))");
    EXPECT_EQ(label_of("p(f(f(f(a)),b))"), "p(f(f²(a),b))");
    EXPECT_EQ(label_of("p(f(f(a,b)))"), "p(f(f(a,b)))");  // not the same f twice
    EXPECT_EQ(label_of("s(s(0))"), "s(s(0))");            // neither: the first is a predicate
    EXPECT_EQ(label_of("p(ss(s(0)))"), "p(ss(s(0)))");
    EXPECT_EQ(label_of("p('s(s(','s(s(')"), "p('s(s(','s(s(')");
    EXPECT_EQ(label_of("p(s(s("), "p(s(s(");
    EXPECT_EQ(label_of(""), "");
}

TEST(HeatMap, LeavesOutLabelsThatWouldOverlap) {
    EXPECT_EQ(count(heat_map_svg(map_of(20, 2)), "rotate(-45)"), 20U);
    EXPECT_EQ(count(heat_map_svg(map_of(70, 2)), "rotate(-90)"), 70U);
    const std::string wide = heat_map_svg(map_of(500, 2));
    EXPECT_EQ(count(wide, "rotate(-90)"), 50U);
    EXPECT_TRUE(contains(wide, "One atom in 10 is labelled."));
    const std::string tall = heat_map_svg(map_of(1, 1000));
    EXPECT_TRUE(contains(tall, ">980</text>"));
    EXPECT_TRUE(contains(tall, ">999</text>"));
    EXPECT_FALSE(contains(tall, ">981</text>"));
}

TEST(HeatMap, MergesCellsOfOneShadeInLargeMaps) {
    HeatMap map = map_of(2000, 1000, 0);
    for (std::vector<double>& row : map.rows) {
        std::fill_n(row.begin(), 100, 1.0);
        row[150] = 1;
    }
    map.rows[7][200] = 1e-9;
    const std::string svg = heat_map_svg(map);
    expect_well_formed(svg);
    EXPECT_TRUE(contains(svg, "M0 5h100m50 0h1M0 6h100m50 0h1"));
    EXPECT_TRUE(contains(svg, fmt::format("<path stroke='{}' d='M200 7h1'/>", colour_of(0))));
    EXPECT_TRUE(contains(svg, "<title>atom(200), step 0: 0, step 999: 0, above 0 from step 7</title>"));
    EXPECT_EQ(count(svg, "<title>"), 2000U);
    EXPECT_LT(svg.size(), 300'000U);
}

TEST(HeatMap, DrawsEverySizeUpToTheLimit) {
    for (const std::size_t atoms : {1, 2, 33, 34, 62, 63, 199, 2000}) {
        for (const std::size_t steps : {1, 2, 20, 21, 124, 1000}) {
            SCOPED_TRACE(fmt::format("{} atoms, {} steps", atoms, steps));
            const std::string svg = heat_map_svg(map_of(atoms, steps));
            if (atoms * steps <= 1000 || atoms == 2000) expect_well_formed(svg);
            EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf"));
        }
    }
}

TEST(HeatMap, RefusesWhatItCannotDraw) {
    EXPECT_THROW(heat_map_svg({}), std::invalid_argument);
    EXPECT_THROW(heat_map_svg({"", "", {"p"}, {}}), std::invalid_argument);
    EXPECT_THROW(heat_map_svg({"", "", {}, {{}}}), std::invalid_argument);
    EXPECT_THROW(heat_map_svg(map_of(2001, 1)), std::invalid_argument);
    EXPECT_THROW(heat_map_svg(map_of(1, 1001)), std::invalid_argument);
    EXPECT_THROW(heat_map_svg({"", "", {"p", "q"}, {{0, 1}, {0}}}), std::invalid_argument);
    for (const double value : {-0.1, 1.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW(heat_map_svg(map_of(3, 3, value)), std::invalid_argument) << value;
    }
}

}  // namespace
}  // namespace neumann
