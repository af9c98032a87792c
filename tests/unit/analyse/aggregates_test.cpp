// Aggregates become clauses; what these derive is what counts.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reason/reference/reference.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

// Values of the atoms of a predicate under sum-product, as "n(2) 0.25 n(3) 0.5".
std::string values(const std::string& text, const std::string& predicate) {
    const GroundedText grounded = ground_text(text);
    const ReasoningGraph& graph = grounded.ground.graph;
    const Schedule schedule = automatic_schedule(graph, find_levels(graph));
    const ReferenceReasoner reasoner(graph, semantics_named("sum-product"), 0.01, schedule);
    const std::vector<double> weights(graph.weight.begin(), graph.weight.end());
    const std::vector<double> initial(graph.initial.begin(), graph.initial.end());
    const ReferenceRun run = reasoner.forward(weights, initial);
    std::string out;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        const std::string atom = atom_text(grounded, a);
        if (atom.starts_with(predicate + "(") && run.result()[a] > 0)
            out += fmt::format("{}{} {:.4g}", out.empty() ? "" : " ", atom, run.result()[a]);
    }
    return out;
}

const std::string three = "0.5::p(a,2). 0.5::p(b,3). 0.5::p(c,3).\n";

TEST(Aggregates, TheNumberOfUncertainThingsIsPoissonBinomial) {
    EXPECT_EQ(values(three + "n(N) :- aggregate_all(count, p(_,_), N).", "n"),
              "n(0) 0.125 n(1) 0.375 n(2) 0.375 n(3) 0.125");
    EXPECT_EQ(values("0.9::p(a). 0.2::p(b). n(N) :- aggregate_all(count, p(_), N).", "n"),
              "n(0) 0.08 n(1) 0.74 n(2) 0.18");
}

TEST(Aggregates, SumsAndExtremes) {
    EXPECT_EQ(values(three + "n(N) :- aggregate_all(sum(X), p(_,X), N).", "n"),
              "n(2) 0.125 n(3) 0.25 n(0) 0.125 n(5) 0.25 n(6) 0.125 n(8) 0.125");
    EXPECT_EQ(values(three + "n(N) :- aggregate_all(max(X), p(_,X), N).", "n"), "n(2) 0.125 n(3) 0.75");
    EXPECT_EQ(values(three + "n(N) :- aggregate_all(min(X), p(_,X), N).", "n"), "n(2) 0.5 n(3) 0.375");
    EXPECT_EQ(values("p(a,2). p(b,5). n(N) :- aggregate_all(avg(X), p(_,X), N).", "n"), "n(3.5) 1");
    EXPECT_EQ(values("p(a,2). p(b,5). n(N) :- aggregate_all(sum(X * X), p(_,X), N).", "n"), "n(29) 1");
}

TEST(Aggregates, VariablesOfTheClauseMakeGroups) {
    const std::string parents = "person(ann). person(bob). parent(ann,bob). parent(ann,cid). ";
    EXPECT_EQ(values(parents + "n(X,N) :- person(X), aggregate_all(count, parent(X,_), N).", "n"),
              "n(ann,2) 1 n(bob,0) 1");
    EXPECT_EQ(values(parents + "n(X,N) :- aggregate_all(count, parent(X,_), N).", "n"), "n(ann,2) 1")
        << "only the goal says which groups there are";
    EXPECT_EQ(values(parents + "n(N) :- aggregate_all(count, (person(X), \\+ parent(X,_)), N).", "n"), "n(1) 1");
}

TEST(Aggregates, NothingHasNoLargest) {
    const std::string nobody = "p(a,1). q(b). n(N) :- ";
    EXPECT_EQ(values(nobody + "q(X), aggregate_all(count, p(X,_), N).", "n"), "n(0) 1");
    EXPECT_EQ(values(nobody + "q(X), aggregate_all(max(V), p(X,V), N).", "n"), "");
    EXPECT_EQ(values(nobody + "q(X), aggregate_all(avg(V), p(X,V), N).", "n"), "");
}

TEST(Aggregates, CertainInstancesLeaveOneWayThrough) {
    std::string text = "n(N) :- aggregate_all(sum(X), p(_,X), N).\n";
    for (int i = 0; i < 60; ++i) text += fmt::format("p(x{},{}). ", i, 1 << (i % 30));
    const GroundedText grounded = ground_text(text);
    EXPECT_LT(grounded.ground.graph.atom_count(), 200U) << "not one atom for each of 2^60 sums";
}

}  // namespace
}  // namespace neumann
