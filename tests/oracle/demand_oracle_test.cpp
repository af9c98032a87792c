// Grounding only what queries reach, against grounding everything and keeping what they need.
#include <utility>

#include <gtest/gtest.h>

#include "ground/demand.h"
#include "logic/bounds.h"
#include "oracle/cases.h"

namespace neumann::oracle {
namespace {

std::size_t rewritten = 0;

std::string check_demand(const Case& one) {
    Program program = load(one.source, false);
    const TermBounds bounds(program.signature);
    rewritten += find_demand(program, compile_rules(program, bounds)) ? 1 : 0;
    GroundOptions options;
    const Grounded with = ground_program(load(one.source, false), options);
    options.demand = false;
    const Grounded without = ground_program(load(one.source, false), options);
    return compare_graphs(with, without);
}

TEST(DemandOracle, TheGraphIsTheSame) {
    rewritten = 0;
    check_programs(12'000'000, 1500, check_demand);
    EXPECT_GT(rewritten, 100U) << "of 1,500";
}

TEST(DemandOracle, TheGraphIsTheSameWithNegation) {
    rewritten = 0;
    check_programs(13'000'000, 1500, check_demand, random_stratified_program);
    EXPECT_GT(rewritten, 100U) << "of 1,500";
}

}  // namespace
}  // namespace neumann::oracle
