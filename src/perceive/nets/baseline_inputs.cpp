#include "perceive/nets/baseline_inputs.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

#include <fmt/format.h>

#include "base/files.h"
#include "base/parallel.h"
#include "image/pictures.h"
#include "perceive/explanation_mask.h"
#include "perceive/look_ahead.h"
#include "scene/scene_json.h"

namespace neumann {
namespace {

using torch::Tensor;

constexpr std::size_t told_every = 64;
constexpr unsigned most_readers = 4;  // beside the network, which takes longer than they do

// Classes that rules are known for have numbers.
unsigned numbered_class(const std::string& name) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size())
        throw PerceptionError(fmt::format("no rule is known for the class {}, so nothing explains it", name));
    return number;
}

// Scenes of training images, by the images' paths.
std::map<std::string, Scene> scenes_to_learn_from(std::span<const std::filesystem::path> folders) {
    std::map<std::string, Scene> result;
    for (const std::filesystem::path& folder : folders) {
        const std::filesystem::path split = folder / split_name(Split::Train);
        for (SceneRecord& record : read_scenes(split / "scenes.jsonl")) {
            const std::filesystem::path picture = split / "images" / record.scene.image;
            result.emplace(picture.lexically_normal().string(), std::move(record.scene));
        }
    }
    return result;
}

}  // namespace

Tensor read_pictures(const std::vector<std::filesystem::path>& pictures, std::int64_t width, std::int64_t height,
                     unsigned threads, const InputsDone& done) {
    const std::int64_t size = width * height * 3;
    const Tensor bytes = torch::empty({static_cast<std::int64_t>(pictures.size()), height, width, 3}, torch::kUInt8);
    std::uint8_t* const out = bytes.data_ptr<std::uint8_t>();
    for (std::size_t first = 0; first < pictures.size(); first += told_every) {
        const std::size_t count = std::min(told_every, pictures.size() - first);
        parallel_chunks(threads, count, [&](std::size_t k) {
            const Image small =
                resized(read_picture(pictures[first + k]), static_cast<unsigned>(width), static_cast<unsigned>(height));
            std::ranges::copy(small.data, out + static_cast<std::int64_t>(first + k) * size);
        });
        done(first + count);
    }
    return bytes;
}

Tensor read_rows(const std::vector<std::filesystem::path>& pictures, Perceiver& perceiver, std::int64_t objects,
                 unsigned threads, SeenCache* cache, const InputsDone& done) {
    const std::int64_t columns = perceiver.layout().columns;
    const Tensor rows = torch::zeros({static_cast<std::int64_t>(pictures.size()), objects, columns});
    float* out = rows.data_ptr<float>();
    LookAheadOptions options;
    options.readers = std::clamp(threads, 1U, most_readers);
    options.cache = cache;
    LookAhead ahead(
        pictures, [&](std::span<const Image> some) { return perceiver.look(some); }, options);
    for (std::size_t number = 1; const std::optional<LookedAt> looked = ahead.next(); ++number) {
        if (!looked->failed.empty()) throw FileError(looked->failed);
        const std::vector<float>& seen = looked->seen.rows;
        std::copy_n(seen.begin(), std::min(static_cast<std::int64_t>(seen.size()), objects * columns), out);
        out += objects * columns;
        if (number % told_every == 0 || number == pictures.size()) done(number);
    }
    return rows;
}

Tensor explanation_masks(const PictureClasses& classes, std::span<const std::filesystem::path> folders,
                         const Tensor& rows, const ObjectLayout& layout) {
    if (layout.flat())
        throw PerceptionError("no rules are known for classes of flat pictures, so nothing explains them");
    const std::map<std::string, Scene> scenes = scenes_to_learn_from(folders);
    const Tensor masks = torch::zeros_like(rows);
    const std::int64_t size = rows.size(1) * rows.size(2);
    for (std::size_t k = 0; k < classes.train.pictures.size(); ++k) {
        const std::string picture = classes.train.pictures[k].lexically_normal().string();
        const auto found = scenes.find(picture);
        if (found == scenes.end())
            throw PerceptionError(fmt::format("{}: its scene is not in scenes.jsonl, so nothing explains it", picture));
        const unsigned label = numbered_class(classes.names[static_cast<std::size_t>(classes.train.labels[k])]);
        const float* seen = rows.data_ptr<float>() + static_cast<std::int64_t>(k) * size;
        const std::vector<float> mask = explanation_mask({&layout, {seen, seen + size}, {}}, found->second, label);
        std::ranges::copy(mask, masks.data_ptr<float>() + static_cast<std::int64_t>(k) * size);
    }
    return masks;
}

}  // namespace neumann
