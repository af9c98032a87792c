#include "worlds/elimination.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/memory.h"
#include "worlds/circuit_builder.h"
#include "worlds/conditioned_program.h"

namespace neumann {
namespace {

using Node = Circuit::Node;
using Row = FactorTable::Row;
using Variables = std::vector<std::uint32_t>;

constexpr std::uint32_t widest_key = 64;
constexpr std::size_t rows_between_looks = std::size_t{1} << 12;

// The product of some tables, a variable after the other summed out.
class Eliminator {
public:
    Eliminator(const std::vector<std::uint32_t>& values, CircuitBuilder& builder, const CompileLimits& limits)
        : values_(values), builder_(builder), limits_(limits) {}

    struct Result {
        std::vector<Node> roots;               // per component of the tables' graph
        std::vector<std::uint32_t> component;  // per variable
        Node constant = Circuit::always;       // of tables without variables
    };

    Result run(std::vector<FactorTable> tables, const Variables& order) {
        Result result;
        std::vector<std::uint32_t> group(values_.size());
        std::iota(group.begin(), group.end(), 0U);
        const auto root = [&](std::uint32_t v) {
            while (group[v] != v) v = group[v] = group[group[v]];
            return v;
        };
        for (const FactorTable& table : tables)
            for (const std::uint32_t v : table.variables) group[root(v)] = root(table.variables[0]);
        std::vector<std::uint32_t> number(values_.size(), UINT32_MAX);
        for (std::uint32_t v = 0; v < values_.size(); ++v) {
            if (number[root(v)] == UINT32_MAX) {
                number[root(v)] = static_cast<std::uint32_t>(result.roots.size());
                result.roots.push_back(Circuit::always);
            }
            result.component.push_back(number[root(v)]);
        }
        for (FactorTable& table : tables) {
            if (table.variables.empty()) {
                result.constant = builder_.product(result.constant, only_entry(table));
            } else {
                add(std::move(table));
            }
        }
        with_.resize(values_.size());
        for (const std::uint32_t v : order) {
            std::vector<std::uint32_t> bucket;
            for (const std::uint32_t t : with_[v])
                if (!tables_[t].variables.empty()) bucket.push_back(t);
            if (bucket.empty()) continue;
            FactorTable left = join_all(bucket, v);
            if (left.variables.empty()) {
                Node& of = result.roots[result.component[v]];
                of = builder_.product(of, only_entry(left));
            } else {
                add(std::move(left));
            }
            if (limits_.watch) limits_.watch(++done_, order.size(), builder_.nodes());
        }
        return result;
    }

private:
    struct Joined {
        std::uint64_t key;
        Node left;
        Node right;
    };
    // Moves some bits of a key to other places.
    struct Move {
        std::uint32_t from;
        std::uint32_t bits;
        std::uint32_t to;
    };
    struct Keyed {
        std::uint64_t common;
        std::uint64_t moved;
        Node node;
    };

    static Node only_entry(const FactorTable& table) {
        return table.rows.empty() ? Circuit::never : table.rows[0].node;
    }
    void add(FactorTable table) {
        with_.resize(values_.size());
        for (const std::uint32_t v : table.variables) with_[v].push_back(static_cast<std::uint32_t>(tables_.size()));
        tables_.push_back(std::move(table));
    }

