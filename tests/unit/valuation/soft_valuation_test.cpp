#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "datasets/clevr_hans.h"
#include "datasets/clevr_list.h"
#include "datasets/kandinsky.h"
#include "datasets/questions.h"
#include "perceive/scene_of.h"
#include "perceive/train_predicates.h"
#include "unit/read_program.h"
#include "valuation/soft_valuation.h"
#include "valuation/valuation.h"

namespace neumann {
namespace {

Program example(const std::string& name) {
    Diagnostics diagnostics;
    Program program =
        load_program(std::filesystem::path(NEUMANN_SOURCE_DIR) / "examples" / (name + ".nm"), {}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << name;
    return program;
}

std::map<std::string, double> values(const SoftValuation& valuation, const SoftValuation::Looked& looked) {
    std::vector<double> all(valuation.atoms().size());
    valuation.evaluate(looked, all);
    std::map<std::string, double> atoms;
    for (std::size_t i = 0; i < all.size(); ++i) atoms[valuation.atoms()[i]] = all[i];
    return atoms;
}

std::map<std::string, double> nonzero(const SoftValuation& valuation, const SoftValuation::Looked& looked) {
    std::map<std::string, double> atoms = values(valuation, looked);
    std::erase_if(atoms, [](const auto& atom) { return atom.second == 0; });
    return atoms;
}

template <class Work>
std::string refusal(Work work) {
    try {
        work();
    } catch (const ValuationError& error) {
        return error.what();
    }
    return "accepted";
}

// Rows as no network should see them: any numbers, all present but the last.
SeenObjects random_objects(const ObjectLayout& layout, std::size_t count, Rng& rng) {
    SeenObjects seen{&layout, std::vector<float>(count * layout.columns), {}};
    for (float& value : seen.rows) value = static_cast<float>(rng.uniform());
    for (std::size_t k = 0; k < count; ++k) {
        float& presence = seen.rows[k * layout.columns + column::presence];
        presence = k + 1 == count && count > 1 ? 0.01F : 0.2F + 0.8F * presence;
    }
    return seen;
}

// Learned once: steep, so that what is not near a threshold is as good as certain.
const PredicateWeights& steep_weights() {
    static const PredicateWeights weights = train_predicates({.seed = 5, .samples = 4000, .test_samples = 1}).weights;
    return weights;
}

// What a crisp valuation says about scenes, and what a soft one says about rows without mistakes.
class Agreement {
public:
    Agreement(const std::string& name, const ObjectLayout& layout)
        : program_(example(name)), crisp_(program_.signature), soft_(program_.signature, layout, steep_weights()) {
        EXPECT_EQ(crisp_.atoms(), soft_.atoms()) << name;
    }

    void check(const std::vector<const Scene*>& scenes, const std::string& query = "") {
        std::vector<SeenObjects> seen;
        for (const Scene* scene : scenes) seen.push_back(seen_of(*scene, 480, 320));
        SoftValuation::Looked looked{{}, query};
        for (const SeenObjects& each : seen) looked.images.push_back(&each);
        std::vector<double> expected(crisp_.atoms().size());
        std::vector<double> found(expected.size());
        crisp_.evaluate({scenes, query}, expected);
        soft_.evaluate(looked, found);
        EXPECT_EQ(soft_.left_out(looked), 0U);
        for (std::size_t a = 0; a < found.size(); ++a) {
            ++atoms_;
            // Scattered objects may be anywhere; those that are near a threshold are looked at elsewhere.
            if (found[a] > 0.02 && found[a] < 0.98) {
                ++unclear_;
            } else {
                EXPECT_NEAR(found[a], expected[a], 0.02) << crisp_.atoms()[a];
            }
        }
    }

    ~Agreement() {
        EXPECT_GT(atoms_, 0U);
        EXPECT_LT(static_cast<double>(unclear_), 0.02 * static_cast<double>(atoms_));
    }

private:
    Program program_;
    Valuation crisp_;
    SoftValuation soft_;
    std::size_t atoms_ = 0;
    std::size_t unclear_ = 0;
};

TEST(SoftValuation, AgreesWithTheCrispOneOnFigures) {
    for (const auto& [program, pattern] : {std::pair{"twopairs", "twopairs"},
                                           {"closeby", "closeby"},
                                           {"red_triangle", "red-triangle"},
                                           {"online_pair", "online-pair"},
                                           {"long_line", "long-line"}}) {
        SCOPED_TRACE(program);
        Agreement agreement(std::string("kandinsky/") + program, flat_layout());
        FigureSet set;
        set.pattern = find_figure_pattern(pattern);
        for (std::uint64_t i = 0; i < 20; ++i) {
            const Figure figure = make_figure(set, i);
            agreement.check({&figure.scene});
        }
    }
}

TEST(SoftValuation, AgreesWithTheCrispOneOnSolids) {
    const std::vector<HansScene> scenes = make_hans_scenes({.per_class = 8, .visible_pixels = 0});
    for (unsigned label = 0; label < hans_classes; ++label) {
        Agreement agreement("clevr_hans/class" + std::to_string(label), solid_layout());
        for (const HansScene& made : scenes) agreement.check({&made.scene});
    }
}

TEST(SoftValuation, AgreesWithTheCrispOneOnLists) {
    for (const ListRelation relation : list_relations) {
        const std::string name(list_relation_name(relation));
        SCOPED_TRACE(name);
        Agreement agreement("lists/" + name, solid_layout());
        for (const ListExample& each : make_list_examples({.relation = relation, .per_label = 10})) {
            std::vector<const Scene*> images;
            for (const Scene& image : each.images) images.push_back(&image);
            agreement.check(images);
        }
    }
}

TEST(SoftValuation, AgreesWithTheCrispOneOnQuestions) {
    const QuestionSet set = make_questions({.per_operation = 10});
    for (const std::string name : {"all", "append", "delete", "questions", "reverse", "sort"}) {
        SCOPED_TRACE(name);
        Agreement agreement("behind_the_scenes/" + name, solid_layout());
        for (const Question& question : set.questions)
            agreement.check({&set.scenes[question.scene]}, query_atom(question));
    }
}

// All that there is, about two pictures.
const char* const all_flat = R"(
:- type(object, [a, b, c, d, e, f]).
:- type(image, [one, two]).
:- type(color, [blue, green, red, yellow]).
:- type(shape, [square, circle, triangle]).
:- type(question, [q]).
:- type(number, [n1, n2]).
:- neural(in(object, image)).
:- neural(color(object, color)).
:- neural(shape_img2(object, shape)).
:- neural(closeby(object, object)).
:- neural(online(object, object, object)).
:- neural(online_img2(object, object, object, object, object)).
:- distinct(online_img2/5).
:- neural(left_of_img2(object, object)).
:- neural(leftside(object)).
:- neural(rightside_img2(object)).
:- neural(front(object, object)).
:- neural(query2(question, number, number)).
)";
const char* const all_solid = R"(
:- type(object, [a, b, c, d]).
:- type(image, [one, two]).
:- type(color, [gray, red]).
:- type(size, [small, large]).
:- type(material, [metal, rubber]).
:- type(shape, [cube]).
:- neural(in(object, image)).
:- neural(color_img1(object, color)).
:- neural(size_img2(object, size)).
:- neural(material(object, material)).
:- neural(shape(object, shape)).
:- neural(left_of(object, object)).
:- neural(front_img2(object, object)).
:- neural(leftside(object)).
:- neural(rightside(object)).
)";

void check_gradients(const char* text, const ObjectLayout& layout, std::uint64_t seed) {
    SCOPED_TRACE(seed);
    // Differences of values: none is taken for 0, negative ones neither.
    const SoftValuation valuation(read(text).program.signature, layout, {}, {.least_value = -1});
    Rng rng(seed);
    std::vector<SeenObjects> seen{random_objects(layout, 6, rng), random_objects(layout, 7, rng)};
    const SoftValuation::Looked looked{{&seen[0], &seen[1]}, "query2(q,n1,n2)"};
    std::vector<double> by_value(valuation.atoms().size());
    for (double& each : by_value) each = 2 * rng.uniform() - 1;
    const auto loss = [&] {
        std::vector<double> found(by_value.size());
        valuation.evaluate(looked, found);
        double sum = 0;
        for (std::size_t a = 0; a < found.size(); ++a) sum += by_value[a] * found[a];
        return sum;
    };
    std::vector<std::vector<float>> gradients;
    for (const SeenObjects& each : seen) gradients.emplace_back(each.rows.size(), 0.25F);  // gradients are added
    valuation.backward(looked, by_value, gradients);
    std::size_t changing = 0;
    for (std::size_t image = 0; image < seen.size(); ++image) {
        for (std::size_t i = 0; i < seen[image].rows.size(); ++i) {
            float& value = seen[image].rows[i];
            const float before = value;
            value = before + 0x1p-13F;
            const double more_at = value;
            const double more = loss();
            value = before - 0x1p-13F;
            const double expected = (more - loss()) / (more_at - value);
            value = before;
            EXPECT_NEAR(gradients[image][i] - 0.25, expected, 1e-3 + 1e-3 * std::abs(expected))
                << "image " << image << " row " << i / layout.columns << " column " << i % layout.columns;
            changing += expected != 0 ? 1 : 0;
        }
    }
    EXPECT_GT(changing, 40U);
}

TEST(SoftValuation, GradientsAreThoseOfTheValues) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        check_gradients(all_flat, flat_layout(), seed);
        check_gradients(all_solid, solid_layout(), seed);
    }
}

