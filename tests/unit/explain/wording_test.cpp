#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "explain/wording.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

// The sentence for an atom of a program.
std::string say(const std::string& text, const std::string& atom) {
    ReadProgram result = read(text);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    const Wording wording(result.program);
    const auto query = parse_query(result.program, "atom", atom, result.diagnostics);
    EXPECT_TRUE(query.has_value()) << rendered(result);
    return query ? wording.sentence(query->atom.predicate, query->atom.args) : "";
}

const std::string vocabulary = R"(
:- type(color, [red, gray, light_blue, 'Dark red']).
:- list(colors, color, f, '*').
:- list(rows, colors, g, '**').
:- type(object, [obj1, obj2]).
:- type(position, [1st, 2nd]).
:- type(image, [img]).
:- type(number, [0]).
:- functor(s(number), number).
:- pred(wet). :- pred(dam_broken).
:- pred(kp(image)). :- pred(round(object)). :- pred(is_round(object)). :- pred(even(number)).
:- pred(scene(colors)). :- pred(is_sorted(colors)). :- pred(row(rows)).
:- pred(color(object, color)). :- pred(color_img1(object, color)). :- pred(value(object, color)).
:- pred(in(object, image)). :- pred(left_of(object, object)). :- pred(belongs_to(object, image)).
:- pred(resembles(object, object)). :- pred(smaller(color, color)). :- pred(edge(object, object)).
:- pred(member(color, colors)). :- pred(delete(color, colors, colors)).
:- pred(between(object, object, object)). :- pred(at(color, position)).
)";

TEST(Wording, FromTheNamesAlone) {
    const std::pair<const char*, const char*> cases[] = {
        {"wet", "wet holds"},
        {"dam_broken", "dam broken holds"},
        {"kp(img)", "kp holds"},  // there is only one image
        {"round(obj1)", "obj1 is round"},
        {"is_round(obj1)", "obj1 is round"},
        {"even(s(s(0)))", "s(s(0)) is even"},
        {"scene([red,gray])", "scene holds of red and gray"},
        {"is_sorted([red,gray])", "the list red and gray is sorted"},
        {"color(obj1,light_blue)", "the color of obj1 is light blue"},
        {"color(obj1,'Dark red')", "the color of obj1 is Dark red"},
        {"color_img1(obj1,red)", "the color img1 of obj1 is red"},
        {"value(obj1,red)", "value holds of obj1 and red"},
        {"in(obj1,img)", "obj1 is in img"},
        {"left_of(obj1,obj2)", "obj1 is left of obj2"},
        {"belongs_to(obj1,img)", "obj1 belongs to img"},
        {"resembles(obj1,obj2)", "obj1 resembles obj2"},
        {"smaller(gray,red)", "gray is smaller than red"},
        {"edge(obj1,obj2)", "edge holds of obj1 and obj2"},
        {"at(red,2nd)", "red is at 2nd"},
        {"member(red,[gray])", "member holds of red; gray"},
        {"delete(gray,[red,gray],[red])", "delete holds of gray; red and gray; red"},
        {"between(obj1,obj2,obj1)", "between holds of obj1, obj2 and obj1"},
    };
    for (const auto& [atom, expected] : cases) EXPECT_EQ(say(vocabulary, atom), expected) << atom;
}

TEST(Wording, AsTheProgramSaysIt) {
    const std::string sayings = R"(
:- say(delete(X, L, R), 'taking {X} out of {L} leaves {R}').
:- say(wet, 'the grass is wet').
:- say(at(C, 2nd), '{{{C}}} comes second, said {C}').
:- say(at(_, P), 'something is {P}').
:- say(row(R), '{R}').
)";
    const std::pair<const char*, const char*> cases[] = {
        {"delete(gray,[red,gray,light_blue],[red,light_blue])",
         "taking gray out of red, gray and light blue leaves red and light blue"},
        {"delete(gray,[gray],[])", "taking gray out of gray leaves nothing"},
        {"delete(gray,f(gray,'*'),'*')", "taking gray out of gray leaves nothing"},
        {"wet", "the grass is wet"},
        {"at(red,2nd)", "{red} comes second, said red"},
        {"at(red,1st)", "something is 1st"},
        {"row([])", "nothing"},
        {"row([[red,gray],[]])", "[red,gray] and []"},  // the inner commas stay apart from the outer ones
        {"smaller(gray,red)", "gray is smaller than red"},
    };
    for (const auto& [atom, expected] : cases) EXPECT_EQ(say(vocabulary + sayings, atom), expected) << atom;
}

TEST(Wording, TheFirstPatternThatMatchesCounts) {
    const std::string sayings = R"(
:- say(delete(X, [X], []), '{X} was alone').
:- say(delete(X, [X|L], L), '{X} is the first, {L} follows').
:- say(delete(X, [Y|_], _), '{Y} comes before {X}').
:- say(smaller(X, X), '{X} is itself').
)";
    const std::pair<const char*, const char*> cases[] = {
        {"delete(red,[red],[])", "red was alone"},
        {"delete(red,[red,gray],[gray])", "red is the first, gray follows"},
        {"delete(gray,[red,gray],[red])", "red comes before gray"},
        {"delete(red,[red,gray],[])", "red comes before red"},  // the second L is not the first
        {"delete(red,[],[])", "delete holds of red; nothing; nothing"},
        {"smaller(red,red)", "red is itself"},
        {"smaller(gray,red)", "gray is smaller than red"},
    };
    for (const auto& [atom, expected] : cases) EXPECT_EQ(say(vocabulary + sayings, atom), expected) << atom;
}

}  // namespace
}  // namespace neumann
