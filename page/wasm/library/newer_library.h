// What the sources use of the standard library and the one that comes with Debian's Emscripten does not have yet:
// algorithms on ranges, bits as another type, and numbers with a point from text. Included before everything else; only
// what is used.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <ranges>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace std {  // NOLINT(cert-dcl58-cpp): it stands in for a part of std

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

// The digits that a number may have are copied, as strtod needs an end.
template <class Number>
requires is_floating_point_v<Number> from_chars_result from_chars(const char* first, const char* last, Number& value) {
    const char* end = first;
    if (end != last && *end == '-') ++end;
    while (end != last && ((*end >= '0' && *end <= '9') || *end == '.')) ++end;
    if (end != first && end != last && (*end == 'e' || *end == 'E')) {
        const char* exponent = end + 1;
        if (exponent != last && (*exponent == '-' || *exponent == '+')) ++exponent;
        if (exponent != last && *exponent >= '0' && *exponent <= '9') end = exponent;
        while (end != last && *end >= '0' && *end <= '9') ++end;
    }
    const string digits(first, end);
    char* read = nullptr;
    const double number = strtod(digits.c_str(), &read);
    if (read == digits.c_str()) return {first, errc::invalid_argument};
    value = static_cast<Number>(number);
    const char* const behind = first + (read - digits.c_str());
    const bool beyond = number - number != 0;
    return {behind, beyond ? errc::result_out_of_range : errc()};
}

// Beside the comparisons that it has.
template <class Element, size_t size>
constexpr auto operator<=>(const array<Element, size>& a, const array<Element, size>& b) {
    for (size_t i = 0; i < size; ++i) {
        if (const auto order = a[i] <=> b[i]; order != 0) return order;
    }
    return strong_ordering::equal;
}

