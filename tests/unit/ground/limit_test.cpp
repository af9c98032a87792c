// Programs that are too large are refused before the machine notices: which part, and why.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "base/memory.h"
#include "ground/limit.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

constexpr std::uint64_t mib = 1 << 20;

struct Refused {
    std::string problem;  // code and line
    std::string message;
    std::uint64_t grown = 0;  // peak memory that it took to find out
};

Refused refused(const std::string& text, const GroundOptions& options) {
    ReadProgram result = read(text);
    result.diagnostics.switch_off("all");
    analyse(result.program, {options.mode == GroundMode::Full}, result.diagnostics);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    const std::uint64_t before = peak_rss_bytes();
    EXPECT_FALSE(ground(result.program, options, result.diagnostics).has_value());
    const std::vector<Diagnostic> found = result.diagnostics.sorted();
    return {problems(result), found.empty() ? "" : found[0].message, peak_rss_bytes() - before};
}

std::string objects(std::size_t count) { return ":- type(o, [" + many_names(count) + "]).\n"; }

GroundOptions limited(GroundMode mode, std::uint64_t bytes) { return {.mode = mode, .memory_limit = bytes}; }

TEST(Limit, FullAClauseWithTooManyInstancesIsNamed) {
    const Refused clause =
        refused(objects(1000) + ":- neural(in(o)). :- pred(k).\nk :- in(A), in(B), in(C), in(D), in(E).\nk :- in(A).",
                limited(GroundMode::Full, 64 * mib));
    EXPECT_EQ(clause.problem, "memory-limit@3");
    EXPECT_NE(clause.message.find("A: 1000 of 'o'"), std::string::npos) << clause.message;
    EXPECT_LT(clause.grown, 16 * mib) << "counted, not tried";
}

TEST(Limit, RelevantAClauseWithTooManyInstancesIsNamed) {
    const Refused clause =
        refused(objects(1000) + ":- neural(in(o)). :- pred(k).\nk :- in(A), in(B), in(C), in(D), in(E).\nk :- in(A).",
                limited(GroundMode::Relevant, 64 * mib));
    EXPECT_EQ(clause.problem, "memory-limit@3");
    EXPECT_NE(clause.message.find("beyond the memory limit of 64.0 MiB"), std::string::npos) << clause.message;
    EXPECT_LT(clause.grown, 128 * mib) << "stopped on the way";
}

TEST(Limit, AHeadThatRangesFreely) {
    for (GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const Refused clause = refused(objects(2000) + ":- pred(p(o, o)).\np(X, Y).", limited(mode, 32 * mib));
        EXPECT_EQ(clause.problem, "memory-limit@" + std::string(mode == GroundMode::Full ? "2" : "3"));
        EXPECT_LT(clause.grown, 96 * mib);
    }
}

TEST(Limit, APredicateWithTooManyAtomsIsNamed) {
    const Refused predicate = refused(objects(1000) + ":- pred(small(o)).\n:- pred(big(o, o, o)).\nsmall(o1).",
                                      limited(GroundMode::Full, 64 * mib));
    EXPECT_EQ(predicate.problem, "memory-limit@3");
    EXPECT_NE(predicate.message.find("'big/3' has 1000000000 atoms"), std::string::npos) << predicate.message;
    EXPECT_LT(predicate.grown, 16 * mib);
}

TEST(Limit, ANeuralPredicateWithTooManyAtomsIsNamed) {
    for (GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const Refused predicate =
            refused(objects(1000) + ":- neural(small(o)).\n:- neural(big(o, o, o)).\n", limited(mode, 64 * mib));
        EXPECT_EQ(predicate.problem, "memory-limit@3");
        EXPECT_NE(predicate.message.find("'big/3' has 1000000000 atoms"), std::string::npos) << predicate.message;
        EXPECT_LT(predicate.grown, 16 * mib);
    }
}

TEST(Limit, ATypeWithTooManyTermsIsNamed) {
    for (GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const Refused type =
            refused(objects(300) + ":- list(long, o, f, nil).\n:- max_length(long, 4).\n:- neural(p(long)).",
                    limited(mode, 32 * mib));
        EXPECT_EQ(type.problem, "memory-limit@2");
        EXPECT_NE(type.message.find("type 'long'"), std::string::npos) << type.message;
        EXPECT_LT(type.grown, 96 * mib);
    }
}

