// Arithmetic: numbers, and the operations of expressions such as X + 2 * Y, which conditions on grounding compare. An
// expression is a term whose functors are operations (Signature::operation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace neumann {

enum class Operation : std::uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,         // of integers an integer if it is one, as in SWI-Prolog
    IntegerDivide,  // //, towards zero
    Modulo,         // with the sign of the divisor
    Minimum,
    Maximum,
    Absolute,
    Negate,
    Range,  // low..high, the right side of Comparison::Between
};
inline constexpr std::size_t operation_count = 11;

// "+", "//", "min": as it is written, and how many operands it has.
std::string_view spelling(Operation operation);
std::size_t operand_count(Operation operation);
std::optional<Operation> find_operation(std::string_view spelling, std::size_t operands);

using Number = std::variant<std::int64_t, double>;

// A division by zero or an overflow; what() describes it.
class ArithmeticError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The second operand of an operation that takes one is ignored. Not for Range. Throws ArithmeticError.
Number apply(Operation operation, Number left, Number right);

double as_double(Number number);

// Negative, zero or positive; integers and floats by value.
int compare(Number left, Number right);

// Numbers are constants whose names are numerals: 3, -12, 0.5, 1.0, 2.5e10. The name that print gives is the canonical
// one, which the same number always has; an integer and a float are never the same constant.
std::optional<Number> parse_number(std::string_view name);
std::string print(Number number);

}  // namespace neumann
