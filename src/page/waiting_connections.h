// Connections whose headers have not arrived: they cost the server a socket, no process and no thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>

namespace neumann {

class WaitingConnections {
public:
    explicit WaitingConnections(int listener);  // throws FileError
    ~WaitingConnections();
    WaitingConnections(const WaitingConnections&) = delete;
    WaitingConnections& operator=(const WaitingConnections&) = delete;

    // Waits so long at most for something to arrive. Closes connections whose time is over, and the oldest ones where
    // there are too many.
    void poll(std::chrono::milliseconds patience);

    // A connection whose headers have arrived or will not arrive any more, for the caller to close; -1: none.
    int take();

    // Closes all of them: in a process that has nothing to do with them.
    void close_all();

private:
    using Clock = std::chrono::steady_clock;

    void accept_all();
    void look_at(int socket, bool ended);  // ended: nothing more will arrive
    void close_late_ones();

    int listener_;
    int events_;
    std::map<int, Clock::time_point> begun_;  // by socket
    std::deque<int> ready_;
};

}  // namespace neumann
