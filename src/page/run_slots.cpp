#include "page/run_slots.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/files.h"

namespace neumann {
namespace {

constexpr int milliseconds_between_tries = 20;

}  // namespace

RunSlots::RunSlots() : file_(::memfd_create("neumann page", MFD_CLOEXEC)) {
    if (file_ < 0) throw FileError(fmt::format("the system gives no memory for slots: {}", std::strerror(errno)));
}

RunSlots::~RunSlots() { ::close(file_); }

bool RunSlots::wait(int client) const {
    while (true) {
        for (int slot = 0; slot < most_runs; ++slot) {
            struct flock byte {};
            byte.l_type = F_WRLCK;
            byte.l_whence = SEEK_SET;
            byte.l_start = slot;
            byte.l_len = 1;
            if (::fcntl(file_, F_SETLK, &byte) == 0) return true;
        }
        pollfd gone{client, POLLRDHUP, 0};
        if (::poll(&gone, 1, milliseconds_between_tries) > 0) return false;
    }
}

}  // namespace neumann
