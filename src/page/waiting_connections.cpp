#include "page/waiting_connections.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "base/files.h"
#include "page/http_limits.h"

namespace neumann {
namespace {

constexpr std::size_t most_waiting = 512;

void watch_for(int events, int socket, std::uint32_t kinds) {
    epoll_event event{};
    event.events = kinds;
    event.data.fd = socket;
    ::epoll_ctl(events, EPOLL_CTL_ADD, socket, &event);
}

}  // namespace

WaitingConnections::WaitingConnections(int listener) : listener_(listener), events_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (events_ < 0) throw FileError(fmt::format("the system gives no events: {}", std::strerror(errno)));
    ::fcntl(listener_, F_SETFL, ::fcntl(listener_, F_GETFL) | O_NONBLOCK);
    watch_for(events_, listener_, EPOLLIN);
}

WaitingConnections::~WaitingConnections() { close_all(); }

void WaitingConnections::close_all() {
    for (const auto& [socket, begun] : begun_) ::close(socket);
    for (const int socket : ready_) ::close(socket);
    begun_.clear();
    ready_.clear();
    if (events_ >= 0) ::close(events_);
    events_ = -1;
}

void WaitingConnections::accept_all() {
    while (true) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) return;
        begun_[socket] = Clock::now();
        // Reported once for everything that arrives: what has arrived stays there for the process that will answer.
        watch_for(events_, socket, EPOLLIN | EPOLLRDHUP | EPOLLET);
        look_at(socket, false);
    }
}

void WaitingConnections::look_at(int socket, bool ended) {
    if (!begun_.contains(socket)) return;
    std::array<char, most_head_bytes + 2 * end_of_head.size()> head;
    const ssize_t arrived = ::recv(socket, head.data(), head.size(), MSG_PEEK | MSG_DONTWAIT);
    if (arrived < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (arrived <= 0) {  // it has disconnected
        begun_.erase(socket);
        ::close(socket);
        return;
    }
    const std::string_view text(head.data(), static_cast<std::size_t>(arrived));
    if (!head_bytes(text) && text.size() < head.size() && !ended) return;
    begun_.erase(socket);
    ready_.push_back(socket);
    ::epoll_ctl(events_, EPOLL_CTL_DEL, socket, nullptr);
}

void WaitingConnections::close_late_ones() {
    const Clock::time_point now = Clock::now();
    std::erase_if(begun_, [&](const auto& one) {
        if (now - one.second < head_patience) return false;
        ::close(one.first);
        return true;
    });
    while (begun_.size() > most_waiting) {
        const auto oldest = std::ranges::min_element(begun_, {}, [](const auto& one) { return one.second; });
        ::close(oldest->first);
        begun_.erase(oldest);
    }
}

void WaitingConnections::poll(std::chrono::milliseconds patience) {
    std::array<epoll_event, 64> found;
    const int count =
        ::epoll_wait(events_, found.data(), static_cast<int>(found.size()), static_cast<int>(patience.count()));
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = found[static_cast<std::size_t>(i)];
        if (event.data.fd == listener_) {
            accept_all();
        } else {
            look_at(event.data.fd, (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
        }
    }
    close_late_ones();
}

int WaitingConnections::take() {
    if (ready_.empty()) return -1;
    const int socket = ready_.front();
    ready_.pop_front();
    return socket;
}

}  // namespace neumann
