// Parallel loop: independent chunks of work on several threads. The caller stores results by chunk number, never by
// order of arrival, so that results are identical for any number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace neumann {

// Calls work(chunk) for every chunk in [0, chunks), on up to `threads` threads, the caller's among them. The first
// exception (by chunk number) is rethrown after all threads have stopped.
void parallel_chunks(unsigned threads, std::size_t chunks, const std::function<void(std::size_t)>& work);

// Starting a thread takes as long as some tens of thousands of simple operations: below that it does not pay.
inline constexpr std::size_t worth_a_thread = 1U << 16;

unsigned hardware_threads();

}  // namespace neumann
