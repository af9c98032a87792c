// Limits of requests to the page's server, and refusals.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace neumann {

inline constexpr std::size_t most_head_bytes = std::size_t{16} << 10;
inline constexpr std::size_t most_body_bytes = std::size_t{32} << 20;
inline constexpr std::string_view end_of_head = "\r\n\r\n";

inline constexpr std::chrono::seconds head_patience{10};  // from the connection to the end of the headers
inline constexpr std::chrono::seconds body_patience{10};  // for the rest, and for each piece of a response

// Why a request is refused: the status of HTTP and a sentence.
struct HttpRefusal {
    int status;
    std::string text;
};

// The length of a request's line and headers with the empty line, once all of them have arrived.
std::optional<std::size_t> head_bytes(std::string_view arrived);

// The mistakes that the HTTP library would pass over: headers that are too long, lines without a colon, control
// characters. Everything else of HTTP is the library's.
std::optional<HttpRefusal> check_head(std::string_view arrived);

}  // namespace neumann
