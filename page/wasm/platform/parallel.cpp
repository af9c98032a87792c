// One thread: the page runs the core in a worker, and what it computes does not depend on the number of threads.
#include "base/parallel.h"

namespace neumann {

void parallel_chunks(unsigned /*threads*/, std::size_t chunks, const std::function<void(std::size_t)>& work) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) work(chunk);
}

unsigned hardware_threads() { return 1; }

}  // namespace neumann
