#include "interchange/asp_clause.h"

#include <fmt/format.h>

#include "logic/substitution.h"

namespace neumann::interchange {
namespace {

// Priorities of operators: a larger number binds tighter.
constexpr unsigned sum_level = 1;
constexpr unsigned product_level = 2;

// A variable begins with an upper-case letter there, behind underscores.
std::string as_variable(const std::string& name) {
    const std::size_t letter = name.find_first_not_of('_');
    if (letter == std::string::npos) return "V";
    std::string word = name.substr(letter);
    if (word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return word[0] >= 'A' && word[0] <= 'Z' ? word : "V" + word;
}

std::string_view relation(Comparison comparison) {
    switch (comparison) {
    case Comparison::Different:
    case Comparison::OtherNumber:
        return "!=";
    case Comparison::AtMost:
        return "<=";
    case Comparison::Less:
    case Comparison::Greater:
    case Comparison::AtLeast:
        return spelling(comparison);
    default:
        return "=";
    }
}

}  // namespace

AspClause::AspClause(const Program& program, const Clause& clause, const TermText& text, TypeDomains& domains,
                     Diagnostics& diagnostics)
    : program_(program), clause_(clause), text_(text), domains_(domains), diagnostics_(diagnostics) {
    name_variables();
}

// A variable with one occurrence, in an atom of the body, stays anonymous.
void AspClause::name_variables() {
    std::vector<unsigned> uses(clause_.variables.size(), 0);
    const auto count = [&](unsigned weight) { return [&uses, weight](std::uint32_t v) { uses[v] += weight; }; };
    for_each_variable_of(program_, clause_.head, count(2));
    for (const Literal& goal : clause_.body) for_each_variable_of(program_, goal.atom, count(goal.negated ? 2 : 1));
    for (const Constraint& c : clause_.constraints) {
        for_each_variable(program_.terms, c.left, count(2));
        for_each_variable(program_.terms, c.right, count(2));
    }
    for (const Aggregate& one : clause_.aggregates) {
        for_each_variable_of(program_, one.goal, count(2));
        for_each_variable(program_.terms, one.result, count(2));
    }
    for (std::size_t v = 0; v < uses.size(); ++v) {
        if (uses[v] == 1) {
            names_.emplace_back("_");
            continue;
        }
        const std::string base = as_variable(clause_.variables[v].name);
        std::string name = base;
        for (unsigned number = 1; !taken_.insert(name).second; ++number) name = fmt::format("{}_{}", base, number);
        names_.push_back(std::move(name));
    }
}

std::string AspClause::fresh() {
    std::string name;
    do {
        name = fmt::format("V{}", ++fresh_);
    } while (!taken_.insert(name).second);
    return name;
}

void AspClause::refuse(const std::string& what, const std::string& advice) {
    diagnostics_.report(codes::unsupported, clause_.span,
                        fmt::format("an answer set program has no place for {}", what), advice);
}

std::string AspClause::text() {
    if (const TermId term = built_without_end(program_, clause_); !term.is_none())
        refuse(fmt::format("bounds on terms, and this clause builds {}", text_.term(term, names_)),
               "clingo would build terms without end; use numbers, or bind the term in the body");
    BoundVariables bound(program_, clause_);
    for (const Literal& goal : clause_.body) goals_.push_back((goal.negated ? "not " : "") + atom(goal.atom));
    for (const Aggregate& one : clause_.aggregates) {
        const std::set<std::uint32_t> groups = group_variables(program_, clause_, one);
        // Its instances define the groups, unless another goal does.
        bool known = true;
        VariableNames names(names_.size(), "_");
        for_each_variable_of(program_, one.goal, [&](std::uint32_t v) {
            if (!groups.contains(v)) return;
            known = known && bound.has(v);
            names[v] = names_[v];
        });
        if (!known) goals_.push_back(text_.atom(one.goal.predicate, one.goal.args, names));
        if (!known && needs_negation(program_, one.goal.predicate))
            refuse("groups that only instances which may not hold tell", "bind the group in another goal of the body");
        add_aggregate(one, groups);
        for (const std::uint32_t v : groups) bound.bind_variable(v);
        for_each_variable_of(program_, one.goal, [&](std::uint32_t v) { bound.bind_variable(v); });
        bound.bind(one.result);
        bound.follow();
    }
    for (const std::uint32_t v : bound.ranging()) {
        const ClauseVariable& variable = clause_.variables[v];
        goals_.push_back(fmt::format("{}({})", domains_.predicate(variable.type, variable, clause_), names_[v]));
    }
    for (const Constraint& c : clause_.constraints) add_constraint(c);
    for (const Constraint& c : distinct_arguments(program_, clause_)) add_constraint(c);
    const std::string head = atom(clause_.head);
    return goals_.empty() ? head + "." : fmt::format("{} :- {}.", head, fmt::join(goals_, ", "));
}

void AspClause::add_constraint(const Constraint& c) {
    if (!is_arithmetic(c.comparison)) {
        goals_.push_back(
            fmt::format("{} {} {}", text_.term(c.left, names_), relation(c.comparison), text_.term(c.right, names_)));
        return;
    }
    const std::string left = expression(c.left);
    if (c.comparison == Comparison::Between) {
        const std::string low = expression(program_.terms.args(c.right)[0]);
        goals_.push_back(fmt::format("{} = {}..{}", left, low, expression(program_.terms.args(c.right)[1])));
        return;
    }
    goals_.push_back(fmt::format("{} {} {}", left, relation(c.comparison), expression(c.right)));
}

// The instances of the goal are tuples of its own variables.
void AspClause::add_aggregate(const Aggregate& aggregate, const std::set<std::uint32_t>& groups) {
    if (aggregate.kind == Aggregate::Kind::Average)
        refuse("the aggregate avg", "clingo has no fractions; ask for sum and count");
    std::vector<std::string> tuple;
    if (aggregate.kind != Aggregate::Kind::Count) tuple.push_back(expression(aggregate.weight));
    std::set<std::uint32_t> own;
    for_each_variable_of(program_, aggregate.goal, [&](std::uint32_t v) {
        if (!groups.contains(v) && own.insert(v).second) tuple.push_back(names_[v]);
    });
    if (tuple.empty()) tuple.emplace_back("1");
    const std::string result = expression(aggregate.result);
    goals_.push_back(fmt::format("{} = #{}{{ {} : {} }}", result, spelling(aggregate.kind), fmt::join(tuple, ","),
                                 atom(aggregate.goal)));
    // Of nothing there is no smallest and no largest; clingo's are terms beyond all numbers.
    if (aggregate.kind == Aggregate::Kind::Minimum) goals_.push_back(result + " < #sup");
    if (aggregate.kind == Aggregate::Kind::Maximum) goals_.push_back(result + " > #inf");
}

std::string AspClause::expression(TermId term, unsigned most) {
    if (program_.terms.kind(term) != TermKind::Compound) return text_.term(term, names_);
    const auto operand = [&](std::size_t i, unsigned limit) { return expression(program_.terms.args(term)[i], limit); };
    const auto infix = [&](const char* symbol, unsigned priority) {
        const std::string text = fmt::format("{} {} {}", operand(0, priority), symbol, operand(1, priority + 1));
        return priority < most ? "(" + text + ")" : text;
    };
    switch (program_.signature.functor(program_.terms.functor_of(term)).operation.value_or(Operation::Range)) {
    case Operation::Add:
        return infix("+", sum_level);
    case Operation::Subtract:
        return infix("-", sum_level);
    case Operation::Multiply:
        return infix("*", product_level);
    case Operation::IntegerDivide:
        return infix("/", product_level);
    case Operation::Modulo: {  // there the remainder has the sign of the dividend
        const std::string divisor = operand(1, product_level + 1);
        return fmt::format("{0}({1} \\ {2} + {2}) \\ {2}{3}", product_level < most ? "(" : "",
                           operand(0, product_level), divisor, product_level < most ? ")" : "");
    }
    case Operation::Minimum:
    case Operation::Maximum: {
        const bool least = program_.signature.functor(program_.terms.functor_of(term)).operation == Operation::Minimum;
        const std::string value = fresh();
        const std::string left = operand(0, 0);
        goals_.push_back(fmt::format("{} = #{}{{ {} ; {} }}", value, least ? "min" : "max", left, operand(1, 0)));
        return value;
    }
    case Operation::Absolute:
        return fmt::format("|{}|", operand(0, 0));
    case Operation::Negate:
        return fmt::format("-({})", operand(0, 0));
    case Operation::Divide:
        refuse("the division '/', which may give a fraction", "write //, which rounds towards zero");
        return "0";
    case Operation::Range:
        break;
    }
    return "0";
}

}  // namespace neumann::interchange
