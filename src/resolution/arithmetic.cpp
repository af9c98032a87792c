#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "resolution/built_ins.h"

namespace neumann::resolution {
namespace {

using Function = double (*)(double);
struct NamedFunction {
    std::string_view name;
    Function function;
};
constexpr std::array<NamedFunction, 10> functions = {{
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"float", [](double x) { return x; }},
}};
constexpr std::array<NamedFunction, 5> roundings = {{
    {"floor", [](double x) { return std::floor(x); }},
    {"ceiling", [](double x) { return std::ceil(x); }},
    {"round", [](double x) { return std::round(x); }},
    {"truncate", [](double x) { return std::trunc(x); }},
    {"integer", [](double x) { return std::round(x); }},
}};

bool is_integer(Number number) { return std::holds_alternative<std::int64_t>(number); }

Number finite(double value) {
    if (!std::isfinite(value)) throw ArithmeticError("the result is no finite number");
    return value;
}

Number whole(double value) {
    constexpr double largest = 9.2e18;
    if (!(std::abs(value) <= largest)) throw ArithmeticError(fmt::format("{:g} is too large for an integer", value));
    return static_cast<std::int64_t>(value);
}

Number sign_of(Number number) {
    const int sign = compare(number, std::int64_t{0});
    if (is_integer(number)) return std::int64_t{sign < 0 ? -1 : sign > 0 ? 1 : 0};
    return sign < 0 ? -1.0 : sign > 0 ? 1.0 : 0.0;
}

Number power(Number base, Number exponent) {
    const double value = std::pow(as_double(base), as_double(exponent));
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (is_integer(base) && is_integer(exponent) && as_double(exponent) >= 0 && std::abs(value) < exact)
        return static_cast<std::int64_t>(value);
    return finite(value);
}

Number apply_one(const std::string& name, Number number) {
    for (const auto& [known, function] : functions) {
        if (known == name) return finite(function(as_double(number)));
    }
    for (const auto& [known, function] : roundings) {
        if (known == name) return is_integer(number) ? number : whole(function(as_double(number)));
    }
    if (name == "sign") return sign_of(number);
    if (name == "+") return number;
    const std::optional<Operation> operation = find_operation(name, 1);
    if (name == "-") return apply(Operation::Negate, number, {});
    if (!operation) throw GoalError(fmt::format("there is no function '{}/1'", name));
    return apply(*operation, number, {});
}

Number apply_two(const std::string& name, Number left, Number right) {
    if (name == "**" || name == "^") return power(left, right);
    if (name == "div") return apply_one("floor", as_double(left) / as_double(right));
    if (name == "rem") {
        const Number quotient = apply(Operation::IntegerDivide, left, right);
        return apply(Operation::Subtract, left, apply(Operation::Multiply, quotient, right));
    }
    const std::optional<Operation> operation = find_operation(name, 2);
    if (!operation || *operation == Operation::Range) throw GoalError(fmt::format("there is no function '{}/2'", name));
    return apply(*operation, left, right);
}

}  // namespace

// An expression may be as deep as it is long: its parts wait on a stack of their own.
Number evaluate(const Terms& terms, Term expression) {
    struct Part {
        Term term;
        bool known;  // its arguments have been evaluated
    };
    std::vector<Part> parts = {{expression, false}};
    std::vector<Number> values;
    while (!parts.empty()) {
        const auto [term, known] = parts.back();
        parts.pop_back();
        if (terms.is_number(term)) {
            values.push_back(terms.value(term));
            continue;
        }
        if (terms.is_variable(term)) throw GoalError("a variable in arithmetic has no value yet");
        const std::span<const Term> args = terms.args(term);
        if (known) {
            const Number last = values.back();
            values.pop_back();
            if (args.size() == 2) {
                values.back() = apply_two(terms.name(term), values.back(), last);
            } else {
                values.push_back(apply_one(terms.name(term), last));
            }
        } else if (terms.is(term, "pi", 0) || terms.is(term, "e", 0)) {
            values.emplace_back(terms.is(term, "e", 0) ? std::numbers::e : std::numbers::pi);
        } else if (terms.is(term, "[|]", 2) && terms.is(args[1], "[]", 0)) {
            parts.push_back({args[0], false});
        } else if (args.size() == 1 || args.size() == 2) {
            parts.push_back({term, true});
            if (args.size() == 2) parts.push_back({args[1], false});
            parts.push_back({args[0], false});
        } else {
            throw GoalError(fmt::format("{} is not a number", terms.print(term)));
        }
    }
    return values.back();
}

}  // namespace neumann::resolution