TEST(SoftValuation, RowsBecomeProbabilities) {
    const SoftValuation valuation(read(all_flat).program.signature, flat_layout());
    Rng rng(4);
    const SeenObjects one = random_objects(flat_layout(), 3, rng);  // the third is not there
    const SeenObjects two = random_objects(flat_layout(), 1, rng);
    const auto found = values(valuation, {{&one, &two}, "query2(q,n2,n1)"});
    const auto row = [&](const SeenObjects& seen, std::size_t k) { return seen.row(k); };
    EXPECT_EQ(found.at("in(b,one)"), row(one, 1)[column::presence]);
    EXPECT_EQ(found.at("in(c,one)"), 0.01F);
    EXPECT_EQ(found.at("in(a,two)"), row(two, 0)[column::presence]);
    EXPECT_EQ(found.at("in(b,two)"), 0);
    EXPECT_EQ(found.at("color(b,blue)"), row(one, 1)[flat_layout().find("color")->first + 2]);
    EXPECT_EQ(found.at("color(b,green)"), 0);  // a word that the network does not know
    EXPECT_EQ(found.at("color(c,blue)"), 0);   // as good as absent
    EXPECT_EQ(found.at("shape_img2(a,circle)"), row(two, 0)[flat_layout().find("shape")->first]);
    const double apart =
        std::hypot(row(one, 0)[column::x] - row(one, 1)[column::x], row(one, 0)[column::y] - row(one, 1)[column::y]);
    EXPECT_NEAR(found.at("closeby(a,b)"), 1 / (1 + std::exp(44.1 * (apart - 0.224))), 1e-6);
    EXPECT_EQ(found.at("closeby(a,b)"), found.at("closeby(b,a)"));
    EXPECT_EQ(found.at("closeby(a,a)"), 0);
    EXPECT_EQ(found.at("closeby(a,c)"), 0);
    EXPECT_EQ(found.at("online(a,b,a)"), 0);
    EXPECT_NEAR(found.at("front(a,b)") + found.at("front(b,a)"), 1, 1e-12);
    EXPECT_EQ(found.at("query2(q,n2,n1)"), 1);
    EXPECT_EQ(found.at("query2(q,n1,n2)"), 0);

    const SoftValuation coarse(read(all_flat).program.signature, flat_layout(), {}, {.least_value = 0.3});
    const auto listed = nonzero(coarse, {{&one, &two}, ""});
    for (const auto& [atom, value] : listed) {
        EXPECT_GE(value, 0.3);
        EXPECT_EQ(value, found.at(atom));
    }
    const auto expected = std::count_if(found.begin(), found.end(), [](const auto& each) {
        return each.second >= 0.3 && !each.first.starts_with("query");
    });
    EXPECT_EQ(listed.size(), static_cast<std::size_t>(expected));
}

