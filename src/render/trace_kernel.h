// Plain data of the path tracer's inner loop. The loop is compiled once per instruction set from the same source
// (trace_path.h); this header is the only part of it that the rest of the renderer includes. It includes nothing with
// inline functions: code compiled for an instruction set must not be linked into other translation units.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neumann::trace {

// Samples of one pixel are computed side by side; their number is a multiple of this.
inline constexpr unsigned packet = 16;

enum class Kind : std::uint8_t { Sphere, Cube, Cylinder };

struct Shape {
    Kind kind;
    bool metal;
    float center[3];
    float half;    // half-size
    float bevel;   // radius of the rounded edges
    float cosine;  // of the rotation about the vertical
    float sine;
    float bound;  // squared radius of a sphere around all of it
    float color[3];
};

// A square that shines to one side. Seen only in mirrors, never directly.
struct AreaLight {
    float center[3];
    float normal[3];
    float side[2][3];  // unit vectors along its sides
    float half;
    float radiance[3];
};
inline constexpr unsigned area_lights = 3;

struct Sun {
    float direction[3];  // towards it
    float spread;        // radius of its disc at distance 1
    float cosine;        // of the angle that the radius takes
    float irradiance;    // on a surface that faces it
    float density;       // 1 over the solid angle of its disc
};

// The ground is the lower border of a convex region, the intersection of half-spaces: along u = across·(x, y), the
// height is the maximum of the lines through `from` with the given slopes. A ray leaves the region at the first of
// them.
struct GroundLine {
    float from[2];       // u and height where it begins
    float slope;         // of the line
    float slope_before;  // of the smoothed surface where it begins: for shading only
};
inline constexpr unsigned ground_lines = 8;
struct Ground {
    float across[2];
    GroundLine line[ground_lines];
    float profile_end;  // u and slope where the last line was measured to end
    float slope_at_end;
    float end;  // u beyond which there is nothing
    float color;
};

struct Materials {
    float rough_share;  // of metal: the wider of its two lobes
    float rough[2];     // GGX α of the wide lobe around the vertical axis, as if turned on a lathe, and across
    float mirror;       // and of the other
    float gloss_share;  // of rubber
    float gloss;
};

struct Eye {
    float position[3];
    float forward[3];
    float right[3];  // scaled: from the centre of the image to its right border at depth 1
    float up[3];
};

struct World {
    const Shape* shapes;
    unsigned shape_count;
    AreaLight lights[area_lights];
    Sun sun;
    Ground ground;
    Materials materials;
    Eye eye;
};

// Chance comes from that many sets of points in the unit square.
inline constexpr unsigned point_sets = 64;

struct Job {
    const World* world;
    const std::uint32_t*
        points;  // 32-bit fractions: samples of the first coordinate, then of the second, set after set
    std::uint64_t seed;
    unsigned width;
    unsigned height;
    unsigned samples;
    unsigned bounces;
    float filter_radius;  // of a pixel, in pixels
    float brightest;      // a single indirect contribution is at most this
};

// One row of pixels. Radiance per pixel in three channels: a part that must stay sharp (light from the lamps and
// reflections) and a part that may be smoothed afterwards (light that came by way of a dull surface).
struct Row {
    unsigned y;
    float* sharp;
    float* soft;
    float* whole;  // per pixel: 1 if all of its samples see the thing at its centre
};

// The first hit through the middle of each pixel of a row.
struct CenterRow {
    unsigned y;
    std::int32_t* object;  // -1: ground, or nothing
    float* normal;         // three per pixel
    float* depth;
};

struct Kernel {
    const char* name;
    void (*draw)(const Job&, const Row&);
    void (*look)(const Job&, const CenterRow&);
};

}  // namespace neumann::trace
