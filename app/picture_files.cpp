#include "picture_files.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include "base/atomic_file.h"
#include "command.h"
#include "interrupt.h"
#include "picture_lines.h"
#include "print/progress_meter.h"

namespace neumann::app {
namespace {

namespace fs = std::filesystem;

fs::path make_temporary_folder() {
    std::string name = (fs::temp_directory_path() / "neumann-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw FileError(fmt::format("cannot make a temporary folder '{}': {}", name, std::strerror(errno)));
    return name;
}

}  // namespace

bool names_pictures(const std::string& argument) {
    std::error_code ignored;
    return !argument.empty() && (fs::is_directory(argument, ignored) || is_picture_list(argument));
}

PictureFiles::~PictureFiles() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string PictureFiles::write(const Signature& signature, const std::string& argument,
                                const PictureOptions& options) {
    const PictureList list = list_pictures({argument});
    PictureLines lines(signature, list, options, {});
    if (folder_.empty()) folder_ = make_temporary_folder();
    const fs::path path = folder_ / fmt::format("{}-pictures.jsonl", ++count_);
    AtomicFile file(path);
    ProgressMeter meter;
    const InterruptGuard guard;
    while (const std::optional<std::string> line = lines.next()) {
        if (InterruptGuard::requested()) {
            meter.finish();
            fmt::print(stderr, "stopped while looking at pictures; {}\n",
                       lines.keeps() ? "what was seen so far is kept for the next time"
                                     : "nothing of what was seen is kept");
            throw CommandFailed{exit_bad_input};
        }
        file.write(*line);
        meter.update("looking at pictures", lines.done(), lines.total());
    }
    meter.finish();
    lines.finish();
    file.commit(false);
    return path.string();
}

}  // namespace neumann::app
