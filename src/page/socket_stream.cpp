#include "page/socket_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "page/http_limits.h"

namespace neumann {
namespace {

using Clock = std::chrono::steady_clock;

// Whether something can be done with the socket before the time is up.
bool wait_for(int socket, short event, Clock::time_point end) {
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) return false;
        pollfd wanted{socket, event, 0};
        const int found = ::poll(&wanted, 1, static_cast<int>(left));
        if (found > 0) return true;
        if (found < 0 && errno != EINTR) return false;
    }
}

}  // namespace

void SocketStream::read_instead(std::string_view text) {
    unread_ = text;
    instead_ = true;
}

bool SocketStream::fill() {
    if (instead_) return false;
    timed_out_ = !wait_for(socket_, POLLIN, deadline_);
    if (timed_out_) return false;
    const ssize_t got = ::recv(socket_, block_.data(), block_.size(), 0);
    if (got <= 0) return false;
    unread_ = {block_.data(), static_cast<std::size_t>(got)};
    return true;
}

ssize_t SocketStream::read(char* to, std::size_t size) {
    if (unread_.empty() && !fill()) return timed_out_ ? -1 : 0;
    const std::size_t count = std::min(size, unread_.size());
    std::copy_n(unread_.data(), count, to);
    unread_.remove_prefix(count);
    return static_cast<ssize_t>(count);
}

ssize_t SocketStream::write(const char* from, std::size_t size) {
    for (std::string_view bytes(from, size); !bytes.empty();) {
        if (!wait_for(socket_, POLLOUT, Clock::now() + body_patience)) return -1;
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (sent <= 0) return -1;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return static_cast<ssize_t>(size);
}

void SocketStream::finish() {
    ::shutdown(socket_, SHUT_WR);
    const Clock::time_point end = Clock::now() + std::chrono::seconds(1);
    while (wait_for(socket_, POLLIN, end) && ::recv(socket_, block_.data(), block_.size(), 0) > 0) {
    }
}

bool SocketStream::is_readable() const { return !unread_.empty() || wait_for(socket_, POLLIN, deadline_); }
bool SocketStream::is_writable() const { return wait_for(socket_, POLLOUT, Clock::now() + body_patience); }

// The server listens on the loopback address alone.
void SocketStream::get_remote_ip_and_port(std::string& ip, int& port) const {
    ip = "127.0.0.1";
    port = 0;
}
void SocketStream::get_local_ip_and_port(std::string& ip, int& port) const { get_remote_ip_and_port(ip, port); }

}  // namespace neumann
