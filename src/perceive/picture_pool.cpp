#include "perceive/picture_pool.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/parallel.h"
#include "datasets/training_scenes.h"
#include "image/pictures.h"
#include "perceive/perceiver.h"
#include "perceive/scene_of.h"
#include "render/draw_figure.h"
#include "render/trace.h"
#include "render/trace_cuda.h"
#include "scene/figure_json.h"
#include "scene/scene_json.h"

namespace neumann {
namespace {

// Scenes rendered on a GPU at a time.
constexpr std::size_t gpu_chunk = 1024;

TraceOptions trace_options(const PoolOptions& pool) {
    TraceOptions options = TraceOptions::training();
    options.width = pool.layout->width;
    options.height = pool.layout->height;
    options.threads = 1;
    return options;
}

}  // namespace

PicturePool::PicturePool(const PoolOptions& options) : options_(options) {
    if (!options_.data.empty()) read_folders();
    const std::size_t count = capacity();
    pictures_.resize(count * picture_bytes());
    truth_.resize(count * truth_size());
    cells_.resize(count * cell_count());
    done_.resize(count);
    if (on_gpu() && !cuda_tracer_available())
        throw PerceptionError("this build renders on no GPU: build with -DNEUMANN_CUDA=ON, or leave out --render cuda");
    const unsigned threads = on_gpu() ? 1 : std::max(1U, options_.threads);
    for (unsigned k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
}

PicturePool::~PicturePool() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
}

void PicturePool::read_folders() {
    scenes_given_ = true;
    for (const std::filesystem::path& folder : options_.data) {
        const std::filesystem::path list = folder / "scenes.jsonl";
        const auto add = [&](Scene scene) {
            if (scene.objects.size() > most_objects)
                throw PerceptionError(fmt::format("{}: {} shows {} objects; networks are made for at most {}",
                                                  list.string(), scene.image, scene.objects.size(), most_objects));
            std::filesystem::path file = folder / "images" / scene.image;
            given_.push_back({std::move(scene), std::move(file)});
        };
        if (options_.layout->flat()) {
            for (Scene& scene : read_figures(list)) add(std::move(scene));
        } else {
            for (SceneRecord& record : read_scenes(list)) add(std::move(record.scene));
        }
    }
    if (options_.capacity != 0 && given_.size() > options_.capacity) given_.resize(options_.capacity);
    if (given_.empty()) throw PerceptionError("there is no picture to learn from");
}

Scene PicturePool::scene_at(std::size_t index) const {
    if (options_.layout->flat()) return training_figure(options_.seed, options_.split, index);
    return training_solids(options_.seed, options_.split, index, {.rows = options_.rows});
}

void PicturePool::make(std::size_t index) {
    const bool flat = options_.layout->flat();
    const Scene scene = scenes_given_ ? given_[index].scene : scene_at(index);
    if (scenes_given_) {
        const Image picture =
            resized(read_picture(given_[index].file), options_.layout->width, options_.layout->height);
        const Image mask = flat ? Image{} : trace_masks(scene, trace_options(options_)).mask;
        store(index, scene, picture, flat ? nullptr : &mask);
    } else if (flat) {
        store(index, scene, draw_figure(scene, options_.layout->width, options_.layout->height), nullptr);
    } else {
        const TracedScene traced = trace_scene(scene, trace_options(options_));
        store(index, scene, traced.picture, &traced.mask);
    }
}

void PicturePool::make_on_gpu(std::size_t first, std::size_t count) {
    // Placing objects takes the processor longer than drawing them takes the GPU.
    std::vector<Scene> scenes(count);
    parallel_chunks(options_.threads, count, [&](std::size_t k) { scenes[k] = scene_at(first + k); });
    const std::vector<TracedScene> traced = trace_scenes_cuda(scenes, trace_options(options_));
    parallel_chunks(options_.threads, count,
                    [&](std::size_t k) { store(first + k, scenes[k], traced[k].picture, &traced[k].mask); });
}

void PicturePool::store(std::size_t index, const Scene& scene, const Image& picture, const Image* mask) {
    std::memcpy(pictures_.data() + index * picture_bytes(), picture.data.data(), picture_bytes());
    const SeenObjects truth = seen_of(scene, options_.layout->width, options_.layout->height);
    std::copy(truth.rows.begin(), truth.rows.end(), truth_.begin() + static_cast<std::ptrdiff_t>(index * truth_size()));
    if (mask == nullptr) return;
    std::uint8_t* cell = cells_.data() + index * cell_count();
    for (unsigned y = options_.cell / 2; y < options_.layout->height; y += options_.cell)
        for (unsigned x = options_.cell / 2; x < options_.layout->width; x += options_.cell) *cell++ = *mask->at(x, y);
}

void PicturePool::work() {
    const std::size_t step = on_gpu() ? gpu_chunk : 1;
    try {
        while (!stop_) {
            const std::size_t first = next_.fetch_add(step);
            if (first >= capacity()) return;
            const std::size_t count = std::min(step, capacity() - first);
            if (on_gpu()) {
                make_on_gpu(first, count);
            } else {
                make(first);
            }
            finish(first, count);
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (failed_ == nullptr) failed_ = std::current_exception();
        stop_ = true;
        changed_.notify_all();
    }
}

void PicturePool::finish(std::size_t first, std::size_t count) {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < count; ++k) done_[first + k] = true;
    std::size_t ready = ready_;
    while (ready < done_.size() && done_[ready]) ++ready;
    ready_.store(ready, std::memory_order_release);
    changed_.notify_all();
}

void PicturePool::wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ != nullptr || ready() >= std::min(count, capacity()); });
    if (failed_ != nullptr) std::rethrow_exception(failed_);
}

SeenObjects PicturePool::seen(std::size_t index) const {
    SeenObjects result{options_.layout, {}, {}};
    const unsigned columns = options_.layout->columns;
    for (unsigned k = 0; k < most_objects; ++k) {
        const float* row = truth(index) + std::size_t{k} * columns;
        if (row[column::presence] > 0) result.rows.insert(result.rows.end(), row, row + columns);
    }
    return result;
}

Image PicturePool::picture(std::size_t index) const {
    const std::uint8_t* data = pictures(index);
    return {options_.layout->width, options_.layout->height, 3,
            std::vector<std::uint8_t>(data, data + picture_bytes())};
}

}  // namespace neumann
