// Conditions on numbers while grounding: comparisons, computations, ranges, in types that are closed and open.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explain/substitution_of.h"
#include "ground/saved.h"
#include "unit/read_conditions.h"
#include "unit/read_program.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* closed =
    ":- type(n, [0, 1, 2, 3, 4]). :- pred(p(n)). :- pred(q(n)). :- pred(r(n,n)). :- pred(k).\n";
constexpr const char* opened = ":- type(n, [0, 1, 2, 3]). :- pred(p(n)). :- pred(q(n)). :- pred(r(n,n)). :- pred(k).\n";

struct ConditionsOf {
    std::size_t clause;
    Lines conditions;
};

Program program_of(const std::string& text, bool open, const std::vector<ConditionsOf>& conditions) {
    ReadProgram result = read((open ? opened : closed) + text);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    result.program.signature.type(result.program.signature.find_type("n")).open = open;
    // Numbers in conditions are no terms of the program's own type.
    result.program.signature.operation(Operation::Add);
    for (const ConditionsOf& of : conditions)
        add_conditions(result.program, of.clause, of.conditions, "(expression)", "(expression)");
    return std::move(result.program);
}

Lines clauses(const std::string& text, bool open, const Lines& conditions, GroundMode mode = GroundMode::Relevant) {
    return clause_texts(ground_program(program_of(text, open, {{0, conditions}}), {.mode = mode}));
}
Lines in_closed(const std::string& text, const Lines& conditions) { return clauses(text, false, conditions); }
Lines in_open(const std::string& text, const Lines& conditions) { return clauses(text, true, conditions); }

const std::string facts = "p(0). p(1). p(2). p(3). ";

TEST(ArithmeticGround, ComparisonsFilter) {
    const std::string text = facts + "q(X) :- p(X).";
    EXPECT_EQ(in_closed(text, {"X < 2"}), (Lines{"q(0) :- p(0)", "q(1) :- p(1)"}));
    EXPECT_EQ(in_closed(text, {"X =< 0"}), Lines{"q(0) :- p(0)"});
    EXPECT_EQ(in_closed(text, {"X > 1 + 1"}), Lines{"q(3) :- p(3)"});
    EXPECT_EQ(in_closed(text, {"X * X >= 9"}), Lines{"q(3) :- p(3)"});
    EXPECT_EQ(in_closed(text, {"X =:= 2.0"}), Lines{"q(2) :- p(2)"});
    EXPECT_EQ(in_closed(text, {"X mod 2 =\\= 0"}), (Lines{"q(1) :- p(1)", "q(3) :- p(3)"}));
    EXPECT_EQ(in_closed(text, {"X > 0", "X < 2"}), Lines{"q(1) :- p(1)"});
    EXPECT_EQ(in_closed(text, {"1 < 0"}), Lines{});
}

TEST(ArithmeticGround, AResultOutsideAClosedTypeIsNoInstance) {
    EXPECT_EQ(in_closed("p(3). p(4). q(Y) :- p(X).", {"Y is X + 1"}), Lines{"q(4) :- p(3)"});
    EXPECT_EQ(in_closed("p(3). p(4). k :- p(X).", {"Y is X + 1"}), (Lines{"k :- p(3)", "k :- p(4)"}))
        << "of its own, open type";
}

TEST(ArithmeticGround, AnOpenTypeGrows) {
    const GroundedText grounded = ground_program(program_of("p(1). p(2). q(Y) :- p(X).", true, {{0, {"Y is X * 10"}}}));
    EXPECT_EQ(atom_texts(grounded), (Lines{"p(1)", "p(2)", "q(10)", "q(20)"}));
    EXPECT_EQ(clause_texts(grounded), (Lines{"q(10) :- p(1)", "q(20) :- p(2)"}));
}

TEST(ArithmeticGround, OnlyHeadsMakeNumbers) {
    const GroundedText grounded = ground_program(program_of("p(1). p(2). q(X) :- p(X), q(Y). k :- p(X).", true,
                                                            {{0, {"Y is X + 70"}}, {1, {"Z is X + 80", "Z > 0"}}}));
    EXPECT_EQ(grounded.program.signature.type(grounded.program.signature.find_type("n")).constants.size(), 4U);
    EXPECT_EQ(clause_texts(grounded), (Lines{"k :- p(1)", "k :- p(2)"}));
    const GroundedText bounded =
        ground_program(program_of("p(0). p(Y) :- p(X).", true, {{0, {"Y is X + 1", "Y < 5"}}}));
    EXPECT_EQ(atom_texts(bounded), (Lines{"p(0)", "p(1)", "p(2)", "p(3)", "p(4)"}));
    EXPECT_EQ(bounded.program.signature.type(bounded.program.signature.find_type("n")).constants.size(), 5U);
}

