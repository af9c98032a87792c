#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "datasets/kandinsky.h"
#include "unit/scene_text.h"

namespace neumann {
namespace {

constexpr std::uint64_t seed = 20;
constexpr std::size_t figures_per_pattern = 20'000;  // half of them follow the rule

using Point = std::array<double, 2>;

FigureSet set_of(const FigurePattern& pattern, Split split = Split::Train) {
    FigureSet set;
    set.pattern = &pattern;
    set.seed = seed;
    set.split = split;
    return set;
}

// What is drawn, written down anew: corners, or none for a circle.
std::vector<Point> corners(const SceneObject& object) {
    const auto [x, y, unused] = object.position;
    const double s = object.extent;
    if (object.shape == "square") {
        return {{x - s / 2, y - s / 2}, {x + s / 2, y - s / 2}, {x + s / 2, y + s / 2}, {x - s / 2, y + s / 2}};
    }
    if (object.shape != "triangle") return {};
    std::vector<Point> found;
    for (const double degrees : {-90.0, 30.0, 150.0}) {
        const double angle = degrees * std::acos(-1) / 180;
        const double around = s * 3 * std::sqrt(3) / 8;
        found.push_back({x + around * std::cos(angle), y + around * std::sin(angle)});
    }
    return found;
}

double circle_radius(const SceneObject& object) { return object.extent * 2 / std::acos(-1); }

Point centre(const SceneObject& object) { return {object.position[0], object.position[1]}; }

double length(const Point& a, const Point& b) { return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2)); }

double to_segment(const Point& p, const Point& a, const Point& b) {
    const double dx = b[0] - a[0];
    const double dy = b[1] - a[1];
    const double t = std::clamp(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    return length(p, {a[0] + t * dx, a[1] + t * dy});
}

bool within(const Point& p, const std::vector<Point>& polygon) {
    bool left = true;
    bool right = true;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Point& a = polygon[i];
        const Point& b = polygon[(i + 1) % polygon.size()];
        const double turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        left = left && turn >= 0;
        right = right && turn <= 0;
    }
    return left || right;
}

// Convex polygons and circles: 0 where they overlap.
double room_between(const SceneObject& a, const SceneObject& b) {
    const std::vector<Point> first = corners(a);
    const std::vector<Point> second = corners(b);
    if (first.empty() && second.empty()) return length(centre(a), centre(b)) - circle_radius(a) - circle_radius(b);
    if (first.empty()) return room_between(b, a);
    double room = 9;
    if (second.empty()) {
        if (within(centre(b), first)) return 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            room = std::min(room, to_segment(centre(b), first[i], first[(i + 1) % first.size()]));
        }
        return std::max(0.0, room - circle_radius(b));
    }
    // Edges that cross have an end of one near the other only if corners do not lie inside; so separate by an edge.
    const auto separated_by_edge = [](const std::vector<Point>& edges, const std::vector<Point>& others) {
        const auto side = [](const Point& from, const Point& to, const Point& p) {
            return (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
        };
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const Point& from = edges[i];
            const Point& to = edges[(i + 1) % edges.size()];
            const double own = side(from, to, edges[(i + 2) % edges.size()]);
            if (std::ranges::all_of(others, [&](const Point& p) { return side(from, to, p) * own < 0; })) return true;
        }
        return false;
    };
    if (!separated_by_edge(first, second) && !separated_by_edge(second, first)) return 0;
    for (const auto* polygons : {&first, &second}) {
        const auto& other = polygons == &first ? second : first;
        for (const Point& p : *polygons) {
            for (std::size_t i = 0; i < other.size(); ++i) {
                room = std::min(room, to_segment(p, other[i], other[(i + 1) % other.size()]));
            }
        }
    }
    return room;
}

// Where a detector would say that the object is: the middle of its box.
Point box_middle(const SceneObject& object) {
    const std::vector<Point> found = corners(object);
    if (found.empty()) return centre(object);
    const auto [low, high] = std::ranges::minmax(found, {}, [](const Point& p) { return p[1]; });
    return {object.position[0], (low[1] + high[1]) / 2};
}

enum class Middle { Centroid, Box };

std::vector<Point> middles(const Scene& scene, Middle middle) {
    std::vector<Point> points;
    for (const SceneObject& object : scene.objects) {
        points.push_back(middle == Middle::Box ? box_middle(object) : centre(object));
    }
    return points;
}

// The published soft predicates, made crisp: closeby switches at a distance of .224, online where the residual norm of
// the regression of y on x is .157.
bool crisp_close(const Point& a, const Point& b) { return length(a, b) < .224; }

