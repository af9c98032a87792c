#include "logic/canonical.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace neumann {
namespace {

// Variables are told apart by colours: refined from where they occur until nothing changes; remaining ties are broken by
// trying each candidate and keeping the smallest key. Candidates that can be swapped without changing the clause lead to
// the same key, so only one of them is tried: symmetric bodies (in(O1,X), in(O2,X), …) cost no search.
class Canonicalizer {
public:
    Canonicalizer(const TermTable& terms, const SolvedClause& clause, std::size_t variable_count)
        : terms_(terms), clause_(clause), colors_(variable_count, 0) {
        std::vector<bool> occurs(variable_count, false);
        const auto mark = [&](std::uint32_t v) { occurs[v] = true; };
        const auto mark_atom = [&](const Atom& atom) {
            for (TermId arg : atom.args) for_each_variable(terms_, arg, mark);
        };
        mark_atom(clause.head);
        for (const Atom& atom : clause.body) mark_atom(atom);
        for (const Constraint& c : clause.disequations) {
            for_each_variable(terms_, c.left, mark);
            for_each_variable(terms_, c.right, mark);
        }
        for (std::uint32_t v = 0; v < variable_count; ++v) {
            if (occurs[v]) variables_.push_back(v);
        }
    }

    // The order of variables that gives the smallest key.
    std::vector<std::uint32_t> best_order() {
        search(colors_);
        return best_order_;
    }
    const std::vector<std::uint32_t>& best_key() const { return best_key_; }

    using Colors = std::vector<std::uint32_t>;
    using Key = std::vector<std::uint32_t>;

    // One goal as words, its variables replaced by colours.
    void encode(TermId term, const Colors& colors, Key& out) const {
        if (terms_.kind(term) == TermKind::Variable) {
            out.push_back(0);
            out.push_back(colors[terms_.variable_index(term)]);
        } else if (terms_.kind(term) == TermKind::Constant) {
            out.push_back(1);
            out.push_back(terms_.constant_of(term).value());
        } else {
            out.push_back(2);
            out.push_back(terms_.functor_of(term).value());
            for (TermId arg : terms_.args(term)) encode(arg, colors, out);
        }
    }
    Key encode(const Atom& atom, const Colors& colors) const {
        Key out{atom.predicate.value()};
        for (TermId arg : atom.args) encode(arg, colors, out);
        return out;
    }
    Key encode(const Constraint& c, const Colors& colors) const {
        Key left;
        Key right;
        encode(c.left, colors, left);
        encode(c.right, colors, right);
        if (right < left) std::swap(left, right);  // \= is symmetric
        left.insert(left.end(), right.begin(), right.end());
        return left;
    }
    Key encode_clause(const Colors& colors) const {
        std::vector<Key> goals;
        for (const Atom& atom : clause_.body) goals.push_back(encode(atom, colors));
        std::ranges::sort(goals);
        goals.erase(std::unique(goals.begin(), goals.end()), goals.end());
        std::vector<Key> tests;
        for (const Constraint& c : clause_.disequations) tests.push_back(encode(c, colors));
        std::ranges::sort(tests);
        tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
        Key key = encode(clause_.head, colors);
        for (const auto* part : {&goals, &tests}) {
            key.push_back(static_cast<std::uint32_t>(part->size()));
            for (const Key& one : *part) key.insert(key.end(), one.begin(), one.end());
        }
        return key;
    }

private:
    // Splits colours by what the variables' goals look like, until stable. Colours stay ranks, so they are comparable.
    Colors refine(Colors colors) const {
        for (std::size_t classes = 0;;) {
            std::vector<std::pair<std::vector<Key>, std::uint32_t>> profiles;
            for (std::uint32_t v : variables_) {
                Colors marked = colors;
                marked[v] = static_cast<std::uint32_t>(colors.size()) + 1;  // a colour nobody else has: "here"
                std::vector<Key> profile = {{colors[v]}, encode(clause_.head, marked)};
                std::vector<Key> uses;
                for (const Atom& atom : clause_.body) uses.push_back(encode(atom, marked));
                for (const Constraint& c : clause_.disequations) uses.push_back(encode(c, marked));
                std::ranges::sort(uses);
                uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
                profile.insert(profile.end(), uses.begin(), uses.end());
                profiles.emplace_back(std::move(profile), v);
            }
            std::ranges::sort(profiles);
            std::uint32_t rank = 0;
            for (std::size_t i = 0; i < profiles.size(); ++i) {
                if (i > 0 && profiles[i].first != profiles[i - 1].first) rank = static_cast<std::uint32_t>(i);
                colors[profiles[i].second] = rank;
            }
            std::size_t found = 0;
            for (std::size_t i = 0; i < profiles.size(); ++i) {
                found += i == 0 || profiles[i].first != profiles[i - 1].first ? 1 : 0;
            }
            if (found == classes) return colors;
            classes = found;
        }
    }