TEST(ArithmeticGround, BothSidesOfIsMayBeKnown) {
    EXPECT_EQ(in_closed("r(1,2). r(1,3). q(X) :- r(X,Y).", {"Y is X + 1"}), Lines{"q(1) :- r(1,2)"});
    EXPECT_EQ(in_closed(facts + "q(X) :- p(X).", {"3 is X + 1"}), Lines{"q(2) :- p(2)"});
    EXPECT_EQ(in_closed(facts + "q(X) :- p(X).", {"3.0 is X + 1"}), Lines{}) << "a float is another term";
}

TEST(ArithmeticGround, RangesLoopOrTest) {
    EXPECT_EQ(in_closed("p(2). q(Y) :- p(X).", {"between(X, 9, Y)"}),
              (Lines{"q(2) :- p(2)", "q(3) :- p(2)", "q(4) :- p(2)"}));
    EXPECT_EQ(in_open("p(2). q(Y) :- p(X).", {"between(X, 4, Y)"}),
              (Lines{"q(2) :- p(2)", "q(3) :- p(2)", "q(4) :- p(2)"}));
    EXPECT_EQ(in_closed(facts + "q(X) :- p(X).", {"between(1, 2, X)"}), (Lines{"q(1) :- p(1)", "q(2) :- p(2)"}));
    EXPECT_EQ(in_closed("p(2). q(Y) :- p(X).", {"between(3, X, Y)"}), Lines{});
    EXPECT_EQ(in_open("p(2). q(Y) :- p(X).", {"between(1, 2, Z)", "Y is X + Z"}),
              (Lines{"q(3) :- p(2)", "q(4) :- p(2)"}));
}

TEST(ArithmeticGround, AnInstanceStandsOnce) {
    EXPECT_EQ(in_closed("p(2). q(X) :- p(X).", {"between(1, 3, Z)"}), Lines{"q(2) :- p(2)"});
    EXPECT_EQ(in_closed("p(2). q(Y) :- p(X).", {"between(1, 3, Z)", "Y is Z mod 2"}),
              (Lines{"q(0) :- p(2)", "q(1) :- p(2)"}));
    for (const GroundMode mode : {GroundMode::Full, GroundMode::Relevant})
        EXPECT_EQ(clauses("k.  k :- k.", false, {"between(1, 3, Z)"}, mode), Lines{"k :- k"});
}

TEST(ArithmeticGround, TestsComeBeforeDivisions) {
    EXPECT_EQ(in_open(facts + "q(Y) :- p(X).", {"Y is 6 // X", "X =\\= 0"}),
              (Lines{"q(2) :- p(3)", "q(3) :- p(2)", "q(6) :- p(1)"}));
    EXPECT_EQ(in_closed(facts + "q(X) :- p(X).", {"6 // X > 2", "X > 0"}), (Lines{"q(1) :- p(1)", "q(2) :- p(2)"}));
    EXPECT_EQ(in_open(facts + "r(3,3). q(Y) :- p(X), r(X,Z).", {"Y is 6 // X"}), Lines{"q(2) :- p(3), r(3,3)"})
        << "and so do atoms";
    EXPECT_EQ(in_open(facts + "r(1,1). r(2,2). q(Y) :- p(X), r(X,X).", {"Y is 6 // X"}),
              (Lines{"q(3) :- p(2), r(2,2)", "q(6) :- p(1), r(1,1)"}));
}

TEST(ArithmeticGround, RecursionCounts) {
    const std::string text = "r(0,1). p(0). p(Y) :- p(X).";
    EXPECT_EQ(atom_texts(ground_program(program_of(text, true, {{0, {"X < 12", "Y is X + 1"}}}))).size(), 14U);
    const Lines atoms = atom_texts(ground_program(program_of(text, true, {{0, {"X < 12", "Y is X + 1"}}})));
    EXPECT_EQ(atoms[3], "p(3)");
    EXPECT_EQ(atoms[12], "p(12)") << "by value, not by name";
}

