#include "learn/evaluate/clause.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace neumann::search {
namespace {

using Colours = std::array<std::uint64_t, most_variables>;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t part) {
    hash ^= part + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdULL;
    return hash ^ (hash >> 33);
}

// Colours a variable by the goals with it, and by their neighbours up to three goals away.
Colours colours_of(const Clause& clause, const Bias& bias) {
    Colours colours{};
    for (std::size_t v = 0; v < clause.variables; ++v) colours[v] = v < bias.arity() ? v + 1 : 100;
    for (int round = 0; round < 3; ++round) {
        Colours next = colours;
        for (const Literal& literal : clause.body) {
            const std::size_t arity = bias.of(literal).types.size();
            const Predicate& predicate = bias.of(literal);
            std::uint64_t all = literal.predicate;
            std::uint64_t sum = 0;
            for (std::size_t a = 0; a < arity; ++a) {
                if (predicate.unordered) {
                    sum += mixed(predicate.types[a], colours[literal.args[a]]);
                } else {
                    all = mixed(all, colours[literal.args[a]]);
                }
            }
            if (predicate.unordered) all = mixed(all, sum);
            for (std::size_t a = 0; a < arity; ++a)
                next[literal.args[a]] += mixed(all, predicate.unordered ? predicate.types[a] : a + 1);
        }
        for (std::size_t v = 0; v < clause.variables; ++v) colours[v] = mixed(colours[v], next[v]);
    }
    return colours;
}

using Names = std::array<std::uint8_t, most_variables>;

std::vector<Literal> renamed(const Clause& clause, const Bias& bias, const Names& names) {
    std::vector<Literal> body = clause.body;
    for (Literal& literal : body) {
        const std::size_t arity = bias.of(literal).types.size();
        for (std::size_t a = 0; a < arity; ++a) literal.args[a] = names[literal.args[a]];
        sort_unordered(literal, bias.of(literal));
    }
    std::ranges::sort(body);
    return body;
}

}  // namespace

void sort_unordered(Literal& literal, const Predicate& predicate) {
    if (!predicate.unordered) return;
    for (std::size_t a = 0; a < predicate.types.size(); ++a) {
        for (std::size_t b = a + 1; b < predicate.types.size(); ++b) {
            if (predicate.types[a] == predicate.types[b] && literal.args[b] < literal.args[a])
                std::swap(literal.args[a], literal.args[b]);
        }
    }
}

Clause canonical(const Clause& clause, const Bias& bias) {
    const std::size_t head = bias.arity();
    const Colours colours = colours_of(clause, bias);
    std::vector<std::uint8_t> order(clause.variables);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::sort(
        order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(head, order.size())), order.end(),
        [&](std::uint8_t a, std::uint8_t b) { return colours[a] != colours[b] ? colours[a] < colours[b] : a < b; });
    Clause best{{}, clause.variables};
    // All orders of goals with equal colours: there are few.
    const auto choose = [&](auto&& self, std::size_t from) -> void {
        std::size_t to = from + 1;
        if (from >= order.size()) {
            Names names{};
            for (std::size_t i = 0; i < order.size(); ++i) names[order[i]] = static_cast<std::uint8_t>(i);
            std::vector<Literal> body = renamed(clause, bias, names);
            if (best.body.empty() || body < best.body) best.body = std::move(body);
            return;
        }
        while (from >= head && to < order.size() && colours[order[to]] == colours[order[from]]) ++to;
        const auto first = order.begin() + static_cast<std::ptrdiff_t>(from);
        const auto last = order.begin() + static_cast<std::ptrdiff_t>(to);
        std::sort(first, last);
        do self(self, to);
        while (std::next_permutation(first, last));
    };
    choose(choose, 0);
    return best;
}

std::pair<std::uint64_t, std::uint64_t> fingerprint(const Clause& canonical) {
    std::uint64_t first = 0x243f6a8885a308d3ULL;
    std::uint64_t second = 0x13198a2e03707344ULL;
    for (const Literal& literal : canonical.body) {
        std::uint64_t part = 0;
        for (const std::uint8_t arg : literal.args) part = part << 8 | arg;
        first = mixed(mixed(first, literal.predicate), part);
        second = mixed(mixed(second, part ^ 0x5555555555555555ULL), literal.predicate);
    }
    return {first, second};
}

Clause ordered(const Clause& clause, const Bias& bias) {
    Clause result{{}, clause.variables, clause.head};
    std::vector<Literal> left = clause.body;
    std::uint32_t bound = 0;
    const Predicate& own = bias.of(clause.head);
    for (std::size_t a = 0; a < own.types.size(); ++a) {
        if (own.inputs == 0 || (own.inputs >> a & 1U) != 0) bound |= 1U << a;
    }
    const auto variables = [&](const Literal& literal, Mask which) {
        std::uint32_t used = 0;
        for (std::size_t a = 0; a < bias.of(literal).types.size(); ++a) {
            if ((which >> a & 1U) != 0) used |= 1U << literal.args[a];
        }
        return used;
    };
    while (!left.empty()) {
        auto next = std::ranges::find_if(left, [&](const Literal& literal) {
            const std::uint32_t all = variables(literal, ~Mask{0});
            return (variables(literal, bias.of(literal).inputs) & ~bound) == 0 && (all & bound) != 0;
        });
        if (next == left.end())
            next = std::ranges::find_if(left, [&](const Literal& literal) {
                return (variables(literal, bias.of(literal).inputs) & ~bound) == 0;
            });
        if (next == left.end()) next = left.begin();
        bound |= variables(*next, ~Mask{0});
        result.body.push_back(*next);
        left.erase(next);
    }
    return result;
}

std::string print(const Clause& clause, const Bias& bias) {
    const auto atom = [&](const Predicate& predicate, const auto& args) {
        const auto variable = [&](std::size_t a) { return static_cast<char>('A' + args[a]); };
        if (predicate.kind == GoalKind::Same || predicate.kind == GoalKind::Different)
            return fmt::format("{} {} {}", variable(0), predicate.name, variable(1));
        std::string text = predicate.pattern.empty() ? predicate.name : predicate.pattern[0];
        for (std::size_t a = 0; a < predicate.types.size() && !predicate.pattern.empty(); ++a)
            text += variable(a) + predicate.pattern[a + 1];
        if (!predicate.pattern.empty()) return text;
        for (std::size_t a = 0; a < predicate.types.size(); ++a)
            text += fmt::format("{}{}", a == 0 ? "(" : ",", variable(a));
        return predicate.types.empty() ? text : text + ")";
    };
    std::array<std::uint8_t, most_arguments> head{};
    std::iota(head.begin(), head.end(), std::uint8_t{0});
    std::string text = atom(bias.of(clause.head), head);
    const Clause sorted = ordered(clause, bias);
    for (std::size_t g = 0; g < sorted.body.size(); ++g)
        text += (g == 0 ? " :- " : ", ") + atom(bias.of(sorted.body[g]), sorted.body[g].args);
    return text + ".";
}

}  // namespace neumann::search
