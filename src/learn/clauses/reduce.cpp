#include "learn/clauses/reduce.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "learn/clauses/refine.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

// Maps literals with variables onto given ones, whose own variables stand for themselves.
class Matcher {
public:
    Matcher(const TermTable& terms, std::size_t variables) : terms_(terms), bound_(variables) {}

    bool match(TermId pattern, TermId term) {
        if (terms_.kind(pattern) == TermKind::Variable) {
            TermId& bound = bound_[terms_.variable_index(pattern)];
            if (bound.is_none()) {
                bound = term;
                trail_.push_back(terms_.variable_index(pattern));
            }
            return bound == term;
        }
        if (terms_.is_ground(pattern)) return pattern == term;
        if (terms_.kind(term) != TermKind::Compound || terms_.functor_of(term) != terms_.functor_of(pattern))
            return false;
        for (std::size_t i = 0; i < terms_.args(pattern).size(); ++i) {
            if (!match(terms_.args(pattern)[i], terms_.args(term)[i])) return false;
        }
        return true;
    }
    bool match(const Atom& pattern, const Atom& atom) {
        if (pattern.predicate != atom.predicate) return false;
        for (std::size_t i = 0; i < pattern.args.size(); ++i) {
            if (!match(pattern.args[i], atom.args[i])) return false;
        }
        return true;
    }

    bool match(const Literal& pattern, const Literal& literal) {
        return pattern.negated == literal.negated && match(pattern.atom, literal.atom);
    }

    // Maps all patterns, the one with the fewest possible images first.
    bool match_all(std::vector<const Literal*> patterns, const std::vector<const Literal*>& literals) {
        if (patterns.empty()) return true;
        std::vector<const Literal*> images;
        std::size_t chosen = patterns.size();
        for (std::size_t p = 0; p < patterns.size(); ++p) {
            std::vector<const Literal*> possible;
            for (const Literal* literal : literals) {
                const std::size_t mark = trail_.size();
                if (match(*patterns[p], *literal)) possible.push_back(literal);
                undo(mark);
            }
            if (chosen == patterns.size() || possible.size() < images.size()) {
                chosen = p;
                images = std::move(possible);
            }
            if (images.empty()) return false;
        }
        const Literal& pattern = *patterns[chosen];
        patterns.erase(patterns.begin() + static_cast<std::ptrdiff_t>(chosen));
        for (const Literal* image : images) {
            const std::size_t mark = trail_.size();
            if (match(pattern, *image) && match_all(patterns, literals)) return true;
            undo(mark);
        }
        return false;
    }

private:
    void undo(std::size_t mark) {
        for (; trail_.size() > mark; trail_.pop_back()) bound_[trail_.back()] = TermId();
    }

    const TermTable& terms_;
    std::vector<TermId> bound_;
    std::vector<std::uint32_t> trail_;  // variables in the order in which they were bound
};

std::vector<const Literal*> pointers(const std::vector<Literal>& literals) {
    std::vector<const Literal*> result;
    result.reserve(literals.size());
    for (const Literal& literal : literals) result.push_back(&literal);
    return result;
}

}  // namespace

bool subsumes(const TermTable& terms, const Clause& general, const Clause& specific) {
    Matcher matcher(terms, general.variables.size());
    return matcher.match(general.head, specific.head) &&
           matcher.match_all(pointers(general.body), pointers(specific.body));
}

Clause reduce(TermTable& terms, const Clause& clause) {
    Clause result = canonical_clause(terms, clause).clause;
    for (std::size_t i = 0; i < result.body.size();) {
        std::vector<const Literal*> rest = pointers(result.body);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        Matcher matcher(terms, result.variables.size());
        matcher.match(result.head, result.head);
        if (matcher.match_all(pointers(result.body), rest)) {
            result.body.erase(result.body.begin() + static_cast<std::ptrdiff_t>(i));
            i = 0;
        } else {
            ++i;
        }
    }
    return canonical_clause(terms, result).clause;
}

}  // namespace neumann
