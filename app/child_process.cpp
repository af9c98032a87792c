#include "child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "base/atomic_file.h"

namespace neumann::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double patience_seconds = 5;         // from SIGTERM to SIGKILL
constexpr double seconds_between_calls = 0.5;  // of `waiting`
constexpr int cannot_start = 127;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& path)
        : descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
        if (descriptor_ < 0) throw FileError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
    }
    ~OpenFile() { close(descriptor_); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

// Between fork and exec only what is safe in a signal handler.
[[noreturn]] void become(char* const* arguments, int output, int errors, pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(cannot_start);  // it died before it could be watched
    for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(errors, STDERR_FILENO) < 0)
        _exit(cannot_start);
    execvp(arguments[0], arguments);
    const char* why = strerror(errno);
    for (const char* text : {"cannot start ", static_cast<const char*>(arguments[0]), ": ", why, "\n"})
        if (write(STDERR_FILENO, text, strlen(text)) < 0) break;
    _exit(cannot_start);
}

}  // namespace

ChildOutcome run_child(const ChildRequest& request) {
    const OpenFile output(request.output);
    const OpenFile errors(request.errors);
    std::vector<std::string> texts = request.command;
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    arguments.push_back(nullptr);

    ChildOutcome outcome;
    const Clock::time_point begin = Clock::now();
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) throw FileError(fmt::format("cannot start {}: {}", request.command[0], std::strerror(errno)));
    if (child == 0) become(arguments.data(), output.descriptor(), errors.descriptor(), parent);
    setpgid(child, child);  // in both, as either may be first

    double ended_at = -1;  // when it was told to end
    double told_at = 0;
    bool killed = false;
    for (;;) {
        int status = 0;
        rusage usage{};
        const pid_t done = wait4(child, &status, WNOHANG, &usage);
        const double seconds = since(begin);
        if (done == child || (done < 0 && errno != EINTR)) {
            outcome.seconds = seconds;
            outcome.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
            outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            break;
        }
        if (ended_at < 0) {
            outcome.stopped = request.stop != nullptr && *request.stop;
            outcome.timed_out = !outcome.stopped && request.limit_seconds > 0 && seconds > request.limit_seconds;
            if (outcome.stopped || outcome.timed_out) {
                kill(-child, SIGTERM);
                ended_at = seconds;
            }
        } else if (!killed && seconds > ended_at + patience_seconds) {
            kill(-child, SIGKILL);
            killed = true;
        }
        if (request.waiting && seconds > told_at + seconds_between_calls) {
            told_at = seconds;
            request.waiting(seconds);
        }
        // Looking more often than this would not make the measured time more than a percent better.
        std::this_thread::sleep_for(std::chrono::duration<double>(std::clamp(seconds / 100, 0.0002, 0.02)));
    }
    // What it left behind of its group.
    if (ended_at >= 0) kill(-child, SIGKILL);
    return outcome;
}

}  // namespace neumann::app
