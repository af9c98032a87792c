// Conditions on numbers: grounding compared with trying all values, clause by clause, for random programs.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/read_conditions.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

using Values = std::map<std::string, std::int64_t>;  // of variables
using Known = std::set<std::string>;                 // ground atoms

// A variable, a number (no operation, no name), or an operation on two.
struct Expression {
    std::string operation;
    std::string name;
    std::int64_t number = 0;
    std::vector<Expression> operands;

    std::string text() const {
        if (!operation.empty()) return fmt::format("{} {} {}", operands[0].text(), operation, operands[1].text());
        return name.empty() ? fmt::format("{}", number) : name;
    }
    std::int64_t value(const Values& values) const {
        if (operation.empty()) return name.empty() ? number : values.at(name);
        const std::int64_t a = operands[0].value(values);
        const std::int64_t b = operands[1].value(values);
        if (operation == "+") return a + b;
        if (operation == "-") return a - b;
        if (operation == "*") return a * b;
        if (operation == "//") return a / b;
        return ((a % b) + b) % b;  // mod, of a positive number
    }
};

struct Condition {
    std::string relation;  // as written; between has its ends as left and right
    Expression left;
    Expression right;
    std::string variable;  // that is or between gives a value

    std::string text() const {
        if (relation == "between") return fmt::format("between({}, {}, {})", left.text(), right.text(), variable);
        if (relation == "is") return fmt::format("{} is {}", variable, right.text());
        return fmt::format("{} {} {}", left.text(), relation, right.text());
    }
};

struct Goal {
    std::string predicate;
    std::vector<std::string> variables;

    std::string text() const { return fmt::format("{}({})", predicate, fmt::join(variables, ",")); }
    std::string text(const Values& values) const {
        std::vector<std::int64_t> numbers;
        for (const std::string& variable : variables) numbers.push_back(values.at(variable));
        return fmt::format("{}({})", predicate, fmt::join(numbers, ","));
    }
};

struct ArithmeticClause {
    Goal head;
    std::vector<Goal> body;
    std::vector<Condition> conditions;  // in an order in which they can be evaluated
};

struct ArithmeticProgram {
    bool open = false;
    std::set<std::string> facts;
    std::vector<ArithmeticClause> clauses;

    std::string text() const {
        std::string text = ":- type(n, [0, 1, 2, 3, 4, 5]). :- pred(p(n)). :- pred(q(n)). :- pred(r(n,n)).\n";
        for (const std::string& fact : facts) text += fact + ". ";
        for (const ArithmeticClause& clause : clauses) {
            std::vector<std::string> body;
            for (const Goal& goal : clause.body) body.push_back(goal.text());
            text += fmt::format("\n{} :- {}.", clause.head.text(), fmt::join(body, ", "));
        }
        return text;
    }
};

class RandomArithmetic {
public:
    explicit RandomArithmetic(std::uint32_t seed) : random_(seed) {}

    ArithmeticProgram program() {
        ArithmeticProgram result;
        result.open = pick(2) == 0;
        for (std::uint32_t i = 0; i < 6; ++i) {
            result.facts.insert(fmt::format("p({})", pick(6)));
            result.facts.insert(fmt::format("r({},{})", pick(6), pick(6)));
        }
        const std::uint32_t clauses = 1 + pick(3);
        for (std::uint32_t i = 0; i < clauses; ++i) result.clauses.push_back(clause());
        return result;
    }
    template <class Items>
    void shuffle(Items& items) {
        std::shuffle(items.begin(), items.end(), random_);
    }

private:
    std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
    const std::string& any(const std::vector<std::string>& items) {
        return items[pick(static_cast<std::uint32_t>(items.size()))];
    }

