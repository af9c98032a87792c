#include "logic/canonical.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace neumann {
namespace {

using Colors = std::vector<std::uint32_t>;  // per variable: a rank; equal for variables that are not distinguished yet
using Key = std::vector<std::uint32_t>;

// Beyond every predicate: negated literals stand last.
constexpr std::uint32_t negated_mark = 1U << 31;

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0xff51afd7ed558ccdULL;
    return h ^ (h >> 32);
}

// Colours distinguish variables; they are refined from the variables' occurrences until nothing changes. Remaining ties
// are broken by giving one of the tied variables a colour of its own and going on; the smallest key wins. Candidates
// that can be exchanged without changing the clause lead to the same key and are tried once: symmetric bodies cost no
// search.
class Canonicalizer {
public:
    Canonicalizer(const TermTable& terms, const SolvedClause& clause, std::size_t variable_count,
                  std::span<const ExchangeablePlaces> exchangeable)
        : terms_(terms), clause_(clause), count_(variable_count), exchangeable_(exchangeable) {
        std::vector<bool> occurs(variable_count, false);
        const auto mark = [&](std::uint32_t v) { occurs[v] = true; };
        const auto mark_term = [&](TermId term) { for_each_variable(terms_, term, mark); };
        for (TermId arg : clause.head.args) mark_term(arg);
        for (const Literal& goal : clause.body) std::ranges::for_each(goal.atom.args, mark_term);
        for (const auto* conditions : {&clause.disequations, &clause.arithmetic}) {
            for (const Constraint& c : *conditions) {
                mark_term(c.left);
                mark_term(c.right);
            }
        }
        for (std::uint32_t v = 0; v < variable_count; ++v) {
            if (occurs[v]) variables_.push_back(v);
        }
    }

    // The order of variables that gives the smallest key.
    std::vector<std::uint32_t> best_order() {
        search(Colors(count_, 0));
        return best_->order;
    }

    Key encode(const Atom& atom, const Colors& colors) const {
        Key out{atom.predicate.value()};
        for (TermId arg : with_sorted_groups(atom, colors).args) encode(arg, colors, out);
        return out;
    }
    // The arguments that may change places in the order of their keys.
    Atom with_sorted_groups(const Atom& atom, const Colors& colors) const {
        const ExchangeablePlaces* places = find_exchangeable(exchangeable_, atom.predicate);
        if (places == nullptr) return atom;
        const auto key_of = [&](TermId term) {
            Key key;
            encode(term, colors, key);
            return key;
        };
        Atom sorted = atom;
        for (std::uint32_t first = 0; first < atom.args.size(); ++first) {
            std::vector<TermId> group;
            for (std::size_t p = first; p < atom.args.size(); ++p) {
                if (places->group[p] == first) group.push_back(atom.args[p]);
            }
            std::ranges::stable_sort(group, {}, key_of);
            for (std::size_t p = first, i = 0; p < atom.args.size(); ++p) {
                if (places->group[p] == first) sorted.args[p] = group[i++];
            }
        }
        return sorted;
    }
    Key encode(const Literal& literal, const Colors& colors) const {
        Key out = encode(literal.atom, colors);
        if (literal.negated) out[0] |= negated_mark;
        return out;
    }
    Key encode(const Constraint& c, const Colors& colors) const {
        Key left;
        Key right;
        if (is_arithmetic(c.comparison)) left.push_back(static_cast<std::uint32_t>(c.comparison));
        encode(c.left, colors, left);
        encode(c.right, colors, right);
        if (!is_arithmetic(c.comparison) && right < left) std::swap(left, right);  // \= is symmetric
        left.insert(left.end(), right.begin(), right.end());
        return left;
    }
    Key encode_clause(const Colors& colors) const {
        const auto sorted_set = [&](const auto& goals) {
            std::vector<Key> keys;
            for (const auto& goal : goals) keys.push_back(encode(goal, colors));
            std::ranges::sort(keys);
            keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
            return keys;
        };
        Key key = encode(clause_.head, colors);
        const auto add = [&](const std::vector<Key>& part) {
            key.push_back(static_cast<std::uint32_t>(part.size()));
            for (const Key& one : part) key.insert(key.end(), one.begin(), one.end());
        };
        add(sorted_set(clause_.body));
        add(sorted_set(clause_.disequations));
        add(sorted_set(clause_.arithmetic));
        return key;
    }

private:
    struct Leaf {
        Key key;
        std::vector<std::uint32_t> order;
    };

    // A term as words, its variables replaced by colours.
    void encode(TermId term, const Colors& colors, Key& out) const {
        switch (terms_.kind(term)) {
        case TermKind::Variable:
            out.insert(out.end(), {0U, colors[terms_.variable_index(term)]});
            return;
        case TermKind::Constant:
            out.insert(out.end(), {1U, terms_.constant_of(term).value()});
            return;
        case TermKind::Compound:
            out.insert(out.end(), {2U, terms_.functor_of(term).value()});
            break;
        }
        for (TermId arg : terms_.args(term)) encode(arg, colors, out);
    }

