#include "learning_tasks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace neumann {
namespace {

constexpr double margin = 5;  // by how much the logit of what is so is ahead

class Perception {
public:
    Perception(Rng& rng, double noise, bool positive) : rng_(rng), noise_(noise) { seen_.positive = positive; }

    // A softmax over the classes of an object.
    void classify(const std::string& predicate, std::size_t object, const auto& classes, std::size_t truth) {
        std::vector<double> odds;
        for (std::size_t i = 0; i < classes.size(); ++i) odds.push_back(std::exp(noisy(i == truth ? margin : 0)));
        const double sum = std::accumulate(odds.begin(), odds.end(), 0.0);
        for (std::size_t i = 0; i < classes.size(); ++i)
            seen_.atoms.emplace_back(fmt::format("{}(obj{},{})", predicate, object, classes[i]), odds[i] / sum);
    }
    void relate(const std::string& predicate, std::size_t one, std::size_t other, double logit) {
        seen_.atoms.emplace_back(fmt::format("{}(obj{},obj{})", predicate, one, other), 1 / (1 + std::exp(-logit)));
    }
    double noisy(double logit) {
        const double radius = std::sqrt(-2 * std::log(1 - rng_.uniform()));
        return logit + noise_ * radius * std::cos(2 * std::numbers::pi * rng_.uniform());
    }
    LearningExample take() { return std::move(seen_); }

private:
    Rng& rng_;
    double noise_;
    LearningExample seen_;
};

// A red triangle is close to an object of another colour and another shape. A near miss lacks one of these.

constexpr const char* red_triangle_program = R"(
:- type(object, [obj0, obj1, obj2, obj3, obj4]).
:- type(color, [red, yellow, blue]).
:- type(shape, [square, circle, triangle]).
:- type(image, [img]).
:- pred(kp(image)).
:- pred(same_color(object, object)).
:- pred(same_shape(object, object)).
:- pred(diff_color(object, object)).
:- pred(diff_shape(object, object)).
:- neural(color(object, color)).
:- neural(shape(object, shape)).
:- neural(closeby(object, object)).
:- distinct(closeby/2).
:- distinct(same_color/2).
:- distinct(same_shape/2).
:- distinct(diff_color/2).
:- distinct(diff_shape/2).
same_color(X, Y) :- color(X, C), color(Y, C).
same_shape(X, Y) :- shape(X, S), shape(Y, S).
diff_color(X, Y) :- color(X, C), color(Y, D), C \= D.
diff_shape(X, Y) :- shape(X, S), shape(Y, R), S \= R.

kp(img) :- closeby(X, Y), color(X, red), shape(X, triangle), diff_color(X, Y), diff_shape(X, Y).
kp(img) :- closeby(X, Y), color(X, red), shape(X, triangle), diff_color(X, Y).
kp(img) :- closeby(X, Y), color(X, red), shape(X, triangle), diff_shape(X, Y).
kp(img) :- closeby(X, Y), color(X, red), diff_color(X, Y), diff_shape(X, Y).
kp(img) :- closeby(X, Y), shape(X, triangle), diff_color(X, Y), diff_shape(X, Y).
kp(img) :- color(X, red), shape(X, triangle), diff_color(X, Y), diff_shape(X, Y).
kp(img) :- closeby(X, Y), color(X, red), shape(X, triangle), same_color(X, Y), diff_shape(X, Y).
kp(img) :- closeby(X, Y), color(X, red), shape(X, triangle), diff_color(X, Y), same_shape(X, Y).
kp(img) :- closeby(X, Y), color(X, blue), shape(X, triangle), diff_color(X, Y), diff_shape(X, Y).
kp(img) :- closeby(X, Y), color(X, red), shape(X, square), diff_color(X, Y), diff_shape(X, Y).
kp(img) :- closeby(X, Y), color(X, red), shape(Y, triangle), diff_color(X, Y), diff_shape(X, Y).
kp(img) :- color(X, red), shape(X, triangle).
:- learn(kp/1, 1).
:- label(kp(img)).
:- query(kp(img)).
)";

struct Figure {
    static constexpr std::size_t objects = 5;
    static constexpr std::array colors = {"red", "yellow", "blue"};
    static constexpr std::array shapes = {"triangle", "square", "circle"};
    std::array<std::uint32_t, objects> color{};
    std::array<std::uint32_t, objects> shape{};
    std::array<std::array<bool, objects>, objects> close{};

    void set_close(std::size_t i, std::size_t j, bool value) { close[i][j] = close[j][i] = value; }
    bool fits(std::size_t i, std::size_t j) const {
        return close[i][j] && color[i] == 0 && shape[i] == 0 && color[j] != 0 && shape[j] != 0;
    }
    bool fits() const {
        for (std::size_t i = 0; i < objects; ++i) {
            for (std::size_t j = 0; j < objects; ++j) {
                if (fits(i, j)) return true;
            }
        }
        return false;
    }
};