bool crisp_line(const std::vector<Point>& points) {
    // Cramer's rule for the normal equations (Σx² Σx; Σx n)(slope, shift) = (Σxy, Σy).
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Point& p : points) {
        n += 1;
        x += p[0];
        y += p[1];
        xx += p[0] * p[0];
        xy += p[0] * p[1];
    }
    const double slope = (n * xy - x * y) / (n * xx - x * x);
    const double shift = (xx * y - x * xy) / (n * xx - x * x);
    double squares = 0;
    for (const Point& p : points) squares += std::pow(p[1] - slope * p[0] - shift, 2);
    return std::sqrt(squares) < .157;
}

// The width of the narrowest strip that holds all points: one of its sides goes through two of them.
double strip_width(const std::vector<Point>& points) {
    double narrowest = 9;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            double low = 0;
            double high = 0;
            for (const Point& p : points) {
                const double cross = ((points[j][0] - points[i][0]) * (p[1] - points[i][1]) -
                                      (points[j][1] - points[i][1]) * (p[0] - points[i][0])) /
                                     length(points[i], points[j]);
                low = std::min(low, cross);
                high = std::max(high, cross);
            }
            narrowest = std::min(narrowest, high - low);
        }
    }
    return narrowest;
}

// The rules as the programs state them: pairs may share objects.
bool kp(std::string_view pattern, const Scene& scene, Middle middle) {
    const std::vector<SceneObject>& o = scene.objects;
    const std::vector<Point> at = middles(scene, middle);
    bool same = false;
    bool same_shape_only = false;
    bool close = false;
    bool close_red_triangle = false;
    for (std::size_t i = 0; i < o.size(); ++i) {
        for (std::size_t j = 0; j < o.size(); ++j) {
            if (i == j) continue;
            same |= o[i].shape == o[j].shape && o[i].color == o[j].color;
            same_shape_only |= o[i].shape == o[j].shape && o[i].color != o[j].color;
            close |= crisp_close(at[i], at[j]);
            close_red_triangle |= crisp_close(at[i], at[j]) && o[i].color == "red" && o[i].shape == "triangle" &&
                                  o[j].color != "red" && o[j].shape != "triangle";
        }
    }
    if (pattern == "twopairs") return same && same_shape_only;
    if (pattern == "closeby") return close;
    if (pattern == "red-triangle") return close_red_triangle;
    if (pattern == "online-pair") return same && crisp_line(at);
    return crisp_line(at);
}

// Two pairs as the figures have it: no object in both pairs.
bool disjoint_two_pairs(const Scene& scene) {
    std::vector<std::size_t> order = {0, 1, 2, 3};
    const auto& o = scene.objects;
    do {
        const SceneObject& a = o[order[0]];
        const SceneObject& b = o[order[1]];
        const SceneObject& c = o[order[2]];
        const SceneObject& d = o[order[3]];
        if (a.shape == b.shape && a.color == b.color && c.shape == d.shape && c.color != d.color) return true;
    } while (std::ranges::next_permutation(order).found);
    return false;
}

class EveryPattern : public testing::TestWithParam<const char*> {
protected:
    const FigurePattern& pattern() const { return *find_figure_pattern(GetParam()); }
    testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << seed};
};
class LabelledPattern : public EveryPattern {};

TEST_P(LabelledPattern, SaysTheTruth) {
    const std::string name = GetParam();
    const std::vector<Figure> figures = make_figures(set_of(pattern()), 0, figures_per_pattern, 2);
    std::size_t positives = 0;
    std::map<std::string_view, std::size_t> broken;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const Scene& scene = figures[i].scene;
        positives += figures[i].positive ? 1 : 0;
        if (!figures[i].positive) ++broken[figures[i].broken];
        ASSERT_EQ(kp(name, scene, Middle::Centroid), figures[i].positive) << name << ' ' << i;
        ASSERT_EQ(kp(name, scene, Middle::Box), figures[i].positive) << name << ' ' << i;
        if (name == "twopairs") {
            ASSERT_EQ(disjoint_two_pairs(scene), figures[i].positive) << i;
        }
        const std::vector<Point> at = middles(scene, Middle::Centroid);
        if (name == "closeby" || name == "red-triangle") {
            for (std::size_t a = 0; a < at.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    const double apart = length(at[a], at[b]);
                    ASSERT_TRUE(apart <= .15 || apart >= .24) << name << ' ' << i << ": " << apart;
                }
            }
        }
        if (name == "online-pair" || name == "long-line") {
            const double width = strip_width(at);
            ASSERT_TRUE(width < .01 || width > .1) << name << ' ' << i << ": " << width;
        }
    }
    EXPECT_EQ(positives, figures_per_pattern / 2);
    for (const std::string_view condition : pattern().conditions) EXPECT_GT(broken[condition], 1000U) << condition;
}

