#include "page/http_limits.h"

#include <algorithm>

namespace neumann {

std::optional<std::size_t> head_bytes(std::string_view arrived) {
    const std::size_t end = arrived.find(end_of_head);
    if (end == std::string_view::npos) return std::nullopt;
    return end + end_of_head.size();
}

std::optional<HttpRefusal> check_head(std::string_view arrived) {
    const std::optional<std::size_t> bytes = head_bytes(arrived);
    if (bytes.value_or(arrived.size()) > most_head_bytes + end_of_head.size())
        return HttpRefusal{431, "the headers are too long"};
    if (!bytes) return HttpRefusal{400, "the request ends too early"};
    std::string_view rest = arrived.substr(0, *bytes - 2);
    for (bool first = true; !rest.empty(); first = false) {
        const std::size_t end = rest.find("\r\n");
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 2);
        const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; };
        if (line.empty() || std::ranges::any_of(line, is_control))
            return HttpRefusal{400, "this is no request of HTTP"};
        const std::size_t colon = line.find(':');
        if (!first && (colon == std::string_view::npos || line.substr(0, colon).find_first_of(" \t") != line.npos))
            return HttpRefusal{400, "a header is none"};
    }
    return std::nullopt;
}

}  // namespace neumann
