// Inner loop of the path tracer: the samples of one pixel are lanes. The result of a lane depends on its sample alone,
// never on its neighbours or on the number of lanes; sums over samples are taken in one fixed order. So every
// instruction set and every number of threads draws the same image.
#pragma once

#include "render/trace_lights.h"

namespace neumann::trace {

// Static: compiled with the instructions of its own file, it must not be shared with another.
static constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// The chance of some samples of one pixel. Each decision on the way of a path has a number; it takes a point set of its
// own and flips bits of it, which keeps the set's even spread over the square.
template <class V>
class Chances {
public:
    constexpr Chances(const Job& job, unsigned pixel, unsigned first)
        : points_(job.points), samples_(job.samples), first_(first),
          seed_(mixed(job.seed + 0x9e3779b97f4a7c15ULL * (pixel + 1))) {}

    constexpr Chance<V> at(unsigned decision) const {
        const std::uint64_t h = mixed(seed_ + 0x9e3779b97f4a7c15ULL * (decision + 1));
        const std::uint64_t flips = mixed(h);
        const std::uint32_t* set = points_ + std::size_t{2} * samples_ * (h % point_sets) + first_;
        return {fraction(set, static_cast<std::uint32_t>(flips)),
                fraction(set + samples_, static_cast<std::uint32_t>(flips >> 32))};
    }

private:
    static constexpr V fraction(const std::uint32_t* bits, std::uint32_t flips) {
        return LaneTraits<V>::mantissa(bits, flips) - V(1.0F);
    }

