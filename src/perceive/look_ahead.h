// Look-ahead pipeline: some threads read images and another runs the network while the consumer works on earlier
// results. Results come in order, and the number of images under way is bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "image/image.h"
#include "perceive/seen_cache.h"
#include "valuation/object_vectors.h"

namespace neumann {

struct LookAheadOptions {
    std::size_t batch = 32;  // images per batch
    unsigned readers = 2;    // threads that read them
    SeenCache* cache = nullptr;
    // Larger images are reduced as they are read, because several batches are in memory at a time. The input of a
    // network has far fewer pixels in any case.
    std::size_t most_pixels = std::size_t{1} << 20;
};

struct LookedAt {
    SeenObjects seen;
    std::string note;    // of reading it; empty: none
    std::string failed;  // why it could not be read; empty: it could
};

class LookAhead {
public:
    using Look = std::function<std::vector<SeenObjects>(std::span<const Image>)>;

    LookAhead(std::vector<std::filesystem::path> pictures, Look look, const LookAheadOptions& options);
    ~LookAhead();
    LookAhead(const LookAhead&) = delete;
    LookAhead& operator=(const LookAhead&) = delete;

    // The objects of the next image; nothing after the last. Rethrows exceptions of the threads.
    std::optional<LookedAt> next();
    std::size_t picture_count() const { return pictures_.size(); }

private:
    enum class State { Waiting, Reading, Read, Looking, Done };
    struct Slot {
        State state = State::Waiting;
        Image picture;
        LookedAt result;
    };
    Slot& slot(std::size_t picture) { return slots_[picture % slots_.size()]; }
    std::size_t window_end() const;

    void read_pictures();
    void look_at_pictures();
    void read_one(std::size_t picture, Slot& into);
    void run(void (LookAhead::*work)());
    void end_threads();

    const std::vector<std::filesystem::path> pictures_;
    const Look look_;
    const LookAheadOptions options_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Slot> slots_;  // of the images [given_, given_ + slots), in a ring
    std::size_t given_ = 0;    // images handed out
    std::size_t next_to_read_ = 0;
    bool stop_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace neumann
