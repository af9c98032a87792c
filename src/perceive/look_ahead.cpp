#include "perceive/look_ahead.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/files.h"
#include "image/pictures.h"

namespace neumann {
namespace {

// The network works on one batch, one is being read, and two wait for the consumer.
constexpr std::size_t batches_under_way = 4;

Image no_larger_than(Image picture, std::size_t most_pixels) {
    const double pixels = static_cast<double>(picture.width) * picture.height;
    if (pixels <= static_cast<double>(most_pixels)) return picture;
    const double scale = std::sqrt(static_cast<double>(most_pixels) / pixels);
    const auto side = [scale](unsigned length) { return std::max(1U, static_cast<unsigned>(length * scale)); };
    return resized(picture, side(picture.width), side(picture.height));
}

}  // namespace

LookAhead::LookAhead(std::vector<std::filesystem::path> pictures, Look look, const LookAheadOptions& options)
    : pictures_(std::move(pictures)), look_(std::move(look)), options_(options),
      slots_(std::max<std::size_t>(1, options.batch) * batches_under_way) {
    try {
        for (unsigned i = 0; i < std::max(1U, options_.readers); ++i)
            threads_.emplace_back([this] { run(&LookAhead::read_pictures); });
        threads_.emplace_back([this] { run(&LookAhead::look_at_pictures); });
    } catch (...) {
        end_threads();
        throw;
    }
}

LookAhead::~LookAhead() { end_threads(); }

void LookAhead::end_threads() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void LookAhead::run(void (LookAhead::*work)()) {
    try {
        (this->*work)();
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (failure_ == nullptr) failure_ = std::current_exception();
        stop_ = true;
    }
    changed_.notify_all();
}

std::size_t LookAhead::window_end() const { return std::min(pictures_.size(), given_ + slots_.size()); }

void LookAhead::read_one(std::size_t picture, Slot& into) {
    const std::filesystem::path& path = pictures_[picture];
    if (options_.cache != nullptr) {
        if (std::optional<SeenObjects> known = options_.cache->find(path)) {
            into.result.seen = std::move(*known);
            return;
        }
    }
    try {
        into.picture = no_larger_than(read_picture(path, {}, &into.result.note), options_.most_pixels);
    } catch (const FileError& error) {
        into.result.failed = error.what();
    }
}

void LookAhead::read_pictures() {
    while (true) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock,
                      [this] { return stop_ || next_to_read_ == pictures_.size() || next_to_read_ < window_end(); });
        if (stop_ || next_to_read_ == pictures_.size()) return;
        const std::size_t picture = next_to_read_++;
        slot(picture).state = State::Reading;
        lock.unlock();
        Slot done;
        read_one(picture, done);
        done.state = done.picture.data.empty() ? State::Done : State::Read;  // Done: known before, or unreadable
        lock.lock();
        slot(picture) = std::move(done);
        lock.unlock();
        changed_.notify_all();
    }
}

void LookAhead::look_at_pictures() {
    std::vector<std::size_t> batch;
    const auto in_state = [this](State state) {
        std::vector<std::size_t> found;
        for (std::size_t i = given_; i < window_end(); ++i) {
            if (slot(i).state == state) found.push_back(i);
        }
        return found;
    };
    while (true) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] {
            if (stop_) return true;
            batch = in_state(State::Read);
            const bool nothing_to_come =
                next_to_read_ == window_end() && in_state(State::Reading).empty();  // until the consumer takes results
            return batch.size() >= options_.batch ||
                   (nothing_to_come && (!batch.empty() || next_to_read_ == pictures_.size()));
        });
        if (stop_ || batch.empty()) return;
        batch.resize(std::min(batch.size(), std::max<std::size_t>(1, options_.batch)));
        std::vector<Image> pictures;
        for (const std::size_t i : batch) {
            slot(i).state = State::Looking;
            pictures.push_back(std::move(slot(i).picture));
        }
        lock.unlock();
        std::vector<SeenObjects> seen = look_(pictures);
        if (options_.cache != nullptr) {
            for (std::size_t i = 0; i < batch.size(); ++i) options_.cache->add(pictures_[batch[i]], seen[i]);
        }
        lock.lock();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            slot(batch[i]).result.seen = std::move(seen[i]);
            slot(batch[i]).state = State::Done;
        }
        lock.unlock();
        changed_.notify_all();
    }
}

std::optional<LookedAt> LookAhead::next() {
    std::unique_lock lock(mutex_);
    if (given_ == pictures_.size()) return std::nullopt;
    changed_.wait(lock, [this] { return failure_ != nullptr || slot(given_).state == State::Done; });
    // Results from before a failure are still handed out, so that the output depends on timing as little as possible.
    if (slot(given_).state != State::Done) std::rethrow_exception(failure_);
    LookedAt result = std::move(slot(given_).result);
    slot(given_) = Slot();
    ++given_;
    lock.unlock();
    changed_.notify_all();
    return result;
}

}  // namespace neumann
