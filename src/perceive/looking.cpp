#include "perceive/looking.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_fields.h"
#include "base/parallel.h"

namespace neumann {
namespace {

constexpr unsigned most_readers = 4;  // reading an image takes a few milliseconds, the network takes longer

// Folders of images are never written to without a request. Empty: there is no cache folder.
std::filesystem::path user_cache_folder() {
    const auto named = [](const char* variable) {
        const char* const value = std::getenv(variable);
        return std::filesystem::path(value == nullptr ? "" : value);
    };
    if (const std::filesystem::path own = named("XDG_CACHE_HOME"); own.is_absolute()) return own / "neumann" / "seen";
    const std::filesystem::path home = named("HOME");
    return home.is_absolute() ? home / ".cache" / "neumann" / "seen" : std::filesystem::path();
}

}  // namespace

Looking::Looking(const PictureList& list, const LookOptions& options, bool fresh)
    : list_(list), network_(options.network, options.device) {
    LookAheadOptions ahead;
    ahead.batch = options.batch;
    ahead.readers = std::clamp(hardware_threads(), 1U, most_readers);
    const bool kept = !options.no_cache && !fresh;
    if (kept && !options.cache.empty()) {
        cache_ = std::make_unique<SeenCache>(options.cache, "", network_.fingerprint());
    } else if (kept && !list.folder.empty()) {
        const std::filesystem::path folder = user_cache_folder();
        if (!folder.empty()) cache_ = std::make_unique<SeenCache>(folder, "", network_.fingerprint());
    }
    ahead.cache = cache_.get();
    examples_ = std::make_unique<LookedExamples>(
        list.examples, [this](std::span<const Image> pictures) { return network_.look(pictures); }, ahead);
}

std::string Looking::notes() const {
    std::string text = describe_skipped(examples_->skipped(), examples_->reasons(), list_.other_files);
    if (const std::size_t undecided = network_.undecided(); undecided > 0)
        text += fmt::format("warning: {} could show flat figures or solid objects; if what was seen is wrong, say "
                            "--network figures or --network solids\n",
                            undecided == 1 ? "1 picture" : fmt::format("{} pictures", undecided));
    return text;
}

bool Looking::saw_nothing() const {
    return examples_->examples_done() > 0 && examples_->skipped() == examples_->examples_done();
}

PictureList list_pictures(std::span<const std::string> arguments) {
    PictureList list = find_pictures(arguments);
    if (list.examples.empty())
        throw SceneError(
            fmt::format("there are no pictures in {}: .png, .jpg and .jpeg are read{}", fmt::join(arguments, ", "),
                        list.other_files == 0 ? "" : fmt::format("; of other files there are {}", list.other_files)));
    return list;
}

}  // namespace neumann
