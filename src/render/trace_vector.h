// Three-dimensional vectors whose coordinates are lanes of floats, and the trigonometry for sampling. No fused
// multiply-adds: every instruction set computes the same bits.
#pragma once

#include "base/lane.h"

namespace neumann::trace {

template <class V>
using Mask = typename LaneTraits<V>::Mask;

template <class V>
struct Vec {
    V x, y, z;

    static constexpr Vec of(const float* p) { return {V(p[0]), V(p[1]), V(p[2])}; }
    static constexpr Vec zero() { return {V(0.0F), V(0.0F), V(0.0F)}; }
    friend constexpr Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec operator*(const Vec& a, const V& s) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Vec operator*(const Vec& a, const Vec& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
};

template <class V>
constexpr V dot(const Vec<V>& a, const Vec<V>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class V>
constexpr Vec<V> unit(const Vec<V>& a) {
    return a * (V(1.0F) / sqrt(dot(a, a)));
}
template <class V>
constexpr Vec<V> choose(const Mask<V>& mask, const Vec<V>& a, const Vec<V>& b) {
    return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
template <class V>
constexpr V brightness(const Vec<V>& color) {
    return color.x * V(0.2126F) + color.y * V(0.7152F) + color.z * V(0.0722F);
}
// 1 or −1; 1 for 0.
template <class V>
constexpr V sign_of(const V& x) {
    return select(x < V(0.0F), V(-1.0F), V(1.0F));
}
template <class V>
constexpr Mask<V> no_lane() {
    return V(0.0F) != V(0.0F);
}

// sin(π·x) for |x| ≤ ½, to 4e-6.
template <class V>
constexpr V sine_of_half_turns(const V& x) {
    const V s = x * x;
    V p = V(0.0821458866F);
    p = p * s - V(0.5992645293F);
    p = p * s + V(2.5501640399F);
    p = p * s - V(5.1677127800F);
    p = p * s + V(3.1415926536F);
    return p * x;
}
// cos and sin of u turns, less half a turn, for u in [0, 1].
template <class V>
constexpr void circle(const V& u, V& cosine, V& sine) {
    const V x = V(2.0F) * u - V(1.0F);
    const V size = abs(x);
    cosine = sine_of_half_turns(V(0.5F) - size);
    sine = sine_of_half_turns(select(size > V(0.5F), sign_of(x) - x, x));
}

// Two unit vectors that complete n to a right-handed frame (Duff et al. 2017).
template <class V>
struct Frame {
    Vec<V> s, t, n;

    // With s along `tangent` less its part along the normal; lanes without a tangent (0) as without this argument.
    constexpr Frame(const Vec<V>& normal, const Vec<V>& tangent) : n(normal) {
        const Vec<V> across = tangent - n * dot(n, tangent);
        const V size = dot(across, across);
        const Mask<V> told = size > V(1e-12F);
        const Frame other(normal);
        s = choose(told, across * (V(1.0F) / sqrt(max(size, V(1e-12F)))), other.s);
        t = choose<V>(told, {n.y * s.z - n.z * s.y, n.z * s.x - n.x * s.z, n.x * s.y - n.y * s.x}, other.t);
    }
    constexpr explicit Frame(const Vec<V>& normal) : n(normal) {
        const V sign = sign_of(n.z);
        const V a = V(-1.0F) / (sign + n.z);
        const V b = n.x * n.y * a;
        s = {V(1.0F) + sign * n.x * n.x * a, sign * b, V(0.0F) - sign * n.x};
        t = {b, sign + n.y * n.y * a, V(0.0F) - n.y};
    }
    constexpr Vec<V> to_world(const Vec<V>& v) const { return s * v.x + t * v.y + n * v.z; }
    constexpr Vec<V> to_local(const Vec<V>& v) const { return {dot(v, s), dot(v, t), dot(v, n)}; }
};

}  // namespace neumann::trace
