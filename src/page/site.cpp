#include "page/site.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <httplib.h>

#include "base/files.h"
#include "base/memory.h"
#include "page/http_limits.h"
#include "page/run_slots.h"
#include "page/socket_stream.h"

namespace neumann {
namespace {

constexpr int backlog = 128;
constexpr const char* plain_text = "text/plain; charset=utf-8";

// Takes as long for every text of the same length.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

// The value of a header that is there once, else nothing.
std::optional<std::string> only_header(const httplib::Request& request, const char* name) {
    if (request.get_header_value_count(name) != 1) return std::nullopt;
    return request.get_header_value(name);
}

std::optional<HttpRefusal> check_body(const httplib::Request& request) {
    if (request.has_header("Transfer-Encoding")) return HttpRefusal{501, "bodies come in one piece, with their length"};
    if (request.has_header("Content-Encoding")) return HttpRefusal{415, "bodies are not compressed"};
    if (!request.has_header("Content-Length")) return HttpRefusal{411, "how long is the body?"};
    const std::string text = only_header(request, "Content-Length").value_or("twice");
    std::size_t bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (error == std::errc::result_out_of_range || (error == std::errc() && bytes > most_body_bytes))
        return HttpRefusal{413, fmt::format("a body has at most {} bytes", most_body_bytes)};
    if (error != std::errc() || end != text.data() + text.size())
        return HttpRefusal{400, "the body's length is no number"};
    return std::nullopt;
}

}  // namespace

// The library's server, of which the site uses the socket, the parser and the responses. It accepts no connections: the
// page's server does, as each gets a process.
struct Site::Rules : httplib::Server {
    Rules(const PageFolder& page_files, std::string page_token, const RunLimits& run_limits)
        : files(page_files), token(std::move(page_token)), limits(run_limits) {
        using Outcome = httplib::Server::HandlerResponse;
        set_payload_max_length(most_body_bytes);
        set_default_headers({{"Cache-Control", "no-store"},
                             {"X-Content-Type-Options", "nosniff"},
                             {"X-Frame-Options", "DENY"},
                             {"Referrer-Policy", "no-referrer"},
                             {"Cross-Origin-Resource-Policy", "same-origin"},
                             {"Cross-Origin-Opener-Policy", "same-origin"}});
        // Before the body is read: strangers cannot make the server read one.
        set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
            if (const std::optional<HttpRefusal> problem = refused ? refused : refusal_of(request)) {
                response.status = problem->status;
                response.set_content(problem->text + "\n", plain_text);
                return Outcome::Handled;
            }
            if (request.method == "POST") return Outcome::Unhandled;
            const PageFolder::File& file = *files.find(request.path);
            response.status = 200;
            response.set_content(content(request, file), std::string(file.type));
            return Outcome::Handled;
        });
        Post("/answer",
             [this](const httplib::Request& request, httplib::Response& response) { run(request, response); });
        set_error_handler([this](const httplib::Request&, httplib::Response& response) {
            if (stream != nullptr && stream->timed_out()) {
                response.status = 408;
                response.set_content("the request did not arrive in time\n", plain_text);
            }
            if (response.body.empty()) response.set_content("this is no request that the page makes\n", plain_text);
        });
    }

    void listen_on(std::uint16_t wanted) {
        set_socket_options([](socket_t socket) {
            const int yes = 1;
            ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        });
        errno = 0;
        const int found = wanted == 0 ? bind_to_any_port("127.0.0.1") : bind_to_port("127.0.0.1", wanted) ? wanted : -1;
        if (found <= 0 || ::listen(svr_sock_, backlog) != 0)
            throw FileError(fmt::format("cannot listen on 127.0.0.1, port {}: {}", wanted,
                                        std::strerror(errno == 0 ? EADDRINUSE : errno)));
        port = static_cast<std::uint16_t>(found);
    }

    void process(SocketStream& from) {
        bool closed = false;
        stream = &from;
        process_request(from, true, closed, nullptr);
    }

    int listening() const { return svr_sock_; }

    std::optional<HttpRefusal> refusal_of(const httplib::Request& request) const {
        if (!request.target.starts_with('/')) return HttpRefusal{400, "this is no request of HTTP"};
        // Another page must not reach this one by a name of its own that leads here.
        const std::string host = only_header(request, "Host").value_or("");
        if (host != fmt::format("127.0.0.1:{}", port) && host != fmt::format("localhost:{}", port))
            return HttpRefusal{403, "this is not the address of the page"};
        const std::size_t origins = request.get_header_value_count("Origin");
        for (std::size_t i = 0; i < origins; ++i)
            if (request.get_header_value("Origin", i) != "http://" + host)
                return HttpRefusal{403, "another page may not ask"};
        if (request.method == "POST") {
            if (const std::optional<HttpRefusal> problem = check_body(request)) return problem;
            if (request.path != "/answer") return HttpRefusal{404, "there is nothing to ask"};
            if (!same_secret(only_header(request, "X-Neumann-Token").value_or(""), token))
                return HttpRefusal{403, "the token is not that of this server: open the address that it printed"};
            return std::nullopt;
        }
        if (request.method != "GET" && request.method != "HEAD") return HttpRefusal{405, "only GET and POST"};
        if (files.find(request.path) == nullptr) return HttpRefusal{404, "there is no such file"};
        return std::nullopt;
    }

    // A client with the token gets a page that sends requests here. All others get one that reasons in the browser.
    std::string content(const httplib::Request& request, const PageFolder::File& file) const {
        std::string text = read_file(file.path).value_or("");
        constexpr std::string_view before = "<meta name=\"color-scheme\"";
        const std::size_t place = text.find(before);
        if (request.path == "/" && place != std::string::npos && same_secret(request.get_param_value("token"), token))
            text.insert(place, fmt::format("<meta name=\"neumann-token\" content=\"{}\">\n", token));
        return text;
    }

    void run(const httplib::Request& request, httplib::Response& response) const {
        response.set_content_provider("application/x-ndjson", [this, &request](std::size_t, httplib::DataSink& sink) {
            const int socket = stream->socket();
            if (!slots.wait(socket)) return false;
            RunLimits run_limits = limits;
            if (run_limits.memory == 0) run_limits.memory = available_memory_bytes() / 5 * 4;
            answer_apart({socket, [&](std::string_view bytes) { return sink.write(bytes.data(), bytes.size()); }},
                         request.body, run_limits);
            sink.done();
            return true;
        });
    }

    const PageFolder& files;
    std::string token;
    RunLimits limits;
    std::uint16_t port = 0;
    RunSlots slots;
    const SocketStream* stream = nullptr;  // of the request that this process answers
    std::optional<HttpRefusal> refused = {};
};

Site::Site(const PageFolder& files, std::string token, std::uint16_t port, const RunLimits& limits)
    : rules_(std::make_unique<Rules>(files, std::move(token), limits)) {
    rules_->listen_on(port);
}
Site::~Site() = default;

std::uint16_t Site::port() const { return rules_->port; }
int Site::socket() const { return rules_->listening(); }

void Site::answer(int socket) const {
    // A request that the library must not see gets its response through it, by a request that it knows.
    constexpr std::string_view any_request = "GET / HTTP/1.1\r\n\r\n";
    SocketStream stream(socket, std::chrono::steady_clock::now() + body_patience);
    std::string head(most_head_bytes + 2 * end_of_head.size(), '\0');
    const ssize_t arrived = ::recv(socket, head.data(), head.size(), MSG_PEEK | MSG_DONTWAIT);
    rules_->refused = check_head(std::string_view(head).substr(0, arrived > 0 ? static_cast<std::size_t>(arrived) : 0));
    if (rules_->refused) stream.read_instead(any_request);
    rules_->process(stream);
    stream.finish();
}

}  // namespace neumann
