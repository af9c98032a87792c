#include "print/timed_meter.h"

#include <chrono>

namespace neumann::app {

Alarm::Alarm(double seconds) {
    if (seconds <= 0) return;
    thread_ = std::thread([this, seconds] {
        std::unique_lock lock(mutex_);
        if (done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; })) return;
        rang_ = true;
        InterruptGuard::requested() = true;
    });
}

Alarm::~Alarm() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    done_.notify_all();
    if (thread_.joinable()) thread_.join();
}

}  // namespace neumann::app
