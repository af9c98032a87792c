// Predicates for the types that variables range over where no goal gives them values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "interchange/symbol_names.h"
#include "interchange/term_text.h"

namespace neumann::interchange {

class TypeDomains {
public:
    TypeDomains(const Program& program, SymbolNames& names, Diagnostics& diagnostics)
        : program_(program), names_(names), diagnostics_(diagnostics) {}

    // The name of the predicate of a type without functors; a type with functors is reported for the clause, and has
    // none.
    std::string predicate(TypeId type, const ClauseVariable& variable, const Clause& clause);
    std::string facts(const TermText& text) const;
    bool any() const { return !predicates_.empty(); }

private:
    const Program& program_;
    SymbolNames& names_;
    Diagnostics& diagnostics_;
    std::map<TypeId, std::string> predicates_;
};

}  // namespace neumann::interchange
