// --facts evaluate: what is 1 whatever the weights and inputs is computed away, and nothing else.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/read_program.h"

namespace neumann {
namespace {

using Lines = std::vector<std::string>;

Lines evaluated(const std::string& text, GroundMode mode = GroundMode::Relevant) {
    return clause_texts(ground_text(text, {.mode = mode, .facts = FactMode::Evaluate}));
}
Lines evaluated_atoms(const std::string& text) { return atom_texts(ground_text(text, {.facts = FactMode::Evaluate})); }

const std::string vocabulary = ":- pred(a). :- pred(b). :- pred(c). :- pred(d). :- pred(e). :- neural(n).\n";

TEST(FactMode, CertainChainsAreComputedAway) {
    EXPECT_EQ(evaluated(vocabulary + "a. b :- a. c :- b, a. d :- n, c. :- query(d)."), Lines{"d :- n"});
    EXPECT_EQ(evaluated_atoms(vocabulary + "a. b :- a. c :- b, a. d :- n, c. :- query(d)."), (Lines{"d", "n"}));
    EXPECT_EQ(evaluated(vocabulary + "a :- true. b :- a. d :- n, b. :- query(d)."), Lines{"d :- n"})
        << "an empty body is certain";
}

TEST(FactMode, AnAskedAtomStaysWithItsValue) {
    const GroundedText grounded = ground_text(vocabulary + "a. b :- a. :- query(b).", {.facts = FactMode::Evaluate});
    EXPECT_EQ(atom_texts(grounded), Lines{"b"});
    EXPECT_EQ(grounded.ground.graph.initial[0], 1.0F);
    EXPECT_TRUE(clause_texts(grounded).empty());
}

TEST(FactMode, WithoutAQueryEveryAtomIsAskedFor) {
    EXPECT_EQ(evaluated_atoms(vocabulary + "a. b :- a."), (Lines{"a", "b", "n"}));
}

TEST(FactMode, WeightedClausesStay) {
    EXPECT_EQ(evaluated(vocabulary + "a. 0.5::b :- a. c :- b. :- query(c)."), (Lines{"b", "c :- b"}));
    EXPECT_EQ(evaluated(vocabulary + "a. 1::b :- a. c :- b. :- query(c)."), (Lines{"b", "c :- b"}))
        << "a written 1 may change";
}

TEST(FactMode, UncertainFactsStay) {
    EXPECT_EQ(evaluated(vocabulary + "0.5::a. b :- a. :- query(b)."), Lines{"b :- a"});
    EXPECT_EQ(evaluated(vocabulary + "1::a. c :- b. b :- a, n. :- query(c)."), (Lines{"b :- n", "c :- b"}))
        << "a fact of 1 is a fact";
}

TEST(FactMode, AlmostCertainIsNotCertain) {
    EXPECT_EQ(evaluated(vocabulary + "0.99999999::a. b :- a. :- query(b)."), Lines{"b :- a"});
}

TEST(FactMode, NeuralFactsStay) {
    EXPECT_EQ(evaluated(vocabulary + "n. b :- n. c :- b. :- query(c)."), (Lines{"b :- n", "c :- b"}))
        << "its value comes with each example";
}

TEST(FactMode, ClausesOfLearnedPredicatesStay) {
    EXPECT_EQ(evaluated(vocabulary + ":- learn(b/0, 1). a. b :- a. c :- b. d :- c. :- query(d)."),
              (Lines{"b", "c :- b", "d :- c"}));
}

TEST(FactMode, OneCertainWayIsEnough) {
    EXPECT_EQ(evaluated(vocabulary + "a. b :- n. b :- a. c :- b, n. :- query(c)."), Lines{"c :- n"});
}

TEST(FactMode, AlsoInFullGrounding) {
    const GroundedText grounded =
        ground_text(vocabulary + "a. b :- a. c :- b, n. d :- e. :- query(c).", {GroundMode::Full, FactMode::Evaluate});
    EXPECT_EQ(clause_texts(grounded), (Lines{"c :- n", "d :- e"}));
    EXPECT_EQ(atom_texts(grounded), (Lines{"c", "d", "e", "n"})) << "certain atoms go, unless they are asked for";
}

TEST(FactMode, KeepKeeps) {
    EXPECT_EQ(clause_texts(ground_text(vocabulary + "a. b :- a. c :- b, n. :- query(c).")),
              (Lines{"b :- a", "c :- b, n"}));
}

TEST(FactMode, NothingIsNeededBelowACertainAtom) {
    EXPECT_EQ(evaluated_atoms(vocabulary + "a. a :- n. 0.5::b :- a. :- query(b)."), Lines{"b"});
}

}  // namespace
}  // namespace neumann