    // The same as a hash, with the occurrences of one variable marked: how that variable sees the term.
    std::uint64_t view(TermId term, std::uint32_t from, const Colors& colors, std::uint64_t h) const {
        if (terms_.kind(term) == TermKind::Variable) {
            const std::uint32_t v = terms_.variable_index(term);
            return mix(mix(h, colors[v]), v == from ? 1 : 2);
        }
        // By symbols, not by the term's number, which depends on the order of reading.
        if (terms_.kind(term) == TermKind::Constant) return mix(mix(h, 4), terms_.constant_of(term).value());
        h = mix(mix(h, 3), terms_.functor_of(term).value());
        for (TermId arg : terms_.args(term)) h = view(arg, from, colors, h);
        return h;
    }

    // Adds to each variable's hash how it occurs in one goal. Sums do not depend on the order of goals. (The hash
    // starts from colours and symbols only, so it is the same for renamed clauses; should two views collide, the search
    // still distinguishes the variables.)
    void add_views(std::span<const TermId> args, std::uint64_t start, const Colors& colors,
                   std::vector<std::uint64_t>& views, const ExchangeablePlaces* places = nullptr) const {
        std::vector<std::uint32_t> seen;
        for (TermId arg : args) {
            for_each_variable(terms_, arg, [&](std::uint32_t v) {
                if (std::ranges::find(seen, v) == seen.end()) seen.push_back(v);
            });
        }
        for (std::uint32_t v : seen) {
            std::uint64_t h = start;
            if (places == nullptr) {
                for (TermId arg : args) h = view(arg, v, colors, h);
            } else {
                h = view_of_groups(args, v, colors, *places, h);
            }
            views[v] += mix(h, 5);
        }
    }

    // Sums do not depend on the order of arguments either.
    std::uint64_t view_of_groups(std::span<const TermId> args, std::uint32_t from, const Colors& colors,
                                 const ExchangeablePlaces& places, std::uint64_t h) const {
        for (std::uint32_t first = 0; first < args.size(); ++first) {
            std::uint64_t sum = 0;
            for (std::size_t p = first; p < args.size(); ++p) {
                if (places.group[p] == first) sum += view(args[p], from, colors, 23);
            }
            h = mix(h, sum);
        }
        return h;
    }

    Colors refine(Colors colors) const {
        for (std::size_t classes = 0;;) {
            std::vector<std::uint64_t> views(count_, 0);
            add_views(clause_.head.args, 7, colors, views);
            for (const auto& [atom, negated] : clause_.body)
                add_views(atom.args, mix(negated ? 17 : 11, atom.predicate.value()), colors, views,
                          find_exchangeable(exchangeable_, atom.predicate));
            for (const Constraint& c : clause_.disequations) {
                add_views(std::array{c.left, c.right}, 13, colors, views);
                add_views(std::array{c.right, c.left}, 13, colors, views);
            }
            for (const Constraint& c : clause_.arithmetic)
                add_views(std::array{c.left, c.right}, mix(19, static_cast<std::uint64_t>(c.comparison)), colors,
                          views);
            std::vector<std::uint32_t> order = variables_;
            const auto rank_of = [&](std::uint32_t v) { return std::pair(colors[v], views[v]); };
            std::ranges::sort(order, {}, rank_of);
            Colors refined = colors;
            std::size_t found = 0;
            std::uint32_t rank = 0;
            for (std::size_t i = 0; i < order.size(); ++i) {
                if (i == 0 || rank_of(order[i]) != rank_of(order[i - 1])) {
                    rank = static_cast<std::uint32_t>(i);
                    ++found;
                }
                refined[order[i]] = rank;
            }
            colors = std::move(refined);
            if (found == classes) return colors;
            classes = found;
        }
    }

