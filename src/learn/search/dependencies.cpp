#include "learn/search/dependencies.h"

#include <algorithm>
#include <unordered_set>

namespace neumann::search {
namespace {

bool column_within(const Relation& relation, std::size_t column, const std::unordered_set<Value>& values) {
    for (std::uint32_t r = 0; r < relation.size(); ++r) {
        if (!values.contains(relation.row(r)[column])) return false;
    }
    return relation.size() > 0;
}

bool is_determined(const Relation& relation, std::size_t column) {
    std::unordered_set<std::vector<Value>, TupleHash> others;
    for (std::uint32_t r = 0; r < relation.size(); ++r) {
        std::vector<Value> rest(relation.row(r), relation.row(r) + relation.arity());
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(column));
        if (!others.insert(std::move(rest)).second) return false;
    }
    return true;
}

bool is_symmetric(Relation& relation) {
    if (relation.arity() != 2) return false;
    for (std::uint32_t r = 0; r < relation.size(); ++r) {
        const std::vector<Value> back = {relation.row(r)[1], relation.row(r)[0]};
        if (relation.matches(back, 3).empty()) return false;
    }
    return relation.size() > 0;
}

}  // namespace

Dependencies::Dependencies(const Bias& bias, std::vector<Relation>& relations)
    : bias_(bias), relations_(relations), within_(relations.size()), determined_(relations.size(), 0),
      symmetric_(relations.size(), false) {
    std::vector<std::unordered_set<Value>> unary(relations.size());
    for (std::size_t p = 0; p < relations.size(); ++p) {
        if (relations[p].arity() != 1 || relations[p].on_demand()) continue;
        for (std::uint32_t r = 0; r < relations[p].size(); ++r) unary[p].insert(relations[p].row(r)[0]);
    }
    for (std::size_t p = 0; p < relations.size(); ++p) {
        Relation& relation = relations[p];
        within_[p].assign(relation.arity(), std::vector<bool>(relations.size(), false));
        if (relation.on_demand()) continue;
        symmetric_[p] = is_symmetric(relation);
        for (std::size_t a = 0; a < relation.arity(); ++a) {
            if (relation.arity() > 1 && is_determined(relation, a)) determined_[p] |= Mask{1} << a;
            for (std::size_t u = 0; u < relations.size(); ++u) {
                if (u != p && relations[u].arity() == 1 && !relations[u].on_demand())
                    within_[p][a][u] = column_within(relation, a, unary[u]);
            }
        }
    }
}

bool Dependencies::implied(const Literal& by, const Literal& goal) const {
    if (by.predicate == goal.predicate)
        return symmetric_[by.predicate] && by.args[0] == goal.args[1] && by.args[1] == goal.args[0];
    if (bias_.of(goal).types.size() != 1) return false;
    for (std::size_t a = 0; a < bias_.of(by).types.size(); ++a) {
        if (by.args[a] == goal.args[0] && within_[by.predicate][a][goal.predicate]) return true;
    }
    return false;
}

// p(X,Y) and p(X,Z) where p determines its second argument: Y is Z.
bool Dependencies::same_by_function(const Literal& other, const Literal& goal) const {
    if (other.predicate != goal.predicate) return false;
    const Relation& relation = relations_[goal.predicate];
    const std::size_t arity = bias_.of(goal).types.size();
    const Mask determined =
        relation.on_demand() && relation.is_function() ? ~relation.inputs() : determined_[goal.predicate];
    std::size_t differing = 0;
    std::size_t where = 0;
    for (std::size_t a = 0; a < arity; ++a) {
        if (other.args[a] == goal.args[a]) continue;
        ++differing;
        where = a;
    }
    return differing == 1 && (determined >> where & 1U) != 0 &&
           (other.args[where] >= bias_.arity() || goal.args[where] >= bias_.arity());
}

bool Dependencies::is_superfluous(const Clause& clause, const Literal& goal) const {
    const auto is_known = [&](const Literal& one) { return one.predicate < within_.size(); };
    if (!is_known(goal)) return false;
    return std::ranges::any_of(clause.body, [&](const Literal& other) {
        return is_known(other) && (implied(other, goal) || same_by_function(other, goal));
    });
}

}  // namespace neumann::search