    Goal goal(const std::vector<std::string>& variables) {
        const std::string predicate = any({"p", "q", "r"});
        if (predicate == "r") return {predicate, {any(variables), any(variables)}};
        return {predicate, {any(variables)}};
    }
    Expression operand(const std::vector<std::string>& bound) {
        Expression result;
        if (pick(3) == 0) {
            result.number = pick(6);
        } else {
            result.name = any(bound);
        }
        return result;
    }
    Expression expression(const std::vector<std::string>& bound) {
        if (pick(3) == 0) return operand(bound);
        Expression result;
        result.operation = any({"+", "-", "*", "//", "mod"});
        result.operands = {operand(bound), operand(bound)};
        if (result.operation == "//" || result.operation == "mod") {
            result.operands[1] = {};
            result.operands[1].number = 2 + pick(2);
        }
        return result;
    }

    ArithmeticClause clause() {
        ArithmeticClause result;
        const std::uint32_t goals = 1 + pick(2);
        for (std::uint32_t i = 0; i < goals; ++i) result.body.push_back(goal({"X", "Y"}));
        std::vector<std::string> bound;
        for (const Goal& goal : result.body) {
            for (const std::string& variable : goal.variables) {
                if (std::ranges::find(bound, variable) == bound.end()) bound.push_back(variable);
            }
        }
        const std::uint32_t conditions = 1 + pick(3);
        for (std::uint32_t i = 0; i < conditions; ++i) {
            Condition condition;
            condition.relation = any({"<", "=<", ">", ">=", "=:=", "=\\=", "is", "is", "is", "between"});
            condition.left = expression(bound);
            condition.right = expression(bound);
            if (condition.relation == "is" || condition.relation == "between") {
                // A new variable, or a test of one that has a value.
                condition.variable = pick(4) == 0 ? any(bound) : fmt::format("V{}", i);
                const bool fresh = std::ranges::find(bound, condition.variable) == bound.end();
                if (condition.relation == "is") condition.left = {};
                if (fresh) bound.push_back(condition.variable);
            }
            result.conditions.push_back(condition);
        }
        result.head = goal(bound);
        // No number without end.
        for (const std::string& variable : result.head.variables) {
            for (const auto& [relation, number] : {std::pair("<", 30), std::pair(">", -30)}) {
                Condition condition;
                condition.relation = relation;
                condition.left.name = variable;
                condition.right.number = number;
                result.conditions.push_back(condition);
            }
        }
        return result;
    }

    std::mt19937 random_;
};

class NaiveArithmetic {
public:
    explicit NaiveArithmetic(const ArithmeticProgram& program) : program_(program) {}

    // The ground clauses whose bodies can be derived; or all of them, for values from 0 to 5.
    std::set<std::string> instances(bool all) {
        all_ = all;
        atoms_ = program_.facts;
        numbers_ = {0, 1, 2, 3, 4, 5};
        for (std::size_t before = 0, pass = 0; pass == 0 || before != atoms_.size(); ++pass) {
            before = atoms_.size();
            for (const ArithmeticClause& clause : program_.clauses) ground(clause);
        }
        return instances_;
    }

private:
    bool exists(std::int64_t number) const { return program_.open || (0 <= number && number <= 5); }

    void ground(const ArithmeticClause& clause) {
        std::set<std::string> variables;
        for (const Goal& goal : clause.body) variables.insert(goal.variables.begin(), goal.variables.end());
        const std::vector<std::string> names(variables.begin(), variables.end());
        Values values;
        const auto choose = [&](auto&& self, std::size_t at) -> void {
            if (at == names.size()) {
                const bool known = std::ranges::all_of(
                    clause.body, [&](const Goal& goal) { return all_ || atoms_.contains(goal.text(values)); });
                if (known) solve(clause, 0, values);
                return;
            }
            for (const std::int64_t number : std::set(numbers_)) {
                values[names[at]] = number;
                self(self, at + 1);
            }
        };
        choose(choose, 0);
    }

    void solve(const ArithmeticClause& clause, std::size_t at, const Values& values) {
        if (at == clause.conditions.size()) return add(clause, values);
        const Condition& condition = clause.conditions[at];
        const std::int64_t right = condition.right.value(values);
        const auto with = [&](std::int64_t number) {
            Values next = values;
            const auto [place, fresh] = next.try_emplace(condition.variable, number);
            if (place->second == number && (exists(number) || !all_)) solve(clause, at + 1, next);
        };
        if (condition.relation == "is") return with(right);
        const std::int64_t left = condition.left.value(values);
        if (condition.relation == "between") {
            for (std::int64_t number = left; number <= right; ++number) with(number);
            return;
        }
        const std::map<std::string, bool> holds = {{"<", left < right},    {"=<", left <= right},
                                                   {">", left > right},    {">=", left >= right},
                                                   {"=:=", left == right}, {"=\\=", left != right}};
        if (holds.at(condition.relation)) solve(clause, at + 1, values);
    }