    const std::uint32_t* points_;
    unsigned samples_;
    unsigned first_;
    std::uint64_t seed_;
};

// Numbers of decisions.
enum : unsigned { PixelPlace, FirstBounce };
enum : unsigned { LightPlaces, PickLight = LightPlaces + light_count, OneLight, Lobe, Direction, PerBounce };

template <class V>
constexpr Ray<V> eye_ray(const Job& job, const V& x, const V& y) {
    const Eye& eye = job.world->eye;
    const V across = V(2.0F) * x * V(1.0F / static_cast<float>(job.width)) - V(1.0F);
    const V upwards = V(1.0F) - V(2.0F) * y * V(1.0F / static_cast<float>(job.height));
    const Vec<V> along = Vec<V>::of(eye.forward) + Vec<V>::of(eye.right) * across + Vec<V>::of(eye.up) * upwards;
    return {Vec<V>::of(eye.position), unit(along), V(no_object)};
}

// A tent over [−radius, radius].
template <class V>
constexpr V tent(const V& u, float radius) {
    const V d = V(2.0F) * u - V(1.0F);
    return sign_of(d) * (V(1.0F) - sqrt(max(V(1.0F) - abs(d), V(0.0F)))) * V(radius);
}

template <class V>
struct Radiance {
    Vec<V> sharp = Vec<V>::zero();
    Vec<V> soft = Vec<V>::zero();
    V first_object = V(no_object);
};

template <class V>
constexpr Surface<V> surface_of(const World& world, const Hit<V>& hit, const Ray<V>& ray, const Mask<V>& alive,
                                const Mask<V>& dulled) {
    const bool any_metal = any(hit.metal && alive);
    Surface<V> surface(any_metal ? Frame<V>(hit.normal, hit.tangent) : Frame<V>(hit.normal));
    surface.view = surface.frame.to_local(Vec<V>::zero() - ray.along);
    surface.view.z = max(surface.view.z, V(1e-3F));
    surface.color = hit.color;
    surface.metal = hit.metal;
    const Materials& m = world.materials;
    surface.lobe = select(dulled, V(1.0F), V(m.rough_share));
    const Mask<V> rubber = hit.object >= V(0.0F) && !hit.metal;
    surface.gloss = select(rubber, V(m.gloss_share), V(0.0F));
    surface.any_metal = any_metal;
    surface.any_dull = any(!hit.metal && alive);
    surface.any_gloss = any(rubber && alive);
    return surface;
}

// After a dull surface or a wide lobe everything metal counts as its wide lobe: a mirror that only dull light reaches
// would show lamps as rare bright specks. Cycles calls that "filter glossy".
template <class V>
constexpr Radiance<V> radiance(const Job& job, const Chances<V>& chances, Ray<V> ray) {
    const World& world = *job.world;
    Radiance<V> result;
    Vec<V> weight{V(1.0F), V(1.0F), V(1.0F)};
    Mask<V> alive = V(0.0F) == V(0.0F);
    Mask<V> dulled = no_lane<V>();
    V found(0.0F);
    for (unsigned bounce = 0; bounce <= job.bounces; ++bounce) {
        const Hit<V> hit = first_hit(world, ray, alive);
        if (bounce == 0) result.first_object = hit.object;
        const Mask<V> mirrored = alive && !dulled;
        if (bounce > 0 && any(mirrored)) {
            const Vec<V> lamps = lamps_seen(world, ray, hit.distance, found);
            result.sharp = choose(mirrored, result.sharp + weight * lamps, result.sharp);
        }
        alive = alive && hit.distance < V(0.5F * far_away);
        if (!any(alive)) break;
        const unsigned base = FirstBounce + bounce * PerBounce;
        const Surface<V> surface = surface_of(world, hit, ray, alive, dulled);
        const Mask<V> all_lights = alive && !dulled;
        const Mask<V> one_light = alive && dulled;
        if (any(all_lights)) {
            Vec<V> sum = Vec<V>::zero();
            for (unsigned k = 0; k < light_count; ++k)
                sum = sum + light_from(world, k, hit, surface, chances.at(base + LightPlaces + k), all_lights);
            result.sharp = result.sharp + weight * sum;
        }
        if (any(one_light)) {
            const V pick = chances.at(base + PickLight).u1;
            const Vec<V> sum =
                weight * light_from_one(world, hit, surface, chances.at(base + OneLight), pick, one_light);
            const V most(job.brightest);
            result.soft = result.soft + Vec<V>{min(sum.x, most), min(sum.y, most), min(sum.z, most)};
        }
        if (bounce == job.bounces) break;

        const Chance<V> u = chances.at(base + Direction);
        Scattered<V> next{Vec<V>::zero(), V(0.0F), V(0.0F)};
        if (surface.any_dull) next = scatter_diffuse(surface.frame, u.u1, u.u2);
        Mask<V> stays_sharp = no_lane<V>();
        if (surface.any_metal) {
            const Mask<V> mirror = !dulled && chances.at(base + Lobe).u1 >= V(world.materials.rough_share);
            const Materials& m = world.materials;
            const Roughness<V> alpha{select(mirror, V(m.mirror), V(m.rough[0])),
                                     select(mirror, V(m.mirror), V(m.rough[1]))};
            const Scattered<V> shine = scatter_metal(surface.frame, surface.view, alpha, u.u1, u.u2);
            next.along = choose(hit.metal, shine.along, next.along);
            next.scale = select(hit.metal, shine.scale, next.scale);
            stays_sharp = hit.metal && mirror;
            found = shine.density * V(1.0F - m.rough_share);
        }
        weight = weight * hit.color * next.scale;
        dulled = dulled || !stays_sharp;
        alive = alive && next.scale > V(0.0F);
        ray = {hit.place, next.along, hit.object};
    }
    return result;
}

// The radiance of the samples from `first` on through a pixel, one per lane.
template <class V>
constexpr Radiance<V> pixel_samples(const Job& job, unsigned x, unsigned y, unsigned first) {
    const Chances<V> chances(job, y * job.width + x, first);
    const Chance<V> place = chances.at(PixelPlace);
    const V px = V(static_cast<float>(x) + 0.5F) + tent(place.u1, job.filter_radius);
    const V py = V(static_cast<float>(y) + 0.5F) + tent(place.u2, job.filter_radius);
    return radiance(job, chances, eye_ray(job, px, py));
}

// The first hits through the middles of the pixels at the places x, which are half integers.
template <class V>
constexpr Hit<V> pixel_middles(const Job& job, const V& x, unsigned y) {
    const Ray<V> ray = eye_ray(job, x, V(static_cast<float>(y) + 0.5F));
    return first_hit(*job.world, ray, V(0.0F) == V(0.0F));
}

template <class V>
void draw_row(const Job& job, const Row& row) {
    constexpr unsigned lanes = static_cast<unsigned>(V::size);
    alignas(64) float sums[6][packet];
    alignas(64) float objects[packet];
    for (unsigned x = 0; x < job.width; ++x) {
        for (auto& sum : sums)
            for (float& s : sum) s = 0;
        float first = 0;
        bool whole = true;
        for (unsigned s = 0; s < job.samples; s += lanes) {
            const Radiance<V> r = pixel_samples<V>(job, x, row.y, s);
            // Samples are summed in `packet` strands, for any number of lanes.
            const V parts[6] = {r.sharp.x, r.sharp.y, r.sharp.z, r.soft.x, r.soft.y, r.soft.z};
            for (unsigned c = 0; c < 6; ++c) {
                float* sum = sums[c] + s % packet;
                (V::load_aligned(sum) + parts[c]).store_aligned(sum);
            }
            r.first_object.store_aligned(objects);
            if (s == 0) first = objects[0];
            for (unsigned k = 0; k < lanes; ++k) whole = whole && objects[k] == first;
        }
        for (unsigned c = 0; c < 6; ++c) {
            float total = 0;
            for (const float s : sums[c]) total += s;
            (c < 3 ? row.sharp : row.soft)[std::size_t{3} * x + c % 3] = total / static_cast<float>(job.samples);
        }
        row.whole[x] = whole ? 1.0F : 0.0F;
    }
}

template <class V>
void look_row(const Job& job, const CenterRow& row) {
    constexpr unsigned lanes = static_cast<unsigned>(V::size);
    alignas(64) float parts[5][lanes];
    alignas(64) float places[lanes];
    for (unsigned x = 0; x < job.width; x += lanes) {
        for (unsigned k = 0; k < lanes; ++k) places[k] = static_cast<float>(x + k) + 0.5F;
        const Hit<V> hit = pixel_middles(job, V::load_aligned(places), row.y);
        hit.object.store_aligned(parts[0]);
        hit.normal.x.store_aligned(parts[1]);
        hit.normal.y.store_aligned(parts[2]);
        hit.normal.z.store_aligned(parts[3]);
        hit.distance.store_aligned(parts[4]);
        for (unsigned k = 0; k < lanes && x + k < job.width; ++k) {
            row.object[x + k] = static_cast<std::int32_t>(parts[0][k]);
            for (unsigned c = 0; c < 3; ++c) row.normal[std::size_t{3} * (x + k) + c] = parts[1 + c][k];
            row.depth[x + k] = parts[4][k];
        }
    }
}

template <class V>
constexpr Kernel make_kernel(const char* name) {
    static_assert(packet % V::size == 0);
    return {name, draw_row<V>, look_row<V>};
}

}  // namespace neumann::trace
