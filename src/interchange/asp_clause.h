// One clause as a rule for clingo.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "interchange/clause_goals.h"
#include "interchange/term_text.h"
#include "interchange/type_domains.h"

namespace neumann::interchange {

class AspClause {
public:
    AspClause(const Program& program, const Clause& clause, const TermText& text, TypeDomains& domains,
              Diagnostics& diagnostics);

    std::string text();

private:
    void name_variables();
    std::string fresh();
    std::string atom(const Atom& atom) const { return text_.atom(atom.predicate, atom.args, names_); }
    void add_constraint(const Constraint& constraint);
    void add_aggregate(const Aggregate& aggregate, const std::set<std::uint32_t>& groups);
    std::string expression(TermId term, unsigned most = 0);
    void refuse(const std::string& what, const std::string& advice);

    const Program& program_;
    const Clause& clause_;
    const TermText& text_;
    TypeDomains& domains_;
    Diagnostics& diagnostics_;
    VariableNames names_;
    std::set<std::string> taken_;
    std::vector<std::string> goals_;
    unsigned fresh_ = 0;
};

}  // namespace neumann::interchange
