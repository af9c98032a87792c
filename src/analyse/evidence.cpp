// What is observed about a fact is its probability: given that it holds, 1, and given that it does not, 0. With
// independent facts this is the conditional probability. What follows from an observed atom that clauses derive is
// another matter: it would have to be reasoned backwards.
#include <algorithm>

#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/print.h"

namespace neumann {

void apply_evidence(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    if (program.evidence.empty()) return;
    std::vector<bool> derived(program.signature.predicates().size(), false);
    for (const Clause& clause : program.clauses) derived[clause.head.predicate.index()] = true;
    const auto observation = [&](PredicateId predicate, std::span<const TermId> args) {
        return std::ranges::find_if(program.evidence, [&](const Evidence& one) {
            return one.atom.predicate == predicate && std::ranges::equal(one.atom.args, args);
        });
    };
    FactList facts;
    std::vector<bool> found(program.evidence.size(), false);
    for (std::size_t i = 0; i < program.facts.size(); ++i) {
        const FactList::Fact fact = program.facts[i];
        const auto observed = observation(fact.predicate, fact.args);
        double probability = fact.probability;
        if (observed != program.evidence.end()) {
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
    for (std::size_t e = 0; e < found.size(); ++e) {
        const Evidence& one = program.evidence[e];
        const PredicateDecl& predicate = program.signature.predicate(one.atom.predicate);
        if (derived[one.atom.predicate.index()] || predicate.neural) {
            diagnostics.report(codes::unsupported, one.atom.span,
                               fmt::format("evidence about '{}', which {}", print_indicator(predicate),
                                           predicate.neural ? "comes with each example" : "clauses derive"),
                               predicate.neural ? "give its value in the example"
                                                : "evidence is about facts; reasoning goes forward only");
        } else if (!found[e] && one.holds) {
            diagnostics.report(codes::bad_declaration, one.atom.span, "this evidence is about what is no fact",
                               "an atom without a fact never holds; give it a probability");
        }
    }
}

}  // namespace neumann
