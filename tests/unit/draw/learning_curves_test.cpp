#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "draw/learning_curves.h"
#include "unit/well_formed_xml.h"

namespace neumann {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

// XML whose numbers are numbers.
void expect_sound(const std::string& svg) {
    expect_well_formed(svg);
    for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
        const std::string inside = svg.substr(at, svg.find('>', at) - at);
        EXPECT_FALSE(contains(inside, "nan") || contains(inside, "inf")) << inside;
    }
    EXPECT_FALSE(contains(svg, "script") || contains(svg, "href") || contains(svg, "url("));
}

// What stands between each `begin` and the next `end`.
std::vector<std::string> between(const std::string& text, const std::string& begin, const std::string& end) {
    std::vector<std::string> found;
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
        at += begin.size();
        found.push_back(text.substr(at, text.find(end, at) - at));
    }
    return found;
}

struct Place {
    double x, y;
};

std::vector<Place> places_of(const std::string& path) {
    std::vector<Place> places;
    for (std::size_t at = path.find_first_of("ML"); at != std::string::npos; at = path.find_first_of("ML", at + 1)) {
        std::size_t length = 0;
        const double x = std::stod(path.substr(at + 1), &length);
        places.push_back({x, std::stod(path.substr(at + 1 + length))});
    }
    return places;
}

// All elements, lines and texts begin there.
void expect_inside_gpu(const std::string& svg) {
    const double width = std::stod(between(svg, " width='", "'").front());
    const double height = std::stod(between(svg, " height='", "'").front());
    const auto expect_in = [](double value, double most) {
        EXPECT_GE(value, 0);
        EXPECT_LE(value, most);
    };
    for (const char* name : {" x='", " cx='"}) {
        for (const std::string& value : between(svg, name, "'")) expect_in(std::stod(value), width);
    }
    for (const char* name : {" y='", " cy='"}) {
        for (const std::string& value : between(svg, name, "'")) expect_in(std::stod(value), height);
    }
    for (const std::string& path : between(svg, " d='", "'")) {
        for (const Place& place : places_of(path)) {
            expect_in(place.x, width);
            expect_in(place.y, height);
        }
    }
}

std::vector<std::string> paths_of(const std::string& svg) {  // of curves
    return between(svg, " stroke-linejoin='round' d='", "'");
}

std::size_t points_of(const std::string& path) { return count(path, "M") + count(path, "L"); }

LearningCurves curves_of(std::size_t rounds, unsigned starts, unsigned epochs) {
    LearningCurves curves{"title", {}, {}, {"p(X) :- q(X), r(X)."}, 1, 0.75, 0.99999};
    for (std::size_t i = 1; i <= rounds; ++i)
        curves.rounds.push_back({fmt::format("{}", i), 0.5 * static_cast<double>(i), i * 1000, 2.5, 0.25});
    for (unsigned start = 0; start < starts; ++start) {
        for (unsigned epoch = 1; epoch <= epochs; ++epoch)
            curves.epochs.push_back({start, epoch, 0.5 / epoch + 0.1, 0.6 / epoch + 0.1, 1 - 0.5 / epoch});
    }
    return curves;
}

TEST(LearningCurves, ShowsSearchWeightsAndProgram) {
    const LearningCurves curves = curves_of(3, 1, 20);
    const std::string svg = draw_learning_curves(curves);
    expect_sound(svg);
    expect_inside_gpu(svg);
    for (const char* text :
         {">title<", ">1,000 clauses<", ">3,000 clauses<", ">round<", ">seconds per round<", ">epoch<", ">loss<",
          ">training<", ">validation<", ">least: 0.13<", ">accuracy<", ">where the loss is least: 0.975<",
          ">p(X) :- q(X), r(X).<", ">accuracy 1 on training, 0.75 on validation, 0.9999 on test<",
          ">3 rounds of search, 6,000 clauses scored in 3 s; 20 epochs of learning weights<",
          "<title>round 2: 2,000 clauses in 1 s, best score 2.5, loss 0.25</title>",
          "<title>epoch 5: loss 0.2 on training, 0.22 on validation; accuracy 0.9</title>"}) {
        EXPECT_TRUE(contains(svg, text)) << text;
    }
    EXPECT_EQ(svg, draw_learning_curves(curves));
}

