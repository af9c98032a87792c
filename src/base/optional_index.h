// Index or none, in four bytes: for long tables, where std::optional takes eight.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace neumann {

class OptionalIndex {
public:
    constexpr OptionalIndex() = default;
    constexpr OptionalIndex(std::nullopt_t) {}                       // NOLINT: as std::optional
    constexpr OptionalIndex(std::uint32_t index) : index_(index) {}  // NOLINT
    constexpr bool has_value() const { return index_ != UINT32_MAX; }
    constexpr explicit operator bool() const { return has_value(); }
    constexpr std::uint32_t operator*() const { return index_; }
    friend constexpr auto operator<=>(OptionalIndex, OptionalIndex) = default;  // none is the last

private:
    std::uint32_t index_ = UINT32_MAX;
};

}  // namespace neumann