    bool swappable(std::uint32_t a, std::uint32_t b, const Colors& colors) const {
        Colors first = individual(colors);
        Colors second = first;
        std::swap(second[a], second[b]);
        return encode_clause(first) == encode_clause(second);
    }
    // A colouring in which every variable has a colour of its own, in any order.
    Colors individual(const Colors& colors) const {
        Colors result = colors;
        for (std::size_t i = 0; i < variables_.size(); ++i) result[variables_[i]] = static_cast<std::uint32_t>(i);
        return result;
    }

    void search(const Colors& start) {
        const Colors colors = refine(start);
        std::vector<std::uint32_t> order = variables_;
        std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return colors[a] < colors[b]; });
        // The first class with more than one member.
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() && colors[order[end]] == colors[order[begin]]) ++end;
            if (end - begin > 1) {
                branch(colors, std::span(order).subspan(begin, end - begin));
                return;
            }
            begin = end;
        }
        Key key = encode_clause(colors);
        if (best_order_.empty() || key < best_key_) {
            best_key_ = std::move(key);
            best_order_ = std::move(order);
        }
    }

    void branch(const Colors& colors, std::span<const std::uint32_t> tied) {
        std::vector<std::uint32_t> tried;
        for (std::uint32_t v : tied) {
            const bool redundant = std::ranges::any_of(tried, [&](std::uint32_t t) { return swappable(t, v, colors); });
            if (redundant) continue;
            tried.push_back(v);
            Colors chosen = colors;
            // v first, the rest of its class after it; ranks leave room because a class of n occupies n ranks.
            for (std::uint32_t other : tied) {
                if (other != v) chosen[other] = colors[v] + 1;
            }
            search(chosen);
        }
    }

    const TermTable& terms_;
    const SolvedClause& clause_;
    Colors colors_;
    std::vector<std::uint32_t> variables_;
    std::vector<std::uint32_t> best_order_;
    Key best_key_;
};

}  // namespace

CanonicalClause canonicalize(TermTable& terms, const SolvedClause& clause, std::size_t variable_count) {
    Canonicalizer canonicalizer(terms, clause, variable_count);
    CanonicalClause result;
    result.old_variable = canonicalizer.best_order();

    std::vector<std::uint32_t> ranks(variable_count, 0);
    for (std::size_t i = 0; i < result.old_variable.size(); ++i) {
        ranks[result.old_variable[i]] = static_cast<std::uint32_t>(i);
    }
    result.key = canonicalizer.encode_clause(ranks);

    const auto rename = [&](auto&& self, TermId term) -> TermId {
        if (terms.is_ground(term)) return term;
        if (terms.kind(term) == TermKind::Variable) return terms.variable(ranks[terms.variable_index(term)]);
        std::vector<TermId> args(terms.args(term).begin(), terms.args(term).end());
        for (TermId& arg : args) arg = self(self, arg);
        return terms.compound(terms.functor_of(term), args);
    };
    const auto rename_atom = [&](Atom atom) {
        for (TermId& arg : atom.args) arg = rename(rename, arg);
        return atom;
    };
    // Goals in the order of their keys, repetitions dropped.
    std::vector<std::pair<std::vector<std::uint32_t>, const Atom*>> goals;
    for (const Atom& atom : clause.body) goals.emplace_back(canonicalizer.encode(atom, ranks), &atom);
    std::ranges::stable_sort(goals, {}, [](const auto& g) { return g.first; });
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (i > 0 && goals[i].first == goals[i - 1].first) continue;
        result.clause.body.push_back(rename_atom(*goals[i].second));
    }
    std::vector<std::pair<std::vector<std::uint32_t>, const Constraint*>> tests;
    for (const Constraint& c : clause.disequations) tests.emplace_back(canonicalizer.encode(c, ranks), &c);
    std::ranges::stable_sort(tests, {}, [](const auto& t) { return t.first; });
    for (std::size_t i = 0; i < tests.size(); ++i) {
        if (i > 0 && tests[i].first == tests[i - 1].first) continue;
        Constraint c = *tests[i].second;
        c.left = rename(rename, c.left);
        c.right = rename(rename, c.right);
        result.clause.disequations.push_back(c);
    }
    result.clause.head = rename_atom(clause.head);
    return result;
}

}  // namespace neumann
