// Progress function of long work.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace neumann {

// Called with the progress of long work, from several threads, often; a total of 0 is not known.
using ProgressFunction = std::function<void(std::string_view doing, std::uint64_t done, std::uint64_t total)>;

}  // namespace neumann
