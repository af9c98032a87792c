// Constraints of a Popper bias on candidate clauses: `:- body_literal(C,p,_,_), #count{…} > 1.`
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/clause_filter.h"
#include "learn/readers/bias_rules.h"
#include "resolution/depth_first.h"

namespace neumann::search {

// The predicates of candidate clauses that constraints may use, as rules over the facts of clauses; the bias may define
// them itself. To be called before the rules are evaluated.
void add_clause_facts(BiasRules& bias);

class ClauseConstraints : public ClauseFilter {
public:
    // `types`: names by number.
    ClauseConstraints(std::shared_ptr<BiasRules> rules, std::vector<std::string> types);

    bool allows(const Clause& clause, const Bias& bias) override;
    bool allows_somewhere(const Clause& clause, const Bias& bias) override;
    bool may_grow(const Clause& clause, const Bias& bias) override;
    bool allows(const std::vector<Clause>& program, const Bias& bias) override;

    // Types of which a clause may have one variable alone, by constraints of the usual form.
    std::vector<std::string> single_types() const;

private:
    enum class Kind : std::uint8_t { Any, Anywhere, Growing };  // Anywhere: whatever the number of the clause is
    struct Constraint {
        resolution::Term goal;
        bool anywhere = false;  // it does not depend on the number of the clause, nor on other clauses
        bool lasting = false;   // a clause that violates it does so with more goals
    };

    bool is_about_places(resolution::Term goal, std::vector<resolution::Term>& clauses) const;
    bool lasts(resolution::Term goal, std::vector<resolution::Term>& counts) const;
    bool depends_on_clauses(resolution::Term goal) const;
    void add_facts(const Clause& clause, std::size_t number, const Bias& bias, std::vector<resolution::Term>& facts);
    bool violates(Kind kind);

    std::shared_ptr<BiasRules> rules_;
    std::vector<std::string> types_;
    resolution::DepthFirst evaluate_;
    std::vector<Constraint> constraints_;
    bool depends_on_places_ = false;
};

}  // namespace neumann::search
