// Training images with their ground truth, made or read in the background during training. Image k is the same for any
// number of threads; only the number of images at a time depends on the machine.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "datasets/split.h"
#include "scene/scene.h"
#include "valuation/object_vectors.h"

namespace neumann {

struct PoolOptions {
    const ObjectLayout* layout = nullptr;
    unsigned cell = 4;  // side in pixels of a cell, in which one object is noted as seen
    std::size_t capacity = 0;
    std::uint64_t seed = 1;
    Split split = Split::Train;
    unsigned threads = 1;
    bool cuda = false;                        // solid objects are rendered on a GPU
    double rows = 0;                          // solid: the share of rows, as training_solids has it
    std::vector<std::filesystem::path> data;  // splits of data sets in folders instead; capacity is an upper bound then
};

inline constexpr unsigned most_objects = 10;  // in an image of the pool

class PicturePool {
public:
    explicit PicturePool(const PoolOptions& options);  // throws FileError or PerceptionError for bad files in folders
    ~PicturePool();
    PicturePool(const PicturePool&) = delete;
    PicturePool& operator=(const PicturePool&) = delete;

    const PoolOptions& options() const { return options_; }
    std::size_t capacity() const { return scenes_given_ ? given_.size() : options_.capacity; }
    std::size_t ready() const { return ready_.load(std::memory_order_acquire); }
    // Until so many are ready, or all. Rethrows failures of the background threads.
    void wait_for(std::size_t count);

    std::size_t picture_bytes() const { return std::size_t{3} * options_.layout->width * options_.layout->height; }
    std::size_t cell_count() const {
        return std::size_t{options_.layout->width / options_.cell} * (options_.layout->height / options_.cell);
    }
    std::size_t truth_size() const { return std::size_t{most_objects} * options_.layout->columns; }
    // Of the images from `first` on: rows × pixels × RGB; most_objects rows of object vectors, with presence 0 where
    // there is no object; for each cell the number of the object in its middle plus 1, or 0.
    const std::uint8_t* pictures(std::size_t first) const { return pictures_.data() + first * picture_bytes(); }
    const float* truth(std::size_t first) const { return truth_.data() + first * truth_size(); }
    const std::uint8_t* cells(std::size_t first) const { return cells_.data() + first * cell_count(); }
    SeenObjects seen(std::size_t index) const;
    Image picture(std::size_t index) const;

private:
    struct Source {
        Scene scene;
        std::filesystem::path file;
    };
    void read_folders();
    Scene scene_at(std::size_t index) const;
    void make(std::size_t index);
    void make_on_gpu(std::size_t first, std::size_t count);
    void store(std::size_t index, const Scene& scene, const Image& picture, const Image* mask);
    void work();
    void finish(std::size_t first, std::size_t count);
    bool on_gpu() const { return options_.cuda && !options_.layout->flat() && !scenes_given_; }

    PoolOptions options_;
    bool scenes_given_ = false;
    std::vector<Source> given_;
    std::vector<std::uint8_t> pictures_;
    std::vector<float> truth_;
    std::vector<std::uint8_t> cells_;
    std::vector<bool> done_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> ready_{0};
    std::atomic<bool> stop_{false};
    std::exception_ptr failed_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::thread> threads_;
};

}  // namespace neumann
