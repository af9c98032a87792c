#include "base/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/budget.h"

namespace neumann {
namespace {

// Chunks of one call, taken one after the other by the caller and its helpers.
class ChunkedWork {
public:
    ChunkedWork(std::size_t chunks, const std::function<void(std::size_t)>& work)
        : chunks_(chunks), failed_chunk_(chunks), work_(work) {}

    void take_chunks() {
        const BudgetScope scope(budget_);
        for (std::size_t chunk = next_++; chunk < chunks_; chunk = next_++) {
            try {
                work_(chunk);
            } catch (...) {
                const std::lock_guard lock(failure_mutex_);
                if (chunk < failed_chunk_) {
                    failed_chunk_ = chunk;
                    failure_ = std::current_exception();
                }
                next_ = chunks_;
            }
        }
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

    // Under the pool's mutex:
    std::size_t helpers_wanted = 0;
    std::size_t helpers = 0;  // that are taking chunks
    std::condition_variable helpers_left;

private:
    const std::size_t chunks_;
    std::atomic<std::size_t> next_{0};
    std::mutex failure_mutex_;
    std::exception_ptr failure_;
    std::size_t failed_chunk_;
    const std::function<void(std::size_t)>& work_;
    const Budget* const budget_ = Budget::of_thread();  // the caller's
};

// Threads that wait for work. A caller takes part in its own work, so it never depends on a thread that is free: calls
// from several threads, and calls within chunks, always end. The pool grows to the most threads that a call has asked
// for. It is never destroyed, as its threads wait until the process ends.
class ThreadPool {
public:
    void run(ChunkedWork& work, std::size_t helpers) {
        {
            const std::lock_guard lock(mutex_);
            work.helpers_wanted = helpers;
            grow_to(helpers);
            open_.push_back(&work);
        }
        for (std::size_t i = 0; i < helpers; ++i) has_work_.notify_one();
        work.take_chunks();
        std::unique_lock lock(mutex_);
        std::erase(open_, &work);
        work.helpers_left.wait(lock, [&] { return work.helpers == 0; });
    }

private:
    // Where the system gives no more threads, there are fewer helpers.
    void grow_to(std::size_t threads) {
        try {
            for (; threads_ < threads; ++threads_) std::thread([this] { help(); }).detach();
        } catch (const std::system_error&) {
        }
    }

    void help() {
        std::unique_lock lock(mutex_);
        while (true) {
            has_work_.wait(lock, [&] { return !open_.empty(); });
            ChunkedWork& work = *open_.front();
            if (--work.helpers_wanted == 0) open_.pop_front();
            ++work.helpers;
            lock.unlock();
            work.take_chunks();
            lock.lock();
            if (--work.helpers == 0) work.helpers_left.notify_one();  // under the lock: then `work` may end
        }
    }

    std::mutex mutex_;
    std::condition_variable has_work_;
    std::deque<ChunkedWork*> open_;  // that want helpers
    std::size_t threads_ = 0;
};

std::atomic<ThreadPool*> current_pool{nullptr};

// A process that fork() made has none of the threads, and perhaps a locked mutex: it begins with a pool of its own.
ThreadPool& pool() {
    static const int forgotten_after_fork = ::pthread_atfork(nullptr, nullptr, [] { current_pool = nullptr; });
    static_cast<void>(forgotten_after_fork);
    ThreadPool* found = current_pool;
    if (found == nullptr) {
        auto* const made = new ThreadPool;
        if (current_pool.compare_exchange_strong(found, made)) return *made;
        delete made;  // another thread was first
    }
    return *found;
}

}  // namespace

void parallel_chunks(unsigned threads, std::size_t chunks, const std::function<void(std::size_t)>& work) {
    const std::size_t takers = std::min<std::size_t>(threads, chunks);
    if (takers <= 1) {
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) work(chunk);
        return;
    }
    ChunkedWork chunked(chunks, work);
    pool().run(chunked, takers - 1);
    chunked.rethrow();
}

unsigned hardware_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace neumann
