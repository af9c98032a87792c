#include "page/page_server.h"

#include <sys/prctl.h>
#include <sys/random.h>
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

#include <fmt/format.h>

#include "base/files.h"
#include "page/apart.h"
#include "page/page_folder.h"
#include "page/site.h"
#include "page/waiting_connections.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_processes = 256;                  // of which few run at the same time: see RunSlots
constexpr std::string_view folder_begins = "neumann-page-";  // then the server's process, and letters

std::string random_token() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw FileError("the system gives no random numbers");
    return fmt::format("{:02x}", fmt::join(bytes, ""));
}

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

    void start(int socket, const Site& site, WaitingConnections& waiting) {
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
            waiting.close_all();  // those of the server stay open
            int status = 1;
            if (::chdir(folder.c_str()) == 0) {
                site.answer(socket);
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
    RunLimits limits{options.memory_limit, options.time_limit, {}};
    for (const fs::path& folder : options.allowed) {
        std::error_code error;
        if (!fs::is_directory(folder, error)) throw FileError(fmt::format("{} is no folder", folder.string()));
        limits.readable.push_back(fs::absolute(folder));
    }
    const std::string token = random_token();
    const Site site(files, token, options.port, limits);
    remove_abandoned_folders();
    if (options.ready) options.ready(fmt::format("http://127.0.0.1:{}/?token={}", site.port(), token));
    WaitingConnections waiting(site.socket());
    Processes processes;
    while (!stop) {
        processes.reap(WNOHANG);
        waiting.poll(std::chrono::milliseconds(50));
        while (processes.size() < most_processes) {
            const int socket = waiting.take();
            if (socket < 0) break;
            processes.start(socket, site, waiting);
        }
    }
}

}  // namespace neumann
