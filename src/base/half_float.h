// 16-bit floating-point numbers of weight files: conversion to float and back.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace neumann {

// IEEE half precision: a sign, 5 bits of exponent, 10 of fraction.
inline float float_from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fU;
    const std::uint32_t fraction = half & 0x3ffU;
    if (exponent == 0) return std::copysign(static_cast<float>(fraction) * 0x1p-24F, std::bit_cast<float>(sign));
    const std::uint32_t wide = exponent == 0x1f ? 0xffU : exponent + 127 - 15;
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

// The nearest one, of two equally near the even one. From 65520 on that is infinity.
inline std::uint16_t half_from_float(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t size = bits & 0x7fffffffU;
    std::uint32_t half = 0;
    if (size > 0x7f800000U) {
        half = 0x7e00;  // not a number
    } else if (size >= std::bit_cast<std::uint32_t>(65520.0F)) {
        half = 0x7c00;
    } else if (size >= std::bit_cast<std::uint32_t>(0x1p-14F)) {
        half = ((size + 0xfff + ((size >> 13) & 1)) >> 13) - ((127U - 15) << 10);
    } else {
        half = static_cast<std::uint32_t>(std::nearbyint(std::bit_cast<float>(size) * 0x1p24F));
    }
    return static_cast<std::uint16_t>(half | bits >> 31 << 15);
}

// The upper half of a float: its range, with 7 bits of fraction.
inline float float_from_bfloat(std::uint16_t upper) { return std::bit_cast<float>(std::uint32_t{upper} << 16); }

}  // namespace neumann
