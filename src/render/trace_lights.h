// Direct light with shadow rays: a point is chosen on a lamp, and a ray tests whether an object is in between.
#pragma once

#include "render/trace_materials.h"
#include "render/trace_shapes.h"

namespace neumann::trace {

inline constexpr unsigned light_count = area_lights + 1;  // the sun is the last

// A point of the unit square for each lane.
template <class V>
struct Chance {
    V u1, u2;
};

// The light from one point of a lamp if no object is in between.
template <class V>
struct LightSample {
    Vec<V> along;
    V reach;
    Vec<V> light;  // radiance over density
    V density;     // of the choice of this direction, per solid angle
};

template <class V>
constexpr LightSample<V> sample_area(const AreaLight& lamp, const Vec<V>& place, const Chance<V>& u) {
    const V half(lamp.half);
    const Vec<V> to = Vec<V>::of(lamp.center) - place + Vec<V>::of(lamp.side[0]) * ((V(2.0F) * u.u1 - V(1.0F)) * half) +
                      Vec<V>::of(lamp.side[1]) * ((V(2.0F) * u.u2 - V(1.0F)) * half);
    const V squared = dot(to, to);
    const V reach = sqrt(squared);
    const V facing = V(0.0F) - dot(to, Vec<V>::of(lamp.normal));  // the cosine at the lamp, times reach
    const V angle = max(facing, V(1e-9F)) * V(4.0F * lamp.half * lamp.half) / (squared * reach);
    return {to * (V(1.0F) / reach), reach, Vec<V>::of(lamp.radiance) * angle, V(1.0F) / angle};
}

template <class V>
constexpr LightSample<V> sample_sun(const Sun& sun, const Chance<V>& u) {
    V cosine;
    V sine;
    circle(u.u2, cosine, sine);
    const V r = sqrt(u.u1) * V(sun.spread);
    const Frame<V> frame(Vec<V>::of(sun.direction));
    const Vec<V> along = unit(frame.n + frame.s * (r * cosine) + frame.t * (r * sine));
    const V light(sun.irradiance);
    return {along, V(far_away), {light, light, light}, V(sun.density)};
}

template <class V>
constexpr LightSample<V> sample_light(const World& world, unsigned light, const Vec<V>& place, const Chance<V>& u) {
    return light < area_lights ? sample_area(world.lights[light], place, u) : sample_sun(world.sun, u);
}

template <class V>
constexpr Vec<V> reflected(const World& world, const Surface<V>& surface, const LightSample<V>& sample) {
    const Response<V> response = respond(world.materials, surface, sample.along, sample.density);
    return (surface.color * response.tinted + Vec<V>{response.white, response.white, response.white}) * sample.light;
}

// From one lamp; 0 outside `wanted`.
template <class V>
constexpr Vec<V> light_from(const World& world, unsigned light, const Hit<V>& hit, const Surface<V>& surface,
                            const Chance<V>& u, const Mask<V>& wanted) {
    const LightSample<V> sample = sample_light(world, light, hit.place, u);
    const Vec<V> result = reflected(world, surface, sample);
    const Mask<V> matters = wanted && (result.x + result.y + result.z) > V(0.0F);
    if (!any(matters)) return Vec<V>::zero();
    const Mask<V> dark = blocked(world, {hit.place, sample.along, hit.object}, sample.reach, matters);
    return choose(matters && !dark, result, Vec<V>::zero());
}

// Direct light from all lamps by sampling one: chosen in proportion to its light without occlusion.
template <class V>
constexpr Vec<V> light_from_one(const World& world, const Hit<V>& hit, const Surface<V>& surface, const Chance<V>& u,
                                const V& pick, const Mask<V>& wanted) {
    LightSample<V> samples[light_count];
    Vec<V> results[light_count];
    V total(0.0F);
    for (unsigned k = 0; k < light_count; ++k) {
        samples[k] = sample_light(world, k, hit.place, u);
        results[k] = reflected(world, surface, samples[k]);
        total += brightness(results[k]);
    }
    const Mask<V> matters = wanted && total > V(0.0F);
    if (!any(matters)) return Vec<V>::zero();
    const V mark = pick * total;
    V sum = brightness(results[0]);
    Vec<V> along = samples[0].along;
    V reach = samples[0].reach;
    Vec<V> result = results[0];
    for (unsigned k = 1; k < light_count; ++k) {
        const V bright = brightness(results[k]);
        const Mask<V> later = mark >= sum && bright > V(0.0F);
        along = choose(later, samples[k].along, along);
        reach = select(later, samples[k].reach, reach);
        result = choose(later, results[k], result);
        sum += bright;
    }
    const Mask<V> dark = blocked(world, {hit.place, along, hit.object}, reach, matters);
    const V scale = total / max(brightness(result), V(1e-20F));
    return choose(matters && !dark, result * scale, Vec<V>::zero());
}

// Lamps that a ray from a mirror sees within `reach`. `found`: the density with which the mirror chose the ray.
template <class V>
constexpr Vec<V> lamps_seen(const World& world, const Ray<V>& ray, const V& reach, const V& found) {
    Vec<V> result = Vec<V>::zero();
    for (const AreaLight& lamp : world.lights) {
        const Vec<V> from = ray.from - Vec<V>::of(lamp.center);
        const Vec<V> normal = Vec<V>::of(lamp.normal);
        const V cosine = max(V(0.0F) - dot(ray.along, normal), V(1e-9F));
        const V t = dot(from, normal) / cosine;
        const Vec<V> place = from + ray.along * t;
        const V x = abs(dot(place, Vec<V>::of(lamp.side[0])));
        const V y = abs(dot(place, Vec<V>::of(lamp.side[1])));
        const Mask<V> seen = t > V(0.0F) && t < reach && x < V(lamp.half) && y < V(lamp.half);
        const V density = t * t / (cosine * V(4.0F * lamp.half * lamp.half));
        result = choose(seen, Vec<V>::of(lamp.radiance) * (found / (found + density)), result);
    }
    const Sun& sun = world.sun;
    const Mask<V> sunny = reach >= V(0.5F * far_away) && dot(ray.along, Vec<V>::of(sun.direction)) > V(sun.cosine);
    const V disc = V(sun.irradiance * sun.density) * (found / (found + V(sun.density)));
    result = choose<V>(sunny, {disc, disc, disc}, result);
    return result;
}

}  // namespace neumann::trace
