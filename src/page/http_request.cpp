#include "page/http_request.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace neumann {
namespace {

std::string small_letters(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// Letters, digits and the marks that names of headers and methods may have.
bool is_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               marks.find(c) != std::string_view::npos;
    });
}

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

// The text up to the next end of a line, which is taken away.
std::string_view take_line(std::string_view& rest) {
    const std::size_t end = rest.find("\r\n");
    if (end == std::string_view::npos) throw HttpRefusal{400, "a line does not end"};
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 2);
    return line;
}

const char* reason_of(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 411:
        return "Length Required";
    case 413:
        return "Content Too Large";
    case 431:
        return "Request Header Fields Too Large";
    case 501:
        return "Not Implemented";
    default:
        return "Internal Server Error";
    }
}

}  // namespace

std::optional<std::string> HttpRequest::header(std::string_view name) const {
    std::optional<std::string> found;
    for (const auto& [key, value] : headers) {
        if (key != name) continue;
        if (found) return std::nullopt;
        found = value;
    }
    return found;
}

HttpRequest parse_http_head(std::string_view head) {
    HttpRequest request;
    std::string_view rest = head;
    const std::string_view line = take_line(rest);
    const std::size_t first = line.find(' ');
    const std::size_t second = line.rfind(' ');
    if (first == std::string_view::npos || second == first) throw HttpRefusal{400, "this is no request of HTTP"};
    const std::string_view version = line.substr(second + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0") throw HttpRefusal{400, "this is no request of HTTP/1.1"};
    request.method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, second - first - 1);
    if (!is_token(request.method) || !target.starts_with('/') || !is_printable(target))
        throw HttpRefusal{400, "this is no request of HTTP"};
    const std::size_t mark = target.find('?');
    request.path = target.substr(0, mark);
    if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view field = take_line(rest);
        if (field.empty()) break;
        const std::size_t colon = field.find(':');
        if (colon == std::string_view::npos || !is_token(field.substr(0, colon)) ||
            !is_printable(trimmed(field.substr(colon + 1))))
            throw HttpRefusal{400, "a header is none"};
        request.headers.emplace_back(small_letters(field.substr(0, colon)), trimmed(field.substr(colon + 1)));
    }
    return request;
}

std::size_t body_bytes(const HttpRequest& request) {
    bool said = false;
    for (const auto& [name, value] : request.headers) {
        if (name == "transfer-encoding") throw HttpRefusal{501, "bodies come in one piece, with their length"};
        said = said || name == "content-length";
    }
    if (!said && request.method == "POST") throw HttpRefusal{411, "how long is the body?"};
    if (!said) return 0;
    const std::string text = request.header("content-length").value_or("twice");
    std::size_t bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (error == std::errc::result_out_of_range || (error == std::errc() && bytes > most_body_bytes))
        throw HttpRefusal{413, fmt::format("a body has at most {} bytes", most_body_bytes)};
    if (error != std::errc() || end != text.data() + text.size())
        throw HttpRefusal{400, "the body's length is no number"};
    return bytes;
}

bool HttpReader::add(std::string_view bytes) {
    text_ += bytes;
    if (!has_head_) {
        constexpr std::string_view end_of_head = "\r\n\r\n";
        const std::size_t end = text_.find(end_of_head);
        const bool too_long =
            end == std::string::npos ? text_.size() >= most_head_bytes + end_of_head.size() : end > most_head_bytes;
        if (too_long) throw HttpRefusal{431, "the headers are too long"};
        if (end == std::string::npos) return false;
        request_ = parse_http_head(std::string_view(text_).substr(0, end + end_of_head.size()));
        body_ = body_bytes(request_);
        text_.erase(0, end + end_of_head.size());
        has_head_ = true;
    }
    if (text_.size() < body_) return false;
    text_.resize(body_);
    request_.body = std::move(text_);
    return true;
}

std::string http_head(int status, std::string_view type, std::optional<std::size_t> bytes) {
    std::string head =
        fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
                    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
                    "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n",
                    status, reason_of(status), type);
    if (bytes) head += fmt::format("Content-Length: {}\r\n", *bytes);
    return head + "\r\n";
}

}  // namespace neumann
