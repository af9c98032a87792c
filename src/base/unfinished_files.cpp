#include "base/unfinished_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "base/files.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

// For the signal handler. At most this many files are tracked at a time; an interrupt, like a crash, leaves any further
// ones behind.
std::array<std::atomic<const char*>, 64> unfinished{};
static_assert(std::atomic<const char*>::is_always_lock_free, "read by signal handlers");
std::atomic<bool> ending{false};
std::atomic<int> creating{0};  // threads between note_unfinished and unfinished_is_created

void exchange(const char* before, const char* after) noexcept {
    for (std::atomic<const char*>& slot : unfinished) {
        const char* expected = before;
        if (slot.compare_exchange_strong(expected, after)) return;
    }
}

// The process of NAME.PROCESS.tmp, or 0.
pid_t process_of(const fs::path& path) {
    if (path.extension() != ".tmp") return 0;
    const std::string number = path.stem().extension().string();
    if (number.empty()) return 0;
    pid_t process = 0;
    const auto [rest, error] = std::from_chars(number.data() + 1, number.data() + number.size(), process);
    return error == std::errc() && rest == number.data() + number.size() && process > 0 ? process : 0;
}

bool is_abandoned(const fs::path& path) {
    const pid_t process = process_of(path);
    return process != 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

// By the names of the finished files.
using AbandonedCopies = std::multimap<fs::path, fs::path>;

AbandonedCopies abandoned_in(const fs::path& folder) {
    std::error_code error;
    AbandonedCopies found;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (is_abandoned(at->path())) found.emplace(at->path().stem().stem(), at->path());
    }
    return found;
}

void remove_all(const std::vector<fs::path>& paths) {
    std::error_code ignored;
    for (const fs::path& path : paths) fs::remove(path, ignored);
}

}  // namespace

void note_unfinished(const char* path) noexcept {
    ++creating;
    if (ending) {
        --creating;
        while (true) ::pause();
    }
    exchange(nullptr, path);
}

void unfinished_is_created() noexcept { --creating; }

void forget_unfinished(const char* path) noexcept { exchange(path, nullptr); }

void remove_unfinished_files() noexcept {
    ending = true;
    // Other threads may be creating a file; the interrupted one may be, too, and never gets to its end.
    constexpr int most_moments = 200;
    const timespec moment{0, 1'000'000};
    for (int i = 0; i < most_moments && creating > 0; ++i) ::nanosleep(&moment, nullptr);
    for (std::atomic<const char*>& slot : unfinished)
        if (const char* const path = slot.exchange(nullptr); path != nullptr) ::unlink(path);
}

void remove_abandoned_files(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> abandoned;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (is_abandoned(at->path())) abandoned.push_back(at->path());
    }
    remove_all(abandoned);
}

void remove_abandoned_copies(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    static std::mutex mutex;
    static std::map<fs::path, AbandonedCopies> known;  // each folder is listed once: it may hold thousands of outputs
    std::vector<fs::path> abandoned;
    {
        const std::lock_guard lock(mutex);
        const auto [found, added] = known.try_emplace(folder);
        if (added) found->second = abandoned_in(folder);
        const auto [begin, end] = found->second.equal_range(file.filename());
        for (auto at = begin; at != end; ++at) abandoned.push_back(at->second);
        found->second.erase(begin, end);
    }
    remove_all(abandoned);
}

}  // namespace neumann
