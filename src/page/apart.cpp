#include "page/apart.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/input_files.h"
#include "base/text.h"
#include "page/page_requests.h"

namespace neumann {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view answer_begins = "{\"answer\":";

// Sanitizers keep terabytes of addresses for themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_can_be_limited = false;
#else
constexpr bool memory_can_be_limited = true;
#endif

std::string refusal(const std::string& text) {
    return fmt::format("{}{{\"error\":{}}}}}\n", answer_begins, json_text("error: " + text));
}

void write_all(int pipe, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(pipe, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) ::_exit(1);  // the reader is gone
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

// In the process that answers; it ends with the one that watches it.
[[noreturn]] void run(int pipe, pid_t watcher, const std::string& request, const RunLimits& limits) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != watcher) ::_exit(1);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (limits.memory != 0 && memory_can_be_limited) {
        const rlimit memory{limits.memory, limits.memory};
        ::setrlimit(RLIMIT_DATA, &memory);
    }
    std::vector<std::filesystem::path> readable = limits.readable;
    readable.push_back(std::filesystem::current_path());
    restrict_inputs(readable);
    const auto tell = [&](const std::string& news) { write_all(pipe, "{\"news\":" + news + "}\n"); };
    write_all(pipe, std::string(answer_begins) + PageRequests().answer(request, tell) + "}\n");
    ::_exit(0);
}

// Output of a process, passed on line by line; an incomplete last line is dropped.
class Lines {
public:
    // False: the client is gone.
    bool pass_on(const Client& to, std::string_view bytes) {
        text_ += bytes;
        const std::size_t end = text_.rfind('\n');
        if (end == std::string::npos) return true;
        const std::string_view whole = std::string_view(text_).substr(0, end + 1);
        const std::size_t before = whole.substr(0, end).rfind('\n');
        answered_ = whole.substr(before == std::string::npos ? 0 : before + 1).starts_with(answer_begins);
        const bool there = to.write(whole);
        text_.erase(0, end + 1);
        return there;
    }
    bool answered() const { return answered_; }

private:
    std::string text_;
    bool answered_ = false;
};

enum class End { Finished, HungUp, TimeOver };

End watch(const Client& client, int pipe, const RunLimits& limits, Lines& lines) {
    const Clock::time_point begun = Clock::now();
    std::array<char, 65536> block;
    while (true) {
        std::array<pollfd, 2> wanted{pollfd{pipe, POLLIN, 0}, pollfd{client.socket, POLLRDHUP, 0}};
        int wait = -1;
        if (limits.seconds > 0) {
            const double left = limits.seconds - std::chrono::duration<double>(Clock::now() - begun).count();
            if (left <= 0) return End::TimeOver;
            wait = static_cast<int>(std::min(left * 1000 + 1, 1e9));
        }
        const int found = ::poll(wanted.data(), wanted.size(), wait);
        if (found < 0 && errno != EINTR) return End::HungUp;
        if (found <= 0) continue;
        if (wanted[0].revents != 0) {
            const ssize_t got = ::read(pipe, block.data(), block.size());
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return End::Finished;
            if (!lines.pass_on(client, {block.data(), static_cast<std::size_t>(got)})) return End::HungUp;
        } else if (wanted[1].revents != 0) {
            return End::HungUp;
        }
    }
}

std::string how_it_broke(int status) {
    if (!WIFSIGNALED(status))
        return fmt::format("the engine ended with {} before it had an answer", WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    const char* const why = signal == SIGKILL   ? "; there may not have been enough memory"
                            : signal == SIGSEGV ? "; terms or proofs may be too deep"
                                                : "";
    return fmt::format("the engine broke: {}{}", ::strsignal(signal), why);
}

}  // namespace

void answer_apart(const Client& client, const std::string& request, const RunLimits& limits) {
    std::array<int, 2> pipe{};
    const pid_t watcher = ::getpid();
    const bool open = ::pipe2(pipe.data(), O_CLOEXEC) == 0;
    const pid_t process = open ? ::fork() : -1;
    if (process == 0) {
        ::close(pipe[0]);
        run(pipe[1], watcher, request, limits);
    }
    if (open) ::close(pipe[1]);
    if (process < 0) {
        client.write(refusal(fmt::format("the system starts no process: {}", std::strerror(errno))));
        return;
    }
    Lines lines;
    const End end = watch(client, pipe[0], limits, lines);
    if (end != End::Finished) ::kill(process, SIGKILL);
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    ::close(pipe[0]);
    if (end == End::TimeOver)
        client.write(
            refusal(fmt::format("stopped after {} s; 'neumann page --time-limit' gives it more", limits.seconds)));
    else if (end == End::Finished && !lines.answered())
        client.write(refusal(how_it_broke(status)));
}

}  // namespace neumann
