#include "base/input_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "base/files.h"

namespace neumann {
namespace {

using FileNumber = std::pair<dev_t, ino_t>;

// A property of the process, as the files themselves are: any reader may note one, on any thread.
struct Inputs {
    std::atomic<bool> wanted{false};
    std::mutex mutex;
    std::set<FileNumber> numbers;
    std::atomic<bool> restricted{false};
    std::vector<std::filesystem::path> folders;  // unchanged once restricted
};

Inputs& inputs() {
    static Inputs all;
    return all;
}

// Regular files only: pipes and devices are never replaced.
bool number_of(const std::filesystem::path& path, FileNumber& number) noexcept {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    number = {status.st_dev, status.st_ino};
    return true;
}

}  // namespace

void protect_inputs() { inputs().wanted = true; }

void note_input(const std::filesystem::path& path) noexcept {
    Inputs& all = inputs();
    FileNumber number;
    if (!all.wanted || !number_of(path, number)) return;
    const std::lock_guard lock(all.mutex);
    all.numbers.insert(number);
}

bool is_input(const std::filesystem::path& path) noexcept {
    Inputs& all = inputs();
    FileNumber number;
    if (!all.wanted || !number_of(path, number)) return false;
    const std::lock_guard lock(all.mutex);
    return all.numbers.contains(number);
}

void restrict_inputs(std::vector<std::filesystem::path> folders) {
    inputs().folders = std::move(folders);
    inputs().restricted = true;
}

bool may_read(const std::filesystem::path& path) {
    const Inputs& all = inputs();
    if (!all.restricted) return true;
    return std::ranges::any_of(all.folders, [&](const auto& folder) { return lies_in(path, folder); });
}

}  // namespace neumann