TEST(LearningCurves, EscapesTexts) {
    LearningCurves curves = curves_of(1, 1, 1);
    curves.title = "<t> & \"u\"";
    curves.rounds.front().label = "<1>";
    curves.program = {"p('<&>\"') :-\n\tq(\x01)."};
    const std::string svg = draw_learning_curves(curves);
    expect_sound(svg);
    EXPECT_TRUE(contains(svg, "&#60;t&#62; &#38; &#34;u&#34;"));
    EXPECT_TRUE(contains(svg, ">p(&#39;&#60;&#38;&#62;&#34;&#39;) :-  q(\uFFFD).<"));
    EXPECT_TRUE(contains(svg, "<title>round &#60;1&#62;:"));
    expect_sound(draw_time_per_round({"<t>", {{"<&>", {1, 2}}, {"'", {1}}}}));
}

TEST(LearningCurves, SaysWhatIsMissing) {
    const std::string svg = draw_learning_curves({});
    expect_sound(svg);
    EXPECT_EQ(count(svg, "no rounds: nothing was searched"), 1U);
    EXPECT_EQ(count(svg, "no epochs: no weights were learned"), 2U);
    EXPECT_TRUE(contains(svg, "% no clauses"));
    EXPECT_TRUE(paths_of(svg).empty());
    for (const TimePerRound& times : {TimePerRound{}, TimePerRound{"title", {{"one", {}}, {"other", {}}}}}) {
        expect_sound(draw_time_per_round(times));
        EXPECT_TRUE(contains(draw_time_per_round(times), "no rounds"));
    }
}

TEST(LearningCurves, DrawsASingleEpochAsADot) {
    const std::string svg = draw_learning_curves(curves_of(1, 1, 1));
    expect_sound(svg);
    EXPECT_EQ(count(svg, "r='3'"), 3U);
    EXPECT_TRUE(contains(svg, ">1 round of search"));
    // A start of one epoch among longer ones, too.
    LearningCurves curves = curves_of(1, 1, 100);
    curves.epochs.push_back({1, 1, 0.5, 0.5, 0.5});
    EXPECT_EQ(count(draw_learning_curves(curves), "r='3'"), 3U);
}

TEST(LearningCurves, KeepsStartsApart) {
    const std::string svg = draw_learning_curves(curves_of(1, 3, 50));
    for (const std::string& path : paths_of(svg)) {
        EXPECT_EQ(count(path, "M"), 3U);
        EXPECT_EQ(points_of(path), 150U);
    }
    EXPECT_EQ(count(svg, ">start 3<"), 2U);
    EXPECT_TRUE(contains(svg, "<title>start 2, epoch 7: "));
    EXPECT_FALSE(contains(draw_learning_curves(curves_of(1, 1, 50)), ">start 1<"));
    // Another lesson begins with the first start again.
    LearningCurves curves = curves_of(1, 1, 50);
    curves.epochs.insert(curves.epochs.end(), curves.epochs.begin(), curves.epochs.begin() + 10);
    EXPECT_EQ(count(paths_of(draw_learning_curves(curves)).front(), "M"), 2U);
}

