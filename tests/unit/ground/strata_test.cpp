#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ground/strata.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

struct Stratified {
    ReadProgram read;
    std::vector<Rule> rules;
    Strata strata;

    explicit Stratified(const std::string& clauses)
        : read(neumann::read(":- pred(a). :- pred(b). :- pred(c). :- pred(d). :- pred(e).\n" + clauses)) {
        const TermBounds bounds(read.program.signature);
        rules = compile_rules(read.program, bounds);
        strata = stratify(dependencies_of(5, rules), 5, rules);
    }
    PredicateId predicate(const std::string& name) const { return read.program.signature.find_predicate(name, 0); }
    std::uint32_t stratum(const std::string& name) const { return strata.stratum_of[predicate(name).index()]; }
};

TEST(Strata, WhatAPredicateDependsOnComesBeforeIt) {
    const Stratified chain("a :- b. b :- c. c :- d, e.");
    EXPECT_GT(chain.stratum("a"), chain.stratum("b"));
    EXPECT_GT(chain.stratum("b"), chain.stratum("c"));
    EXPECT_GT(chain.stratum("c"), chain.stratum("d"));
    EXPECT_GT(chain.stratum("c"), chain.stratum("e"));
}

TEST(Strata, PredicatesThatDependOnEachOtherShareOne) {
    const Stratified mutual("a :- b. b :- a. b :- c. d :- a. a :- a, e.");
    EXPECT_EQ(mutual.stratum("a"), mutual.stratum("b"));
    EXPECT_GT(mutual.stratum("d"), mutual.stratum("a"));
    EXPECT_EQ(mutual.strata.order[mutual.stratum("a")].rules.size(), 4U);
    EXPECT_EQ(mutual.strata.order[mutual.stratum("a")].predicates.size(), 2U);
    EXPECT_TRUE(mutual.strata.order[mutual.stratum("c")].rules.empty());
}

TEST(Strata, OnlyWhatIsAskedForIsNeeded) {
    const Stratified program("a :- b. b :- c. d :- e.");
    const std::vector<bool> needed = dependencies_of(5, program.rules).needed_for(std::array{program.predicate("a")});
    EXPECT_EQ(needed, (std::vector<bool>{true, true, true, false, false}));
}

}  // namespace
}  // namespace neumann