Figure make_figure(Rng& rng, bool positive) {
    Figure figure;
    do {
        for (std::size_t i = 0; i < Figure::objects; ++i) {
            figure.color[i] = rng.below(3);
            figure.shape[i] = rng.below(3);
            for (std::size_t j = 0; j < i; ++j) figure.set_close(i, j, rng.chance(0.2));
        }
        const std::uint32_t one = rng.below(Figure::objects);
        const std::uint32_t other = (one + 1 + rng.below(Figure::objects - 1)) % Figure::objects;
        // What is left out of the five conditions.
        const std::uint32_t lacks = positive ? 5 : rng.below(5);
        figure.color[one] = lacks == 0 ? 1 + rng.below(2) : 0;
        figure.shape[one] = lacks == 1 ? 1 + rng.below(2) : 0;
        figure.color[other] = lacks == 2 ? 0 : 1 + rng.below(2);
        figure.shape[other] = lacks == 3 ? 0 : 1 + rng.below(2);
        figure.set_close(one, other, lacks != 4);
    } while (figure.fits() != positive);
    return figure;
}

LearningExample make_red_triangle(Rng& rng, double noise, bool positive) {
    const Figure figure = make_figure(rng, positive);
    Perception perception(rng, noise, positive);
    for (std::size_t i = 0; i < Figure::objects; ++i) {
        perception.classify("color", i, Figure::colors, figure.color[i]);
        perception.classify("shape", i, Figure::shapes, figure.shape[i]);
        for (std::size_t j = 0; j < i; ++j) {
            const double logit = perception.noisy(figure.close[i][j] ? margin : -margin);
            perception.relate("closeby", i, j, logit);
            perception.relate("closeby", j, i, logit);
        }
    }
    return perception.take();
}

// Rows of colours: relations between lists, learned through the label of a pair or triple of images.

constexpr std::array row_colors = {"red", "gray", "cyan", "yellow"};
using Row = std::vector<std::size_t>;

// The objects obj<first> … stand in any order.
void look_at_row(Perception& perception, Rng& rng, const std::string& image, std::size_t first, const Row& row) {
    std::vector<std::size_t> objects(row.size());
    std::iota(objects.begin(), objects.end(), first);
    shuffle(objects, rng);
    std::vector<double> place;
    for (std::size_t i = 0; i < row.size(); ++i) {
        perception.classify("color_" + image, objects[i], row_colors, row[i]);
        place.push_back(perception.noisy(margin * static_cast<double>(i)));
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
        for (std::size_t j = 0; j < row.size(); ++j) {
            if (i != j) perception.relate("left_of_" + image, objects[i], objects[j], place[j] - place[i]);
        }
    }
}

constexpr const char* member_candidates = R"(
member(_, _).
member(_, [_|_]).
member(X, [_,X|_]).
member(X, [X,_|_]).
member(_, [_,_]).
member(X, [X]).
member(X, [_,X]).
member(X, [_,_|Z]) :- member(X, Z).
member(X, [Y|Z]) :- member(Y, Z), member(X, Z).
member(X, [X|Z]) :- member(X, Z).
:- query(pos(img1, img2)).
)";

LearningExample make_member(Rng& rng, double noise, bool positive) {
    Row row = {0, 1, 2, 3};
    shuffle(row, rng);
    const std::size_t asked = positive ? row[rng.below(3)] : row[3];
    row.pop_back();
    Perception perception(rng, noise, positive);
    look_at_row(perception, rng, "img1", 1, {asked});
    look_at_row(perception, rng, "img2", 2, row);
    return perception.take();
}

constexpr const char* delete_candidates = R"(
delete(_, _, _).
delete(_, Y, Y).
delete(_, [_|Z], Z).
delete(_, [Y|_], [Y|_]).
delete(X, [Y,X|Z], [Y|Z]).
delete(X, [_,X|Z], Z).
delete(X, [_|Z], V) :- delete(X, Z, V).
delete(X, [X|Z], V) :- delete(X, Z, V).
delete(X, [_|Z], [_|V]) :- delete(X, Z, V).
delete(X, [Y|Z], [X|V]) :- delete(Y, Z, V).
:- query(pos(img1, img2, img3)).
)";

// A near miss deletes another colour, swaps what is left, or changes one colour of it.
LearningExample make_delete(Rng& rng, double noise, bool positive) {
    Row row = {0, 1, 2, 3};
    shuffle(row, rng);
    const std::uint32_t place = rng.below(3);
    std::size_t asked = row[place];
    Row rest = {row[place == 0 ? 1 : 0], row[place == 2 ? 1 : 2]};
    switch (positive ? 3 : rng.below(3)) {
    case 0:
        asked = row[(place + 1 + rng.below(3)) % 4];
        break;
    case 1:
        std::swap(rest[0], rest[1]);
        break;
    case 2:
        rest[rng.below(2)] = rng.chance(0.5) ? row[3] : asked;
        break;
    default:
        break;
    }
    row.pop_back();
    Perception perception(rng, noise, positive);
    look_at_row(perception, rng, "img1", 1, {asked});
    look_at_row(perception, rng, "img2", 2, row);
    look_at_row(perception, rng, "img3", 5, rest);
    return perception.take();
}

const LearningTask all_tasks[] = {
    {"red_triangle", "", red_triangle_program, 2, make_red_triangle},
    {"member", "lists/member.nm", member_candidates, 5, make_member},
    {"delete", "lists/delete.nm", delete_candidates, 5, make_delete},
};

}  // namespace

std::span<const LearningTask> learning_tasks() { return all_tasks; }

std::string program_text(const LearningTask& task, const std::string& examples) {
    std::string text;
    if (*task.example != 0) {
        std::ifstream file(examples + "/" + task.example);
        if (!file) throw std::runtime_error(fmt::format("cannot read {} in {}", task.example, examples));
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    return text + task.program;
}

}  // namespace neumann
