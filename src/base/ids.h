// Strong 32-bit ids. A function that takes an AtomId cannot be called with a count or with a TermId.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace neumann {

template <class Tag>
class Id {
public:
    using Value = std::uint32_t;
    static constexpr Value none_value = std::numeric_limits<Value>::max();

    constexpr Id() = default;
    constexpr explicit Id(Value value) : value_(value) {}

    static constexpr Id none() { return Id(); }
    constexpr bool is_none() const { return value_ == none_value; }
    constexpr Value value() const { return value_; }
    constexpr std::size_t index() const { return value_; }
    friend constexpr auto operator<=>(Id, Id) = default;

private:
    Value value_ = none_value;
};

using TypeId = Id<struct TypeTag>;
using ConstantId = Id<struct ConstantTag>;
using FunctorId = Id<struct FunctorTag>;
using PredicateId = Id<struct PredicateTag>;
using TermId = Id<struct TermTag>;
using ClauseId = Id<struct ClauseTag>;
using AtomId = Id<struct AtomTag>;

// How many ids of a kind there can be. A literal takes one bit more than its atom, in the same 32 bits.
template <class IdType>
inline constexpr std::uint32_t most_ids = IdType::none_value;
template <>
inline constexpr std::uint32_t most_ids<AtomId> = 0x7fffffff;

// Thrown when something would need more ids than 32 bits can number, instead of wrapping around.
class IdOverflow : public std::length_error {
public:
    explicit IdOverflow(const std::string& what_overflows, std::uint32_t most = 0xfffffffe)
        : std::length_error("more than " + std::to_string(most) + " " + what_overflows + ": too many for 32-bit ids") {}
};

// The id that follows `count` existing things; the only place where a size becomes an id.
template <class IdType>
IdType checked_id(std::size_t count, const char* things) {
    if (count >= most_ids<IdType>) throw IdOverflow(things, most_ids<IdType> - 1);
    return IdType(static_cast<typename IdType::Value>(count));
}

}  // namespace neumann

template <class Tag>
struct std::hash<neumann::Id<Tag>> {
    std::size_t operator()(neumann::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>()(id.value()); }
};
