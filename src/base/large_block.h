// Memory for large arrays: aligned to huge pages and grown by moving pages instead of copying bytes. Random access into
// gigabytes costs a TLB miss with small pages, and touching them first a page fault each; huge pages make both rare.
#pragma once

#include <cstddef>

namespace neumann {

inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

// Blocks of a multiple of huge_page_bytes. Growing keeps the content; `old_bytes` 0 allocates. Throws std::bad_alloc.
void* grow_large_block(void* block, std::size_t old_bytes, std::size_t new_bytes);
void free_large_block(void* block, std::size_t bytes) noexcept;

}  // namespace neumann
