// Arithmetic conditions of clauses in tests, read from a text such as "Y is X + 2 * Z" or "between(1, X, Y)".
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "logic/program.h"

namespace neumann {

class ConditionReader {
public:
    // The types of variables that the clause does not have yet, and of numbers.
    ConditionReader(Program& program, Clause& clause, std::string_view variables, std::string_view numbers)
        : program_(program), clause_(clause), variable_type_(program.signature.find_type(variables)),
          number_type_(program.signature.find_type(numbers)) {}

    void add(std::string_view text) {
        rest_ = text;
        Constraint c;
        c.span = clause_.span;
        if (take("between(")) {
            const TermId low = sum();
            take(",");
            const TermId high = sum();
            take(",");
            c.left = sum();
            c.comparison = Comparison::Between;
            c.right = make(Operation::Range, {low, high});
        } else {
            c.left = sum();
            // Longer ones first.
            for (const Comparison one : {Comparison::SameNumber, Comparison::OtherNumber, Comparison::AtMost,
                                         Comparison::AtLeast, Comparison::Is, Comparison::Less, Comparison::Greater}) {
                if (!take(spelling(one))) continue;
                c.comparison = one;
                break;
            }
            c.right = sum();
        }
        clause_.constraints.push_back(c);
    }

private:
    bool take(std::string_view token) {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    TermId make(Operation operation, const std::vector<TermId>& args) {
        return program_.terms.compound(program_.signature.operation(operation), args);
    }
    TermId sum() {
        TermId left = product();
        while (true) {
            if (take("+ ")) {
                left = make(Operation::Add, {left, product()});
            } else if (take("- ")) {
                left = make(Operation::Subtract, {left, product()});
            } else {
                return left;
            }
        }
    }
    TermId product() {
        TermId left = operand();
        while (true) {
            if (take("* ")) {
                left = make(Operation::Multiply, {left, operand()});
            } else if (take("// ")) {
                left = make(Operation::IntegerDivide, {left, operand()});
            } else if (take("mod ")) {
                left = make(Operation::Modulo, {left, operand()});
            } else {
                return left;
            }
        }
    }
    TermId operand() {
        take("");
        const auto* const end = std::ranges::find_if_not(
            rest_, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.'; });
        const std::string name(rest_.begin(), end);
        rest_.remove_prefix(name.size());
        if (name == "abs") {
            take("(");
            const TermId inner = sum();
            take(")");
            return make(Operation::Absolute, {inner});
        }
        if (std::isupper(static_cast<unsigned char>(name[0])) == 0) return constant(name);
        const auto known = std::ranges::find(clause_.variables, name, &ClauseVariable::name);
        const auto index = static_cast<std::uint32_t>(known - clause_.variables.begin());
        if (known == clause_.variables.end()) clause_.variables.push_back({name, variable_type_, clause_.span});
        return program_.terms.variable(index);
    }
    TermId constant(const std::string& name) {
        ConstantId id = program_.signature.find_constant(name, number_type_);
        if (id.is_none()) id = program_.signature.add_constant(name, number_type_, {});
        return program_.terms.constant(id);
    }

    Program& program_;
    Clause& clause_;
    TypeId variable_type_;
    TypeId number_type_;
    std::string_view rest_;
};

inline void add_conditions(Program& program, std::size_t clause, const std::vector<std::string>& conditions,
                           std::string_view variables, std::string_view numbers) {
    ConditionReader reader(program, program.clauses.at(clause), variables, numbers);
    for (const std::string& condition : conditions) reader.add(condition);
}

}  // namespace neumann
