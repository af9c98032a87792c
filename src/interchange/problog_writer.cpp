// ProbLog programs. Goals stand in an order in which they can be called from left to right.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "interchange/clause_goals.h"
#include "interchange/symbol_names.h"
#include "interchange/term_text.h"
#include "interchange/type_domains.h"
#include "interchange/writers.h"
#include "logic/print.h"

namespace neumann::interchange {
namespace {

// Prolog has no words that begin with a digit.
std::string prolog_name(const std::string& name) {
    const bool digit = !name.empty() && name[0] >= '0' && name[0] <= '9';
    return digit && !parse_number(name) ? quote_text(name) : quote_name(name);
}

std::string prolog_symbol(const std::string& name) { return parse_number(name) ? quote_text(name) : prolog_name(name); }

bool is_prolog_name(std::string_view) { return true; }  // with quotes every name is one

class ProblogWriter {
public:
    ProblogWriter(const Program& program, Diagnostics& diagnostics)
        : program_(program), diagnostics_(diagnostics), names_(program.signature, is_prolog_name),
          domains_(program, names_, diagnostics),
          text_(program, {prolog_name, prolog_symbol, Spelling::Lists::Brackets, {}, {}}) {}

    std::string write() {
        refuse_predicates();
        std::string clauses;
        for (std::size_t c = 0; c < program_.clauses.size();) c = add_clauses(c, clauses);
        const std::string facts = fact_lines();
        std::string tasks;
        for (const Evidence& one : program_.evidence)
            tasks += fmt::format("evidence({}{}).\n", one.holds ? "" : "\\+ ", atom(one.atom, {}));
        for (const Query& query : program_.queries)
            tasks += fmt::format("query({}).\n", atom(query.atom, names_of(query.variables)));
        return left_out(program_) + facts + undefined() + domains_.facts(text_) + clauses + tasks;
    }

private:
    void refuse(Span span, const std::string& what, const std::string& advice) {
        diagnostics_.report(codes::unsupported, span, fmt::format("ProbLog has no place for {}", what), advice);
    }

    void refuse_predicates() {
        for (const PredicateDecl& predicate : program_.signature.predicates()) {
            if (predicate.neural)
                refuse(predicate.span, fmt::format("the neural predicate '{}'", print_indicator(predicate)),
                       "its values come from outside; write the facts of one example in its place");
        }
        for (const Clause& clause : program_.clauses) {
            const PredicateDecl& head = program_.signature.predicate(clause.head.predicate);
            if (head.exclusive && !head.neural)
                refuse(clause.span, fmt::format("clauses of the exclusive predicate '{}'", print_indicator(head)),
                       "write an annotated disjunction: 0.3::a ; 0.7::b :- body.");
        }
    }

    static VariableNames names_of(const std::vector<ClauseVariable>& variables) {
        VariableNames names;
        for (const ClauseVariable& one : variables) names.push_back(one.name);
        return names;
    }
    std::string atom(const Atom& atom, const VariableNames& names) const {
        return text_.atom(atom.predicate, atom.args, names);
    }
    static std::string weight(const Clause& clause) {
        if (clause.parameter) return clause.parameter->open ? "t(_)::" : fmt::format("t({})::", clause.weight_value());
        return clause.choice ? fmt::format("{}::", clause.weight_value()) : weight(clause.weight_value());
    }
    static std::string weight(double value) { return value == 1 ? "" : fmt::format("{}::", value); }

    // To call a predicate that has no clauses is an error; one that needs itself fails.
    std::string undefined() const {
        std::string text;
        for (const PredicateId id : undefined_predicates(program_)) {
            const PredicateDecl& predicate = program_.signature.predicate(id);
            if (predicate.neural) continue;  // refused
            std::vector<std::string> places;
            for (std::size_t i = 1; i <= predicate.args.size(); ++i) places.push_back(fmt::format("V{}", i));
            const std::string name = prolog_symbol(predicate.name);
            text += fmt::format("{0} :- {0}.\n",
                                places.empty() ? name : fmt::format("{}({})", name, fmt::join(places, ",")));
        }
        return text;
    }

