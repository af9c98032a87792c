// Any bytes as what arrives at the page's server, cut as the first of them says: a request, refused, or not complete;
// how it is cut makes no difference. What is left is a request that the server can look at without care.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "draw/base64.h"
#include "page/http_request.h"
#include "page/request.h"

namespace {

using namespace neumann;

struct Outcome {
    int status = 0;  // of the refusal
    std::optional<HttpRequest> request;
};

Outcome read_in_pieces(std::string_view bytes, std::size_t piece) {
    HttpReader reader;
    try {
        for (std::size_t at = 0; at < bytes.size(); at += piece)
            if (reader.add(bytes.substr(at, piece))) return {0, reader.take()};
    } catch (const HttpRefusal& refusal) {
        if (refusal.status < 400 || refusal.status > 599 || refusal.text.empty()) std::abort();
        return {refusal.status, std::nullopt};
    }
    return {};
}

void require(bool holds) {
    if (!holds) std::abort();
}

bool same(const Outcome& a, const Outcome& b) {
    if (a.status != b.status || a.request.has_value() != b.request.has_value()) return false;
    return !a.request || (a.request->path == b.request->path && a.request->query == b.request->query &&
                          a.request->headers == b.request->headers && a.request->body == b.request->body);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

void check(const HttpRequest& request) {
    require(request.path.starts_with('/') && request.path.find('?') == std::string::npos);
    require(std::ranges::none_of(request.path, is_control) && std::ranges::none_of(request.query, is_control));
    require(request.body.size() == body_bytes(request) && request.body.size() <= most_body_bytes);
    for (const auto& [name, value] : request.headers) {
        require(!name.empty() && std::ranges::none_of(name, [](char c) { return c >= 'A' && c <= 'Z'; }));
        require(std::ranges::none_of(value, is_control));
    }
    if (const std::optional<std::string> bytes = from_base64(request.body)) require(base64(*bytes) == request.body);
    try {
        const PageRequest asked(request.body);
        asked.given_line();
        asked.model_options();
        asked.reasoner_options();
    } catch (const std::runtime_error&) {  // no page of ours asks so
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Outcome whole = read_in_pieces(bytes, std::max<std::size_t>(bytes.size(), 1));
    require(same(whole, read_in_pieces(bytes, std::size_t{data[0]} + 1)));
    if (whole.request) check(*whole.request);
    return 0;
}
