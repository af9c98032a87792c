// What the published code computed, from tests/fixtures/reference, and comparison with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unit/read_program.h"

namespace neumann {

inline nlohmann::json reference_figures(const std::string& file) {
    const std::filesystem::path folder = std::filesystem::path(NEUMANN_SOURCE_DIR) / "tests" / "fixtures" / "reference";
    return nlohmann::json::parse(std::ifstream(folder / file));
}

// The original adds an always-true atom, and a conjunction of its own with two edges. `more_edges`: of goals that were
// added to a restated program.
inline void expect_published_size(const GroundedText& grounded, const nlohmann::json& published,
                                  std::uint64_t more_edges = 0) {
    const ReasoningGraph& graph = grounded.ground.graph;
    EXPECT_EQ(grounded.ground.terms, published.at("terms").get<std::uint64_t>());
    EXPECT_EQ(graph.atom_count(), published.at("atoms_with_true").get<std::uint64_t>() - 1);
    EXPECT_EQ(graph.conjunction_count(), published.at("ground_clauses").get<std::uint64_t>());
    EXPECT_EQ(graph.node_count(), published.at("nodes").get<std::uint64_t>() - 2);
    EXPECT_EQ(graph.edge_count(), published.at("edges").get<std::uint64_t>() - 2 + more_edges);
    const Signature& signature = grounded.program.signature;
    for (std::size_t p = 0; p < signature.predicates().size(); ++p) {
        const std::string& name = signature.predicates()[p].name;
        EXPECT_EQ(grounded.ground.atoms.range(PredicateId(static_cast<std::uint32_t>(p))).count,
                  published.at("atoms_per_predicate").value(name, 0U))
            << name;
    }
}

}  // namespace neumann