TEST(ArithmeticGround, FullIsEverySubstitutionWithAResult) {
    EXPECT_EQ(clauses("q(Y) :- p(X).", false, {"Y is X + 3"}, GroundMode::Full),
              (Lines{"q(3) :- p(0)", "q(4) :- p(1)"}));
    EXPECT_EQ(clauses("q(Y) :- p(X).", true, {"Y is X + 3", "X < 2"}, GroundMode::Full),
              (Lines{"q(3) :- p(0)", "q(4) :- p(1)"}));
    const GroundedText grounded =
        ground_program(program_of("q(Y) :- p(X).", true, {{0, {"Y is X + 3", "X < 2"}}}), {.mode = GroundMode::Full});
    EXPECT_EQ(grounded.ground.atoms.range(PredicateId(0)).count, 5U) << "the results are terms like any other";
    EXPECT_EQ(clauses("r(X,Y) :- p(X).", false, {"between(3, 4, X)", "between(X, 9, Y)"}, GroundMode::Full),
              (Lines{"r(3,3) :- p(3)", "r(3,4) :- p(3)", "r(4,4) :- p(4)"}));
}

// One line of what stops grounding.
std::string error_of(const std::string& text, bool open, const std::vector<ConditionsOf>& conditions,
                     GroundOptions options = {}) {
    ReadProgram read;
    read.program = program_of(text, open, conditions);
    analyse(read.program, {}, read.diagnostics);
    EXPECT_FALSE(read.diagnostics.has_errors()) << rendered(read);
    EXPECT_FALSE(ground(read.program, options, read.diagnostics).has_value());
    for (const Diagnostic& diagnostic : read.diagnostics.sorted()) {
        if (diagnostic.code.name == codes::evaluation.name)
            return fmt::format("{}: {}", read.program.sources->line(diagnostic.span), diagnostic.message);
    }
    return rendered(read);
}

TEST(ArithmeticGround, ErrorsNameClauseAndBinding) {
    const std::string text = "r(0,3).\nq(Z) :- r(X,Y).";
    EXPECT_EQ(error_of(text, true, {{0, {"Z is Y // X"}}}),
              "3: a division by zero in this condition, with Y = 3, X = 0");
    EXPECT_EQ(error_of(text, true, {{0, {"Z is Y + a"}}}), "3: a is not a number in this condition, with Y = 3");
    EXPECT_EQ(error_of(text, true, {{0, {"Z is 9223372036854775807 + Y"}}}),
              "3: the result is too large for an integer of 64 bits in this condition, with Y = 3");
    EXPECT_EQ(error_of(text, true, {{0, {"between(X, 2.5, Z)"}}}),
              "3: 2.5 is not an integer in this condition, with X = 0");
    EXPECT_EQ(error_of(text, true, {{0, {"Z is 1", "1 // 0 > 0"}}}), "3: a division by zero in this condition");
}

TEST(ArithmeticGround, EverNewNumbersAreStopped) {
    GroundOptions options;
    options.most_new_numbers = 50;
    for (const GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        options.mode = mode;
        EXPECT_EQ(error_of("p(0).\np(Y) :- p(X).", true, {{0, {"Y is X + 1"}}}, options),
                  "3: more than 50 new numbers of type 'n' come up in grounding; the last is Y = 54");
    }
    EXPECT_EQ(error_of("p(0).\np(Y) :- p(X).", true, {{0, {"between(0, 1000000000000, Y)"}}}, options),
              "3: more than 50 new numbers of type 'n' come up in grounding; the last is Y = 1000000000000");
    options.most_new_numbers = 1'000'000;
    options.mode = GroundMode::Relevant;
    options.memory_limit = 1 << 20;
    EXPECT_NE(error_of("p(0).\np(Y) :- p(X).", true, {{0, {"Y is X + 1"}}}, options).find("memory limit"),
              std::string::npos);
}

// What came up in one grounding changes nothing in the next.
TEST(ArithmeticGround, GroundingTwiceGivesTheSame) {
    Program program = program_of("p(2). p(1). q(Y) :- p(X).", true, {{0, {"Y is X * 10"}}});
    Diagnostics diagnostics;
    analyse(program, {}, diagnostics);
    const std::optional<GroundProgram> first = ground(program, {}, diagnostics);
    const std::optional<GroundProgram> second = ground(program, {}, diagnostics);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->atoms.size(), second->atoms.size());
    for (std::uint32_t a = 0; a < first->atoms.size(); ++a) {
        EXPECT_TRUE(std::ranges::equal(first->atoms.args_of(AtomId(a)), second->atoms.args_of(AtomId(a))));
    }
}