    std::uint32_t bits(std::uint32_t variable) const { return bits_for(values_[variable]); }
    std::vector<Move> moves(const Variables& from, const Variables& to) const {
        std::vector<Move> result;
        std::uint32_t at = 0;
        for (const std::uint32_t v : from) {
            std::uint32_t there = 0;
            for (const std::uint32_t other : to) {
                if (other == v) break;
                there += bits(other);
            }
            const bool is_there = std::ranges::find(to, v) != to.end();
            if (is_there && bits(v) > 0) {
                const bool goes_on = !result.empty() && result.back().from + result.back().bits == at &&
                                     result.back().to + result.back().bits == there;
                if (goes_on) {
                    result.back().bits += bits(v);
                } else {
                    result.push_back({at, bits(v), there});
                }
            }
            at += bits(v);
        }
        return result;
    }
    static std::uint64_t moved(std::uint64_t key, std::span<const Move> moves) {
        std::uint64_t result = 0;
        for (const Move move : moves) {
            const std::uint64_t mask = move.bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << move.bits) - 1;
            result |= (key >> move.from & mask) << move.to;
        }
        return result;
    }
    void require_key(const Variables& variables) const {
        std::uint32_t sum = 0;
        for (const std::uint32_t v : variables) sum += bits(v);
        if (sum > widest_key) throw DiagramLimit("a table has keys of more than 64 bits");
    }
    void require_room(std::size_t rows) const {
        if (rows * sizeof(Joined) + builder_.bytes() <= limits_.bytes) return;
        throw DiagramLimit(
            fmt::format("a table has {} rows, and the circuit takes {}", rows, format_bytes(builder_.bytes())));
    }
    void count_steps(std::size_t rows) {
        steps_ += rows;
        if (steps_ > limits_.steps) throw DiagramLimit(fmt::format("the tables took {} steps", steps_));
    }
    void look(std::size_t i) const {
        if (limits_.watch && i % rows_between_looks == 0) limits_.watch(done_, values_.size(), builder_.nodes());
    }

    // Small ones first, and those that share most with what is there; the variable is summed out with the last.
    FactorTable join_all(std::vector<std::uint32_t> bucket, std::uint32_t v) {
        const auto take = [&](std::size_t place) {
            FactorTable table = std::move(tables_[bucket[place]]);
            tables_[bucket[place]].variables.clear();
            bucket.erase(bucket.begin() + static_cast<std::ptrdiff_t>(place));
            return table;
        };
        const auto smallest = [&](const auto& cost) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < bucket.size(); ++i)
                if (cost(tables_[bucket[i]]) < cost(tables_[bucket[best]])) best = i;
            return best;
        };
        const auto rows = [](const FactorTable& table) { return static_cast<double>(table.rows.size()); };
        FactorTable all = take(smallest(rows));
        while (!bucket.empty()) {
            const std::size_t next = smallest([&](const FactorTable& table) {
                double growth = rows(table);
                for (const std::uint32_t other : table.variables)
                    if (std::ranges::find(all.variables, other) != all.variables.end())
                        growth /= static_cast<double>(values_[other]);
                return growth;
            });
            const bool last = bucket.size() == 1;
            all = join(all, take(next), last ? v : UINT32_MAX);
            if (last) return all;
        }
        return sum_out(all, v);
    }

    FactorTable sum_out(const FactorTable& table, std::uint32_t v) {
        FactorTable result{table.variables, {}};
        std::erase(result.variables, v);
        const std::vector<Move> kept = moves(table.variables, result.variables);
        std::vector<Joined> joined;
        joined.reserve(table.rows.size());
        for (const Row row : table.rows) joined.push_back({moved(row.key, kept), Circuit::always, row.node});
        add_up(joined, result);
        return result;
    }

    void add_up(std::vector<Joined>& joined, FactorTable& to) {
        count_steps(joined.size());
        require_room(joined.size());
        std::ranges::sort(joined, [](const Joined& a, const Joined& b) {
            return std::tie(a.key, a.left, a.right) < std::tie(b.key, b.left, b.right);
        });
        std::vector<CircuitBuilder::Term> terms;
        for (std::size_t begin = 0, end = 0; begin < joined.size(); begin = end) {
            terms.clear();
            for (; end < joined.size() && joined[end].key == joined[begin].key; ++end)
                terms.push_back({joined[end].left, joined[end].right});
            if (const Node node = builder_.sum(terms); node != Circuit::never)
                to.rows.push_back({joined[begin].key, node});
            look(begin);
        }
    }

    // Without the variable `but`, if it is one.
    FactorTable join(const FactorTable& a, const FactorTable& b, std::uint32_t but) {
        Variables common;
        FactorTable result{a.variables, {}};
        for (const std::uint32_t v : b.variables) {
            const bool shared = std::ranges::find(a.variables, v) != a.variables.end();
            (shared ? common : result.variables).push_back(v);
        }
        std::erase(result.variables, but);
        require_key(result.variables);
        const auto keyed = [&](const FactorTable& table) {
            const std::vector<Move> to_common = moves(table.variables, common);
            const std::vector<Move> to_result = moves(table.variables, result.variables);
            std::vector<Keyed> rows;
            rows.reserve(table.rows.size());
            for (const Row row : table.rows)
                rows.push_back({moved(row.key, to_common), moved(row.key, to_result), row.node});
            std::ranges::stable_sort(rows, {}, &Keyed::common);
            return rows;
        };
        const std::vector<Keyed> left = keyed(a);
        const std::vector<Keyed> right = keyed(b);
        std::vector<Joined> joined;
        for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
            if (left[i].common != right[j].common) {
                ++(left[i].common < right[j].common ? i : j);
                continue;
            }
            std::size_t end = j;
            while (end < right.size() && right[end].common == left[i].common) ++end;
            for (const std::uint64_t here = left[i].common; i < left.size() && left[i].common == here; ++i) {
                for (std::size_t k = j; k < end; ++k)
                    joined.push_back({left[i].moved | right[k].moved, left[i].node, right[k].node});
                require_room(joined.size());
                look(i);
            }
            j = end;
        }
        count_steps(joined.size());
        if (but != UINT32_MAX) {
            add_up(joined, result);
            return result;
        }
        result.rows.reserve(joined.size());
        for (const Joined& row : joined) result.rows.push_back({row.key, builder_.product(row.left, row.right)});
        return result;
    }

    const std::vector<std::uint32_t>& values_;
    CircuitBuilder& builder_;
    const CompileLimits& limits_;
    std::vector<FactorTable> tables_;               // without variables: used up
    std::vector<std::vector<std::uint32_t>> with_;  // per variable
    std::uint64_t steps_ = 0;
    std::size_t done_ = 0;
};

}  // namespace

