#include "print/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "cli/files.h"

namespace neumann::app {

void reserve_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
        // Opened the wrong way round: using it stays an error. The lowest free number is this stream's.
        (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void finish_standard_output() {
    errno = 0;
    const bool failed = std::ferror(stdout) != 0;
    if (std::fflush(stdout) == 0 && !failed) return;
    throw FileError(fmt::format("cannot write to standard output{}",
                                errno != 0 ? fmt::format(": {}", std::strerror(errno)) : std::string()));
}

}  // namespace neumann::app
