#include "base/large_block.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace neumann {
namespace {

// Address space for `bytes`, aligned; nothing is committed yet.
char* reserve_aligned(std::size_t bytes) {
    const std::size_t padded = bytes + huge_page_bytes;
    void* raw = mmap(nullptr, padded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) throw std::bad_alloc();
    char* const begin = static_cast<char*>(raw);
    const std::size_t skip =
        (huge_page_bytes - reinterpret_cast<std::uintptr_t>(raw) % huge_page_bytes) % huge_page_bytes;
    if (skip > 0) munmap(begin, skip);
    if (huge_page_bytes - skip > 0) munmap(begin + skip + bytes, huge_page_bytes - skip);
    return begin + skip;
}

}  // namespace

void* grow_large_block(void* block, std::size_t old_bytes, std::size_t new_bytes) {
    char* const target = reserve_aligned(new_bytes);
    void* result = old_bytes == 0
                       ? mmap(target, new_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
                       : mremap(block, old_bytes, new_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target);
    if (result == MAP_FAILED) {
        munmap(target, new_bytes);
        throw std::bad_alloc();
    }
    (void)madvise(result, new_bytes, MADV_HUGEPAGE);  // a wish: without it everything works, slower
    return result;
}

void free_large_block(void* block, std::size_t bytes) noexcept { munmap(block, bytes); }

}  // namespace neumann
