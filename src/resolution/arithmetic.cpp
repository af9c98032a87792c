#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
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
constexpr std::array<NamedFunction, 20> functions = {{
    {"sqrt", [](double x) { return std::sqrt(x); }},     {"exp", [](double x) { return std::exp(x); }},
    {"log", [](double x) { return std::log(x); }},       {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},       {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},     {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},     {"log10", [](double x) { return std::log10(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},     {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},     {"asinh", [](double x) { return std::asinh(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},   {"atanh", [](double x) { return std::atanh(x); }},
    {"lgamma", [](double x) { return std::lgamma(x); }}, {"erf", [](double x) { return std::erf(x); }},
    {"erfc", [](double x) { return std::erfc(x); }},     {"float", [](double x) { return x; }},
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

std::int64_t integer_of(Number number) {
    const auto* whole = std::get_if<std::int64_t>(&number);
    if (whole == nullptr) throw ArithmeticError("operations on bits need integers");
    return *whole;
}

Number shifted(Number number, Number by) {
    constexpr std::int64_t most = 62;
    const std::int64_t places = integer_of(by);
    if (places < -most || places > most) throw ArithmeticError("a shift by more than 62 bits");
    if (places < 0) return integer_of(number) >> -places;
    return apply(Operation::Multiply, number, std::int64_t{1} << places);  // refuses what is too large
}

Number apply_one(const std::string& name, Number number) {
    for (const auto& [known, function] : functions) {
        if (known == name) return finite(function(as_double(number)));
    }
    for (const auto& [known, function] : roundings) {
        if (known == name) return is_integer(number) ? number : whole(function(as_double(number)));
    }
    if (name == "sign") return sign_of(number);
    if (name == "float_integer_part") return std::trunc(as_double(number));
    if (name == "float_fractional_part") return as_double(number) - std::trunc(as_double(number));
    if (name == "\\") return ~integer_of(number);
    if (name == "+") return number;
    const std::optional<Operation> operation = find_operation(name, 1);
    if (name == "-") return apply(Operation::Negate, number, {});
    if (!operation) throw GoalError(fmt::format("there is no function '{}/1'", name));
    return apply(*operation, number, {});
}

// Where ProbLog has another result than ISO Prolog: halves are rounded to even numbers, // goes downwards, / gives
// floats.
std::optional<Number> apply_problog(const std::string& name, Number number) {
    const double value = as_double(number);
    if (name == "round") return whole(std::nearbyint(value));
    if (name == "integer" || name == "float_integer_part") return whole(std::trunc(value));
    if (name == "sign") return std::int64_t{value < 0 ? -1 : value > 0 ? 1 : 0};
    return std::nullopt;
}

std::optional<Number> apply_problog(const std::string& name, Number left, Number right) {
    const bool integers = is_integer(left) && is_integer(right);
    if (name == "/" && integers) return apply(Operation::Divide, as_double(left), right);
    if (!integers || (name != "rem" && name != "//")) return std::nullopt;
    const Number remainder = apply(Operation::Modulo, left, right);
    if (name == "rem") return remainder;
    return apply(Operation::IntegerDivide, apply(Operation::Subtract, left, remainder), right);
}

Number apply_two(const std::string& name, Number left, Number right) {
    if (name == "**" || name == "^") return power(left, right);
    if (name == "/\\") return integer_of(left) & integer_of(right);
    if (name == "\\/") return integer_of(left) | integer_of(right);
    if (name == "xor" || name == "><") return integer_of(left) ^ integer_of(right);
    if (name == "<<") return shifted(left, right);
    if (name == ">>") return shifted(left, -integer_of(right));
    if (name == "atan" || name == "atan2") return std::atan2(as_double(left), as_double(right));
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

Number rounded(const Terms& terms, Number value) {
    const auto* real = std::get_if<double>(&value);
    return real == nullptr || !terms.problog_numbers ? value : Number(std::stod(fmt::format("{:.15f}", *real)));
}

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
            const std::string& name = terms.name(term);
            std::optional<Number> result;
            if (args.size() == 2) {
                const Number left = values.back();
                values.pop_back();
                if (terms.problog_numbers) result = apply_problog(name, left, last);
                if (!result) result = apply_two(name, left, last);
            } else {
                if (terms.problog_numbers) result = apply_problog(name, last);
                if (!result) result = apply_one(name, last);
            }
            values.push_back(*result);
        } else if (terms.is(term, "pi", 0) || terms.is(term, "e", 0)) {
            values.emplace_back(terms.is(term, "e", 0) ? std::numbers::e : std::numbers::pi);
        } else if (terms.is(term, "epsilon", 0)) {
            values.emplace_back(std::numeric_limits<double>::epsilon());
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
