#include "logic/arithmetic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "logic/program.h"

namespace neumann {
namespace {

struct OperationEntry {
    std::string_view spelling;
    std::size_t operands;
};

constexpr std::array<OperationEntry, operation_count> operations = {{
    {"+", 2},
    {"-", 2},
    {"*", 2},
    {"/", 2},
    {"//", 2},
    {"mod", 2},
    {"min", 2},
    {"max", 2},
    {"abs", 1},
    {"-", 1},
    {"..", 2},
}};

constexpr std::array<std::string_view, 10> comparisons = {
    "=", "\\=", "is", "<", "=<", ">", ">=", "=:=", "=\\=", "in",
};

Number finite(double value) {
    if (!std::isfinite(value)) throw ArithmeticError("the result is too large for a number");
    return value;
}

Number checked(bool overflow, std::int64_t value) {
    if (overflow) throw ArithmeticError("the result is too large for an integer of 64 bits");
    return value;
}

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

Number on_integers(Operation operation, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    bool overflow = false;
    const bool divides =
        operation == Operation::Divide || operation == Operation::IntegerDivide || operation == Operation::Modulo;
    if (divides && b == 0) throw ArithmeticError("a division by zero");
    if (divides && a == smallest && b == -1)
        return operation == Operation::Modulo ? Number(std::int64_t{0}) : checked(true, 0);
    switch (operation) {
    case Operation::Add:
        overflow = __builtin_add_overflow(a, b, &result);
        return checked(overflow, result);
    case Operation::Subtract:
        overflow = __builtin_sub_overflow(a, b, &result);
        return checked(overflow, result);
    case Operation::Multiply:
        overflow = __builtin_mul_overflow(a, b, &result);
        return checked(overflow, result);
    case Operation::Divide:
        return a % b == 0 ? Number(a / b) : Number(static_cast<double>(a) / static_cast<double>(b));
    case Operation::IntegerDivide:
        return a / b;
    case Operation::Modulo:
        result = a % b;
        return result != 0 && (result < 0) != (b < 0) ? result + b : result;
    case Operation::Minimum:
        return std::min(a, b);
    case Operation::Maximum:
        return std::max(a, b);
    case Operation::Absolute:
        return checked(a == smallest, a < 0 ? -a : a);
    case Operation::Negate:
        overflow = __builtin_sub_overflow(std::int64_t{0}, a, &result);
        return checked(overflow, result);
    case Operation::Range:
        break;
    }
    throw ArithmeticError("a range is not a number");
}

Number on_floats(Operation operation, double a, double b) {
    switch (operation) {
    case Operation::Add:
        return finite(a + b);
    case Operation::Subtract:
        return finite(a - b);
    case Operation::Multiply:
        return finite(a * b);
    case Operation::Divide:
        if (b == 0) throw ArithmeticError("a division by zero");
        return finite(a / b);
    case Operation::IntegerDivide:
    case Operation::Modulo:
        throw ArithmeticError(fmt::format("'{}' takes integers", spelling(operation)));
    case Operation::Minimum:
        return std::min(a, b);
    case Operation::Maximum:
        return std::max(a, b);
    case Operation::Absolute:
        return std::abs(a);
    case Operation::Negate:
        return -a;
    case Operation::Range:
        break;
    }
    throw ArithmeticError("a range is not a number");
}

}  // namespace

std::string_view spelling(Operation operation) { return operations[static_cast<std::size_t>(operation)].spelling; }
std::size_t operand_count(Operation operation) { return operations[static_cast<std::size_t>(operation)].operands; }

std::string_view spelling(Comparison comparison) { return comparisons[static_cast<std::size_t>(comparison)]; }

std::string_view spelling(Aggregate::Kind kind) {
    constexpr std::array<std::string_view, 5> kinds = {"count", "sum", "min", "max", "avg"};
    return kinds[static_cast<std::size_t>(kind)];
}

std::optional<Operation> find_operation(std::string_view spelling, std::size_t operands) {
    const auto* const found = std::ranges::find_if(operations, [&](const OperationEntry& entry) {
        return entry.spelling == spelling && entry.operands == operands;
    });
    if (found == operations.end()) return std::nullopt;
    return static_cast<Operation>(found - operations.begin());
}

Number apply(Operation operation, Number left, Number right) {
    const bool takes_one = operand_count(operation) == 1;
    const auto* const a = std::get_if<std::int64_t>(&left);
    const auto* const b = std::get_if<std::int64_t>(takes_one ? &left : &right);
    if (a != nullptr && b != nullptr) return on_integers(operation, *a, *b);
    return on_floats(operation, as_double(left), takes_one ? 0.0 : as_double(right));
}

double as_double(Number number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

int compare(Number left, Number right) {
    const auto* const a = std::get_if<std::int64_t>(&left);
    const auto* const b = std::get_if<std::int64_t>(&right);
    if (a != nullptr && b != nullptr) return *a < *b ? -1 : *a > *b ? 1 : 0;
    const double x = as_double(left);
    const double y = as_double(right);
    return x < y ? -1 : x > y ? 1 : 0;
}

std::optional<Number> parse_number(std::string_view name) {
    const std::size_t digit = name.starts_with('-') ? 1 : 0;
    if (digit >= name.size() || name[digit] < '0' || name[digit] > '9') return std::nullopt;
    const char* const end = name.data() + name.size();
    std::int64_t integer = 0;
    const auto whole = std::from_chars(name.data(), end, integer);
    if (whole.ptr == end) return whole.ec == std::errc() ? std::optional<Number>(integer) : std::nullopt;
    double value = 0;
    const auto read = std::from_chars(name.data(), end, value);
    if (read.ptr != end || read.ec != std::errc()) return std::nullopt;
    return value;
}

std::string print(Number number) {
    if (const auto* const integer = std::get_if<std::int64_t>(&number)) return fmt::format("{}", *integer);
    std::string text = fmt::format("{}", std::get<double>(number));
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

}  // namespace neumann
