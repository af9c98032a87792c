// WebAssembly's memory has neither pages that move nor huge ones.
#include "base/large_block.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace neumann {

void* grow_large_block(void* block, std::size_t old_bytes, std::size_t new_bytes) {
    void* const result = std::aligned_alloc(64, new_bytes);
    if (result == nullptr) throw std::bad_alloc();
    const std::size_t kept = std::min(old_bytes, new_bytes);
    if (kept > 0) std::memcpy(result, block, kept);
    std::memset(static_cast<char*>(result) + kept, 0, new_bytes - kept);
    std::free(old_bytes > 0 ? block : nullptr);
    return result;
}

void free_large_block(void* block, std::size_t /*bytes*/) noexcept { std::free(block); }

}  // namespace neumann
