#include "experiment_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

#include "base/memory.h"
#include "draw/table.h"

namespace neumann::app {
namespace {

std::string without_trailing_zeros(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string whole(double value) {
    return (value < 0 ? "-" : "") + with_separators(static_cast<std::uint64_t>(std::llround(std::abs(value))));
}

std::string significant(double value, int digits) {
    if (value != 0 && (std::abs(value) < 1e-4 || std::abs(value) >= 1e15)) return fmt::format("{:.{}g}", value, digits);
    if (value == std::round(value) || std::abs(value) >= 1000) return whole(value);
    const int before = value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return without_trailing_zeros(fmt::format("{:.{}f}", value, std::max(0, digits - before)));
}

}  // namespace

const std::vector<std::string>& number_formats() {
    static const std::vector<std::string> formats = {"percent", "number", "integer", "seconds", "bytes", "text"};
    return formats;
}

double shown_units(double value, const std::string& format) { return format == "percent" ? value * 100 : value; }

std::string format_number(double value, const std::string& format) {
    if (!std::isfinite(value)) return "–";
    if (format == "percent") return without_trailing_zeros(fmt::format("{:.2f}", value));
    if (format == "integer") return whole(value);
    if (format == "bytes") return format_bytes(static_cast<std::uint64_t>(std::max(value, 0.0)));
    if (format == "seconds") return significant(value, 3);
    return significant(value, 4);
}

std::string published_number(double value) {
    return value == std::round(value) && std::abs(value) < 1e15 ? whole(value) : fmt::format("{}", value);
}

Spread spread(const std::vector<double>& numbers) {
    Spread result;
    if (numbers.empty()) return result;
    const auto [least, most] = std::ranges::minmax(numbers);
    if (least == most) return {least, 0};  // to the bit: rounding makes no deviation
    const auto count = static_cast<double>(numbers.size());
    result.mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
    double squares = 0;
    for (const double number : numbers) squares += (number - result.mean) * (number - result.mean);
    result.deviation = std::sqrt(squares / (count - 1));
    return result;
}

std::string format_spread(const std::vector<double>& numbers, const std::string& format) {
    const Spread both = spread(numbers);
    const std::string mean = format_number(both.mean, format);
    if (numbers.size() < 2) return mean;
    // Two digits say how much a mean can be trusted; more would be noise.
    const std::string deviation = format == "percent" || format == "bytes" ? format_number(both.deviation, format)
                                                                           : significant(both.deviation, 2);
    return fmt::format("{} ± {}", mean, deviation);
}

std::string format_duration(double seconds) {
    if (seconds < 99.5) return fmt::format("{} s", significant(seconds, seconds < 10 ? 2 : 3));
    const auto minutes = static_cast<std::uint64_t>(std::llround(seconds / 60));
    return minutes < 100 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace neumann::app
