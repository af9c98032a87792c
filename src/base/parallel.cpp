#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/budget.h"

namespace neumann {

void parallel_chunks(unsigned threads, std::size_t chunks, const std::function<void(std::size_t)>& work) {
    if (threads <= 1 || chunks <= 1) {
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) work(chunk);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::mutex failure_mutex;
    std::exception_ptr failure;
    std::size_t failed_chunk = chunks;
    const Budget* const budget = Budget::of_thread();
    const auto run = [&] {
        const BudgetScope scope(budget);
        for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
            try {
                work(chunk);
            } catch (...) {
                const std::lock_guard lock(failure_mutex);
                if (chunk < failed_chunk) {
                    failed_chunk = chunk;
                    failure = std::current_exception();
                }
                next = chunks;
            }
        }
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, chunks); ++i) helpers.emplace_back(run);
    run();
    helpers.clear();
    if (failure) std::rethrow_exception(failure);
}

unsigned hardware_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace neumann