TEST(SoftValuation, TheLeastCertainAreLeftOut) {
    const Program program = read(":- type(o, [a, b]).\n:- type(color, [red]).\n:- neural(color(o, color)).").program;
    const SoftValuation valuation(program.signature, flat_layout());
    Rng rng(3);
    SeenObjects seen = random_objects(flat_layout(), 5, rng);
    for (const auto& [k, presence] : {std::pair{0U, .9F}, {1U, .8F}, {2U, .7F}, {3U, .5F}, {4U, .4F}})
        seen.rows[k * seen.layout->columns + column::presence] = presence;
    EXPECT_EQ(valuation.left_out({{&seen}, ""}), 2U);
    EXPECT_EQ(nonzero(valuation, {{&seen}, ""}).size(), 2U);
    // What is left out has no gradient.
    std::vector<std::vector<float>> gradients{std::vector<float>(seen.rows.size())};
    valuation.backward({{&seen}, ""}, std::vector<double>(2, 1.0), gradients);
    EXPECT_EQ(std::ranges::count(gradients[0], 1.0F), 2);
    EXPECT_EQ(std::ranges::count(gradients[0], 0.0F), static_cast<std::ptrdiff_t>(seen.rows.size() - 2));
}

TEST(SoftValuation, ProgramsThatTheNetworkCannotServeAreRefused) {
    const auto of = [](const std::string& text, const ObjectLayout& layout) {
        return refusal([&] { SoftValuation(read(text).program.signature, layout); });
    };
    const std::string types = ":- type(o, [a, b]).\n:- type(word, [purple, green]).\n";
    EXPECT_EQ(
        of(types + ":- neural(closeby_img2(o, o)).", solid_layout()),
        "the program asks for closeby_img2, which is known for flat figures only; the network sees solid objects");
    EXPECT_EQ(of(types + ":- neural(size(o, word)).", flat_layout()),
              "the program asks for size, which a network for flat objects does not see; it sees shape, color");
    EXPECT_EQ(of(types + ":- neural(color(o, word)).", flat_layout()),
              "the network for flat objects knows none of the program's values for color: purple, green; its own are "
              "red, yellow, blue");
    EXPECT_EQ(of(types + ":- neural(color(o, word)).", solid_layout()), "accepted");
    EXPECT_EQ(of(types + ":- neural(colr(o, word)).", flat_layout()).substr(0, 49),
              "no valuation function for the neural predicate co");
    EXPECT_EQ(of(types + ":- neural(online).", flat_layout()),
              "the neural predicate online/0 has no object to speak of");
}

