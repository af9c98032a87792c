// Memory figures: memory of the machine and use by the process.
#pragma once

#include <cstdint>

#include "base/text.h"  // IWYU pragma: export

namespace neumann {

std::uint64_t peak_rss_bytes();          // the largest resident size this process has had
std::uint64_t private_bytes();           // resident now, without files that are mapped
std::uint64_t available_memory_bytes();  // memory that can be allocated now without swapping

}  // namespace neumann
