#include "perceive/nets/baseline_inputs.h"

#include <algorithm>

#include <neumann/files.h>

#include "base/parallel.h"
#include "image/pictures.h"
#include "perceive/look_ahead.h"

namespace neumann {
namespace {

using torch::Tensor;

constexpr std::size_t told_every = 64;
constexpr unsigned most_readers = 4;  // beside the network, which takes longer than they do

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

}  // namespace neumann
