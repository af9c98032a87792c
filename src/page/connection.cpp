#include "page/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace neumann {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{10};  // for a whole request, and for each piece of a response

// Whether something can be done with the socket before the time is up.
bool wait_for(int socket, short what, Clock::time_point end) {
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) return false;
        pollfd wanted{socket, what, 0};
        const int found = ::poll(&wanted, 1, static_cast<int>(left));
        if (found > 0) return true;
        if (found < 0 && errno != EINTR) return false;
    }
}

// The bytes that have arrived.
std::string_view read_some(int socket, std::array<char, 65536>& block, Clock::time_point end) {
    if (!wait_for(socket, POLLIN, end)) throw HttpRefusal{408, "the request did not arrive in time"};
    const ssize_t got = ::recv(socket, block.data(), block.size(), 0);
    if (got <= 0) throw HttpRefusal{400, "the request ends too early"};
    return {block.data(), static_cast<std::size_t>(got)};
}

}  // namespace

HttpRequest Connection::read() const {
    const Clock::time_point end = Clock::now() + patience;
    std::array<char, 65536> block;
    HttpReader reader;
    while (!reader.add(read_some(socket_, block, end))) {
    }
    return reader.take();
}

bool Connection::write(std::string_view bytes) const {
    while (!bytes.empty()) {
        if (!wait_for(socket_, POLLOUT, Clock::now() + patience)) return false;
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void Connection::respond(int status, std::string_view type, std::string_view body) const {
    if (write(http_head(status, type, body.size()))) write(body);
    // Unread bytes would make the system reset the connection before the response has arrived.
    ::shutdown(socket_, SHUT_WR);
    std::array<char, 65536> rest;
    const Clock::time_point end = Clock::now() + std::chrono::seconds(1);
    while (wait_for(socket_, POLLIN, end) && ::recv(socket_, rest.data(), rest.size(), 0) > 0) {
    }
}

}  // namespace neumann
