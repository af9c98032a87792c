#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/substitution.h"

namespace neumann {

namespace {

class SafetyCheck {
public:
    SafetyCheck(const Program& program, const Clause& clause, const SolvedClause& solved, Diagnostics& diagnostics)
        : terms_(program.terms), clause_(clause), solved_(solved), diagnostics_(diagnostics),
          bound_(clause.variables.size(), false) {}

    void run() {
        for (const TermId arg : solved_.head.args) mark(arg);
        for (const Literal& goal : solved_.body) {
            if (!goal.negated) std::ranges::for_each(goal.atom.args, [&](TermId arg) { mark(arg); });
        }
        mark_computed();
        for (const Constraint& c : solved_.arithmetic) check_arithmetic(c);
        for (const Constraint& c : solved_.disequations) {
            check(c.left, "a constraint", in_an_atom);
            check(c.right, "a constraint", in_an_atom);
        }
        for (const Constraint& c : solved_.disequations) {  // already reported
            mark(c.left);
            mark(c.right);
        }
        for (const Literal& goal : solved_.body) {
            if (!goal.negated) continue;
            for (const TermId arg : goal.atom.args) {
                check(arg, "a negated literal", in_an_atom);
                mark(arg);
            }
        }
    }

private:
    static constexpr const char* in_an_atom = "it must also occur in the head or in an atom of the body";

    void mark(TermId term) {
        for_each_variable(terms_, term, [&](std::uint32_t v) { bound_[v] = true; });
    }
    bool is_bound(TermId term) const {
        bool all = true;
        for_each_variable(terms_, term, [&](std::uint32_t v) { all = all && bound_[v]; });
        return all;
    }

    // The variables that get their values from those of others.
    void mark_computed() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Constraint& c : solved_.arithmetic) {
                const bool computes = c.comparison == Comparison::Is || c.comparison == Comparison::Between;
                if (!computes || terms_.kind(c.left) != TermKind::Variable || is_bound(c.left) || !is_bound(c.right))
                    continue;
                mark(c.left);
                changed = true;
            }
        }
    }

    void check_arithmetic(const Constraint& c) {
        const bool computes = c.comparison == Comparison::Is || c.comparison == Comparison::Between;
        const char* const where = computes ? "a computation that needs its value" : "a comparison";
        constexpr const char* advice = "bind it in an atom of the body, with X is …, or with between(Low, High, X)";
        check(c.right, where, advice);
        if (!computes || terms_.kind(c.left) != TermKind::Variable) check(c.left, where, advice);
        mark(c.left);  // already reported
        mark(c.right);
    }

    void check(TermId term, const char* where, const char* advice) {
        for_each_variable(terms_, term, [&](std::uint32_t v) {
            if (bound_[v]) return;
            diagnostics_.report(codes::unsafe_variable, clause_.variables[v].span,
                                fmt::format("variable '{}' occurs only in {}", clause_.variables[v].name, where),
                                advice);
        });
    }

    const TermTable& terms_;
    const Clause& clause_;
    const SolvedClause& solved_;
    Diagnostics& diagnostics_;
    std::vector<bool> bound_;  // per variable: something gives it values
};

}  // namespace

// Disequations, comparisons and negated literals only filter: their variables must get their values from an atom or
// from a computation.
void check_safety(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    for (const Clause& clause : program.clauses) {
        const std::optional<SolvedClause> solved = solve_constraints(program.terms, clause);
        if (solved) SafetyCheck(program, clause, *solved, diagnostics).run();
    }
}

}  // namespace neumann
