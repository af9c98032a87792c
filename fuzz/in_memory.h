// Files in memory, for readers that open what they read: they have a name and no place on a disk.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

class InMemory {
public:
    InMemory(const std::uint8_t* data, std::size_t size) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        if (file_ < 0 || ::write(file_, data, size) != static_cast<ssize_t>(size)) std::abort();
        ::lseek(file_, 0, SEEK_SET);
    }
    ~InMemory() { ::close(file_); }
    InMemory(const InMemory&) = delete;
    InMemory& operator=(const InMemory&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

private:
    int file_;
};