TEST_P(EveryPattern, ObjectsLieInsideAndApart) {
    const std::vector<Figure> figures = make_figures(set_of(pattern()), 0, figures_per_pattern, 2);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const std::vector<SceneObject>& objects = figures[i].scene.objects;
        ASSERT_GE(objects.size(), pattern().objects_least);
        ASSERT_LE(objects.size(), pattern().objects_most);
        for (std::size_t a = 0; a < objects.size(); ++a) {
            const auto [x, y] = centre(objects[a]);
            if (objects[a].shape == "circle") {
                const double r = circle_radius(objects[a]);
                ASSERT_TRUE(x >= r && x <= 1 - r && y >= r && y <= 1 - r) << i;
            }
            for (const auto& [corner_x, corner_y] : corners(objects[a])) {
                ASSERT_TRUE(corner_x >= 0 && corner_x <= 1 && corner_y >= 0 && corner_y <= 1) << i;
            }
            for (std::size_t b = 0; b < a; ++b) ASSERT_GT(room_between(objects[a], objects[b]), .003) << i;
        }
    }
}

std::string written(const Scene& scene) {
    std::string text;
    for (const SceneObject& object : scene.objects) {
        text += object.color + ' ' + object.shape;
        for (const double number : {object.position[0], object.position[1], object.extent}) {
            text += ' ' + std::to_string(number);
        }
        text += '\n';
    }
    return text;
}

TEST_P(EveryPattern, SplitsShareNoFigure) {
    std::set<std::string> seen;
    std::size_t made = 0;
    for (const Split split : {Split::Train, Split::Val, Split::Test}) {
        for (const Figure& figure : make_figures(set_of(pattern(), split), 0, 3000, 2)) {
            seen.insert(written(figure.scene));
            ++made;
        }
    }
    EXPECT_EQ(seen.size(), made);
}

TEST_P(EveryPattern, ThreadsAndStartDoNotMatter) {
    const FigureSet set = set_of(pattern());
    const std::vector<Figure> one = make_figures(set, 0, 1000, 1);
    const std::vector<Figure> two = make_figures(set, 0, 1000, 2);
    const std::vector<Figure> later = make_figures(set, 500, 500, 3);
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(written(one[i].scene), written(two[i].scene));
        ASSERT_EQ(one[i].scene.seed, two[i].scene.seed);
        if (i >= 500) {
            ASSERT_EQ(written(one[i].scene), written(later[i - 500].scene));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kandinsky, LabelledPattern,
                         testing::Values("twopairs", "closeby", "red-triangle", "online-pair", "long-line"),
                         pattern_test_name);
INSTANTIATE_TEST_SUITE_P(Kandinsky, EveryPattern,
                         testing::Values("twopairs", "closeby", "red-triangle", "online-pair", "long-line",
                                         "pattern-free"),
                         pattern_test_name);

TEST(Kandinsky, PatternsAreFoundByName) {
    EXPECT_EQ(figure_patterns().size(), 6U);
    for (const FigurePattern& pattern : figure_patterns()) EXPECT_EQ(find_figure_pattern(pattern.name), &pattern);
    EXPECT_EQ(find_figure_pattern("threepairs"), nullptr);
}

TEST(Kandinsky, ImpossibleLimitsEnd) {
    FigureSet set = set_of(*find_figure_pattern("closeby"));
    set.limits.close_most = .01;  // nearer than objects can be
    set.limits.restarts = 100;
    EXPECT_THROW(make_figure(set, 0), std::runtime_error);
    EXPECT_THROW(make_figure(FigureSet{}, 0), std::invalid_argument);
}

TEST(Kandinsky, PatternFreeFiguresHaveAnyNumberOfObjects) {
    std::map<std::size_t, int> seen;
    for (const Figure& figure : make_figures(set_of(*find_figure_pattern("pattern-free")), 0, 9000, 2)) {
        ++seen[figure.scene.objects.size()];
        EXPECT_TRUE(figure.positive);
    }
    EXPECT_EQ(seen.size(), 9U);
    for (const auto& [count, times] : seen) EXPECT_GT(times, 850) << count;  // 1000 expected
}

TEST(Kandinsky, AboutHalfOfTheNegativesHaveARedTriangle) {
    int negatives = 0;
    int with_one = 0;
    for (const Figure& figure : make_figures(set_of(*find_figure_pattern("red-triangle")), 0, 4000, 2)) {
        if (figure.positive) continue;
        ++negatives;
        with_one += std::ranges::any_of(figure.scene.objects, is_red_triangle) ? 1 : 0;
    }
    EXPECT_GT(with_one, negatives / 2);
    EXPECT_LT(with_one, negatives * 19 / 20);
}

}  // namespace
}  // namespace neumann
