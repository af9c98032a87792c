// Site of the page: which requests are answered, and how. HTTP itself is cpp-httplib's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "page/apart.h"
#include "page/page_folder.h"

namespace httplib {
class Stream;
}

namespace neumann {

class Site {
public:
    // Listens on this port of 127.0.0.1, 0: on any that is free. Throws FileError where that is not possible.
    Site(const PageFolder& files, std::string token, std::uint16_t port, const RunLimits& limits);
    ~Site();
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    std::uint16_t port() const;
    int socket() const;  // that listens

    // One request, whose headers have arrived, and its response. For a process of its own.
    void answer(int socket) const;

    struct Rules;  // for the library alone

private:
    std::unique_ptr<Rules> rules_;
};

}  // namespace neumann
