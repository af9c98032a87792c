// Connection to a browser as a stream of the HTTP library: every read and write has a deadline.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include <httplib.h>

namespace neumann {

class SocketStream : public httplib::Stream {
public:
    // `deadline`: the end of the whole request.
    SocketStream(int socket, std::chrono::steady_clock::time_point deadline) : socket_(socket), deadline_(deadline) {}

    // Reads this text in the place of what arrives.
    void read_instead(std::string_view text);

    bool timed_out() const { return timed_out_; }

    // Ends the response. Unread bytes would make the system reset the connection before the response has arrived.
    void finish();

    bool is_readable() const override;
    bool is_writable() const override;
    ssize_t read(char* to, std::size_t size) override;
    ssize_t write(const char* from, std::size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    socket_t socket() const override { return socket_; }

private:
    bool fill();

    int socket_;
    std::chrono::steady_clock::time_point deadline_;
    std::array<char, 65536> block_;
    std::string_view unread_;  // of the block, or of the text that is read instead
    bool instead_ = false;
    bool timed_out_ = false;
};

}  // namespace neumann
