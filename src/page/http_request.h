// HTTP request of the page's server: one per connection, with limits on all of its parts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neumann {

struct HttpRequest {
    std::string method;
    std::string path;                                          // without the query string
    std::string query;                                         // that, without the mark
    std::vector<std::pair<std::string, std::string>> headers;  // names in small letters
    std::string body;

    // The value of a header that is there once; nothing if it is not there, or there twice.
    std::optional<std::string> header(std::string_view name) const;
};

inline constexpr std::size_t most_head_bytes = std::size_t{16} << 10;
inline constexpr std::size_t most_body_bytes = std::size_t{32} << 20;

// Why a request is refused: the number of HTTP and a sentence.
struct HttpRefusal {
    int status;
    std::string text;
};

// The request line and the headers, up to the empty line that ends them. Throws HttpRefusal.
HttpRequest parse_http_head(std::string_view head);

// The length of the body: 0 unless declared. Throws HttpRefusal if it is too large or not a number, and for bodies of
// another kind (in chunks).
std::size_t body_bytes(const HttpRequest& request);

// A request as it arrives, piece by piece; how it is cut makes no difference.
class HttpReader {
public:
    // True: the request is complete; further bytes are ignored. Throws HttpRefusal as soon as it cannot become one.
    bool add(std::string_view bytes);
    HttpRequest take() { return std::move(request_); }

private:
    std::string text_;
    HttpRequest request_;
    bool has_head_ = false;
    std::size_t body_ = 0;  // bytes
};

// All of a response but its body.
std::string http_head(int status, std::string_view type, std::optional<std::size_t> bytes);

}  // namespace neumann
