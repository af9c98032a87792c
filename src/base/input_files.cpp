#include "base/input_files.h"

#include <sys/stat.h>

#include <atomic>
#include <mutex>
#include <set>
#include <utility>

#include <neumann/files.h>

namespace neumann {
namespace {

using FileNumber = std::pair<dev_t, ino_t>;

// A property of the process, as the files themselves are: any reader may note one, on any thread.
struct Inputs {
    std::atomic<bool> wanted{false};
    std::mutex mutex;
    std::set<FileNumber> numbers;
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

}  // namespace neumann