namespace ranges {

// A comparison, or a question, about what projections make of elements.
template <class Function, class Projection>
constexpr auto projected_by(Function& function, Projection& projection) {
    return [&](auto&&... elements) -> decltype(auto) {
        return std::invoke(function, std::invoke(projection, std::forward<decltype(elements)>(elements))...);
    };
}
template <class Value, class Projection>
constexpr auto equals(const Value& value, Projection& projection) {
    return [&](auto&& element) { return std::invoke(projection, std::forward<decltype(element)>(element)) == value; };
}

// With a question about one element.
#define NEUMANN_RANGE_QUESTION(name)                                                                                   \
    template <range Range, class Question, class Projection = identity>                                                \
    constexpr auto name(Range&& all, Question question, Projection projection = {}) {                                  \
        return std::name(ranges::begin(all), ranges::end(all), projected_by(question, projection));                    \
    }                                                                                                                  \
    template <input_iterator Begin, class Question, class Projection = identity>                                       \
    constexpr auto name(Begin begin, Begin end, Question question, Projection projection = {}) {                       \
        return std::name(begin, end, projected_by(question, projection));                                              \
    }
NEUMANN_RANGE_QUESTION(any_of)
NEUMANN_RANGE_QUESTION(all_of)
NEUMANN_RANGE_QUESTION(none_of)
NEUMANN_RANGE_QUESTION(find_if)
NEUMANN_RANGE_QUESTION(find_if_not)
NEUMANN_RANGE_QUESTION(count_if)
NEUMANN_RANGE_QUESTION(for_each)
#undef NEUMANN_RANGE_QUESTION

// With an order of elements.
#define NEUMANN_RANGE_ORDER(name)                                                                                      \
    template <range Range, class Order = ranges::less, class Projection = identity>                                    \
    constexpr auto name(Range&& all, Order order = {}, Projection projection = {}) {                                   \
        return std::name(ranges::begin(all), ranges::end(all), projected_by(order, projection));                       \
    }                                                                                                                  \
    template <input_iterator Begin, class Order = ranges::less, class Projection = identity>                           \
    constexpr auto name(Begin begin, Begin end, Order order = {}, Projection projection = {}) {                        \
        return std::name(begin, end, projected_by(order, projection));                                                 \
    }
NEUMANN_RANGE_ORDER(sort)
NEUMANN_RANGE_ORDER(stable_sort)
NEUMANN_RANGE_ORDER(is_sorted)
NEUMANN_RANGE_ORDER(max_element)
NEUMANN_RANGE_ORDER(min_element)
#undef NEUMANN_RANGE_ORDER

// With a value.
template <range Range, class Value, class Projection = identity>
constexpr auto find(Range&& all, const Value& value, Projection projection = {}) {
    return std::find_if(ranges::begin(all), ranges::end(all), equals(value, projection));
}
template <input_iterator Begin, class Value, class Projection = identity>
constexpr auto find(Begin begin, Begin end, const Value& value, Projection projection = {}) {
    return std::find_if(begin, end, equals(value, projection));
}
template <range Range, class Value, class Projection = identity>
constexpr auto count(Range&& all, const Value& value, Projection projection = {}) {
    return std::count_if(ranges::begin(all), ranges::end(all), equals(value, projection));
}
template <range Range, class Value>
constexpr auto fill(Range&& all, const Value& value) {
    std::fill(ranges::begin(all), ranges::end(all), value);
    return ranges::end(all);
}
template <range Range, class Old, class New>
constexpr void replace(Range&& all, const Old& before, const New& after) {
    std::replace(ranges::begin(all), ranges::end(all), before, after);
}
template <range Range, class Value, class Order = ranges::less, class Projection = identity>
constexpr auto lower_bound(Range&& all, const Value& value, Order order = {}, Projection projection = {}) {
    return std::lower_bound(ranges::begin(all), ranges::end(all), value, [&](const auto& element, const auto& v) {
        return std::invoke(order, std::invoke(projection, element), v);
    });
}
template <range Range, class Value, class Order = ranges::less, class Projection = identity>
constexpr auto upper_bound(Range&& all, const Value& value, Order order = {}, Projection projection = {}) {
    return std::upper_bound(ranges::begin(all), ranges::end(all), value, [&](const auto& v, const auto& element) {
        return std::invoke(order, v, std::invoke(projection, element));
    });
}
template <range Range, class Value, class Order = ranges::less, class Projection = identity>
constexpr bool binary_search(Range&& all, const Value& value, Order order = {}, Projection projection = {}) {
    const auto found = ranges::lower_bound(all, value, order, projection);
    return found != ranges::end(all) && !std::invoke(order, value, std::invoke(projection, *found));
}

// Into another range.
template <class Out>
struct CopyResult {
    Out out;
};
template <range Range, class Out>
constexpr CopyResult<Out> copy(Range&& all, Out out) {
    return {std::copy(ranges::begin(all), ranges::end(all), out)};
}
template <input_iterator Begin, class Out>
constexpr CopyResult<Out> copy(Begin begin, Begin end, Out out) {
    return {std::copy(begin, end, out)};
}
template <range Range, class Out>
constexpr CopyResult<Out> move(Range&& all, Out out) {
    return {std::move(ranges::begin(all), ranges::end(all), out)};
}
template <range Range, class Out, class Question, class Projection = identity>
constexpr CopyResult<Out> copy_if(Range&& all, Out out, Question question, Projection projection = {}) {
    return {std::copy_if(ranges::begin(all), ranges::end(all), out, projected_by(question, projection))};
}
template <range Range, class Out, class Function, class Projection = identity>
constexpr CopyResult<Out> transform(Range&& all, Out out, Function function, Projection projection = {}) {
    return {std::transform(ranges::begin(all), ranges::end(all), out, projected_by(function, projection))};
}
template <range Range>
constexpr void reverse(Range&& all) {
    std::reverse(ranges::begin(all), ranges::end(all));
}
template <input_iterator Begin>
constexpr void reverse(Begin begin, Begin end) {
    std::reverse(begin, end);
}
template <range Range, class Middle, class Order = ranges::less, class Projection = identity>
constexpr void nth_element(Range&& all, Middle middle, Order order = {}, Projection projection = {}) {
    std::nth_element(ranges::begin(all), middle, ranges::end(all), projected_by(order, projection));
}
template <range Range, class Same = ranges::equal_to, class Projection = identity>
constexpr auto adjacent_find(Range&& all, Same same = {}, Projection projection = {}) {
    return std::adjacent_find(ranges::begin(all), ranges::end(all), projected_by(same, projection));
}
template <range Range, class Order = ranges::less, class Projection = identity>
constexpr auto max(Range&& all, Order order = {}, Projection projection = {}) {
    return *ranges::max_element(all, order, projection);
}

// Of two ranges.
template <range First, range Second, class Same = ranges::equal_to, class Projection = identity,
          class Projection2 = identity>
constexpr bool equal(First&& first, Second&& second, Same same = {}, Projection projection = {},
                     Projection2 projection2 = {}) {
    return std::equal(ranges::begin(first), ranges::end(first), ranges::begin(second), ranges::end(second),
                      [&](const auto& a, const auto& b) {
                          return std::invoke(same, std::invoke(projection, a), std::invoke(projection2, b));
                      });
}
template <range First, range Second, class Order = ranges::less, class Projection = identity,
          class Projection2 = identity>
constexpr bool lexicographical_compare(First&& first, Second&& second, Order order = {}, Projection projection = {},
                                       Projection2 projection2 = {}) {
    auto a = ranges::begin(first);
    auto b = ranges::begin(second);
    for (; a != ranges::end(first) && b != ranges::end(second); ++a, ++b) {
        if (std::invoke(order, std::invoke(projection, *a), std::invoke(projection2, *b))) return true;
        if (std::invoke(order, std::invoke(projection2, *b), std::invoke(projection, *a))) return false;
    }
    return a == ranges::end(first) && b != ranges::end(second);
}
template <range First, range Second, class Order = ranges::less>
constexpr bool includes(First&& first, Second&& second, Order order = {}) {
    return std::includes(ranges::begin(first), ranges::end(first), ranges::begin(second), ranges::end(second), order);
}
template <range First, range Second, class Out>
constexpr CopyResult<Out> set_union(First&& first, Second&& second, Out out) {
    return {std::set_union(ranges::begin(first), ranges::end(first), ranges::begin(second), ranges::end(second), out)};
}
template <range First, range Second, class Out>
constexpr CopyResult<Out> set_intersection(First&& first, Second&& second, Out out) {
    return {std::set_intersection(ranges::begin(first), ranges::end(first), ranges::begin(second), ranges::end(second),
                                  out)};
}
template <range First, range Second>
constexpr auto mismatch(First&& first, Second&& second) {
    struct Result {
        decltype(ranges::begin(first)) in1;
        decltype(ranges::begin(second)) in2;
    };
    const auto [in1, in2] =
        std::mismatch(ranges::begin(first), ranges::end(first), ranges::begin(second), ranges::end(second));
    return Result{in1, in2};
}

}  // namespace ranges
}  // namespace std
