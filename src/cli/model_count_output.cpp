#include "cli/model_count_output.h"

#include <cmath>

#include <fmt/format.h>

namespace neumann {

std::string model_count_text(const ModelCount& found) {
    const bool is_zero = std::isinf(found.log10) && found.log10 < 0;
    std::string text = is_zero ? "s UNSATISFIABLE\n" : "s SATISFIABLE\n";
    text += fmt::format("c s type {}\n", found.kind);
    text += fmt::format("c s log10-estimate {}\n", is_zero ? "-inf" : fmt::format("{}", found.log10));
    if (!found.digits.empty()) return text + fmt::format("c s exact arb int {}\n", found.digits);
    const bool fits = std::isfinite(found.count) && (found.count != 0 || is_zero);
    return fits ? text + fmt::format("c s exact double prec-sci {}\n", found.count) : text;
}

std::string model_count_json(const ModelCount& found) {
    const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; };
    const std::string digits = found.digits.empty() ? "" : fmt::format("\"digits\": \"{}\", ", found.digits);
    return fmt::format("{{\"kind\": \"{}\", \"count\": {}, \"log10_count\": {}, {}\"variables\": {}, \"clauses\": {}, "
                       "\"nodes\": {}}}\n",
                       found.kind, number(found.count), number(found.log10), digits, found.variables, found.clauses,
                       found.nodes);
}

}  // namespace neumann
