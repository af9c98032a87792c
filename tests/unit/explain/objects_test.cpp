// Which constants are objects of a picture, which atoms are about them, and what is said instead of an atom.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explain/objects.h"
#include "explain/rivals.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

constexpr const char* types = ":- type(object, [obj0, obj1, obj2]).\n"
                              ":- type(color, [red, blue, green]).\n"
                              ":- type(image, [img]).\n"
                              ":- pred(goal(image)).\n";

GroundedText grounded(const std::string& text, GroundMode mode = GroundMode::Full) {
    GroundOptions options;
    options.mode = mode;
    return ground_text(types + text, options);
}

ObjectAtoms objects_of(const GroundedText& text) { return {text.program, text.ground.atoms}; }

// "0:0 obj0, 0:1 obj1": image, row and name.
std::string described(const ObjectAtoms& objects) {
    std::vector<std::string> texts;
    for (const PictureObject& o : objects.objects()) texts.push_back(fmt::format("{}:{} {}", o.image, o.row, o.name));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> texts_of(const GroundedText& text, std::span<const std::uint32_t> atoms) {
    std::vector<std::string> texts;
    for (const std::uint32_t atom : atoms) texts.push_back(atom_text(text, atom));
    return texts;
}

std::uint32_t number_of(const GroundedText& text, const std::string& atom) {
    const std::vector<std::string> texts = atom_texts(text);
    const auto found = std::ranges::find(texts, atom);
    EXPECT_NE(found, texts.end()) << atom;
    return static_cast<std::uint32_t>(found - texts.begin());
}

using Texts = std::vector<std::string>;

TEST(ObjectAtoms, AttributesAndPresenceSpeakOfTheirFirstArgument) {
    const GroundedText text = grounded(":- neural(in(object, image)).\n:- neural(color(object, color)).\n"
                                       "goal(I) :- in(O, I), color(O, red).\n");
    const ObjectAtoms objects = objects_of(text);
    EXPECT_EQ(described(objects), "0:0 obj0, 0:1 obj1, 0:2 obj2");
    EXPECT_EQ(texts_of(text, objects.atoms_of(1)),
              (Texts{"in(obj1,img)", "color(obj1,red)", "color(obj1,blue)", "color(obj1,green)"}));
}

TEST(ObjectAtoms, RelationsSpeakOfAllArgumentsAndNameAnObjectOnce) {
    const GroundedText text = grounded(":- neural(left_of(object, object)).\ngoal(I) :- left_of(A, B).\n");
    const ObjectAtoms objects = objects_of(text);
    EXPECT_EQ(described(objects), "0:0 obj0, 0:1 obj1, 0:2 obj2");
    EXPECT_EQ(texts_of(text, objects.atoms_of(2)),
              (Texts{"left_of(obj0,obj2)", "left_of(obj1,obj2)", "left_of(obj2,obj0)", "left_of(obj2,obj1)",
                     "left_of(obj2,obj2)"}));
}

TEST(ObjectAtoms, EveryPictureHasItsOwnObjects) {
    const GroundedText text = grounded(":- neural(color_img1(object, color)).\n:- neural(color_img2(object, color)).\n"
                                       "goal(I) :- color_img1(O, red), color_img2(O, red).\n");
    const ObjectAtoms objects = objects_of(text);
    EXPECT_EQ(described(objects), "0:0 obj0, 0:1 obj1, 0:2 obj2, 1:0 obj0, 1:1 obj1, 1:2 obj2");
    EXPECT_EQ(texts_of(text, objects.atoms_of(3)),
              (Texts{"color_img2(obj0,red)", "color_img2(obj0,blue)", "color_img2(obj0,green)"}));
}

TEST(ObjectAtoms, QuestionsAndOrdinaryPredicatesSpeakOfNone) {
    const GroundedText text = grounded(":- type(query, [q]).\n:- type(place, [first, last]).\n"
                                       ":- neural(query2(query, color, place)).\n:- pred(color(object, color)).\n"
                                       "goal(I) :- query2(Q, red, P), color(O, red).\n");
    EXPECT_EQ(described(objects_of(text)), "");
}

TEST(ObjectAtoms, UnknownPredicatesSpeakOfTheirFirstArgumentsType) {
    const GroundedText text = grounded(":- neural(touches(object, object, color)).\ngoal(I) :- touches(A, B, red).\n");
    const ObjectAtoms objects = objects_of(text);
    EXPECT_EQ(described(objects), "0:0 obj0, 0:1 obj1, 0:2 obj2");
    EXPECT_EQ(objects.atoms_of(0).size(), 15U);  // 5 pairs with obj0, 3 colours
}

TEST(ObjectAtoms, OtherPredicatesTellWhichArgumentOfAnUnknownOneIsTheObject) {
    const GroundedText text = grounded(":- neural(in(object, image)).\n:- neural(tint(color, object)).\n"
                                       "goal(I) :- in(O, I), tint(red, O).\n");
    const ObjectAtoms objects = objects_of(text);
    EXPECT_EQ(described(objects), "0:0 obj0, 0:1 obj1, 0:2 obj2");
    EXPECT_EQ(texts_of(text, objects.atoms_of(0)),
              (Texts{"in(obj0,img)", "tint(red,obj0)", "tint(blue,obj0)", "tint(green,obj0)"}));
}

TEST(ObjectAtoms, ATypeWithoutConstantsHasNoObjects) {
    const GroundedText text = ground_text(":- type(object, []).\n:- type(color, [red]).\n"
                                          ":- neural(color(object, color)).\n:- pred(goal(color)).\n"
                                          "goal(C) :- color(O, C).\n");
    EXPECT_EQ(described(objects_of(text)), "");
}

TEST(ObjectAtoms, AnObjectThatNoRuleAsksForHasNoAtoms) {
    const GroundedText text = grounded(":- neural(color(object, color)).\ngoal(I) :- color(obj1, red).\n"
                                       ":- query(goal(img)).\n",
                                       GroundMode::Relevant);
    const ObjectAtoms objects = objects_of(text);
    ASSERT_EQ(described(objects), "0:0 obj0, 0:1 obj1, 0:2 obj2");
    EXPECT_TRUE(objects.atoms_of(0).empty());
    EXPECT_EQ(texts_of(text, objects.atoms_of(1)), (Texts{"color(obj1,red)"}));
}

TEST(ObjectAtoms, TheWeightIsTheLargestGradient) {
    const GroundedText text = grounded(":- neural(color(object, color)).\n:- neural(left_of(object, object)).\n"
                                       "goal(I) :- color(O, red), left_of(O, P).\n");
    const ObjectAtoms objects = objects_of(text);
    const std::map<std::uint32_t, double> gradients{{number_of(text, "color(obj0,red)"), 0.25},
                                                    {number_of(text, "color(obj0,blue)"), -3.0},
                                                    {number_of(text, "left_of(obj0,obj1)"), 0.5}};
    const auto weight = [&](std::size_t object) {
        return objects.weight_of(object, [&](std::uint32_t atom) {
            const auto found = gradients.find(atom);
            return found == gradients.end() ? 0.0 : found->second;
        });
    };
    EXPECT_EQ(weight(0).value, 0.5);
    EXPECT_EQ(weight(0).atom, number_of(text, "left_of(obj0,obj1)"));
    EXPECT_EQ(weight(1).value, 0.5);
    EXPECT_EQ(weight(2).value, 0);
    EXPECT_EQ(weight(2).atom, std::nullopt);
}

TEST(Rivals, AreOtherValuesOfTheSameAttribute) {
    for (const GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const GroundedText text =
            grounded(":- neural(color(object, color)).\n"
                     "goal(I) :- color(O, red).\ngoal(I) :- color(O, green).\n:- query(goal(img)).\n",
                     mode);
        const std::uint32_t atom = number_of(text, "color(obj1,green)");
        EXPECT_EQ(texts_of(text, rivals(text.program, text.ground.atoms, atom)),
                  mode == GroundMode::Full ? (Texts{"color(obj1,red)", "color(obj1,blue)"})
                                           : (Texts{"color(obj1,red)"}));
        // Blue, which no rule asks for, is a rival too.
        EXPECT_EQ(rival_texts(text.program, text.ground.atoms, atom), (Texts{"color(obj1,red)", "color(obj1,blue)"}));
    }
}

TEST(Rivals, DoNotExistForRelationsPresenceQuestionsAndWhatIsDerived) {
    const GroundedText text =
        grounded(":- type(query, [q]).\n:- type(place, [first, last]).\n:- type(picture, [a, b]).\n"
                 ":- neural(in(object, picture)).\n:- neural(leftside(object)).\n"
                 ":- neural(left_of(object, object)).\n:- neural(query2(query, color, place)).\n"
                 ":- pred(likes(object, color)).\n"
                 "likes(O, C) :- in(O, P), leftside(O), left_of(O, X), query2(Q, C, R).\n");
    for (const char* atom :
         {"in(obj0,a)", "leftside(obj0)", "left_of(obj0,obj1)", "query2(q,red,first)", "likes(obj0,red)"}) {
        SCOPED_TRACE(atom);
        const std::uint32_t number = number_of(text, atom);
        EXPECT_TRUE(rivals(text.program, text.ground.atoms, number).empty());
        EXPECT_TRUE(rival_texts(text.program, text.ground.atoms, number).empty());
    }
}

TEST(Rivals, QuestionsAreKnownByName) {
    const GroundedText text = grounded(":- neural(query3_img1(object, color)).\n:- neural(color(object, color)).\n"
                                       "goal(I) :- query3_img1(O, red), color(O, red).\n");
    const Signature& signature = text.program.signature;
    EXPECT_TRUE(is_question(signature.predicate(signature.find_predicate("query3_img1", 2))));
    EXPECT_FALSE(is_question(signature.predicate(signature.find_predicate("color", 2))));
    EXPECT_FALSE(is_question(signature.predicate(signature.find_predicate("goal", 1))));
}

}  // namespace
}  // namespace neumann
