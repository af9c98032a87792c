#include "oracle/random_aggregates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace neumann::oracle {
namespace {

using Source = AggregateSource;
using Groups = AggregateGroups;

int floor_mod(int a, int b) { return ((a % b) + b) % b; }

struct NumberExpression {
    const char* text;
    int (*value)(int);
};
constexpr std::array<NumberExpression, 7> expressions = {{
    {"W", [](int w) { return w; }},
    {"W + 1", [](int w) { return w + 1; }},
    {"W * W", [](int w) { return w * w; }},
    {"abs(W)", [](int w) { return std::abs(w); }},
    {"2 - W", [](int w) { return 2 - w; }},
    {"W mod 3", [](int w) { return floor_mod(w, 3); }},
    {"W // 2", [](int w) { return w / 2; }},
}};

// A result: a whole number, or the fraction that an average may be.
struct Result {
    double value = 0;
    bool operator<(const Result& other) const { return value < other.value; }
    bool whole() const { return value == std::floor(value); }
    std::string text() const { return whole() ? fmt::format("'{:.0f}'", value) : fmt::format("'{}'", value); }
};

struct Row {
    std::string group;
    std::string name;
    int number = 0;
    auto operator<=>(const Row&) const = default;
};

std::string weight_text(const std::optional<double>& weight) { return weight ? fmt::format("{}::", *weight) : ""; }

std::string goal_text(const AggregateRule& rule) {
    switch (rule.source) {
    case Source::Items:
        return "item(G,I,W)";
    case Source::Unnamed:
        return "item(G,_,W)";
    case Source::NotBad:
        return "(item(G,I,W), \\+ bad(I))";
    case Source::Above:
        return fmt::format("(item(G,I,W), W > {})", rule.limit);
    case Source::Computed:
        return "good(G,I,W)";
    case Source::Reachable:
        return "reach(G,I)";
    }
    return {};
}

std::string clause_text(const AggregateRule& rule, std::size_t number) {
    const std::string what =
        rule.kind == "count" ? "count" : fmt::format("{}({})", rule.kind, expressions[rule.expression].text);
    std::string text = weight_text(rule.weight);
    text += fmt::format("total{}({},N) :- ", number, rule.groups == Groups::One ? "all" : "G");
    if (rule.groups == Groups::Given) text += "group(G), ";
    text += fmt::format("aggregate_all({}, {}, N)", what, goal_text(rule));
    if (rule.more_than) text += fmt::format(", N > {}", *rule.more_than);
    return text + ".\n";
}

// The facts that hold, and what the clauses about them alone say.
class World {
public:
    World(const AggregateProgram& program, const std::vector<bool>& holds) {
        for (std::size_t f = 0; f < program.facts.size(); ++f) {
            const AggregateFact& fact = program.facts[f];
            if (!holds[f]) continue;
            if (fact.predicate == "item") items_.insert({fact.names[0], fact.names[1], fact.number});
            if (fact.predicate == "bad") bad_.insert(fact.names[0]);
            if (fact.predicate == "group") groups.insert(fact.names[0]);
            if (fact.predicate == "edge") reach_.insert({fact.names[0], fact.names[1], 0});
        }
        for (std::size_t before = 0; before != reach_.size();) {
            before = reach_.size();
            const std::set<Row> known = reach_;
            for (const Row& a : known) {
                for (const Row& b : known) {
                    if (a.name == b.group) reach_.insert({a.group, b.name, 0});
                }
            }
        }
    }

    std::set<Row> rows(const AggregateRule& rule) const {
        if (rule.source == Source::Reachable) return reach_;
        std::set<Row> result;
        for (const Row& item : items_) {
            const bool not_bad = !bad_.contains(item.name);
            if (rule.source == Source::Computed) {
                if (not_bad) result.insert({item.group, item.name, 2 * item.number - 1});
            } else if ((rule.source != Source::NotBad || not_bad) &&
                       (rule.source != Source::Above || item.number > rule.limit)) {
                result.insert(item);
            }
        }
        return result;
    }

    bool all_small(const std::string& group) const {
        return std::ranges::all_of(items_, [&](const Row& item) { return item.group != group || item.number < 3; });
    }

    std::set<std::string> groups;

private:
    std::set<Row> items_;
    std::set<std::string> bad_;
    std::set<Row> reach_;
};

std::optional<Result> aggregate(const std::string& kind, const std::vector<double>& numbers) {
    const auto count = static_cast<double>(numbers.size());
    double sum = 0;
    for (const double number : numbers) sum += number;
    if (kind == "count") return Result{count};
    if (kind == "sum") return Result{sum};
    if (numbers.empty()) return std::nullopt;
    if (kind == "min") return Result{std::ranges::min(numbers)};
    if (kind == "max") return Result{std::ranges::max(numbers)};
    return Result{sum / count};
}

// By group.
std::map<std::string, Result> totals(const World& world, const AggregateRule& rule) {
    std::map<std::string, std::vector<double>> numbers;
    if (rule.groups == Groups::Given) {
        for (const std::string& group : world.groups) numbers[group];
    } else if (rule.groups == Groups::One) {
        numbers["all"];
    }
    for (const Row& row : world.rows(rule)) {
        const std::string group = rule.groups == Groups::One ? "all" : row.group;
        if (rule.groups == Groups::Given && !world.groups.contains(group)) continue;
        numbers[group].push_back(expressions[rule.expression].value(row.number));
    }
    std::map<std::string, Result> result;
    for (const auto& [group, list] : numbers) {
        const std::optional<Result> found = aggregate(rule.kind, list);
        if (found && (!rule.more_than || found->value > *rule.more_than)) result[group] = *found;
    }
    return result;
}

class Generator {
public:
    Generator(Rng& rng, const AggregateShape& shape) : rng_(rng), shape_(shape) {}

