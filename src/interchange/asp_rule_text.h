// Translation of one rule of an answer set program, without pools, to clauses of the single-file language.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "interchange/asp_tree.h"

namespace neumann::interchange {

// The symbols that the rules of a program share.
struct AspSymbols {
    std::string list_cell;  // see asp_names.h
    std::string empty_list;
    std::set<std::string> predicates;  // names in use

    std::string fresh_predicate(const std::string& base);  // base_1, base_2, …
};

class AspRuleText {
public:
    AspRuleText(const AspRule& rule, AspSymbols& symbols, Diagnostics& diagnostics);

    // The clause, and clauses for the elements of its aggregates.
    std::vector<std::string> clauses();
    std::string atom(const AspTerm& atom);  // of a query

private:
    using Goals = std::vector<std::string>;
    using Names = std::set<std::string>;
    enum class Binds { Yes, No };  // whether the variables of a term get their values there

    // ——— variables
    void find_globals();
    void find_bound(const std::vector<AspLiteral>& literals);
    bool bind_equal(const AspComparison& comparison);
    bool is_bound(const AspTerm& term) const;
    // Here a variable of a head that no goal binds ranges over its type; there it is a mistake, or solved for.
    void require_bound(const Names& names, Span span);
    std::string fresh();
    std::string variable(const std::string& name) const;
    // Variables of its own for a part of the body, as long as the returned scope lives.
    struct Scope {
        Names bound;
        std::map<std::string, std::string> names;
    };
    Scope enter(const Names& locals);
    void leave(Scope scope);

    // ——— terms
    std::string term(const AspTerm& one, Goals& goals, Binds binds);
    std::string arguments(const std::vector<AspTerm>& args, Goals& goals, Binds binds);
    std::string list(const AspTerm& cell, Goals& goals, Binds binds);
    std::string computed(const AspTerm& one, Goals& goals, Binds binds);
    std::string expression(const AspTerm& one, unsigned most = 999);
    std::string remainder(const AspTerm& one, unsigned most);
    // X is …, if the expression is linear in a variable without value and has the value that is named.
    std::optional<std::string> inverse(const AspTerm& one, const std::string& value);

    // ——— literals
    void literal(const AspLiteral& literal, Goals& goals);
    void comparison(const AspComparison& comparison, const std::string& relation, Goals& goals);
    void equation(const AspComparison& comparison, Goals& goals);
    void conditional(const AspLiteral& one, Goals& goals);

    // ——— aggregates (asp_aggregates.cpp)
    struct Instances {
        std::string goal;
        std::string weight;
    };
    void aggregate(const AspLiteral& literal, Goals& goals);
    bool is_direct(const AspLiteral& literal) const;
    std::optional<std::string> smallest_or_largest(const AspLiteral& literal);
    Names add_binding_goals(Goals& goals);
    Instances direct_instances(const AspLiteral& one);
    Instances auxiliary_instances(const AspLiteral& literal);
    std::string auxiliary_clause(const AspElement& element, const std::string& name, const Names& shared);
    void add_guarded(const std::string& function, const Instances& instances, const std::vector<AspGuard>& guards,
                     Goals& goals);
    Names shared_of(const AspElement& element) const;
    Names locals_of(const AspElement& element) const;

    void refuse(Span span, const std::string& what, const std::string& advice);

    const AspRule& rule_;
    AspSymbols& symbols_;
    Diagnostics& diagnostics_;
    Names globals_;                          // variables that occur outside of aggregates and conditions
    Names bound_;                            // those that goals without negation bind
    Names taken_;                            // names of variables in use here
    std::map<std::string, unsigned> parts_;  // of each variable: in how many parts of the body it occurs
    std::map<std::string, std::string> names_;
    std::vector<std::string> auxiliaries_;
    unsigned fresh_ = 0;
};

// The variables of a term or literal; `_` among them.
void add_variables(const AspTerm& term, std::set<std::string>& names);
void add_variables(const AspLiteral& literal, std::set<std::string>& names);
// The variables that an atom binds: not inside of operations.
void add_plain_variables(const AspTerm& term, std::set<std::string>& names);

std::string joined(const std::vector<std::string>& goals);  // in brackets if there are several
std::string_view complement(std::string_view relation);
std::string_view our_relation(std::string_view relation);  // between numbers: =< for <=

}  // namespace neumann::interchange
