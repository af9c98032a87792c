// Intersection of rays with the ground and the objects. All objects are convex: a ray that leaves one cannot meet it
// again, so rays carry the number of the object that they leave instead of a small offset. Cubes and cylinders have
// rounded edges: the sharp shape is intersected exactly, and near its edges the distance function is marched the rest
// of the way (sphere tracing).
#pragma once

#include "render/trace_kernel.h"
#include "render/trace_vector.h"

namespace neumann::trace {

inline constexpr float far_away = 1e9F;
inline constexpr float no_object = -1.0F;  // numbers of objects are lanes of floats, too

template <class V>
struct Ray {
    Vec<V> from;
    Vec<V> along;  // unit
    V leaves;      // number of the object it leaves, or no_object
};

template <class V>
struct Hit {
    V distance;
    V object;
    Vec<V> place;
    Vec<V> normal;
    Vec<V> tangent;  // of metal: around its vertical axis
    Vec<V> color;
    Mask<V> metal;
};

// The ray in the object's own frame: centred and turned.
template <class V>
constexpr Vec<V> turned(const Shape& shape, const Vec<V>& v) {
    const V c(shape.cosine);
    const V s(shape.sine);
    return {c * v.x + s * v.y, c * v.y - s * v.x, v.z};
}
template <class V>
constexpr Vec<V> turned_back(const Shape& shape, const Vec<V>& v) {
    const V c(shape.cosine);
    const V s(shape.sine);
    return {c * v.x - s * v.y, c * v.y + s * v.x, v.z};
}

template <class V>
struct Interval {
    V near;
    V far;
};

template <class V>
constexpr Interval<V> slab(const V& from, const V& along, const V& half) {
    const V inverse = V(1.0F) / along;
    const V middle = (V(0.0F) - from) * inverse;
    const V reach = abs(inverse) * half;
    return {middle - reach, middle + reach};
}

// The part of the ray within the sharp shape; empty (near > far) where it misses.
template <class V>
constexpr Interval<V> sharp_interval(const Shape& shape, const Vec<V>& from, const Vec<V>& along) {
    const V half(shape.half);
    const Interval<V> z = slab(from.z, along.z, half);
    if (shape.kind == Kind::Cube) {
        const Interval<V> x = slab(from.x, along.x, half);
        const Interval<V> y = slab(from.y, along.y, half);
        return {max(max(x.near, y.near), z.near), min(min(x.far, y.far), z.far)};
    }
    const V a = max(along.x * along.x + along.y * along.y, V(1e-12F));
    const V b = from.x * along.x + from.y * along.y;
    const V c = from.x * from.x + from.y * from.y - half * half;
    const V d = b * b - a * c;
    const V root = sqrt(max(d, V(0.0F)));
    const V near = select(d > V(0.0F), (V(0.0F) - b - root) / a, V(far_away));
    const V far = (root - b) / a;
    return {max(near, z.near), min(far, z.far)};
}

// How far a place lies beyond the inner shape (the sharp one less the bevel), in each independent coordinate. `x` is
// the distance from the axis for a cylinder, and y then counts for nothing.
template <class V>
constexpr Vec<V> beyond(const Shape& shape, const Vec<V>& place) {
    const V inner(shape.half - shape.bevel);
    const V z = abs(place.z) - inner;
    if (shape.kind == Kind::Cube) return {abs(place.x) - inner, abs(place.y) - inner, z};
    return {sqrt(place.x * place.x + place.y * place.y) - inner, V(-1.0F), z};
}
template <class V>
constexpr Vec<V> positive(const Vec<V>& v) {
    const V zero(0.0F);
    return {max(v.x, zero), max(v.y, zero), max(v.z, zero)};
}

// Distance at which the ray enters the shape, far_away where it does not. `wanted` saves work: other lanes may hold
// anything.
template <class V>
constexpr V enter(const Shape& shape, const Vec<V>& from, const Vec<V>& along, const Mask<V>& wanted) {
    const Interval<V> inside = sharp_interval(shape, from, along);
    V t = max(inside.near, V(0.0F));
    Mask<V> hit = wanted && inside.near <= inside.far && inside.far > V(0.0F);
    if (!any(hit)) return V(far_away);
    const Vec<V> over = beyond(shape, from + along * t);
    const V zero(0.0F);
    const Mask<V> edge =
        hit && ((over.x > zero && over.z > zero) || (over.y > zero && (over.x > zero || over.z > zero)));
    if (any(edge)) {
        // The distance is at most √3 − 1 bevels, and shrinks by a good factor with each step unless the ray grazes.
        V gap(0.0F);
        for (int step = 0; step < 8; ++step) {
            const Vec<V> q = beyond(shape, from + along * t);
            const Vec<V> p = positive(q);
            gap = sqrt(dot(p, p)) - V(shape.bevel);
            t = select(edge, t + gap, t);
        }
        hit = hit && (!edge || (gap < V(0.05F * shape.bevel) && t < inside.far));
    }
    return select(hit, t, V(far_away));
}

template <class V>
constexpr V enter_sphere(const V& b, const V& d, const Mask<V>& wanted) {
    const V t = b - sqrt(max(d, V(0.0F)));
    return select(wanted && t > V(0.0F), t, V(far_away));
}

// Lanes whose ray may meet the object: its line intersects the bounding sphere, ahead of the start. b: distance to the
// point nearest to the centre; d: bound² minus the squared distance there.
template <class V>
constexpr Mask<V> may_meet(const Shape& shape, unsigned number, const Ray<V>& ray, const Vec<V>& to_center, V& b,
                           V& d) {
    b = dot(to_center, ray.along);
    const V aside = dot(to_center, to_center) - V(shape.bound);
    d = b * b - aside;
    return d > V(0.0F) && (b > V(0.0F) || aside < V(0.0F)) && ray.leaves != V(static_cast<float>(number));
}

template <class V>
constexpr V meet_near(const Shape& shape, const Ray<V>& ray, const Vec<V>& to_center, const V& b, const V& d,
                      const Mask<V>& may) {
    if (shape.kind == Kind::Sphere) return enter_sphere(b, d, may);
    return enter(shape, turned(shape, Vec<V>::zero() - to_center), turned(shape, ray.along), may);
}

template <class V>
constexpr V meet(const Shape& shape, unsigned number, const Ray<V>& ray, const Mask<V>& wanted) {
    const Vec<V> to_center = Vec<V>::of(shape.center) - ray.from;
    V b;
    V d;
    const Mask<V> may = wanted && may_meet(shape, number, ray, to_center, b, d);
    if (!any(may)) return V(far_away);
    return meet_near(shape, ray, to_center, b, d, may);
}

template <class V>
constexpr Vec<V> normal_at(const Shape& shape, const Vec<V>& place) {
    const Vec<V> from_center = place - Vec<V>::of(shape.center);
    if (shape.kind == Kind::Sphere) return from_center * V(1.0F / shape.half);
    const Vec<V> p = turned(shape, from_center);
    Vec<V> n = positive(beyond(shape, p));
    if (shape.kind == Kind::Cube) {
        n = {n.x * sign_of(p.x), n.y * sign_of(p.y), n.z * sign_of(p.z)};
    } else {
        const V outward = n.x / sqrt(max(p.x * p.x + p.y * p.y, V(1e-12F)));
        n = {p.x * outward, p.y * outward, n.z * sign_of(p.z)};
    }
    const V size = dot(n, n);
    const Mask<V> flat = size < V(1e-12F);  // rounding put it inside; up is as good as any
    n = choose<V>(flat, {V(0.0F), V(0.0F), V(1.0F)}, n);
    return turned_back(shape, unit(n));
}

template <class V>
constexpr V meet_ground(const Ground& ground, const Ray<V>& ray) {
    const V u = ray.from.x * V(ground.across[0]) + ray.from.y * V(ground.across[1]);
    const V du = ray.along.x * V(ground.across[0]) + ray.along.y * V(ground.across[1]);
    V first(far_away);
    for (const GroundLine& line : ground.line) {
        const V height = ray.from.z - V(line.from[1]) - (u - V(line.from[0])) * V(line.slope);
        const V rate = ray.along.z - du * V(line.slope);
        const V t = max(height, V(0.0F)) / (V(0.0F) - rate);
        first = select(rate < V(-1e-7F), min(first, t), first);
    }
    return select(u + du * first < V(ground.end), first, V(far_away));
}

template <class V>
constexpr Vec<V> ground_normal(const Ground& ground, const Vec<V>& place) {
    const V u = place.x * V(ground.across[0]) + place.y * V(ground.across[1]);
    V slope(0.0F);
    if (any(u > V(ground.line[1].from[0]))) {
        for (unsigned k = 1; k < ground_lines; ++k) {
            const GroundLine& line = ground.line[k];
            const bool last = k + 1 == ground_lines;
            const float end = last ? ground.profile_end : ground.line[k + 1].from[0];
            const float slope_end = last ? ground.slope_at_end : ground.line[k + 1].slope_before;
            const V part = min((u - V(line.from[0])) * V(1.0F / (end - line.from[0])), V(1.0F));
            slope = select(part > V(0.0F), V(line.slope_before) + part * V(slope_end - line.slope_before), slope);
        }
    }
    const V scale = V(1.0F) / sqrt(V(1.0F) + slope * slope);
    return {(V(0.0F) - slope) * V(ground.across[0]) * scale, (V(0.0F) - slope) * V(ground.across[1]) * scale, scale};
}

template <class V>
constexpr Hit<V> first_hit(const World& world, const Ray<V>& ray, const Mask<V>& wanted) {
    Hit<V> hit;
    hit.distance = meet_ground(world.ground, ray);
    hit.object = V(no_object);
    for (unsigned k = 0; k < world.shape_count; ++k) {
        const V t = meet(world.shapes[k], k, ray, wanted);
        const Mask<V> nearer = t < hit.distance;
        hit.distance = select(nearer, t, hit.distance);
        hit.object = select(nearer, V(static_cast<float>(k)), hit.object);
    }
    hit.place = ray.from + ray.along * hit.distance;
    hit.metal = no_lane<V>();
    hit.color = {V(world.ground.color), V(world.ground.color), V(world.ground.color)};
    hit.normal = ground_normal(world.ground, hit.place);
    hit.tangent = Vec<V>::zero();
    for (unsigned k = 0; k < world.shape_count; ++k) {
        const Mask<V> here = hit.object == V(static_cast<float>(k));
        if (!any(here)) continue;
        const Shape& shape = world.shapes[k];
        hit.normal = choose(here, normal_at(shape, hit.place), hit.normal);
        hit.color = choose(here, Vec<V>::of(shape.color), hit.color);
        if (!shape.metal) continue;
        hit.metal = hit.metal || here;
        const Vec<V> from_axis = hit.place - Vec<V>::of(shape.center);
        hit.tangent = choose<V>(here, {V(0.0F) - from_axis.y, from_axis.x, V(0.0F)}, hit.tangent);
    }
    return hit;
}

// Whether an object lies within `reach`. The ground never does: it bounds a convex region, and all lights are inside.
template <class V>
constexpr Mask<V> blocked(const World& world, const Ray<V>& ray, const V& reach, const Mask<V>& wanted) {
    Mask<V> result = no_lane<V>();
    for (unsigned k = 0; k < world.shape_count; ++k) {
        const Shape& shape = world.shapes[k];
        const Vec<V> to_center = Vec<V>::of(shape.center) - ray.from;
        V b;
        V d;
        const Mask<V> may = wanted && !result && may_meet(shape, k, ray, to_center, b, d);
        if (!any(may)) continue;
        result = result || (meet_near(shape, ray, to_center, b, d, may) < reach);
    }
    return result;
}

}  // namespace neumann::trace
