#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "draw/charts.h"
#include "unit/well_formed_xml.h"

namespace neumann {
namespace {

LineChart chart_of(std::size_t points, double scale) {
    LineChart chart{"Loss", "step", "loss", {{"training", {}}, {"validation <1>", {}}}};
    for (std::size_t i = 0; i < points; ++i) {
        const auto x = static_cast<double>(i);
        chart.curves[0].points.emplace_back(x, scale / (x + 1));
        chart.curves[1].points.emplace_back(x, scale / (x + 2));
    }
    return chart;
}

TEST(ChartsTest, CurvesHaveNamesScalesAndOnePathEach) {
    const std::string svg = charts_svg("a & b", "two curves", {chart_of(10, 1)});
    expect_well_formed(svg);
    EXPECT_EQ(count(svg, "<path"), 2U);
    EXPECT_NE(svg.find("a &#38; b"), std::string::npos);
    EXPECT_NE(svg.find("validation &#60;1&#62;"), std::string::npos);
    EXPECT_EQ(svg, charts_svg("a & b", "two curves", {chart_of(10, 1)}));
}

TEST(ChartsTest, WideRangesAreLogarithmic) {
    EXPECT_EQ(charts_svg("", "", {chart_of(10, 1)}).find("log scale"), std::string::npos);
    EXPECT_NE(charts_svg("", "", {chart_of(1000, 1)}).find("log scale"), std::string::npos);
}

TEST(ChartsTest, LongCurvesAreThinnedAndKeepTheirPeaks) {
    LineChart chart = chart_of(100'000, 1);
    chart.curves[0].points[77'777].second = 50;
    chart.curves.resize(1);
    const std::string svg = charts_svg("", "", {chart});
    EXPECT_LT(count(svg, " L"), 1000U);
    EXPECT_NE(svg.find(">10<"), std::string::npos) << "a decade that only the peak reaches";
}

TEST(ChartsTest, NumbersThatAreNoneLeaveGaps) {
    LineChart chart{"Loss", "step", "loss", {{"loss", {}}}};
    for (const double y : {1.0, 0.5, std::nan(""), std::numeric_limits<double>::infinity(), 0.25, 0.125})
        chart.curves[0].points.emplace_back(static_cast<double>(chart.curves[0].points.size()), y);
    const std::string svg = charts_svg("", "", {chart});
    expect_well_formed(svg);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(count(svg, "M"), 2U);
}

TEST(ChartsTest, NothingIsDrawnAsNothing) {
    for (const std::string& svg : {charts_svg("", "", {}), charts_svg("t", "s", {LineChart{}}),
                                   charts_svg("t", "s", {chart_of(1, 0), chart_of(1, 1), chart_of(2, -1)})}) {
        expect_well_formed(svg);
        EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    }
}

}  // namespace
}  // namespace neumann