    void add(const ArithmeticClause& clause, const Values& values) {
        if (!std::ranges::all_of(clause.head.variables, [&](const auto& one) { return exists(values.at(one)); }))
            return;
        std::set<std::string> body;
        for (const Goal& goal : clause.body) body.insert(goal.text(values));
        const std::string head = clause.head.text(values);
        atoms_.insert(head);
        for (const std::string& variable : clause.head.variables) numbers_.insert(values.at(variable));
        instances_.insert(fmt::format("{} :- {}", head, fmt::join(body, ", ")));
    }

    const ArithmeticProgram& program_;
    bool all_ = false;
    Known atoms_;
    std::set<std::int64_t> numbers_;  // that occur in them
    std::set<std::string> instances_;
};

// The ground clauses of the graph; the goals of each in the order of their texts, as above.
std::vector<std::string> grounded_clauses(const GroundedText& grounded) {
    const auto plain = [](std::string text) {
        std::erase(text, '\'');
        return text;
    };
    const ReasoningGraph& graph = grounded.ground.graph;
    std::vector<std::string> result;
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        std::set<std::string> body;
        for (const GraphLiteral literal : graph.literals(c)) body.insert(plain(atom_text(grounded, literal.atom())));
        result.push_back(fmt::format("{} :- {}", plain(atom_text(grounded, graph.head[c])), fmt::join(body, ", ")));
    }
    return result;
}

Program program_of(const ArithmeticProgram& written, RandomArithmetic& random) {
    ReadProgram read_back = read(written.text());
    EXPECT_FALSE(read_back.diagnostics.has_errors()) << rendered(read_back);
    Program program = std::move(read_back.program);
    program.signature.type(program.signature.find_type("n")).open = written.open;
    // Numbers of conditions are no terms of the program's own type.
    program.signature.operation(Operation::Add);
    for (std::size_t c = 0; c < written.clauses.size(); ++c) {
        std::vector<std::string> conditions;
        for (const Condition& condition : written.clauses[c].conditions) conditions.push_back(condition.text());
        random.shuffle(conditions);
        add_conditions(program, c, conditions, "n", "(expression)");
    }
    return program;
}

TEST(ArithmeticOracle, GroundingIsTryingAllValues) {
    std::size_t found = 0;
    for (std::uint32_t seed = 1; seed <= 5000; ++seed) {
        RandomArithmetic random(seed);
        const ArithmeticProgram written = random.program();
        const Program program = program_of(written, random);
        std::string about = fmt::format("seed {}, {}\n{}", seed, written.open ? "open" : "closed", written.text());
        for (const ArithmeticClause& clause : written.clauses) {
            for (const Condition& condition : clause.conditions) about += "\n  " + condition.text();
            about += "\n";
        }
        for (const GroundMode mode : {GroundMode::Relevant, GroundMode::Full}) {
            if (mode == GroundMode::Full && written.open) continue;
            const GroundedText grounded = ground_program(program, {.mode = mode});
            const std::vector<std::string> clauses = grounded_clauses(grounded);
            const std::set<std::string> expected = NaiveArithmetic(written).instances(mode == GroundMode::Full);
            const std::set<std::string> actual(clauses.begin(), clauses.end());
            ASSERT_EQ(actual, expected) << about;
            if (written.clauses.size() == 1 && written.clauses[0].body.size() == 1) {
                ASSERT_EQ(clauses.size(), actual.size()) << "an instance stands twice\n" << about;
            }
            found += expected.size();
        }
    }
    EXPECT_GT(found, 30'000U) << "most programs say something";
}

}  // namespace
}  // namespace neumann