TEST(ArithmeticGround, TheOrderOfFactsMakesNoDifference) {
    const auto atoms = [](const std::string& given) {
        return atom_texts(ground_program(program_of(given + "q(Y) :- p(X).", true, {{0, {"Y is 35 - X * 10"}}})));
    };
    EXPECT_EQ(atoms("p(2). p(0). p(1). "), atoms("p(1). p(2). p(0). "));
    EXPECT_EQ(atoms("p(2). p(0). p(1). "), (Lines{"p(0)", "p(1)", "p(2)", "q(15)", "q(25)", "q(35)"}));
}

// "X = 2, Y = 3": what the variables of the first clause stand for, per instance.
Lines bindings(const std::string& text, bool open, const Lines& conditions) {
    GroundedText grounded = ground_program(program_of(text, open, {{0, conditions}}));
    const ReasoningGraph& graph = grounded.ground.graph;
    const Clause clause = grounded.program.clauses[0];
    Lines result;
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        const std::optional<ClauseInstance> instance =
            substitution_of(grounded.program, grounded.ground.atoms, clause, graph.head[c], graph.literals(c));
        Lines values;
        for (std::size_t v = 0; instance && v < clause.variables.size(); ++v) {
            values.push_back(
                fmt::format("{} = {}", clause.variables[v].name,
                            print_term(grounded.program.signature, grounded.program.terms, instance->bindings[v])));
        }
        result.push_back(fmt::format("{}", fmt::join(values, ", ")));
    }
    return result;
}

TEST(ArithmeticGround, AnInstanceTellsItsNumbers) {
    EXPECT_EQ(bindings("p(1). p(2). q(Y) :- p(X).", true, {"Y is Z * 10", "Z is X + 1"}),
              (Lines{"Y = 20, X = 1, Z = 2", "Y = 30, X = 2, Z = 3"}));
    EXPECT_EQ(bindings("p(1). p(2). k :- p(X).", true, {"Z is X + 90", "Z > 91"}), Lines{"X = 2, Z = 92"});
    EXPECT_EQ(bindings("p(1). q(X) :- p(X).", false, {"between(1, 4, Z)", "Z * Z > 5"}), Lines{"X = 1, Z = 3"});
    EXPECT_EQ(bindings("p(3). r(X,Y) :- p(X).", false, {"between(1, X, Y)", "Y =\\= 2"}),
              (Lines{"X = 3, Y = 1", "X = 3, Y = 3"}));
}

TEST(ArithmeticGround, ASavedGraphKeepsItsNumbers) {
    GroundedText grounded = ground_program(program_of("p(1). p(2). q(Y) :- p(X).", true, {{0, {"Y is X * 10"}}}));
    CompiledProgram before;
    before.clauses = {{"q(Y) :- p(X), Y is X * 10.", "test.nm", 2}};
    before.program = std::move(grounded.program);
    before.ground = std::move(grounded.ground);
    before.mode = "relevant";
    before.program.signature.type(TypeId(0)).range = IntegerRange{-1, 1};
    const TemporaryFolder folder;
    save_compiled(before, find_levels(before.ground.graph), folder.path() / "graph.nmg");
    const LoadedProgram loaded = load_compiled(folder.path() / "graph.nmg");
    const Signature& signature = loaded.compiled.program.signature;
    ASSERT_EQ(loaded.compiled.ground.atoms.size(), 4U);
    for (std::uint32_t atom = 0; atom < 4; ++atom) EXPECT_EQ(before.atom_text(atom), loaded.compiled.atom_text(atom));
    EXPECT_TRUE(signature.type(TypeId(0)).open);
    EXPECT_EQ(signature.type(TypeId(0)).range->low, -1);
    EXPECT_TRUE(signature.constants().back().computed);
    EXPECT_TRUE(signature.has_computed_constants());
    EXPECT_EQ(signature.functors().size(), operation_count);
    EXPECT_EQ(signature.functors().back().operation, Operation::Range);
}

}  // namespace
}  // namespace neumann
