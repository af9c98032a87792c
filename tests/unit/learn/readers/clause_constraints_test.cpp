#include "learn/evaluate/clause_filter.h"
#include "learn/readers/popper_task.h"
#include "unit/learn/readers/read_task.h"

namespace neumann::search {
namespace {

constexpr const char* declarations = "head_pred(f,2). body_pred(g,2). body_pred(h,1). enable_recursion.\n"
                                     "type(f,(ex,t)). type(g,(ex,t)). type(h,(t,)).\n";

Bias bias_with(const std::string& constraints) {
    return read_popper({.bias = declarations + constraints, .background = "g(a,b). h(b).", .examples = "pos(f(a,b))."})
        .task.bias;
}

// f(A,B) :- body, with the goals' numbers and variables.
Clause clause_of(const std::vector<Literal>& body) {
    Clause clause{body, 2};
    for (const Literal& goal : body) {
        for (const std::uint8_t variable : goal.args)
            clause.variables = std::max(clause.variables, static_cast<std::uint8_t>(variable + 1));
    }
    return clause;
}

const Clause base = clause_of({{0, {0, 1}}});                            // f(A,B) :- g(A,B).
const Clause two = clause_of({{0, {0, 1}}, {1, {1}}});                   // f(A,B) :- g(A,B), h(B).
const Clause twice = clause_of({{0, {0, 1}}, {0, {0, 2}}});              // f(A,B) :- g(A,B), g(A,C).
const Clause other = clause_of({{0, {0, 1}}, {0, {2, 1}}});              // f(A,B) :- g(A,B), g(C,B).
const Clause calls = clause_of({{0, {0, 2}}, {own_predicate, {0, 1}}});  // f(A,B) :- g(A,C), f(A,B).

TEST(ClauseConstraints, AreNone) { EXPECT_EQ(bias_with("").filter, nullptr); }

TEST(ClauseConstraints, CountVariablesOfAType) {
    for (const char* text :
         {":- clause(C), #count{V : clause_var(C,V),var_type(C,V,ex)} != 1.",
          ":- clause(C), #count{V : var_type(C,V,ex)} != 1.",
          ":- clause(C), not 1 = #count{V : clause_var(C,V),var_type(C,V,ex)}.",
          ":- clause(C), 1 < #count{ V : var_type(C,V,ex) ; V : var_type(C,V,ex), head_var(C,V) }."}) {
        const Bias bias = bias_with(text);
        EXPECT_TRUE(bias.filter->allows(base, bias)) << text;
        EXPECT_TRUE(bias.filter->allows(twice, bias)) << text;
        EXPECT_FALSE(bias.filter->allows(other, bias)) << text;
    }
    EXPECT_EQ(bias_with(":- clause(C), #count{V : clause_var(C,V), var_type(C,V,ex)} != 1.").single_types.size(), 1U);
}

TEST(ClauseConstraints, CountGoals) {
    const Bias bias = bias_with("only_once(g).\n:- only_once(P), clause(C), #count{Vs : body_literal(C,P,A,Vs)} > 1.");
    EXPECT_TRUE(bias.filter->allows(two, bias));
    EXPECT_FALSE(bias.filter->allows(twice, bias));
    EXPECT_FALSE(bias.filter->may_grow(twice, bias));  // more goals do not help
    EXPECT_TRUE(bias.filter->may_grow(two, bias));
}

TEST(ClauseConstraints, SizesAndNegations) {
    const Bias longer = bias_with(":- clause(C), body_size(C,N), N < 2.");
    EXPECT_FALSE(longer.filter->allows(base, longer));
    EXPECT_TRUE(longer.filter->allows(two, longer));
    EXPECT_TRUE(longer.filter->may_grow(base, longer));
    const Bias needs = bias_with(":- clause(C), not body_literal(C,h,_,_).");
    EXPECT_FALSE(needs.filter->allows(base, needs));
    EXPECT_TRUE(needs.filter->may_grow(base, needs));
    EXPECT_TRUE(needs.filter->allows(two, needs));
}

TEST(ClauseConstraints, VariablesOfGoals) {
    const Bias bias = bias_with("bad_body(g,Vars) :- vars(_,Vars), Vars = (V0,_), V0 != 0.");
    ASSERT_FALSE(bias.body[0].fixed.empty());
    EXPECT_EQ(bias.body[0].fixed[0], 0);
    EXPECT_TRUE(bias.filter->allows(twice, bias));
    EXPECT_FALSE(bias.filter->allows(other, bias));
}

// The first clause is one without recursion; the order of the others is free.
TEST(ClauseConstraints, NumbersOfClauses) {
    const Bias bias = bias_with(":- body_literal(0,h,_,_).");
    EXPECT_TRUE(bias.filter->allows_somewhere(two, bias));
    EXPECT_FALSE(bias.filter->allows(two, bias));
    EXPECT_TRUE(bias.filter->allows({base, calls}, bias));
    EXPECT_TRUE(bias.filter->allows({two, base, calls}, bias));
    EXPECT_FALSE(bias.filter->allows({two, calls}, bias));
}

}  // namespace
}  // namespace neumann::search
