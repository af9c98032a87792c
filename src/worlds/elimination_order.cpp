#include "worlds/elimination_order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/rng.h"

namespace neumann {
namespace {

using Variables = std::vector<std::uint32_t>;  // ascending

enum class Greed : std::uint8_t { LeastTable, LeastFill };

constexpr int trials_with_chance = 6;        // of each kind, from other tie-breaks
constexpr std::size_t few_variables = 3000;  // for which these pay
constexpr std::size_t largest_fill = 64;     // neighbours: more are not compared pair by pair

class GreedyOrder {
public:
    GreedyOrder(const FactorTables& tables, const std::vector<double>& size, Greed greed, std::optional<Rng> chance)
        : size_(size), greed_(greed), chance_(chance), near_(tables.values.size()) {
        for (const FactorTable& table : tables.tables)
            for (const std::uint32_t a : table.variables)
                for (const std::uint32_t b : table.variables)
                    if (a != b) near_[a].insert(b);
    }

    Variables run(const std::function<void()>& watch) {
        const auto count = static_cast<std::uint32_t>(near_.size());
        std::set<std::pair<std::pair<double, double>, std::uint32_t>> queue;
        std::vector<std::pair<double, double>> score(count);
        for (std::uint32_t v = 0; v < count; ++v) queue.insert({score[v] = score_of(v), v});
        Variables order;
        while (!queue.empty()) {
            if (watch && order.size() % 64 == 0) watch();
            const std::uint32_t next = queue.begin()->second;
            queue.erase(queue.begin());
            order.push_back(next);
            const std::set<std::uint32_t> around = std::move(near_[next]);
            for (const std::uint32_t v : around) {
                near_[v].erase(next);
                for (const std::uint32_t other : around)
                    if (other != v) near_[v].insert(other);
            }
            std::set<std::uint32_t> changed = around;
            if (greed_ == Greed::LeastFill && around.size() <= largest_fill)  // what the new edges fill elsewhere
                for (const std::uint32_t v : around) changed.insert(near_[v].begin(), near_[v].end());
            for (const std::uint32_t v : changed) {
                queue.erase({score[v], v});
                queue.insert({score[v] = score_of(v), v});
            }
        }
        return order;
    }

private:
    std::pair<double, double> score_of(std::uint32_t v) {
        double table = size_[v];
        for (const std::uint32_t other : near_[v]) table += size_[other];
        const double second = chance_ ? chance_->uniform() : 0;
        if (greed_ == Greed::LeastTable) return {table, second};
        if (near_[v].size() > largest_fill) return {static_cast<double>(near_[v].size() * near_[v].size()), table};
        double fill = 0;
        for (auto a = near_[v].begin(); a != near_[v].end(); ++a)
            for (auto b = std::next(a); b != near_[v].end(); ++b)
                if (!near_[*a].contains(*b)) fill += size_[*a] * size_[*b];
        return {fill, chance_ ? second : table};
    }

    const std::vector<double>& size_;
    Greed greed_;
    std::optional<Rng> chance_;
    std::vector<std::set<std::uint32_t>> near_;
};

// How many rows the tables of an order will have. A table that is joined to others adds as many as it has for each
// value of the variables in common, on average: where these decide the others, none.
EliminationPlan estimate(const FactorTables& tables, const std::vector<double>& size, Variables order) {
    struct Scope {
        Variables variables;
        double rows;  // logarithm
    };
    std::vector<Scope> scopes;
    std::vector<std::vector<std::uint32_t>> with(size.size());
    const auto add = [&](Scope scope) {
        for (const std::uint32_t v : scope.variables) with[v].push_back(static_cast<std::uint32_t>(scopes.size()));
        scopes.push_back(std::move(scope));
    };
    double all = 0;
    for (const FactorTable& table : tables.tables) {
        Variables variables = table.variables;
        std::ranges::sort(variables);
        add({std::move(variables), std::log2(std::max<double>(1, static_cast<double>(table.rows.size())))});
        all += static_cast<double>(table.rows.size());
    }
    EliminationPlan plan{std::move(order), all, 0};
    std::vector<bool> gone;
    for (const std::uint32_t v : plan.order) {
        gone.resize(scopes.size(), false);
        std::vector<std::uint32_t> bucket;
        for (const std::uint32_t s : with[v])
            if (!gone[s]) bucket.push_back(s);
        std::ranges::sort(bucket, [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(scopes[a].rows, a) > std::pair(scopes[b].rows, b);
        });
        Scope joined{{}, 0};
        for (const std::uint32_t s : bucket) {
            gone[s] = true;
            double common = 0;
            double fresh = 0;
            Variables grown;
            for (const std::uint32_t other : scopes[s].variables)
                (std::ranges::binary_search(joined.variables, other) ? common : fresh) += size[other];
            joined.rows += std::clamp(scopes[s].rows - common, 0.0, fresh);
            std::ranges::set_union(joined.variables, scopes[s].variables, std::back_inserter(grown));
            joined.variables = std::move(grown);
        }
        plan.width = std::max(plan.width, joined.rows);
        plan.rows += std::exp2(std::min(joined.rows, 1000.0));
        std::erase(joined.variables, v);
        double most = 0;
        for (const std::uint32_t other : joined.variables) most += size[other];
        joined.rows = std::min(joined.rows, most);
        if (!joined.variables.empty()) add(std::move(joined));
    }
    return plan;
}

}  // namespace

EliminationPlan plan_elimination(const FactorTables& tables, const std::function<void()>& watch) {
    std::vector<double> size;
    for (const std::uint32_t values : tables.values) size.push_back(std::log2(std::max(values, 1U)));
    EliminationPlan best;
    best.rows = std::numeric_limits<double>::infinity();
    const auto consider = [&](Greed greed, std::optional<Rng> chance) {
        EliminationPlan plan = estimate(tables, size, GreedyOrder(tables, size, greed, chance).run(watch));
        if (plan.rows < best.rows) best = std::move(plan);
    };
    constexpr double easy = 1U << 16;
    for (const Greed greed : {Greed::LeastTable, Greed::LeastFill}) consider(greed, std::nullopt);
    for (int trial = 0; trial < trials_with_chance && size.size() <= few_variables && best.rows > easy; ++trial)
        for (const Greed greed : {Greed::LeastTable, Greed::LeastFill})
            consider(greed, Rng(static_cast<std::uint64_t>(trial) + 1));
    return best;
}

}  // namespace neumann
