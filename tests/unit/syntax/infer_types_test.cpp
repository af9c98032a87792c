#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "syntax/infer_types.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

// "edge(edge_1, edge_1)": the predicate with its types.
std::string signature_of(const Program& program, std::string_view name, std::size_t arity) {
    const PredicateId id = program.signature.find_predicate(name, arity);
    if (id.is_none()) return "unknown";
    std::vector<std::string> types;
    for (TypeId type : program.signature.predicate(id).args) types.push_back(program.signature.type(type).name);
    return fmt::format("{}({})", name, fmt::join(types, ", "));
}

std::string constants_of(const Program& program, std::string_view name) {
    const TypeId type = program.signature.find_type(name);
    if (type.is_none()) return "unknown";
    std::vector<std::string> names;
    for (ConstantId c : program.signature.type(type).constants) names.push_back(program.signature.constant(c).name);
    return fmt::format("{}", fmt::join(names, " "));
}

Program accepted(const std::string& text) {
    ReadProgram result = read(text);
    EXPECT_FALSE(result.diagnostics.has_errors()) << text << "\n" << rendered(result);
    return std::move(result.program);
}

TEST(InferTypes, AProgramNeedsNoDeclarations) {
    const std::string text = "edge(a, b). edge(b, c). path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z).";
    const Program program = accepted(text);
    EXPECT_EQ(signature_of(program, "edge", 2), "edge(edge_1, edge_1)");
    EXPECT_EQ(signature_of(program, "path", 2), "path(edge_1, edge_1)");
    EXPECT_EQ(constants_of(program, "edge_1"), "a b c");
    EXPECT_EQ(atom_texts(ground_text(text + " :- query(path(a, X)).")).size(), 5U);
}

TEST(InferTypes, PlacesThatShareNoVariableAreOfDifferentTypes) {
    const Program program = accepted("likes(ann, tea). likes(bob, ann).");
    EXPECT_EQ(signature_of(program, "likes", 2), "likes(likes_1, likes_2)");
    EXPECT_EQ(constants_of(program, "likes_1"), "ann bob");
    EXPECT_EQ(constants_of(program, "likes_2"), "tea ann");
}

TEST(InferTypes, APredicateOfOneArgumentWithFactsNamesItsType) {
    const Program program = accepted("older(X, Y) :- person(X), person(Y), age(X, Y). age(ann, bob). person(eve).");
    EXPECT_EQ(signature_of(program, "older", 2), "older(person, person)");
    EXPECT_EQ(constants_of(program, "person"), "ann bob eve");
    EXPECT_EQ(signature_of(accepted("edge(a, b). cyclic(X) :- edge(X, X)."), "cyclic", 1), "cyclic(edge_1)");
    EXPECT_EQ(signature_of(accepted("even(0). even(s(s(X))) :- even(X)."), "even", 1), "even(even)");
}

TEST(InferTypes, NamesDoNotClashWithDeclaredOnes) {
    const Program program = accepted(":- type(person, [x]). :- pred(p(person)). p(x). person(ann).");
    EXPECT_EQ(signature_of(program, "person", 1), "person(person_2)");
}

TEST(InferTypes, EqualAndUnequalTermsAreOfOneType) {
    EXPECT_EQ(signature_of(accepted("p(a). q(b). r(X) :- p(X), q(Y), X = Y."), "q", 1), "q(p)");
    EXPECT_EQ(signature_of(accepted("p(a). q(b). r(X) :- p(X), q(Y), X \\= Y."), "q", 1), "q(p)");
    EXPECT_EQ(constants_of(accepted("p(a). r(X) :- p(X), X \\= c."), "p"), "a c");
}

TEST(InferTypes, FunctorsAreInferred) {
    const Program program = accepted("pos(at(1, 2)). pos(at(3, 4)). x(X) :- pos(at(X, _)).");
    const FunctorId at = program.signature.find_functor("at", 2);
    ASSERT_FALSE(at.is_none());
    EXPECT_TRUE(program.signature.functor(at).inferred);
    EXPECT_EQ(signature_of(program, "pos", 1), "pos(pos)");
    EXPECT_EQ(program.signature.type(program.signature.functor(at).result).name, "pos");
    EXPECT_EQ(signature_of(program, "x", 1), "x(x)");
    EXPECT_EQ(constants_of(program, "x"), "1 3");
    EXPECT_EQ(constants_of(program, "at_2"), "2 4");
}