    // Facts of an exclusive predicate are one annotated disjunction for each group.
    std::string fact_lines() {
        std::string text;
        std::map<std::pair<PredicateId, std::vector<TermId>>, std::vector<PlainFact>> groups;
        for (const PlainFact& fact : effective_facts(program_, false)) {
            const auto& exclusive = program_.signature.predicate(fact.predicate).exclusive;
            if (exclusive) {
                std::vector<TermId> group = fact.args;
                group.erase(group.begin() + static_cast<std::ptrdiff_t>(*exclusive));
                groups[{fact.predicate, group}].push_back(fact);
                continue;
            }
            text += fmt::format("{}{}.\n", weight(fact.probability), text_.atom(fact.predicate, fact.args, {}));
        }
        for (const auto& [key, facts] : groups) {
            double sum = 0;
            std::vector<std::string> heads;
            for (const PlainFact& fact : facts) {
                sum += fact.probability;
                heads.push_back(fmt::format("{}::{}", fact.probability, text_.atom(fact.predicate, fact.args, {})));
            }
            constexpr double rounding = 1e-9;
            if (sum > 1 + rounding)
                refuse(facts.front().span, fmt::format("exclusive facts whose probabilities sum up to {}", sum),
                       "of exclusive atoms exactly one holds: their probabilities sum up to 1");
            text += fmt::format("{}.\n", fmt::join(heads, " ; "));
        }
        return text;
    }

    // Adds the clause, or all heads of the same annotated disjunction; returns the number of the next clause.
    std::size_t add_clauses(std::size_t first, std::string& text) {
        const std::vector<Clause>& clauses = program_.clauses;
        std::size_t end = first + 1;
        while (clauses[first].choice && end < clauses.size() && clauses[end].choice == clauses[first].choice) ++end;
        std::string heads;
        for (std::size_t c = first; c < end; ++c) {
            heads += c > first ? " ; " : "";
            heads += weight(clauses[c]);
            heads += atom(clauses[c].head, named(clauses[c]));
        }
        const std::vector<std::string> goals = body(clauses[first]);
        // Without a body it reads as a fact here, which is not the same.
        text += fmt::format("{} :- {}.\n", heads, goals.empty() ? "true" : fmt::format("{}", fmt::join(goals, ", ")));
        return end;
    }

    // A variable without a name that is used twice needs one.
    VariableNames named(const Clause& clause) {
        VariableNames names = names_of(clause.variables);
        for (const std::uint32_t v : BoundVariables(program_, clause).ranging()) {
            if (names[v] == "_") names[v] = fmt::format("Any{}", v);
        }
        return names;
    }

    std::vector<std::string> body(const Clause& clause) {
        if (!clause.aggregates.empty())
            refuse(clause.aggregates.front().span, "aggregates", "it has no numbers about uncertain goals");
        const VariableNames names = named(clause);
        BoundVariables bound(program_, clause);
        std::vector<std::string> goals;
        for (const Literal& goal : clause.body) {
            if (!goal.negated) goals.push_back(atom(goal.atom, names));
        }
        for (const std::uint32_t v : bound.ranging()) {
            const ClauseVariable& variable = clause.variables[v];
            if (!program_.signature.type(variable.type).functors.empty()) continue;  // its calls determine its type
            goals.push_back(fmt::format("{}({})", domains_.predicate(variable.type, variable, clause), names[v]));
        }
        add_constraints(clause, names, goals);
        for (const Literal& goal : clause.body) {
            if (goal.negated) goals.push_back("\\+ " + atom(goal.atom, names));
        }
        return goals;
    }

    void add_constraints(const Clause& clause, const VariableNames& names, std::vector<std::string>& goals) {
        std::vector<Constraint> rest = clause.constraints;
        std::ranges::copy(distinct_arguments(program_, clause), std::back_inserter(rest));
        Clause atoms = clause;
        atoms.constraints.clear();
        BoundVariables bound(program_, atoms);
        for (const std::uint32_t v : BoundVariables(program_, clause).ranging()) bound.bind_variable(v);
        while (!rest.empty()) {
            auto next = std::ranges::find_if(rest, [&](const Constraint& c) { return bound.is_ready(c); });
            if (next == rest.end()) next = rest.begin();
            goals.push_back(constraint(*next, names));
            bound.bind(next->left);
            bound.bind(next->right);
            rest.erase(next);
        }
    }

    std::string constraint(const Constraint& c, const VariableNames& names) const {
        if (!is_arithmetic(c.comparison))
            return fmt::format("{} {} {}", text_.term(c.left, names), spelling(c.comparison),
                               text_.term(c.right, names));
        std::vector<ClauseVariable> variables;
        for (const std::string& name : names) variables.push_back({name, {}, {}});
        const auto side = [&](TermId term) { return print_term(program_.signature, program_.terms, term, variables); };
        if (c.comparison != Comparison::Between)
            return fmt::format("{} {} {}", side(c.left), spelling(c.comparison), side(c.right));
        return fmt::format("between({},{},{})", side(program_.terms.args(c.right)[0]),
                           side(program_.terms.args(c.right)[1]), side(c.left));
    }

    const Program& program_;
    Diagnostics& diagnostics_;
    SymbolNames names_;
    TypeDomains domains_;
    TermText text_;
};

}  // namespace

std::string write_problog(const Program& program, Diagnostics& diagnostics) {
    return ProblogWriter(program, diagnostics).write();
}

}  // namespace neumann::interchange
