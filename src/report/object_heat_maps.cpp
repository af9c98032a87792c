#include "report/object_heat_maps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

#include "explain/heat_overlay.h"
#include "image/pictures.h"
#include "image/png.h"
#include "valuation/seen_box.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

constexpr unsigned longest_mask_side = 384;  // masks are smooth: more would only take longer

struct MaskSize {
    unsigned width;
    unsigned height;
};

// The image's aspect ratio, at a limited size.
MaskSize mask_size(const Image& picture) {
    const double scale = std::min(1.0, longest_mask_side / double(std::max(picture.width, picture.height)));
    const auto side = [&](unsigned length) { return std::max(1U, static_cast<unsigned>(std::lround(length * scale))); };
    return {side(picture.width), side(picture.height)};
}

double smooth_step(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// Intersection of two masks, or difference if `inverted`. 255 stands for 1.
void multiply(Image& mask, const Image& other, bool inverted = false) {
    for (std::size_t i = 0; i < mask.data.size(); ++i) {
        const unsigned factor = inverted ? 255U - other.data[i] : other.data[i];
        mask.data[i] = static_cast<std::uint8_t>((mask.data[i] * factor + 127) / 255);
    }
}

Image scaled_box_mask(const SeenBox& box, double scale, MaskSize size) {
    return box_mask(box.x, box.y, box.width * scale, box.height * scale, size.width, size.height);
}

// Attention is shared out between objects and ground, so a little of it is everywhere and all of it only in an object's
// middle. Values below `floor` count as 0, values above `full` as the object; far from its box are only specks.
// Enlarged first, so that the edge is a curve and not the steps of a few pixels.
Image mask_of_attention(const Image& attention, const SeenBox& box, MaskSize size) {
    constexpr double floor = 0.35;
    constexpr double full = 0.75;
    constexpr double near = 1.5;
    Image mask = resized(attention, size.width, size.height);
    for (std::uint8_t& value : mask.data) {
        value = static_cast<std::uint8_t>(std::lround(255 * smooth_step((value / 255.0 - floor) / (full - floor))));
    }
    multiply(mask, scaled_box_mask(box, near, size));
    return mask;
}

// The box around an object, minus the objects in front of it: those whose boxes reach further down.
Image mask_of_box(const SeenObjects& seen, std::size_t object, MaskSize size) {
    constexpr double surely = 0.9;  // of the other's box: at its edge neither is
    const SeenBox box = seen_box(seen, object);
    Image mask = scaled_box_mask(box, 1, size);
    for (std::size_t other = 0; other < seen.count(); ++other) {
        if (other == object || seen.row(other)[column::presence] < 0.5F) continue;
        const SeenBox nearer = seen_box(seen, other);
        const bool apart = std::abs(nearer.x - box.x) > nearer.width + box.width ||
                           std::abs(nearer.y - box.y) > nearer.height + box.height;
        if (apart || nearer.y + nearer.height / 2 <= box.y + box.height / 2) continue;
        multiply(mask, scaled_box_mask(nearer, surely, size), true);
    }
    return mask;
}

void copy_into(Image& drawing, unsigned left, const Image& picture) {
    for (unsigned y = 0; y < picture.height; ++y) {
        for (unsigned x = 0; x < picture.width; ++x) {
            for (unsigned c = 0; c < 3; ++c)
                drawing.at(left + x, y)[c] = picture.at(x, y)[picture.channels == 3 ? c : 0];
        }
    }
}

}  // namespace

Image overlay_of(const Image& picture, const SeenObjects& seen, std::span<const ExplainedObject> objects,
                 std::uint32_t image) {
    const MaskSize size = mask_size(picture);
    std::vector<WeightedMask> masks;
    for (const ExplainedObject& object : objects) {
        if (object.image != image || object.row >= seen.count() || object.weight <= 0) continue;
        masks.push_back(
            {object.weight, object.row < seen.attention.size()
                                ? mask_of_attention(seen.attention[object.row], seen_box(seen, object.row), size)
                                : mask_of_box(seen, object.row, size)});
    }
    return heat_overlay(picture, masks);
}

Image side_by_side(const Image& left, const Image& right) {
    if (left.height != right.height) {
        throw std::invalid_argument(fmt::format("pictures of {} and {} rows side by side", left.height, right.height));
    }
    const unsigned gap = std::max(2U, left.width / 60);
    Image both = Image::blank(left.width + gap + right.width, left.height, 3);
    std::ranges::fill(both.data, std::uint8_t{255});
    copy_into(both, 0, left);
    copy_into(both, left.width + gap, right);
    return both;
}

std::vector<fs::path> write_heat_maps(std::span<const fs::path> pictures, std::span<const SeenObjects* const> seen,
                                      std::span<const ExplainedObject> objects, const fs::path& output,
                                      HeatMapForm form) {
    if (pictures.size() != seen.size()) {
        throw std::invalid_argument(fmt::format("{} pictures, but {} were seen", pictures.size(), seen.size()));
    }
    std::vector<fs::path> files;
    for (std::uint32_t image = 0; image < pictures.size(); ++image) {
        const Image picture = read_picture(pictures[image]);
        const Image overlay = overlay_of(picture, *seen[image], objects, image);
        fs::path file = output;
        if (image > 0) file.replace_filename(fmt::format("{}_img{}.png", output.stem().string(), image + 1));
        write_png(file, form == HeatMapForm::Alone ? overlay : side_by_side(picture, overlay));
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace neumann