TEST(LearningCurves, ThinsLongCurvesButKeepsPeaks) {
    LearningCurves curves = curves_of(1, 2, 5000);
    curves.epochs[6789].train_loss = 80;
    const std::string svg = draw_learning_curves(curves);
    expect_sound(svg);
    const std::vector<std::string> paths = paths_of(svg);
    ASSERT_EQ(paths.size(), 3U);
    for (const std::string& path : paths) {
        EXPECT_LE(points_of(path), LearningCurves::max_points);
        EXPECT_GE(points_of(path), LearningCurves::max_points / 4);
        EXPECT_EQ(count(path, "M"), 2U);
    }
    const auto highest = [](const std::string& path) { return std::ranges::min(places_of(path), {}, &Place::y).y; };
    EXPECT_LT(highest(paths[0]) + 50, highest(paths[1]));  // y grows downwards
    EXPECT_LT(svg.size(), 100'000U);
    EXPECT_EQ(points_of(paths_of(draw_learning_curves(curves_of(1, 1, 1000)))[0]), 1000U);
}

TEST(LearningCurves, LeavesGapsForWhatIsNoNumber) {
    LearningCurves curves = curves_of(4, 1, 100);
    curves.epochs[50].train_loss = not_a_number;
    curves.epochs[20].train_loss = infinite;
    curves.epochs[0].validation_loss = not_a_number;
    curves.epochs[99].validation_accuracy = -infinite;
    curves.rounds[0] = {"1", not_a_number, 1, not_a_number, infinite};
    curves.rounds[1].seconds = 1e300;
    curves.train_accuracy = not_a_number;
    const std::string svg = draw_learning_curves(curves);
    expect_sound(svg);
    expect_inside_gpu(svg);
    const std::vector<std::string> paths = paths_of(svg);
    EXPECT_EQ(count(paths[0], "M"), 3U);
    EXPECT_EQ(points_of(paths[0]), 98U);
    EXPECT_EQ(points_of(paths[1]), 99U);
    EXPECT_TRUE(contains(svg, "1 clause in – s, best score –, loss –"));
    EXPECT_TRUE(contains(svg, ">accuracy 0.75 on validation"));
    for (LearningCurves::Epoch& epoch : curves.epochs)
        epoch.train_loss = epoch.validation_loss = epoch.validation_accuracy = not_a_number;
    expect_sound(draw_learning_curves(curves));
    EXPECT_FALSE(contains(draw_learning_curves(curves), "least"));
}

TEST(LearningCurves, ChoosesReadableAxes) {
    const auto seconds = [](const std::vector<double>& values) { return draw_time_per_round({"", {{"", values}}}); };
    const std::string linear = seconds({1, 9});
    for (const char* tick : {">0<", ">2<", ">4<", ">6<", ">8<", ">10<"}) EXPECT_TRUE(contains(linear, tick)) << tick;
    EXPECT_TRUE(contains(linear, ">seconds<"));
    const std::string logarithmic = seconds({0.00001, 0.5, 0});
    for (const char* tick : {">1e-5<", ">0.001<", ">0.1<"}) EXPECT_TRUE(contains(logarithmic, tick)) << tick;
    EXPECT_TRUE(contains(logarithmic, ">seconds (log scale)<"));
    EXPECT_FALSE(contains(seconds({0.01, 1}), "log scale"));
    const std::string near = seconds({9.7, 9.95});  // from 0, they could not be told apart
    EXPECT_TRUE(contains(near, ">9.7<"));
    EXPECT_FALSE(contains(near, ">0<"));

    LearningCurves curves = curves_of(1, 1, 2);
    for (LearningCurves::Epoch& epoch : curves.epochs) epoch.validation_accuracy = 0.97;
    const std::string accurate = draw_learning_curves(curves);
    for (const char* tick : {">0.9<", ">0.92<", ">1<"}) EXPECT_TRUE(contains(accurate, tick)) << tick;
}

TEST(LearningCurves, DrawsWhateverNumbers) {
    const std::uint64_t seed = 5;
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 rng(seed);
    const std::vector<double> odd = {0,    -0.0,  1e-320, 1e-30, -1e-9,    1,         1 + 1e-15,    1e15,
                                     1e29, -1e30, 1e300,  -2,    infinite, -infinite, not_a_number, 0.3};
    for (int trial = 0; trial < 300; ++trial) {
        const auto any = [&] { return odd[rng() % odd.size()]; };
        TimePerRound times{"", {{"one", {}}, {"other", {}}}};
        LearningCurves curves;
        for (std::size_t i = rng() % 4; i-- > 0;) {
            times.searches[rng() % 2].seconds.push_back(any());
            curves.rounds.push_back({"", any(), rng(), any(), any()});
            curves.epochs.push_back(
                {static_cast<unsigned>(rng() % 2), static_cast<unsigned>(rng()), any(), any(), any()});
        }
        for (const std::string& svg : {draw_time_per_round(times), draw_learning_curves(curves)}) {
            expect_sound(svg);
            expect_inside_gpu(svg);
            ASSERT_FALSE(HasFailure()) << svg;
        }
    }
}

TEST(LearningCurves, MakesRoomForManyRounds) {
    for (const std::size_t rounds : {1, 2, 9, 10, 20, 50, 75, 76, 200, 1000}) {
        SCOPED_TRACE(rounds);
        LearningCurves curves = curves_of(rounds, 0, 0);
        expect_inside_gpu(draw_learning_curves(curves));
        for (LearningCurves::Round& round : curves.rounds) round.label = "lesson 12, round " + round.label;
        expect_inside_gpu(draw_learning_curves(curves));
    }
    const std::string some = draw_learning_curves(curves_of(30, 0, 0));
    EXPECT_EQ(count(some, "rotate(-90)"), 30U);
    EXPECT_TRUE(contains(some, "at the bars: the number of clauses scored"));
    const std::string many = draw_learning_curves(curves_of(200, 0, 0));
    EXPECT_EQ(count(many, "rotate(-90)"), 0U);
    EXPECT_TRUE(contains(many, "point at a bar"));
    EXPECT_TRUE(contains(many, ">200</text>"));
    EXPECT_FALSE(contains(many, ">199</text>"));
}

TEST(LearningCurves, WrapsLongClauses) {
    const auto lines_of = [](const std::vector<std::string>& program) {
        const std::string svg = draw_learning_curves({"", {}, {}, program, {}, {}, {}});
        expect_sound(svg);
        return between(svg, "xml:space='preserve'>", "<");
    };
    const auto joined = [](const std::vector<std::string>& lines) {
        std::string all;
        for (const std::string& line : lines) all += line;
        return all;
    };
    std::string body = "p(X) :- ";
    std::string list = "p(";
    std::string solid;
    for (int i = 0; i < 100; ++i) {
        body += fmt::format("goal(X,Y{}), ", i);
        list += fmt::format("item{},", i);
        solid += "äö";
    }
    for (const std::string& clause : {body, list, solid}) {
        const std::vector<std::string> lines = lines_of({clause});
        EXPECT_GT(lines.size(), 1U);
        EXPECT_EQ(joined(lines), clause);
        for (const std::string& line : lines) EXPECT_LE(line.size(), clause == solid ? 240U : 120U);
    }
    EXPECT_TRUE(lines_of({body}).front().ends_with("), "));
    EXPECT_TRUE(lines_of({list}).front().ends_with(","));
    EXPECT_EQ(lines_of({"p.", "", "q."}), (std::vector<std::string>{"p.", "", "q."}));

    const std::vector<std::string> many = lines_of(std::vector<std::string>(500, "p."));
    EXPECT_EQ(many.size(), LearningCurves::max_lines);
    EXPECT_EQ(many.back(), "% … 441 lines left out");
}

TEST(TimePerRound, ComparesSearches) {
    const TimePerRound times{"Two ways", {{"gradient", {0.5, 1, 1.5}}, {"one by one", {1, 2, 4, 8}}}};
    const std::string svg = draw_time_per_round(times);
    expect_sound(svg);
    expect_inside_gpu(svg);
    for (const char* text : {">Two ways<", ">round<", ">seconds<", ">gradient<", ">one by one<"})
        EXPECT_TRUE(contains(svg, text)) << text;
    const std::vector<std::string> paths = paths_of(svg);
    ASSERT_EQ(paths.size(), 2U);
    EXPECT_EQ(points_of(paths[0]), 3U);
    EXPECT_EQ(points_of(paths[1]), 4U);
    EXPECT_EQ(svg, draw_time_per_round(times));
    EXPECT_THROW(draw_time_per_round({"", std::vector<TimePerRound::Search>(5)}), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