// An only query is a condition like the evidence: what it makes impossible needs no rows.
struct Elimination::Work {
    struct Part {
        ConditionedProgram program;
        FactorTables tables;
        EliminationPlan plan;
    };
    const ReasoningGraph& graph;
    const WorldsTask& task;
    const RandomChoices& choices;
    const CompileLimits& limits;
    bool only_query = false;
    Circuit circuit;
    std::unique_ptr<CircuitBuilder> builder;
    std::vector<Part> parts;  // that of the only query together with the evidence, then that of the evidence; or one
    std::vector<std::uint32_t> first_way;

    Part make(std::span<const std::uint32_t> asked, std::span<const GraphLiteral> observed) {
        const std::function<void()> watch = [this] {
            if (limits.watch) limits.watch(0, choices.atoms().size(), builder->nodes());
        };
        Part part{condition_program(graph, choices, asked, observed), {}, {}};
        if (part.program.has_cycles) throw DiagramLimit("uncertain atoms depend on themselves");
        if (!part.program.possible) return part;
        std::vector<ConditionedProgram::Literal> literals;
        for (const std::uint32_t atom : asked)
            if (const auto value = part.program.value_of(atom); value.truth == ConditionedProgram::Truth::Unknown)
                literals.push_back(value.literal);
        part.tables = make_factor_tables(part.program, literals, first_way, *builder, watch);
        part.plan = plan_elimination(part.tables, watch);
        return part;
    }

    Node probability(Part& part) {
        if (!part.program.possible) return Circuit::never;
        const Eliminator::Result found =
            Eliminator(part.tables.values, *builder, limits).run(std::move(part.tables.tables), part.plan.order);
        Node all = found.constant;
        for (const Node root : found.roots) all = builder->product(all, root);
        return all;
    }