TEST(InferTypes, ListsAreInferred) {
    const Program program =
        accepted("person(ann). row([ann, bob]). row([]). first(X, [X|_]) :- row([X|_]), person(X).");
    EXPECT_EQ(signature_of(program, "row", 1), "row(list_of_person)");
    EXPECT_EQ(signature_of(program, "first", 2), "first(person, list_of_person)");
    EXPECT_EQ(constants_of(program, "list_of_person"), "[]");
    EXPECT_EQ(constants_of(program, "person"), "ann bob");
    EXPECT_EQ(signature_of(accepted("p([a])."), "p", 1), "p(list_of_p_element)");
    EXPECT_EQ(signature_of(accepted("p([[a],[b]])."), "p", 1), "p(list_of_list_of_p_element)");
    EXPECT_EQ(problems("p([a]). p([X|X]) :- p([X])."), "type-clash@1 type-clash@1 type-clash@1");
}

TEST(InferTypes, SeveralListTypesHaveFunctorsOfTheirOwn) {
    const std::string text = "p([a]). q([b]).";
    EXPECT_EQ(canonical_text(canonical_text(text)), canonical_text(text));
}

TEST(InferTypes, WhatIsComputedWithIsANumber) {
    const Program program = accepted(
        "age(ann, 30). limit(18). adult(P) :- age(P, A), limit(L), A >= L. next(P, B) :- age(P, A), B is A + 1.");
    EXPECT_EQ(signature_of(program, "age", 2), "age(age_1, number)");
    EXPECT_EQ(signature_of(program, "limit", 1), "limit(number)");
    EXPECT_EQ(signature_of(program, "next", 2), "next(age_1, number)");
    EXPECT_EQ(constants_of(program, "number"), "30 18");
}

TEST(InferTypes, NegationAlternativesAndAnnotatedDisjunctionsAreUses) {
    const Program program = accepted(
        "p(a). q(b). r(X) :- p(X), \\+ q(X). s(X) :- (p(X) ; q(X)). 0.3::t(X) ; 0.7::u(X) :- q(X). query(t(c)).");
    for (const char* name : {"q", "r", "s", "t", "u"})
        EXPECT_EQ(signature_of(program, name, 1), fmt::format("{}(p)", name));
    EXPECT_EQ(constants_of(program, "p"), "a b c");
}

TEST(InferTypes, DeclaredTypesReachWhatIsNotDeclared) {
    const Program program =
        accepted(":- type(color, [red, blue]). :- pred(likes(color)). likes(X) :- nice(X). nice(red).");
    EXPECT_EQ(signature_of(program, "nice", 1), "nice(color)");
    EXPECT_EQ(constants_of(program, "color"), "red blue");
    EXPECT_EQ(problems(":- type(color, [red]). :- pred(likes(color)).\nlikes(X) :- nice(X).\nnice(green)."),
              "unknown-constant@3");
}

TEST(InferTypes, TwoDeclaredTypesClashAsBefore) {
    EXPECT_EQ(problems(":- type(t, [a]). :- type(u, [b]). :- pred(p(t)). :- pred(q(u)).\n"
                       "p(X) :- r(X).\nq(X) :- r(X).\nr(a)."),
              "type-clash@3");
}

TEST(InferTypes, TypesThatDeclarationsOnlyNameAreOpen) {
    const Program program =
        accepted(":- pred(edge(node, node)). :- neural(mark(node, sign)). edge(a, b). p(X) :- mark(_, X).");
    EXPECT_EQ(constants_of(program, "node"), "a b");
    EXPECT_EQ(signature_of(program, "p", 1), "p(sign)");
    EXPECT_EQ(constants_of(accepted(":- type(node). :- pred(p(node)). p(c)."), "node"), "c");
    EXPECT_EQ(constants_of(accepted(":- type(node, [b|_]). :- pred(p(node)). p(c). p(b)."), "node"), "b c");
    EXPECT_EQ(problems(":- type(node, []). :- pred(p(node)).\np(c)."), "unknown-constant@2");
}

