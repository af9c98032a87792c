// Materials (reflection models). Rubber: diffuse with a little gloss. Metal: two tinted GGX lobes, one wide, one almost
// a mirror.
#pragma once

#include "render/trace_kernel.h"
#include "render/trace_vector.h"

namespace neumann::trace {

inline constexpr float inverse_pi = 0.31830988618F;

// α of a GGX lobe along the two tangents of a frame.
template <class V>
struct Roughness {
    V s, t;
};

// GGX with separable Smith shadowing, times the cosine of the incoming light: D·G(v)·G(l) / (4·n·v). All vectors are
// local.
template <class V>
constexpr V ggx_shadow(const Vec<V>& v, const Roughness<V>& alpha) {
    const V c = max(v.z, V(1e-4F));
    const V x = alpha.s * v.x;
    const V y = alpha.t * v.y;
    return V(2.0F) * c / (c + sqrt(c * c + x * x + y * y));
}
template <class V>
constexpr V ggx(const Vec<V>& v, const Vec<V>& l, const Roughness<V>& alpha) {
    const Vec<V> h = unit(v + l);
    const V x = h.x / alpha.s;
    const V y = h.y / alpha.t;
    const V base = x * x + y * y + h.z * h.z;
    const V d = V(inverse_pi) / (alpha.s * alpha.t * base * base);
    return d * ggx_shadow(v, alpha) * ggx_shadow(l, alpha) / (V(4.0F) * max(v.z, V(1e-4F)));
}

// A normal of the microfacets as seen from v (local frame), by Heitz 2018.
template <class V>
constexpr Vec<V> visible_normal(const Vec<V>& v, const Roughness<V>& alpha, const V& u1, const V& u2) {
    const Vec<V> stretched = unit<V>({alpha.s * v.x, alpha.t * v.y, v.z});
    const V length2 = stretched.x * stretched.x + stretched.y * stretched.y;
    const Mask<V> tilted = length2 > V(1e-12F);
    const V inverse = V(1.0F) / sqrt(max(length2, V(1e-12F)));
    const Vec<V> t1{select(tilted, (V(0.0F) - stretched.y) * inverse, V(1.0F)),
                    select(tilted, stretched.x * inverse, V(0.0F)), V(0.0F)};
    const Vec<V> t2{(V(0.0F) - stretched.z) * t1.y, stretched.z * t1.x, stretched.x * t1.y - stretched.y * t1.x};
    V cosine;
    V sine;
    circle(u2, cosine, sine);
    const V r = sqrt(u1);
    const V p1 = r * cosine;
    const V lean = V(0.5F) * (V(1.0F) + stretched.z);
    const V p2 = (V(1.0F) - lean) * sqrt(max(V(1.0F) - p1 * p1, V(0.0F))) + lean * r * sine;
    const V p3 = sqrt(max(V(1.0F) - p1 * p1 - p2 * p2, V(0.0F)));
    const Vec<V> h = t1 * p1 + t2 * p2 + stretched * p3;
    return unit<V>({alpha.s * h.x, alpha.t * h.y, max(h.z, V(1e-6F))});
}

// A surface point under a ray, ready to be asked about light.
template <class V>
struct Surface {
    constexpr explicit Surface(const Frame<V>& f) : frame(f) {}

    Frame<V> frame;
    Vec<V> view;  // local, unit, back along the ray
    Vec<V> color;
    Mask<V> metal;
    V lobe;   // of metal: the share of the wide lobe; the rest is a mirror
    V gloss;  // of rubber; 0 for the ground
    bool any_metal = false;
    bool any_dull = false;
    bool any_gloss = false;
};

// The share of light from direction l that goes to the viewer, with the cosine: color·tinted + white. Mirrors also find
// lamps by themselves (lamps_seen); both ways are weighted by the densities with which they find this direction. Here
// `density` is that of the question.
template <class V>
struct Response {
    V tinted;
    V white;
};
template <class V>
constexpr Response<V> respond(const Materials& materials, const Surface<V>& surface, const Vec<V>& l,
                              const V& density) {
    const V zero(0.0F);
    const V nl = dot(surface.frame.n, l);
    Response<V> result{zero, zero};
    if (surface.any_dull) result.tinted = nl * V(inverse_pi) * (V(1.0F) - surface.gloss);
    if (surface.any_metal || surface.any_gloss) {
        const Mask<V>& metal = surface.metal;
        const Roughness<V> alpha{select(metal, V(materials.rough[0]), V(materials.gloss)),
                                 select(metal, V(materials.rough[1]), V(materials.gloss))};
        const Vec<V> local = surface.frame.to_local(l);
        V shine = select(metal, surface.lobe, surface.gloss) * ggx(surface.view, local, alpha);
        if (surface.any_metal) {
            const Roughness<V> narrow{V(materials.mirror), V(materials.mirror)};
            const V mirror = (V(1.0F) - surface.lobe) * ggx(surface.view, local, narrow);
            const V found = mirror / ggx_shadow(local, narrow);
            shine += select(metal, mirror * density / (density + found), zero);
        }
        result.white = shine;
        result.tinted = select(surface.metal, shine, result.tinted);
        result.white = select(surface.metal, zero, result.white);
    }
    const Mask<V> lit = nl > zero;
    return {select(lit, result.tinted, zero), select(lit, result.white, zero)};
}

// Where a path goes on. Its weight is multiplied by color·scale.
template <class V>
struct Scattered {
    Vec<V> along;
    V scale;
    V density;  // of metal: with which this direction was found, per solid angle
};
template <class V>
constexpr Scattered<V> scatter_diffuse(const Frame<V>& frame, const V& u1, const V& u2) {
    V cosine;
    V sine;
    circle(u2, cosine, sine);
    const V r = sqrt(u1);
    const Vec<V> local{r * cosine, r * sine, sqrt(max(V(1.0F) - u1, V(0.0F)))};
    return {frame.to_world(local), V(1.0F), V(0.0F)};
}
template <class V>
constexpr Scattered<V> scatter_metal(const Frame<V>& frame, const Vec<V>& v, const Roughness<V>& alpha, const V& u1,
                                     const V& u2) {
    const Vec<V> h = visible_normal(v, alpha, u1, u2);
    const Vec<V> l = h * (V(2.0F) * dot(v, h)) - v;
    // Weighted by G(v, l) / G(v); light from below the surface is lost.
    const V shadow = ggx_shadow(l, alpha);
    return {frame.to_world(l), select(l.z > V(0.0F), shadow, V(0.0F)), ggx(v, l, alpha) / shadow};
}

}  // namespace neumann::trace