    // Of every query together with the evidence: the derivatives by a marker for each value of its variable.
    void probabilities(Part& part) {
        circuit.asked.assign(task.asked.size(), Circuit::never);
        circuit.observed = Circuit::never;
        if (!part.program.possible) return;
        const FactorTables& tables = part.tables;
        std::vector<std::vector<Node>> markers(tables.values.size());
        std::vector<FactorTable> all = std::move(part.tables.tables);
        for (const FactorTables::Event& event : tables.events) {
            if (!markers[event.variable].empty()) continue;
            FactorTable table{{event.variable}, {}};
            for (std::uint32_t v = 0; v < tables.values[event.variable]; ++v) {
                markers[event.variable].push_back(builder->marker());
                table.rows.push_back({v, markers[event.variable].back()});
            }
            all.push_back(std::move(table));
        }
        const Eliminator::Result found =
            Eliminator(tables.values, *builder, limits).run(std::move(all), part.plan.order);
        // Components without evidence have the probability 1.
        std::vector<bool> conditioned(found.roots.size(), false);
        for (std::size_t v = 0; v < tables.values.size(); ++v)
            if (tables.conditioned[v]) conditioned[found.component[v]] = true;
        std::vector<Node> others(found.roots.size() + 1, found.constant);  // the product of those before
        for (std::size_t c = 0; c < found.roots.size(); ++c)
            others[c + 1] = conditioned[c] ? builder->product(others[c], found.roots[c]) : others[c];
        circuit.observed = others.back();
        Node behind = Circuit::always;
        for (std::size_t c = found.roots.size(); c-- > 0;) {
            others[c] = builder->product(others[c], behind);
            if (conditioned[c]) behind = builder->product(behind, found.roots[c]);
        }
        std::vector<Node> by_marker = derivatives(found, markers);
        std::size_t event = 0;
        for (std::size_t i = 0; i < task.asked.size(); ++i) {
            const ConditionedProgram::Value value = part.program.value_of(task.asked[i]);
            if (value.truth == ConditionedProgram::Truth::True) circuit.asked[i] = circuit.observed;
            if (value.truth != ConditionedProgram::Truth::Unknown) continue;
            const FactorTables::Event& of = tables.events[event++];
            std::vector<CircuitBuilder::Term> terms;
            for (const std::uint32_t v : of.values)
                terms.push_back({Circuit::always, by_marker[markers[of.variable][v]]});
            circuit.asked[i] = builder->product(builder->sum(terms), others[found.component[of.variable]]);
        }
    }
    // Per node that is a marker.
    std::vector<Node> derivatives(const Eliminator::Result& found, const std::vector<std::vector<Node>>& markers) {
        std::vector<std::vector<Node>> of_component(found.roots.size());
        std::size_t nodes = 0;
        for (std::size_t v = 0; v < markers.size(); ++v)
            for (const Node marker : markers[v]) {
                of_component[found.component[v]].push_back(marker);
                nodes = std::max<std::size_t>(nodes, marker + 1);
            }
        std::vector<Node> result(nodes, Circuit::never);
        for (std::size_t c = 0; c < of_component.size(); ++c) {
            if (of_component[c].empty()) continue;
            const std::vector<Node> some = builder->derivatives(found.roots[c], of_component[c]);
            for (std::size_t i = 0; i < some.size(); ++i) result[of_component[c][i]] = some[i];
        }
        return result;
    }
};

Elimination::Elimination(const ReasoningGraph& graph, const WorldsTask& task, const RandomChoices& choices,
                         const CompileLimits& limits)
    : work_(new Work{graph, task, choices, limits, task.asked.size() == 1, {}, nullptr, {}, {}}) {
    std::vector<std::uint32_t> used(choices.count());
    std::iota(used.begin(), used.end(), 0U);
    work_->first_way = add_distributions(choices, used, work_->circuit);
    work_->builder = std::make_unique<CircuitBuilder>(work_->circuit);
    if (!work_->only_query) {
        work_->parts.push_back(work_->make(task.asked, task.observed));
        return;
    }
    std::vector<GraphLiteral> all = task.observed;
    all.emplace_back(task.asked[0]);
    work_->parts.push_back(work_->make({}, all));
    work_->parts.push_back(work_->make({}, task.observed));
}

Elimination::~Elimination() = default;

double Elimination::rows() const {
    double sum = 0;
    for (const Work::Part& part : work_->parts) sum += part.plan.rows;
    return sum;
}

double Elimination::width() const {
    double widest = 0;
    for (const Work::Part& part : work_->parts) widest = std::max(widest, part.plan.width);
    return widest;
}

Circuit Elimination::run() {
    if (work_->only_query) {
        work_->circuit.asked = {work_->probability(work_->parts[0])};
        work_->circuit.observed = work_->probability(work_->parts[1]);
    } else {
        work_->probabilities(work_->parts[0]);
    }
    Circuit circuit = work_->circuit;
    work_->builder->finish(circuit);
    return circuit;
}

}  // namespace neumann
