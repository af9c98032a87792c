#include <set>

#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/bounds.h"
#include "logic/print.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

class BoundednessCheck {
public:
    BoundednessCheck(Program& program, Diagnostics& diagnostics)
        : program_(program), bounds_(program.signature), diagnostics_(diagnostics) {}

    void check_all_types() {
        for (std::size_t t = 0; t < program_.signature.types().size(); ++t) {
            const auto type = checked_id<TypeId>(t, "types");
            if (!bounds_.is_finite(type))
                report(program_.signature.type(type).span, type, "full grounding needs all its terms");
        }
    }

    void check_neural_predicates() {
        for (const PredicateDecl& predicate : program_.signature.predicates()) {
            if (!predicate.neural) continue;
            for (TypeId arg : predicate.args) {
                if (bounds_.is_finite(arg)) continue;
                report(
                    predicate.span, arg,
                    fmt::format("neural predicate '{}' has an atom for each of its terms", print_indicator(predicate)));
                break;
            }
        }
    }

    // In a head, a variable that the body does not bind ranges over its type, and a functor may build ever larger
    // terms.
    void check_head(const Clause& clause) {
        const std::optional<SolvedClause> solved = solve_constraints(program_.terms, clause);
        if (!solved) return;
        std::set<TermId> in_body;
        for (const Literal& goal : solved->body) {
            if (goal.negated) continue;  // it gives no variable a value
            for (TermId arg : goal.atom.args) collect(arg, in_body);
        }
        for (const Constraint& c : solved->arithmetic) {
            if (c.comparison == Comparison::Is || c.comparison == Comparison::Between) collect(c.left, in_body);
        }
        for (TermId arg : solved->head.args) check_term(clause, arg, in_body);
    }

private:
    void collect(TermId term, std::set<TermId>& out) const {
        out.insert(term);
        for (TermId arg : program_.terms.args(term)) collect(arg, out);
    }

    void check_term(const Clause& clause, TermId term, const std::set<TermId>& in_body) {
        const TermTable& terms = program_.terms;
        if (terms.is_ground(term) || in_body.contains(term)) return;
        if (terms.kind(term) == TermKind::Variable) {
            const ClauseVariable& variable = clause.variables[terms.variable_index(term)];
            if (!bounds_.is_finite(variable.type)) {
                report(variable.span, variable.type,
                       fmt::format("head variable '{}' is not bound by the body and ranges over all its terms",
                                   variable.name));
            }
            return;
        }
        const TypeId type = program_.signature.functor(terms.functor_of(term)).result;
        if (!bounds_.is_finite(type)) {
            report(clause.head.span, type,
                   fmt::format("the head builds {}, which the body does not contain, and may do so without end",
                               print_term(program_.signature, terms, term, clause.variables)));
            return;
        }
        for (TermId arg : terms.args(term)) check_term(clause, arg, in_body);
    }

    void report(Span span, TypeId type, const std::string& why) {
        diagnostics_.report(codes::unbounded_type, span,
                            fmt::format("type '{}' is unbounded: {}", program_.signature.type(type).name, why),
                            bounds_.how_to_bound(type));
    }

    Program& program_;
    TermBounds bounds_;
    Diagnostics& diagnostics_;
};

}  // namespace

void check_boundedness(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics) {
    BoundednessCheck check(program, diagnostics);
    if (options.full_grounding) check.check_all_types();
    check.check_neural_predicates();
    for (const Clause& clause : program.clauses) check.check_head(clause);
}

}  // namespace neumann
