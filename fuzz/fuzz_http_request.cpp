// Any bytes as what a connection to the page's server sends: they get one response of HTTP or none, never the token,
// and never a run, which takes the token. "Host: H" stands for the server's own name. What follows the headers is read
// as a request of the page, too.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "draw/base64.h"
#include "page/http_limits.h"
#include "page/page_folder.h"
#include "page/request.h"
#include "page/site.h"

namespace {

using namespace neumann;

constexpr std::size_t most_bytes = 60'000;  // that a connection takes without a reader
constexpr std::string_view token = "0123456789abcdef0123456789abcdef";

void require(bool holds) {
    if (!holds) std::abort();
}

const PageFolder& files() {
    static const PageFolder folder = [] {
        const std::filesystem::path path =
            std::filesystem::temp_directory_path() / ("fuzz-page-" + std::to_string(::getpid()));
        std::filesystem::create_directory(path);
        std::ofstream(path / "index.html") << "<meta name=\"color-scheme\">page";
        return PageFolder(path);
    }();
    return folder;
}

const Site& site() {
    static const Site made(files(), std::string(token), 0, {});
    return made;
}

std::string response_to(std::string request) {
    constexpr std::string_view own_host = "Host: H";
    if (const std::size_t at = request.find(own_host); at != std::string::npos)
        request.replace(at, own_host.size(), "Host: 127.0.0.1:" + std::to_string(site().port()));
    std::array<int, 2> ends{};
    require(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    require(::write(ends[0], request.data(), request.size()) == static_cast<ssize_t>(request.size()));
    ::shutdown(ends[0], SHUT_WR);
    site().answer(ends[1]);
    ::close(ends[1]);
    std::string response;
    std::array<char, 4096> block;
    for (ssize_t got = 0; (got = ::read(ends[0], block.data(), block.size())) > 0;)
        response.append(block.data(), static_cast<std::size_t>(got));
    ::close(ends[0]);
    return response;
}

void check_body(std::string_view text) {
    if (const std::optional<std::string> bytes = from_base64(std::string(text))) require(base64(*bytes) == text);
    try {
        const PageRequest asked{std::string(text)};
        asked.given_line();
        asked.model_options();
        asked.reasoner_options();
    } catch (const std::runtime_error&) {  // no page of ours asks so
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (size == 0 || size > most_bytes || bytes.find(token) != std::string_view::npos) return 0;
    const std::string response = response_to(std::string(bytes));
    require(response.empty() || response.starts_with("HTTP/1.1 "));
    require(response.find(token) == std::string::npos);
    require(response.find("x-ndjson") == std::string::npos);
    if (check_head(bytes)) require(response.starts_with("HTTP/1.1 4"));
    check_body(bytes.substr(head_bytes(bytes).value_or(0)));
    return 0;
}
