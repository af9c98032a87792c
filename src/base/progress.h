// Progress reports of long work. The library calls the interface; the command decides how to display them.
#pragma once

#include <cstdint>
#include <string_view>

namespace neumann {

class Progress {
public:
    virtual ~Progress() = default;
    // May be called from several threads, often; total 0: unknown.
    virtual void update(std::string_view doing, std::uint64_t done, std::uint64_t total) = 0;
};

}  // namespace neumann
