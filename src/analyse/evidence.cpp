// Evidence about an independent fact sets its probability: 1 if it holds, 0 if it does not. With independent facts this
// is the conditional probability, under every semantics. Evidence about derived atoms, or about members of an exclusive
// choice, stays: it takes a semantics that reasons backwards, too (see worlds/world_semantics.h).
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/print.h"

namespace neumann {

namespace {

// Leaves each observation once.
void merge_evidence(Program& program, Diagnostics& diagnostics) {
    std::map<std::pair<PredicateId, std::vector<TermId>>, std::size_t> place;  // among the merged ones
    std::vector<Evidence> merged;
    for (Evidence& one : program.evidence) {
        const auto [first, is_new] = place.try_emplace({one.atom.predicate, one.atom.args}, merged.size());
        if (is_new) {
            merged.push_back(std::move(one));
        } else if (const Evidence& other = merged[first->second]; other.holds != one.holds) {
            diagnostics.report(codes::bad_declaration, one.atom.span,
                               one.holds ? "this atom was also observed to be false"
                                         : "this atom was also observed to be true",
                               "remove one of them", {{other.atom.span, "the other evidence is here"}});
        }
    }
    program.evidence = std::move(merged);
}

}  // namespace

void apply_evidence(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    if (program.evidence.empty()) return;
    merge_evidence(program, diagnostics);
    std::vector<bool> derived(program.signature.predicates().size(), false);
    for (const Clause& clause : program.clauses) derived[clause.head.predicate.index()] = true;
    const auto observation = [&](PredicateId predicate, std::span<const TermId> args) {
        return std::ranges::find_if(program.evidence, [&](const Evidence& one) {
            return one.atom.predicate == predicate && std::ranges::equal(one.atom.args, args);
        });
    };
    const auto is_condition = [&](PredicateId predicate) {
        return derived[predicate.index()] || program.signature.predicate(predicate).exclusive.has_value();
    };
    FactList facts;
    std::vector<bool> found(program.evidence.size(), false);
    for (std::size_t i = 0; i < program.facts.size(); ++i) {
        const FactList::Fact fact = program.facts[i];
        const auto observed = observation(fact.predicate, fact.args);
        double probability = fact.probability;
        if (observed != program.evidence.end() && !is_condition(fact.predicate)) {
            found[static_cast<std::size_t>(observed - program.evidence.begin())] = true;
            probability = observed->holds ? 1 : 0;
            if ((fact.probability == 1 && !observed->holds) || (fact.probability == 0 && observed->holds))
                diagnostics.report(codes::bad_declaration, observed->atom.span,
                                   "this evidence contradicts the program, which says otherwise for sure", {},
                                   {{fact.span, "the fact is here"}});
        }
        facts.add(fact.predicate, fact.args, probability, fact.span);
    }
    program.facts = std::move(facts);
    std::vector<Evidence> conditions;
    for (std::size_t e = 0; e < found.size(); ++e) {
        const Evidence& one = program.evidence[e];
        const PredicateDecl& predicate = program.signature.predicate(one.atom.predicate);
        if (is_condition(one.atom.predicate)) {
            conditions.push_back(one);
        } else if (predicate.neural) {
            diagnostics.report(
                codes::unsupported, one.atom.span,
                fmt::format("evidence about '{}', which comes with each example", print_indicator(predicate)),
                "give its value in the example");
        } else if (!found[e] && one.holds) {
            diagnostics.report(codes::bad_declaration, one.atom.span, "this evidence is about what is no fact",
                               "an atom without a fact never holds; give it a probability");
        }
    }
    program.evidence = std::move(conditions);
}

}  // namespace neumann
