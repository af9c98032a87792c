#include <poll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <system_error>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <neumann/files.h>
#include <neumann/page_server.h>

#include "base/memory.h"
#include "page/apart.h"
#include "page/connection.h"
#include "page/page_folder.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_processes = 32;
constexpr int backlog = 128;
constexpr std::string_view folder_begins = "neumann-page-";  // then the server's process, and letters

std::string random_token() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw FileError("the system gives no random numbers");
    return fmt::format("{:02x}", fmt::join(bytes, ""));
}

// Takes as long for every text of the same length.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

// A socket that listens on 127.0.0.1, closed in the end.
class Listener {
public:
    explicit Listener(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const int yes = 1;
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        socklen_t size = sizeof address;
        if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
            ::listen(socket_, backlog) != 0 ||
            ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
            const std::string why = std::strerror(errno);
            if (socket_ >= 0) ::close(socket_);
            throw FileError(fmt::format("cannot listen on 127.0.0.1, port {}: {}", port, why));
        }
        port_ = ntohs(address.sin_port);
    }
    ~Listener() { ::close(socket_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    std::uint16_t port() const { return port_; }
    int socket() const { return socket_; }

private:
    int socket_;
    std::uint16_t port_ = 0;
};

// The work of one process: a request, and its response.
class Visit {
public:
    Visit(const PageFolder& files, std::string token, std::uint16_t port, const RunLimits& limits)
        : files_(files), token_(std::move(token)), port_(port), limits_(limits) {}

    void answer(const Connection& connection) const {
        try {
            const HttpRequest request = connection.read();
            require_own_name(request);
            if (request.method == "POST") return reason(connection, request);
            if (request.method != "GET" && request.method != "HEAD") throw HttpRefusal{405, "only GET and POST"};
            const PageFolder::File* file = files_.find(request.path);
            if (file == nullptr) throw HttpRefusal{404, "there is no such file"};
            connection.respond(200, file->type, request.method == "HEAD" ? "" : content(request, *file));
        } catch (const HttpRefusal& refusal) {
            connection.respond(refusal.status, "text/plain; charset=utf-8", refusal.text + "\n");
        }
    }

private:
    // Another page must not reach this one by a name of its own that leads here.
    void require_own_name(const HttpRequest& request) const {
        const std::string host = request.header("host").value_or("");
        if (host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))
            throw HttpRefusal{403, "this is not the address of the page"};
        for (const auto& [name, value] : request.headers)
            if (name == "origin" && value != "http://" + host) throw HttpRefusal{403, "another page may not ask"};
    }

    // A client with the token gets a page that sends requests here. All others get one that reasons in the browser.
    std::string content(const HttpRequest& request, const PageFolder::File& file) const {
        std::string text = read_file(file.path).value_or("");
        constexpr std::string_view before = "<meta name=\"color-scheme\"";
        const std::size_t place = text.find(before);
        if (request.path == "/" && place != std::string::npos && same_secret(request.query, "token=" + token_))
            text.insert(place, fmt::format("<meta name=\"neumann-token\" content=\"{}\">\n", token_));
        return text;
    }

    void reason(const Connection& connection, const HttpRequest& request) const {
        if (request.path != "/answer") throw HttpRefusal{404, "there is nothing to ask"};
        if (!same_secret(request.header("x-neumann-token").value_or(""), token_))
            throw HttpRefusal{403, "the token is not that of this server: open the address that it printed"};
        connection.write(http_head(200, "application/x-ndjson", std::nullopt));
        RunLimits limits = limits_;
        if (limits.memory == 0) limits.memory = available_memory_bytes() / 5 * 4;
        answer_apart(connection, request.body, limits);
    }

    const PageFolder& files_;
    std::string token_;
    std::uint16_t port_;
    RunLimits limits_;
};

// The processes that answer, each in a folder that goes with it.
class Processes {
public:
    Processes() = default;
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;
    ~Processes() {
        for (const auto& [process, folder] : folders_) ::kill(-process, SIGKILL);
        while (!folders_.empty()) reap(0);
    }

    std::size_t size() const { return folders_.size(); }

    void start(int socket, const Visit& visit) {
        std::string folder =
            (fs::temp_directory_path() / fmt::format("{}{}-XXXXXX", folder_begins, ::getpid())).string();
        if (::mkdtemp(folder.data()) == nullptr) {
            ::close(socket);
            return;
        }
        std::fflush(nullptr);
        const pid_t process = ::fork();
        if (process == 0) {
            ::setpgid(0, 0);  // with its child processes; signals from the server's terminal must not reach it
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            int status = 1;
            if (::chdir(folder.c_str()) == 0) {
                visit.answer(Connection(socket));
                status = 0;
            }
            ::_exit(status);
        }
        ::close(socket);
        if (process > 0) {
            ::setpgid(process, process);  // in parent and child, to avoid a race
            folders_[process] = folder;
        } else {
            remove(folder);
        }
    }

    // Removes the folders of ended processes; `how` as for waitpid.
    void reap(int how) {
        int status = 0;
        for (pid_t ended = ::waitpid(-1, &status, how); ended > 0; ended = ::waitpid(-1, &status, how)) {
            const auto found = folders_.find(ended);
            if (found == folders_.end()) continue;
            remove(found->second);
            folders_.erase(found);
        }
        if (how == 0) folders_.clear();  // there are no more children
    }

private:
    static void remove(const fs::path& folder) {
        std::error_code error;
        // A process that was killed with its watcher may still be about to write a file.
        for (int tries = 0; tries < 50; ++tries) {
            fs::remove_all(folder, error);
            if (!error) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

    std::map<pid_t, fs::path> folders_;
};

// Folders of servers that were killed.
void remove_abandoned_folders() {
    std::error_code error;
    const fs::path place = fs::temp_directory_path(error);
    std::vector<fs::path> abandoned;
    for (fs::directory_iterator at(place, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        pid_t process = 0;
        if (!name.starts_with(folder_begins)) continue;
        const char* const begin = name.data() + folder_begins.size();
        const auto [rest, wrong] = std::from_chars(begin, name.data() + name.size(), process);
        const bool ours = wrong == std::errc() && rest != begin && *rest == '-' && process > 0;
        if (ours && ::kill(process, 0) != 0 && errno == ESRCH) abandoned.push_back(at->path());
    }
    for (const fs::path& folder : abandoned) fs::remove_all(folder, error);  // of other users: it fails
}

}  // namespace

void serve_page(const PageServerOptions& options, const std::atomic<bool>& stop) {
    const PageFolder files(options.folder.empty() ? find_page_folder() : options.folder);
    const Listener listener(options.port);
    remove_abandoned_folders();
    const std::string token = random_token();
    if (options.ready) options.ready(fmt::format("http://127.0.0.1:{}/?token={}", listener.port(), token));
    const Visit visit(files, token, listener.port(), {options.memory_limit, options.time_limit});
    Processes processes;
    while (!stop) {
        processes.reap(WNOHANG);
        pollfd asked{listener.socket(), POLLIN, 0};
        const bool room = processes.size() < most_processes;
        if (::poll(&asked, room ? 1 : 0, 50) <= 0) continue;
        const int socket = ::accept4(listener.socket(), nullptr, nullptr, SOCK_CLOEXEC);
        if (socket >= 0) processes.start(socket, visit);
    }
}

}  // namespace neumann