TEST(SoftValuation, WhatDoesNotFitIsRefused) {
    const SoftValuation valuation(read(all_flat).program.signature, flat_layout());
    Rng rng(8);
    const SeenObjects flat = random_objects(flat_layout(), 3, rng);
    const SeenObjects solid = random_objects(solid_layout(), 3, rng);
    const SeenObjects none;
    EXPECT_EQ(refusal([&] { nonzero(valuation, {{&flat}, ""}); }), "in is about image 2, but there are 1");
    EXPECT_THROW(nonzero(valuation, {{&flat, &solid}, ""}), std::invalid_argument);
    EXPECT_FALSE(nonzero(valuation, {{&flat, &none}, ""}).empty());  // a picture in which nothing was seen
    EXPECT_THROW(valuation.evaluate({{&flat, &flat}, ""}, {}), std::invalid_argument);
    std::vector<std::vector<float>> gradients{std::vector<float>(flat.rows.size()), {}};
    const std::vector<double> by_value(valuation.atoms().size());
    EXPECT_THROW(valuation.backward({{&flat, &flat}, ""}, by_value, gradients), std::invalid_argument);
    EXPECT_NO_THROW(valuation.backward({{&flat, &none}, ""}, by_value, gradients));
}

}  // namespace
}  // namespace neumann
