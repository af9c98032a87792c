#include "interchange/type_domains.h"

#include <fmt/format.h>

#include "logic/print.h"

namespace neumann::interchange {

std::string TypeDomains::predicate(TypeId type, const ClauseVariable& variable, const Clause& clause) {
    const TypeDecl& declared = program_.signature.type(type);
    if (!declared.functors.empty()) {
        diagnostics_.report(codes::unsupported, clause.span,
                            fmt::format("no goal gives '{}' a value: it ranges over all terms of the type {}",
                                        variable.name, quote_name(declared.name)),
                            "other languages have no types; bind it in an atom of the body");
        return {};
    }
    std::string& name = predicates_[type];
    if (name.empty()) name = names_.fresh("type " + declared.name);
    return name;
}

std::string TypeDomains::facts(const TermText& text) const {
    std::string facts;
    for (const auto& [type, predicate] : predicates_) {
        const std::vector<ConstantId>& constants = program_.signature.type(type).constants;
        if (constants.empty()) facts += fmt::format("{0}(X) :- {0}(X).\n", predicate);  // of nothing
        for (const ConstantId constant : constants)
            facts += fmt::format("{}({}).\n", predicate, text.constant(constant));
    }
    return facts;
}

}  // namespace neumann::interchange