    std::vector<std::uint32_t> ordered(const Colors& colors) const {
        std::vector<std::uint32_t> order = variables_;
        std::ranges::stable_sort(order, {}, [&](std::uint32_t v) { return colors[v]; });
        return order;
    }
    // The first colour that several variables share.
    static std::span<const std::uint32_t> first_tie(const std::vector<std::uint32_t>& order, const Colors& colors) {
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() && colors[order[end]] == colors[order[begin]]) ++end;
            if (end - begin > 1) return std::span(order).subspan(begin, end - begin);
            begin = end;
        }
        return {};
    }
    // The tied variable `chosen` first, the others after it: a class of n occupies n ranks, so there is room.
    static Colors prefer(Colors colors, std::span<const std::uint32_t> tied, std::uint32_t chosen) {
        const std::uint32_t next = colors[chosen] + 1;
        for (std::uint32_t v : tied) {
            if (v != chosen) colors[v] = next;
        }
        return colors;
    }

    // Breaks all ties by taking the first candidate.
    Leaf first_leaf(Colors colors) const {
        while (true) {
            colors = refine(std::move(colors));
            std::vector<std::uint32_t> order = ordered(colors);
            const std::span<const std::uint32_t> tied = first_tie(order, colors);
            if (tied.empty()) return {encode_clause(colors), std::move(order)};
            colors = prefer(std::move(colors), tied, tied[0]);
        }
    }

    bool swappable(std::uint32_t a, std::uint32_t b) const {
        Colors own(count_, 0);
        for (std::uint32_t v : variables_) own[v] = v;
        Colors swapped = own;
        std::swap(swapped[a], swapped[b]);
        return encode_clause(own) == encode_clause(swapped);
    }

    void search(const Colors& start) {
        const Colors colors = refine(start);
        const std::vector<std::uint32_t> order = ordered(colors);
        const std::span<const std::uint32_t> tied = first_tie(order, colors);
        if (tied.empty()) {
            Key key = encode_clause(colors);
            if (!best_ || key < best_->key) best_ = Leaf{std::move(key), order};
            return;
        }
        // Two candidates whose leaves have equal keys are mapped onto each other by a symmetry of the clause.
        std::vector<std::uint32_t> tried;
        std::vector<Key> leaves;
        for (std::uint32_t v : tied) {
            if (std::ranges::any_of(tried, [&](std::uint32_t t) { return swappable(t, v); })) continue;
            Key leaf = first_leaf(prefer(colors, tied, v)).key;
            if (std::ranges::find(leaves, leaf) != leaves.end()) continue;
            tried.push_back(v);
            leaves.push_back(std::move(leaf));
            search(prefer(colors, tied, v));
        }
    }

    const TermTable& terms_;
    const SolvedClause& clause_;
    std::size_t count_;
    std::span<const ExchangeablePlaces> exchangeable_;
    std::vector<std::uint32_t> variables_;  // those with an occurrence
    std::optional<Leaf> best_;
};

template <class Goal, class Same>
void remove_repetitions(std::vector<Goal>& goals, Same&& same) {
    std::vector<Goal> kept;
    for (Goal& goal : goals) {
        if (std::ranges::none_of(kept, [&](const Goal& other) { return same(goal, other); }))
            kept.push_back(std::move(goal));
    }
    goals = std::move(kept);
}

}  // namespace

const ExchangeablePlaces* find_exchangeable(std::span<const ExchangeablePlaces> all, PredicateId predicate) {
    const auto found = std::ranges::find(all, predicate, &ExchangeablePlaces::predicate);
    return found == all.end() ? nullptr : &*found;
}

CanonicalClause canonicalize(TermTable& terms, const SolvedClause& given, std::size_t variable_count,
                             std::span<const ExchangeablePlaces> exchangeable) {
    SolvedClause clause = given;
    remove_repetitions(clause.body, std::equal_to());
    remove_repetitions(clause.disequations, [](const Constraint& a, const Constraint& b) {
        return (a.left == b.left && a.right == b.right) || (a.left == b.right && a.right == b.left);
    });
    remove_repetitions(clause.arithmetic, std::equal_to());
    Canonicalizer canonicalizer(terms, clause, variable_count, exchangeable);
    CanonicalClause result;
    result.old_variable = canonicalizer.best_order();
    Colors ranks(variable_count, 0);
    for (std::size_t i = 0; i < result.old_variable.size(); ++i)
        ranks[result.old_variable[i]] = static_cast<std::uint32_t>(i);
    result.key = canonicalizer.encode_clause(ranks);

    if (!exchangeable.empty()) {
        for (Literal& goal : clause.body) goal.atom = canonicalizer.with_sorted_groups(goal.atom, ranks);
        remove_repetitions(clause.body, std::equal_to());
    }
    Substitution renaming(variable_count);
    for (std::uint32_t v : result.old_variable) renaming.bind(v, terms.variable(ranks[v]));
    const auto by_key = [&](const auto& goal) { return canonicalizer.encode(goal, ranks); };
    std::ranges::stable_sort(clause.body, {}, by_key);
    std::ranges::stable_sort(clause.disequations, {}, by_key);
    std::ranges::stable_sort(clause.arithmetic, {}, by_key);
    result.clause.head = renaming.rename(terms, clause.head);
    for (const Literal& goal : clause.body) result.clause.body.push_back(renaming.rename(terms, goal));
    const auto renamed = [&](std::vector<Constraint> conditions) {
        for (Constraint& c : conditions) {
            c.left = renaming.rename(terms, c.left);
            c.right = renaming.rename(terms, c.right);
        }
        return conditions;
    };
    result.clause.disequations = renamed(std::move(clause.disequations));
    result.clause.arithmetic = renamed(std::move(clause.arithmetic));
    return result;
}

}  // namespace neumann