TEST(Limit, CountsThatDoNotFit64BitsAreStillCounts) {
    const Refused predicate =
        refused(objects(1000) + ":- pred(p(o,o,o,o,o,o,o,o)).", limited(GroundMode::Full, 64 * mib));
    EXPECT_NE(predicate.message.find("more than 10^19 atoms"), std::string::npos) << predicate.message;
    const Refused clause =
        refused(objects(1000) + ":- neural(in(o)). :- pred(k).\nk :- in(A),in(B),in(C),in(D),in(E),in(F),in(G),in(H).",
                limited(GroundMode::Full, 64 * mib));
    EXPECT_EQ(clause.problem, "memory-limit@3");
}

// Memory enough is not the only question: an atom needs a number.
TEST(Limit, MoreAtomsThanIdsAreRefusedEvenWithMemory) {
    const Refused predicate = refused(objects(3000) + ":- pred(p(o,o,o)).", limited(GroundMode::Full, 1ULL << 62));
    EXPECT_EQ(predicate.problem, "memory-limit");
    EXPECT_EQ(predicate.message, "more than 2147483646 atoms: too many for 32-bit ids");
    EXPECT_LT(predicate.grown, 16 * mib);
}

TEST(Limit, MoreGroundClausesThanIdsAreRefusedEvenWithMemory) {
    const Refused clause = refused(objects(3000) + ":- neural(in(o)). :- pred(k).\nk :- in(A), in(B), in(C).",
                                   limited(GroundMode::Full, 1ULL << 62));
    EXPECT_EQ(clause.problem, "memory-limit");
    EXPECT_EQ(clause.message, "more than 4294967294 ground clauses: too many for 32-bit ids");
    EXPECT_LT(clause.grown, 16 * mib);
}

TEST(Limit, FactsThatTakeTooMuchAreCounted) {
    std::string text = objects(20'000) + ":- pred(p(o)). :- pred(k).\nk :- p(X).\n";
    for (int i = 0; i < 20'000; ++i) text += "p(o" + std::to_string(i) + ").\n";
    for (GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const Refused facts = refused(text, limited(mode, 2 * mib));
        EXPECT_EQ(facts.problem, "memory-limit@4");
        EXPECT_NE(facts.message.find("the program and its 20000 facts take "), std::string::npos) << facts.message;
        EXPECT_NE(facts.message.find("beyond the memory limit of 2.0 MiB"), std::string::npos) << facts.message;
        EXPECT_LT(facts.grown, 2 * mib) << "counted, not tried";
        EXPECT_EQ(ground_text(text, limited(mode, 32 * mib)).ground.graph.conjunction_count(), 20'000U);
    }
}

TEST(Limit, WhatFitsIsNotRefused) {
    for (GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
        const GroundedText grounded =
            ground_text(objects(100) + ":- neural(in(o)). :- pred(k).\nk :- in(A), in(B).", limited(mode, 4 * mib));
        EXPECT_EQ(grounded.ground.graph.conjunction_count(), 10'000U);
    }
}

TEST(Limit, ArithmeticStaysAtTheLargestValue) {
    EXPECT_EQ(saturating_mul(1ULL << 40, 1ULL << 40), saturated);
    EXPECT_EQ(saturating_mul(3, 4), 12U);
    EXPECT_EQ(saturating_add(saturated, 1), saturated);
    EXPECT_EQ(saturating_add(3, 4), 7U);
}

TEST(Limit, ADistinctNeuralPredicateWithTooManyAtoms) {
    const Refused predicate = refused(objects(1000) + ":- neural(line(o,o,o,o,o)).\n:- distinct(line/5).",
                                      limited(GroundMode::Relevant, 64 * mib));
    EXPECT_EQ(predicate.problem, "memory-limit@2");
    EXPECT_LT(predicate.grown, 16 * mib);
}

TEST(Limit, FullCountingEndsEarlyWhereArgumentsMustDiffer) {
    EXPECT_EQ(
        refused(
            objects(1000) +
                ":- neural(in(o)). :- pred(k).\nk :- in(A), in(B), in(C), in(D), in(E), A \\= B, B \\= C, C \\= D, D \\= E.",
            limited(GroundMode::Full, 64 * mib))
            .problem,
        "memory-limit@3");
    EXPECT_EQ(
        refused(objects(1000) +
                    ":- neural(near(o,o)). :- distinct(near/2). :- pred(k).\nk :- near(A,B), near(C,D), near(E,F).",
                limited(GroundMode::Full, 64 * mib))
            .problem,
        "memory-limit@3");
}

}  // namespace
}  // namespace neumann