TEST(InferTypes, ModesNameTypes) {
    const Program program = accepted(":- modeh(1, kp(+image)). :- learn(kp/1, 1). :- neural(in(object, image)). "
                                     ":- modeb(1, in(-object, +image)). :- label(kp(img)).");
    EXPECT_EQ(signature_of(program, "kp", 1), "kp(image)");
    EXPECT_EQ(constants_of(program, "image"), "img");
}

TEST(InferTypes, BoundsMayNameInferredTypes) {
    EXPECT_EQ(problems(":- max_length(list_of_p_element, 3). :- no_repeats(list_of_p_element). p([a])."), "");
    EXPECT_EQ(problems(":- max_depth(even, 3). even(0). even(s(s(X))) :- even(X)."), "");
    EXPECT_EQ(problems(":- distinct(q/2). q(a, b)."), "");
}

TEST(InferTypes, UnboundedTypesAreNamedInTheAdvice) {
    const ReadProgram result =
        read_and_analyse("member(X, [X|_]). member(X, [_|T]) :- member(X, T). p(Y) :- member(a, Y).");
    EXPECT_NE(rendered(result).find(":- max_length(list_of_member_1, 3)."), std::string::npos) << rendered(result);
}

TEST(InferTypes, MisspeltNamesStayMistakes) {
    EXPECT_EQ(problems(":- type(color, [red]). :- pred(likes(color)).\nlike(red)."), "unknown-predicate@2");
    EXPECT_EQ(problems(":- type(color, [red]). :- pred(likes(color)).\nlikes(red, red)."), "wrong-arity@2");
    EXPECT_EQ(problems(":- functor(darker(color), color). :- pred(p(color)).\np(drker(red))."), "unknown-functor@2");
    EXPECT_EQ(problems(":- pred(mark(node)). far(a). node1(a). :- pred(node2(node)). mark1(a)."), "");
    EXPECT_EQ(problems(":- neural(mark(node, sign)). marked(X) :- mark(X, plus)."), "");
    EXPECT_EQ(problems("edge(a, b).\npath(X, Y) :- egde(X, Y)."), "unknown-predicate@2");
    EXPECT_EQ(problems("edge(a, b).\npath(X) :- edge(X)."), "wrong-arity@2");
}

TEST(InferTypes, WhatNothingDefinesIsUnknown) {
    EXPECT_EQ(problems("p(X) :- q(X)."), "unknown-predicate@1");
    EXPECT_EQ(problems("p(a).\n:- query(q(a))."), "unknown-predicate@2");
    EXPECT_EQ(problems("p(a).\n:- learn(q/1, 1)."), "unknown-predicate@2");
}

TEST(InferTypes, AClauseThatDoesNotParseMayDefineItsPredicate) {
    EXPECT_EQ(problems("q(a) q(b).\np(X) :- q(X)."), "syntax@1");
    EXPECT_EQ(problems("0.5::q(a) q(b).\np(X) :- q(X)."), "syntax@1");
}

TEST(InferTypes, PlacesSayWhy) {
    const Program program = accepted("edge(a, b).\npath(X, Y) :- edge(X, Y).\n");
    const TypeDecl& type = program.signature.type(program.signature.find_type("edge_1"));
    ASSERT_EQ(type.places.size(), 2U);
    EXPECT_EQ(type.places[0].place, "edge/2 argument 1");
    EXPECT_EQ(type.places[0].joined_by, "");
    EXPECT_EQ(type.places[1].place, "path/2 argument 1");
    EXPECT_EQ(type.places[1].joined_by, "X");
    EXPECT_EQ(program.sources->line(type.places[1].span), 2U);
}

// Printing makes all declarations explicit, and the printed program grounds to the same graph.
TEST(InferTypes, PrintsAndReadsBackAsTheSameProgram) {
    for (const char* text :
         {"edge(b, a). edge(a, c). path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z).",
          "p([a,b]). q([c,d]). r(X) :- p([X|_]). s(X) :- q([_|X]).",
          "even(0). even(s(s(X))) :- even(X). :- max_depth(even, 6).", "0.5::rain. wet :- rain. :- query(wet)."}) {
        const GroundedText first = ground_text(text);
        const GroundedText second = ground_text(canonical_text(text));
        EXPECT_EQ(atom_texts(first), atom_texts(second));
        EXPECT_EQ(clause_texts(first), clause_texts(second));
    }
}

}  // namespace
}  // namespace neumann
