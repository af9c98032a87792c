#include "resolution/spelled_atoms.h"

#include <algorithm>
#include <string>

#include "resolution/rule_reader.h"

namespace neumann::resolution {
namespace {

// The term of a text, as the only argument of a head query(…); none if it is none.
Term read_goal(Rules& rules, std::string_view text) {
    SourceSet sources;
    Diagnostics told_otherwise;
    const std::size_t before = rules.rules.size();
    read_asked(sources, sources.add("atom", std::string(text)), rules, told_otherwise);
    if (told_otherwise.has_errors() || rules.rules.size() == before) return no_term;
    return rules.terms.args(rules.rules.back().heads[0].atom)[0];
}

}  // namespace

std::optional<SpelledAtoms> find_spelled_atoms(const Signature& signature, std::string_view goal) {
    if (std::ranges::none_of(signature.predicates(), &PredicateDecl::spelled)) return std::nullopt;
    Rules rules;
    const Term asked = read_goal(rules, goal);
    if (asked == no_term || !rules.terms.is_callable(asked)) return std::nullopt;
    SpelledAtoms found{rules.terms.is_ground(asked), {}};
    for (std::uint32_t p = 0; p < signature.predicates().size(); ++p) {
        const PredicateDecl& predicate = signature.predicates()[p];
        if (!predicate.spelled || predicate.auxiliary) continue;
        const Term atom = read_goal(rules, predicate.name);
        if (atom == no_term) continue;
        Environment environment(rules.terms.variables(asked) + rules.terms.variables(atom), no_term);
        if (rules.terms.unify(asked, rules.terms.shifted(atom, rules.terms.variables(asked)), environment))
            found.matching.emplace_back(p);
    }
    return found;
}

}  // namespace neumann::resolution