    AggregateProgram program() {
        const bool edges = !shape_.independent && rng_.chance(0.4);
        for (const char* group : {"a", "b", "c"}) {
            if (rng_.chance(0.8)) add("group", {group}, 0, shape_.independent ? 1 : 0.7);
        }
        const std::uint32_t items = 1 + rng_.below(6);
        for (std::uint32_t i = 0; i < items; ++i) {
            const std::string name = fmt::format("i{}", shape_.independent ? i : rng_.below(4));
            add("item", {pick({"a", "b", "c"}), name}, static_cast<int>(rng_.below(7)) - 2, 0.3);
        }
        for (std::uint32_t i = 0; i < items; ++i) {
            if (rng_.chance(0.4)) add("bad", {fmt::format("i{}", i)}, 0, 0.3);
        }
        for (std::uint32_t i = 0; edges && i < 3; ++i)
            add("edge", {pick({"a", "b", "c"}), pick({"a", "b", "c"})}, 0, 0.3);
        const std::uint32_t rules = 1 + rng_.below(2);
        while (program_.rules.size() < rules) program_.rules.push_back(rule(edges));
        program_.nested = !shape_.independent && rng_.chance(0.4);
        return std::move(program_);
    }

private:
    std::string pick(std::vector<std::string> from) {
        return from[rng_.below(static_cast<std::uint32_t>(from.size()))];
    }

    void add(const std::string& predicate, std::vector<std::string> names, int number, double certain) {
        AggregateFact fact{fmt::format("'{}'(", predicate), predicate, std::move(names), number, {}};
        for (std::size_t i = 0; i < fact.names.size(); ++i)
            fact.text += fmt::format("{}'{}'", i == 0 ? "" : ",", fact.names[i]);
        if (predicate == "item") fact.text += fmt::format(",'{}'", number);
        fact.text += ")";
        if (!rng_.chance(certain)) fact.probability = 0.05 + 0.9 * std::floor(rng_.uniform() * 1000) / 1000;
        if (std::ranges::find(program_.facts, fact.text, &AggregateFact::text) == program_.facts.end())
            program_.facts.push_back(std::move(fact));
    }

    AggregateRule rule(bool edges) {
        AggregateRule result;
        result.kind = pick({"count", "count", "sum", "min", "max", "avg"});
        const std::uint32_t sources = result.kind == "count" && edges ? 6 : 5;
        result.source = static_cast<Source>(rng_.below(sources));
        result.groups = static_cast<Groups>(rng_.below(3));
        result.expression = rng_.below(expressions.size());
        result.limit = static_cast<int>(rng_.below(4)) - 1;
        if (rng_.chance(0.3)) result.more_than = static_cast<int>(rng_.below(4)) - 1;
        if (shape_.uncertain_clauses && rng_.chance(0.4)) result.weight = 0.8;
        return result;
    }

    Rng& rng_;
    const AggregateShape& shape_;
    AggregateProgram program_;
};

}  // namespace

std::string AggregateProgram::text() const {
    // Declared, so that a program may do without facts of one.
    std::string text =
        ":- pred(group(key)).\n:- pred(item(key,name,number)).\n:- pred(bad(name)).\n:- pred(edge(key,key)).\n";
    for (const AggregateFact& fact : facts) {
        std::string atom = fact.text;
        std::erase(atom, '\'');
        text += weight_text(fact.probability) + atom + ".\n";
    }
    text += "good(G,I,V) :- item(G,I,W), \\+ bad(I), V is W * 2 - 1.\n"
            "reach(X,Y) :- edge(X,Y).\n"
            "reach(X,Z) :- reach(X,Y), reach(Y,Z).\n"
            "small(G) :- group(G), forall(item(G,_,W), W < 3).\n";
    for (std::size_t k = 0; k < rules.size(); ++k) {
        text += clause_text(rules[k], k);
        text += fmt::format("flag{0}(G) :- total{0}(G,N), N > 1.\n", k);
        text += fmt::format("calm{0}(G) :- group(G), \\+ flag{0}(G).\n", k);
        if (rules[k].kind != "avg") text += fmt::format("twice{0}(G,M) :- total{0}(G,N), M is N * 2 + 1.\n", k);
    }
    if (nested) text += "best(N) :- aggregate_all(max(T), total0(_,T), N).\n";
    return text;
}

std::set<std::string> AggregateProgram::answers(const std::vector<bool>& holds) const {
    const World world(*this, holds);
    std::set<std::string> result;
    for (const std::string& group : world.groups) {
        if (world.all_small(group)) result.insert(fmt::format("'small'('{}')", group));
    }
    for (std::size_t k = 0; k < rules.size(); ++k) {
        const std::map<std::string, Result> found = totals(world, rules[k]);
        std::set<std::string> flagged;
        for (const auto& [group, total] : found) {
            result.insert(fmt::format("'total{}'('{}',{})", k, group, total.text()));
            if (rules[k].kind != "avg")
                result.insert(fmt::format("'twice{}'('{}',{})", k, group, Result{total.value * 2 + 1}.text()));
            if (total.value <= 1) continue;
            result.insert(fmt::format("'flag{}'('{}')", k, group));
            flagged.insert(group);
        }
        for (const std::string& group : world.groups) {
            if (!flagged.contains(group)) result.insert(fmt::format("'calm{}'('{}')", k, group));
        }
        if (k > 0 || !nested || found.empty()) continue;
        const auto best = std::ranges::max_element(found, {}, [](const auto& one) { return one.second.value; });
        result.insert(fmt::format("'best'({})", best->second.text()));
    }
    return result;
}

AggregateProgram random_aggregates(Rng& rng, const AggregateShape& shape) { return Generator(rng, shape).program(); }

}  // namespace neumann::oracle
