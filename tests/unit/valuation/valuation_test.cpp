#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "datasets/clevr_hans.h"
#include "datasets/clevr_list.h"
#include "datasets/questions.h"
#include "unit/read_program.h"
#include "valuation/valuation.h"

namespace neumann {
namespace {

using Atoms = std::map<std::string, double>;

std::filesystem::path example_path(const std::string& name) {
    return std::filesystem::path(NEUMANN_SOURCE_DIR) / "examples" / (name + ".nm");
}

Valuation valuation_of(const std::string& name, const ValuationOptions& options = {}) {
    Diagnostics diagnostics;
    const Program program = load_program(example_path(name), {}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    return Valuation(program.signature, options);
}

Atoms values(const Valuation& valuation, const Perception& perception, Rng* chance = nullptr) {
    std::vector<double> all(valuation.atoms().size());
    valuation.evaluate(perception, all, chance);
    Atoms atoms;
    for (std::size_t i = 0; i < all.size(); ++i) atoms[valuation.atoms()[i]] = all[i];
    return atoms;
}

Atoms nonzero(const Valuation& valuation, const Perception& perception) {
    const auto list = valuation.nonzero(perception);
    return {list.begin(), list.end()};
}

// A row of three: red, cyan, gray from left to right; as objects, gray is the first and red the last.
Scene row() {
    Scene scene;
    for (const auto& [color, y] : {std::pair{"gray", 2.0}, {"cyan", 0.0}, {"red", -2.0}}) {
        SceneObject object;
        object.shape = "cube";
        object.color = color;
        object.size = "large";
        object.material = "metal";
        object.position = {0.4, y, 0.5};
        scene.objects.push_back(object);
    }
    return scene;
}

Scene flat(const std::vector<std::array<double, 2>>& places) {
    Scene scene;
    for (const auto& [x, y] : places) {
        SceneObject object;
        object.shape = "circle";
        object.color = "red";
        object.position = {x, y, 0};
        object.extent = 0.06;
        scene.objects.push_back(object);
    }
    return scene;
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

TEST(Valuation, SaysWhatIsTrueInARow) {
    const Scene scene = row();
    EXPECT_EQ(nonzero(valuation_of("behind_the_scenes/all"), {{&scene}, "query2(q,q_sort,2nd)"}),
              (Atoms{{"color(obj0,gray)", 1},
                     {"color(obj1,cyan)", 1},
                     {"color(obj2,red)", 1},
                     {"left_of(obj2,obj1)", 1},
                     {"left_of(obj2,obj0)", 1},
                     {"left_of(obj1,obj0)", 1},
                     {"query2(q,q_sort,2nd)", 1}}));
}

TEST(Valuation, HasAValueForEveryAtomOfTheNeuralPredicates) {
    // In the order of examples/…: color 12, left_of 9, query2 12, query3 48; in 10, color 80, shape 30, size 20,
    // material 20.
    EXPECT_EQ(valuation_of("behind_the_scenes/all").atoms().size(), 81U);
    EXPECT_EQ(valuation_of("clevr_hans/class0").atoms().size(), 160U);
    // in 4, color 12, shape 12, closeby 12 with distinct arguments, online 0 with four objects.
    EXPECT_EQ(valuation_of("kandinsky/closeby").atoms().size(), 40U);
    EXPECT_EQ(valuation_of("kandinsky/online_pair").atoms().size(), 5U + 15 + 15 + 20 + 120);
}

TEST(Valuation, EmptySlotsHoldNothing) {
    const Scene scene = row();
    const Atoms atoms = nonzero(valuation_of("clevr_hans/class0", {.noise = 0.1}), {{&scene}, ""});
    EXPECT_EQ(atoms.at("in(obj0,img)"), 1);
    EXPECT_EQ(atoms.at("in(obj2,img)"), 1);
    for (const auto& [atom, value] : atoms) EXPECT_EQ(atom.find("obj3"), std::string::npos) << atom;
}

TEST(Valuation, ImagesOfListsAreToldApart) {
    const Scene one = make_row({"cyan"}, 1);
    const Scene three = row();
    const Scene two = make_row({"red", "gray"}, 2);
    const Atoms atoms = nonzero(valuation_of("lists/delete"), {{&one, &three, &two}, ""});
    EXPECT_EQ(atoms.size(), 1U + 3 + 2 + 3 + 1);
    EXPECT_EQ(atoms.at("color_img1(obj1,cyan)"), 1);
    EXPECT_EQ(atoms.at("color_img2(obj2,gray)"), 1);
    EXPECT_EQ(atoms.at("color_img2(obj4,red)"), 1);
    EXPECT_EQ(atoms.at("left_of_img2(obj4,obj2)"), 1);
    EXPECT_EQ(atoms.contains("left_of_img3(obj5,obj6)"), two.objects[0].color == "red");
}

TEST(Valuation, NoiseIsSharedAmongTheOtherValues) {
    const Scene scene = row();
    const Atoms atoms = values(valuation_of("clevr_hans/class0", {.noise = 0.21}), {{&scene}, ""});
    EXPECT_EQ(atoms.at("in(obj0,img)"), 1);
    EXPECT_DOUBLE_EQ(atoms.at("color(obj0,gray)"), 0.79);
    EXPECT_DOUBLE_EQ(atoms.at("color(obj0,blue)"), 0.03);
    EXPECT_DOUBLE_EQ(atoms.at("shape(obj0,sphere)"), 0.105);
    EXPECT_DOUBLE_EQ(atoms.at("material(obj0,rubber)"), 0.21);
    const Atoms asked =
        values(valuation_of("behind_the_scenes/all", {.noise = 0.2}), {{&scene}, "query2(q,q_sort,1st)"});
    EXPECT_DOUBLE_EQ(asked.at("left_of(obj2,obj0)"), 0.8);
    EXPECT_DOUBLE_EQ(asked.at("left_of(obj0,obj2)"), 0.2);
    EXPECT_EQ(asked.at("left_of(obj0,obj0)"), 0);
    EXPECT_EQ(asked.at("query2(q,q_sort,1st)"), 1);
    EXPECT_EQ(asked.at("query2(q,q_sort,2nd)"), 0);
}

TEST(Valuation, FlipsAsOftenAsAsked) {
    const Scene scene = row();
    const Valuation valuation = valuation_of("clevr_hans/class0", {.flip = 0.25});
    Rng rng(9);
    std::map<std::string, double> seen;
    constexpr int times = 4000;
    for (int i = 0; i < times; ++i) {
        double colors = 0;
        for (const auto& [atom, value] : values(valuation, {{&scene}, ""}, &rng)) {
            seen[atom] += value / times;
            if (atom.starts_with("color(obj0,")) colors += value;
            if (atom.starts_with("in(obj0,")) {
                EXPECT_EQ(value, 1);
            }
        }
        EXPECT_EQ(colors, 1);  // another colour, never two
    }
    EXPECT_NEAR(seen["color(obj0,gray)"], 0.75, 0.03);
    EXPECT_NEAR(seen["color(obj0,brown)"], 0.25 / 7, 0.02);
    EXPECT_NEAR(seen["material(obj1,rubber)"], 0.25, 0.03);
    EXPECT_THROW(values(valuation, {{&scene}, ""}), std::invalid_argument);
    // Equal seeds flip equally.
    Rng a(4);
    Rng b(4);
    EXPECT_EQ(values(valuation, {{&scene}, ""}, &a), values(valuation, {{&scene}, ""}, &b));
}

TEST(Valuation, KnowsRelationsOfFlatFigures) {
    const Scene figure = flat({{.1, .1}, {.2, .2}, {.5, .5}, {.9, .9}});
    const Atoms close = nonzero(valuation_of("kandinsky/closeby"), {{&figure}, ""});
    EXPECT_TRUE(close.contains("closeby(obj0,obj1)"));
    EXPECT_TRUE(close.contains("closeby(obj1,obj0)"));
    EXPECT_FALSE(close.contains("closeby(obj1,obj2)"));
    const Atoms soft = values(valuation_of("kandinsky/closeby", {.logistic = true}), {{&figure}, ""});
    EXPECT_NEAR(soft.at("closeby(obj0,obj1)"), 1 / (1 + std::exp(-(9.87 - 44.1 * std::sqrt(0.02)))), 1e-3);
    EXPECT_LT(soft.at("closeby(obj1,obj2)"), 1e-3);

    const Scene line = flat({{.1, .15}, {.3, .25}, {.5, .35}, {.7, .45}, {.9, .55}});
    EXPECT_EQ(nonzero(valuation_of("kandinsky/online_pair"), {{&line}, ""}).count("online(obj4,obj2,obj0,obj1,obj3)"),
              1U);
    const Scene bent = flat({{.1, .15}, {.3, .25}, {.5, .7}, {.7, .45}, {.9, .55}});
    EXPECT_EQ(nonzero(valuation_of("kandinsky/online_pair"), {{&bent}, ""}).count("online(obj0,obj1,obj2,obj3,obj4)"),
              0U);
}

TEST(Valuation, KnowsSidesAndFront) {
    const ReadProgram text = read(R"(
:- type(object, [a, b]).
:- neural(leftside(object)).
:- neural(rightside(object)).
:- neural(front(object, object)).
)");
    const Valuation valuation(text.program.signature);
    const Scene figure = flat({{.2, .9}, {.8, .1}});
    const Atoms expected{{"leftside(a)", 1}, {"rightside(b)", 1}, {"front(a,b)", 1}};
    EXPECT_EQ(nonzero(valuation, {{&figure}, ""}), expected);
    Scene solid = row();
    solid.objects = {solid.objects[2], solid.objects[0]};  // left: red; the camera stands at negative y
    EXPECT_EQ(nonzero(valuation, {{&solid}, ""}), expected);
}

TEST(Valuation, UnknownPredicatesAreNamed) {
    const auto of = [](const std::string& text) { return refusal([&] { Valuation(read(text).program.signature); }); };
    const std::string types = ":- type(object, [a]).\n:- type(colour, [red]).\n";
    EXPECT_EQ(
        of(types + ":- neural(colr(object, colour))."),
        "no valuation function for the neural predicate colr/2; did you mean 'color'? known are in, color, shape, "
        "size, material, closeby, online, left_of, leftside, rightside, front, query2, query3");
    EXPECT_EQ(of(types + ":- neural(color(object))."),
              "the valuation function color has 2 arguments, the neural predicate color/1 has 1");
    EXPECT_EQ(of(":- type(e, [a]).\n:- list(es, e, f, n).\n:- max_length(es, 2).\n:- neural(shape(e, es))."),
              "the neural predicate shape/2 has an argument of type es, which is not a list of constants");
    EXPECT_EQ(of(types + ":- pred(nobody_knows(object))."), "accepted");
}

TEST(Valuation, ScenesThatTheProgramCannotHoldAreRefused) {
    const Scene scene = row();
    const Valuation valuation = valuation_of("behind_the_scenes/all");
    Scene blue = scene;
    blue.objects[1].color = "blue";
    EXPECT_EQ(refusal([&] {
                  nonzero(valuation, {{&blue}, ""});
              }),
              "an object is 'blue', which is none of the program's values for color: cyan, gray, red, yellow");
    Scene four = scene;
    four.objects.push_back(four.objects[0]);
    EXPECT_EQ(refusal([&] { nonzero(valuation, {{&four}, ""}); }), "4 objects, but color has constants for 3");
    EXPECT_EQ(refusal([&] { nonzero(valuation, {{}, ""}); }), "color is about image 1, but there are 0");
    EXPECT_EQ(refusal([&] {
                  nonzero(valuation_of("kandinsky/closeby"), {{&scene}, ""});
              }),
              "an object is 'gray', which is none of the program's values for color: red, yellow, blue");
    EXPECT_THROW(valuation.evaluate({{&scene}, ""}, {}), std::invalid_argument);
}

TEST(Valuation, WritesExampleLines) {
    EXPECT_EQ(
        example_line("scene 7", {{"color(obj0,red)", 0.9}, {"left_of(obj0,obj1)", 1}}, ", \"answer\": \"red\""),
        "{\"id\": \"scene 7\", \"atoms\": {\"color(obj0,red)\": 0.9, \"left_of(obj0,obj1)\": 1}, \"answer\": \"red\"}\n");
    EXPECT_EQ(example_line("", {}), "{\"id\": \"\", \"atoms\": {}}\n");
}

// The bundled programs on generated scenes: the values of the queries.
std::vector<std::vector<float>> reasoned(const std::string& name, const std::vector<std::string>& queries,
                                         const std::vector<Perception>& perceptions,
                                         const ValuationOptions& options = {}) {
    const Valuation valuation = valuation_of(name, options);
    const Model model = Model::compile(example_path(name), {.queries = queries, .threads = 1});
    Batch batch(model, perceptions.size());
    for (std::size_t e = 0; e < perceptions.size(); ++e) {
        for (const auto& [atom, value] : valuation.nonzero(perceptions[e])) {
            if (const auto index = model.find_atom(atom)) batch.set(e, *index, value);
        }
    }
    Reasoner reasoner(model, {.threads = 1});
    const Values computed = reasoner.forward(batch);
    std::vector<std::vector<float>> results(perceptions.size());
    for (std::size_t e = 0; e < perceptions.size(); ++e) {
        for (const std::string& query : queries) {
            const auto index = model.find_atom(query);
            results[e].push_back(index ? computed.value(e, *index) : 0);
        }
    }
    return results;
}

TEST(BundledPrograms, AnswerTheQuestions) {
    const QuestionSet set = make_questions({.split = Split::Test, .per_operation = 100});
    const std::vector<std::string> colors{"cyan", "gray", "red", "yellow"};
    std::vector<std::string> queries;
    for (const std::string& color : colors) queries.push_back("answer(" + color + ")");
    std::vector<Perception> perceptions;
    for (const Question& question : set.questions)
        perceptions.push_back({{&set.scenes[question.scene]}, query_atom(question)});
    for (const double noise : {0.0, 0.1}) {
        const auto values = reasoned("behind_the_scenes/questions", queries, perceptions, {.noise = noise});
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto best = std::max_element(values[i].begin(), values[i].end()) - values[i].begin();
            EXPECT_EQ(colors[static_cast<std::size_t>(best)], set.questions[i].answer) << perceptions[i].query;
            if (noise == 0) {
                EXPECT_GT(values[i][static_cast<std::size_t>(best)], 0.99F);
            }
        }
    }
}

TEST(BundledPrograms, TellTheClassesApart) {
    const std::vector<HansScene> scenes = make_hans_scenes({.split = Split::Test, .per_class = 100});
    std::vector<Perception> perceptions;
    for (const HansScene& made : scenes) perceptions.push_back({{&made.scene}, ""});
    for (unsigned label = 0; label < hans_classes; ++label) {
        const auto values = reasoned("clevr_hans/class" + std::to_string(label), {"kp(img)"}, perceptions);
        for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i][0] > 0.5F, scenes[i].label == label) << i;
    }
}

TEST(BundledPrograms, TellListExamplesApart) {
    for (const ListRelation relation : {ListRelation::Member, ListRelation::Delete, ListRelation::Append}) {
        const std::vector<ListExample> examples = make_list_examples({.relation = relation, .per_label = 100});
        std::vector<Perception> perceptions;
        for (const ListExample& example : examples) {
            perceptions.emplace_back();
            for (const Scene& image : example.images) perceptions.back().images.push_back(&image);
        }
        const std::string name(list_relation_name(relation));
        const std::string query = relation == ListRelation::Member ? "pos(img1,img2)" : "pos(img1,img2,img3)";
        const auto values = reasoned("lists/" + name, {query}, perceptions);
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_EQ(values[i][0] > 0.5F, examples[i].positive) << name << " " << i;
        }
    }
}

}  // namespace
}  // namespace neumann
