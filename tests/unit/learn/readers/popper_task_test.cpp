#include <fmt/format.h>

#include "learn/readers/popper_task.h"
#include "unit/learn/readers/read_task.h"

namespace neumann::search {
namespace {

TEST(PopperTask, ReadsFactsAndLabels) {
    const ReadTask read =
        read_popper({.background = "g(a). g(c). h(a).\n", .examples = "pos(f(a)). pos(f(c)). neg(f(b))."});
    EXPECT_EQ(read.task.bias.head.name, "f");
    ASSERT_EQ(read.task.bias.body.size(), 1U);
    EXPECT_EQ(read.task.bias.body[0].name, "g");
    EXPECT_EQ(rows(read, 0), (Texts{"a", "c"}));
    EXPECT_EQ(written(read, read.task.positives), (Texts{"a", "c"}));
    EXPECT_EQ(written(read, read.task.negatives), Texts{"b"});
    EXPECT_TRUE(read.notes.empty());
    EXPECT_FALSE(read.task.bias.recursion);
    EXPECT_FALSE(read.task.bias.invention);
}

TEST(PopperTask, TypesAndDirections) {
    const ReadTask read =
        read_popper({.bias = "head_pred(f,2). body_pred(head,2). body_pred(empty,1).\n"
                             "type(f,(list,element)). type(head,(list, element)). type(empty,(list,)).\n"
                             "direction(f,(in,out)). direction(head,(in,out)). direction(empty,(in,)).",
                     .background = "head([X|_],X). empty([]).",
                     .examples = "pos(f([a],a)). neg(f([a],b))."});
    const Bias& bias = read.task.bias;
    EXPECT_NE(bias.head.types[0], bias.head.types[1]);
    EXPECT_EQ(bias.body[0].types, bias.head.types);
    EXPECT_EQ(bias.body[1].types, Types{bias.head.types[0]});
    EXPECT_EQ(bias.head.inputs, 1U);
    EXPECT_EQ(bias.body[0].inputs, 1U);
    EXPECT_EQ(bias.body[1].inputs, 1U);
    EXPECT_TRUE(read.task.relations[0].on_demand());   // its clause has variables
    EXPECT_FALSE(read.task.relations[1].on_demand());  // a table is one, whatever its direction
}

TEST(PopperTask, PredicatesWithoutATypeTakeAny) {
    const ReadTask read = read_popper({.bias = "head_pred(f,1). body_pred(g,1). body_pred(h,1). type(f,(t,)).\n"
                                               "type(h,(t,)). type(h,(u,)).",
                                       .background = "g(a). h(a)."});
    EXPECT_EQ(read.task.bias.head.types, Types{1});
    EXPECT_EQ(read.task.bias.body[0].types, Types{0});
    EXPECT_EQ(read.task.bias.body[1].types, Types{0});
}

TEST(PopperTask, Limits) {
    const Bias bias =
        read_popper({.bias = "head_pred(f,1). body_pred(g,1). max_vars(4). max_body(3). max_clauses(2)."}).task.bias;
    EXPECT_EQ(bias.most_variables, 4U);
    EXPECT_EQ(bias.most_body, 3U);
    EXPECT_EQ(bias.most_clauses, 2U);
    EXPECT_EQ(read_popper({.bias = "head_pred(f,1). body_pred(g,1). max_rules(5)."}).task.bias.most_clauses, 5U);
}

TEST(PopperTask, LimitsAreBroughtIntoBounds) {
    const ReadTask high = read_popper({.bias = "head_pred(f,1). body_pred(g,1). max_vars(99). max_body(1000)."});
    EXPECT_EQ(high.task.bias.most_variables, most_variables);
    EXPECT_EQ(high.task.bias.most_body, longest_body);
    EXPECT_TRUE(notes(high, "max_vars(99) becomes 12"));
    const ReadTask low =
        read_popper({.bias = "head_pred(f,2). body_pred(g,1). max_vars(1).", .examples = "pos(f(a,b))."});
    EXPECT_EQ(low.task.bias.most_variables, 2U);  // those of the head
}

TEST(PopperTask, LimitsAreWholeNumbers) {
    for (const char* wrong : {"-1", "0", "1.5", "many", "100000000000"}) {
        const std::string text = popper_refusal({.bias = fmt::format("head_pred(f,1). max_body({}).", wrong)});
        EXPECT_EQ(text, fmt::format("bias.pl: error: max_body({}): expected a whole number from 1 on", wrong));
    }
}

TEST(PopperTask, RecursionAndInvention) {
    const Bias bias = read_popper({.bias = "head_pred(f,1). body_pred(g,1).\nenable_recursion. enable_pi."}).task.bias;
    EXPECT_TRUE(bias.recursion);
    EXPECT_TRUE(bias.invention);
}

TEST(PopperTask, ConstraintsThatAreKeptTo) {
    const ReadTask read = read_popper({.bias = "head_pred(f,2). body_pred(g,2). type(f,(ex,t)). type(g,(ex,t)).\n"
                                               ":- clause(C), #count{V : var_type(C,V,ex)} != 1.\n"
                                               "bad_body(g,Vars) :- vars(_,Vars), Vars = (V0,V1), V1 != 1.\n"
                                               ":- not body_var(_,0).\n",
                                       .background = "g(a,b).",
                                       .examples = "pos(f(a,b))."});
    EXPECT_TRUE(read.notes.empty());
    EXPECT_EQ(read.task.bias.single_types, Types{read.task.bias.head.types[0]});
    ASSERT_GE(read.task.bias.body[0].fixed.size(), 2U);
    EXPECT_EQ(read.task.bias.body[0].fixed[0], -1);
    EXPECT_EQ(read.task.bias.body[0].fixed[1], 1);
}

TEST(PopperTask, WhatIsNotUnderstoodInABiasIsAnError) {
    const std::string bias = "head_pred(f,1). body_pred(g,1).\n";
    EXPECT_TRUE(notes(read_popper({.bias = bias + "foo(1)."}), "bias.pl:2: foo/1 has no effect"));
    for (const char* wrong :
         {":- clause(C), shape(C,3).", "a :- b.", "p(X) :- not clause(X).", ":- X != 1.", "{ p(a) }.",
          "#minimize { 1 : clause(C) }.", ":- #avg { V : clause_var(C,V) } > 1, clause(C).",
          ":- clause(C), body_size(C,N), N >."}) {
        EXPECT_TRUE(popper_refusal({.bias = bias + wrong}).starts_with("bias.pl:2:")) << wrong;
        const TemporaryFolder folder;
        folder.write("bias.pl", bias + wrong);
        folder.write("bk.pl", "g(a).");
        folder.write("exs.pl", "pos(f(a)).");
        const ReadTask read =
            read_popper_task(folder.path(), std::make_shared<Work>(), {}, {.ignore_constraints = true});
        EXPECT_TRUE(notes(read, "bias.pl:2: left out")) << wrong;
    }
}

TEST(PopperTask, ConstantsAreUnaryPredicates) {
    const ReadTask read = read_popper({.bias = "head_pred(f,1). body_pred(g,2). body_pred(P,1) :- constant(P).\n"
                                               "constant(c1). constant(c2).\n",
                                       .background = "g(a,1). c1(1). c2(2)."});
    Texts names;
    for (const Predicate& one : read.task.bias.body) names.push_back(one.name);
    std::ranges::sort(names);
    EXPECT_EQ(names, (Texts{"c1", "c2", "g"}));
    EXPECT_TRUE(read.notes.empty());
}

TEST(PopperTask, SeveralHeadsAreRefused) {
    EXPECT_EQ(popper_refusal({.bias = "head_pred(f,1). head_pred(h,2). body_pred(g,1)."}),
              "bias.pl: error: there are several head_pred: f/1 and h/2; one is learned");
}

TEST(PopperTask, NamesMayBeQuoted) {
    const ReadTask read = read_popper({.bias = "head_pred('is good',1). body_pred('it''s. % so',1).",
                                       .background = "'it''s. % so'('A b'). % a comment\n/* 'it''s. % so'(c). */",
                                       .examples = "pos('is good'('A b'))."});
    EXPECT_EQ(written(read, read.task.positives), Texts{"'A b'"});
    ASSERT_EQ(read.task.relations.size(), 1U);
    EXPECT_EQ(rows(read, 0), Texts{"'A b'"});
    EXPECT_TRUE(read.notes.empty());
    EXPECT_EQ(print({{{0, {0}}}, 1}, read.task.bias), "'is good'(A) :- 'it''s. % so'(A).");
}

TEST(PopperTask, ValuesAreTerms) {
    const ReadTask read = read_popper({.background = "g([a,[b]]). g(s(s(0))). g(\"a b\"). g(-1). g(2.5)."});
    EXPECT_EQ(rows(read, 0), (Texts{"\"a b\"", "-1", "2.5", "[a,[b]]", "s(s(0))"}));
}

TEST(PopperTask, BackgroundMayBeClauses) {
    const ReadTask read =
        read_popper({.bias = "head_pred(f,1). body_pred(g,1). body_pred(member,2). body_pred(none,1).",
                     .background = "g(X) :- h(X,Y), Y > 1.\nh(a,1). h(b,2). h(c,3)."});
    EXPECT_EQ(rows(read, 0), (Texts{"b", "c"}));
    EXPECT_TRUE(read.task.relations[1].on_demand());
    EXPECT_TRUE(notes(read, "bk.pl: member/2 has no direction and no finite table"));
    EXPECT_TRUE(notes(read, "bk.pl: none/1 has no facts and no clauses"));
}

TEST(PopperTask, BackgroundIsResolvedFromItsInputs) {
    ReadTask read =
        read_popper({.bias = "head_pred(f,2). body_pred(next,2). direction(f,(in,out)). direction(next,(in,out)).",
                     .background = ":- use_module(library(clpfd)).\nnext(X,Y) :- X #< 3, Y #= X + 1.",
                     .examples = "pos(f(0,2)). neg(f(0,1)). pos(f(3,3))."});
    Relation& next = read.task.relations[0];
    const auto followers = [&](Value of) {
        Texts texts;
        for (const std::uint32_t r : next.matches(std::vector<Value>{of, 0}, 1))
            texts.push_back(read.background->rules.terms.print(next.row(r)[1]));
        return texts;
    };
    EXPECT_EQ(followers(read.task.positives[0][0]), Texts{"1"});
    EXPECT_EQ(followers(read.task.positives[1][0]), Texts{});
}

// As Prolog has it: element(L, X) is about the first element unless X is known.
TEST(PopperTask, BackgroundRunsAsPrologDoes) {
    ReadTask read = read_popper(
        {.bias = "head_pred(f,2). body_pred(element,2). body_pred(small,2).\n"
                 "direction(f,(in,out)). direction(element,(in,out)). direction(small,(in,out)).",
         .background = "element([X|_],X) :- !.\nelement([_|T],X) :- element(T,X).\n"
                       "small(L,N) :- ( L = [_,_|_] -> findall(X, (member(X,L), X < 3), S), length(S,N) ; N = 0 ).",
         .examples = "pos(f([1,2,5],2)). neg(f([1],0))."});
    const auto found = [&](std::size_t predicate, std::vector<Value> args, Mask known) {
        return read.task.relations[predicate].matches(args, known).size();
    };
    const std::vector<Value>& label = read.task.positives[0];
    EXPECT_EQ(found(0, {label[0], 0}, 1), 1U);
    EXPECT_EQ(found(0, label, 3), 1U);
    EXPECT_EQ(found(1, label, 3), 1U);
    EXPECT_TRUE(read.task.relations[0].moded());
    EXPECT_TRUE(read.notes.empty());
}

TEST(PopperTask, ArgumentsThatAnswersLeaveWhollyOpenAreInputs) {
    const ReadTask read = read_popper({.bias = "head_pred(f,1). body_pred(at,2). body_pred(row,2).\n"
                                               "direction(f,(in,)). direction(at,(in,out)). direction(row,(in,out)).",
                                       .background = "at(a,[1,2]). at(a,[1,3]).\nrow([_,_],_)."});
    EXPECT_EQ(read.task.bias.body[1].inputs, 3U);
    EXPECT_TRUE(notes(read, "bk.pl: row/2 leaves out arguments open"));
}

TEST(PopperTask, WhatOfTheBackgroundCannotBeRunIsAnError) {
    EXPECT_NE(popper_refusal({.background = "g(a).\ng(b"}).find("the end of the file"), std::string::npos);
    EXPECT_TRUE(popper_refusal({.background = "g(a).\ng(X) :- X is 1" + std::string(60'000, '+') + "1.\n"})
                    .starts_with("bk.pl:2:"));
    const std::string unknown =
        popper_refusal({.background = "g(a).\ng(X) :- h(X).\nh(X) :- ( k(X) -> true ; fail )."});
    EXPECT_TRUE(unknown.starts_with("bk.pl:3:11: error: unknown predicate 'k/1'")) << unknown;
    EXPECT_EQ(popper_refusal({.background = "g(a).\nh(X) :- k(X)."}), "it was read");  // nobody calls it
}

TEST(PopperTask, OtherExamplesAreErrors) {
    for (const char* wrong : {"pos(f(X)).", "neg(h(a)).", "maybe(f(a)).", "pos(f(b)) :- g(b).", "0.5::neg(f(c))."})
        EXPECT_TRUE(
            popper_refusal({.examples = fmt::format("#first\npos(f(a)).\n{}\n", wrong)}).starts_with("exs.pl:3:"))
            << wrong;
}

TEST(PopperTask, FilesThatAreMissing) {
    const TemporaryFolder folder;
    folder.write("bias.pl", "head_pred(f,1).");
    const std::string text = refusal([&] { return read_popper_task(folder.path(), std::make_shared<Work>()); });
    EXPECT_TRUE(text.starts_with("bk.pl: error: no such file")) << text;
    EXPECT_NE(text.find("is the path right"), std::string::npos);
}

TEST(PopperTask, MistakesHaveAPlace) {
    EXPECT_TRUE(popper_refusal({.bias = "head_pred(f,1). % a\n/* b\n*/ :- not body_var(_,0).\nbody_pred(g,,1)."})
                    .starts_with("bias.pl:4:"))
        << "bias";
    EXPECT_TRUE(popper_refusal({.examples = "pos(f(a)).\n\nneg(f(b."}).starts_with("exs.pl:3:")) << "examples";
}

TEST(PopperTask, MistakesInTheBias) {
    EXPECT_EQ(popper_refusal({.bias = "body_pred(g,1)."}),
              "bias.pl: error: nothing to learn: head_pred(f,2) is missing");
    for (const char* arity : {"-1", "two", "1.5"})
        EXPECT_EQ(
            popper_refusal({.bias = fmt::format("head_pred(f,{}).", arity)}),
            fmt::format("bias.pl: error: head_pred(f,{}): the second argument is the number of arguments", arity));
    EXPECT_EQ(popper_refusal({.bias = "head_pred(f,9)."}), "bias.pl: error: f/9 has more than 8 arguments");
    EXPECT_EQ(popper_refusal({.bias = "head_pred(f,1). direction(f,(inn,))."}),
              "bias.pl: error: direction of f/1: expected in or out, not inn");
    EXPECT_EQ(popper_refusal({.bias = "head_pred(f,1). body_pred(P,N) :- body_pred(P,M), N = M + 1. body_pred(g,1)."}),
              "bias.pl: error: body_pred/2 cannot be evaluated: there are too many steps");
}

TEST(PopperTask, TextsMayStandForFiles) {
    const ReadTask read = read_popper_task(
        "t", std::make_shared<Work>(),
        TaskFiles(
            {{"t/bias.pl", "head_pred(f,1). body_pred(g,1)."}, {"t/bk.pl", "g(a)."}, {"t/exs.pl", "pos(f(a))."}}));
    EXPECT_EQ(rows(read, 0), Texts{"a"});
}

}  // namespace
}  // namespace neumann::search
