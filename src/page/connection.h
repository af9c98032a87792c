// Connection to a browser: every read and write has a time limit.
#pragma once

#include <string>
#include <string_view>

#include "page/http_request.h"

namespace neumann {

class Connection {
public:
    explicit Connection(int socket) : socket_(socket) {}

    // The whole request. Throws HttpRefusal if it is none, too large, or does not arrive in time.
    HttpRequest read() const;

    // False: the client is gone.
    bool write(std::string_view bytes) const;

    void respond(int status, std::string_view type, std::string_view body) const;

    int socket() const { return socket_; }

private:
    int socket_;
};

}  // namespace neumann
