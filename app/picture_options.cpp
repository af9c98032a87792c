#include "picture_options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/thread_pool.h"
#include "command.h"
#include "draw/table.h"

namespace neumann::app {
namespace {

constexpr unsigned most_readers = 4;  // reading a picture takes a few milliseconds, looking at it takes more

// Nobody's folder of pictures is written to unasked. Empty: there is no such place.
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

void PictureOptions::add_to(CLI::App& command, const std::string& group, const char* batch_name) {
    command
        .add_option(
            "--network", network,
            "figures (flat), solids or slots (solid objects), or a file of weights; auto: as each picture looks")
        ->type_name("NAME|FILE")
        ->capture_default_str()
        ->group(group);
    command.add_option("--device", device.device, "cpu, or cuda where there is one")
        ->type_name("NAME")
        ->capture_default_str()
        ->group(group);
    command.add_option(batch_name, batch, "pictures looked at together; what is seen does not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 4096).description(""))
        ->capture_default_str()
        ->group(group);
    CLI::Option* const folder =
        command
            .add_option("--cache", cache,
                        "keep what is seen in this folder; default: for folders of pictures the user's cache "
                        "(XDG_CACHE_HOME), for single files nowhere")
            ->type_name("DIR")
            ->group(group);
    command.add_flag("--no-cache", no_cache, "look at every picture anew and keep nothing")
        ->excludes(folder)
        ->group(group);
}

Looking::Looking(const PictureList& list, const PictureOptions& options, bool fresh)
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

void Looking::finish() const {
    fmt::print(stderr, "{}", describe_skipped(examples_->skipped(), examples_->reasons(), list_.other_files));
    if (network_.undecided() > 0)
        fmt::print(stderr,
                   "warning: {} could show flat figures or solid objects; if what was seen is wrong, say --network "
                   "figures or --network solids\n",
                   counted(network_.undecided(), "picture"));
    if (examples_->skipped() < examples_->examples_done() || examples_->examples_done() == 0) return;
    fmt::print(stderr, "error: none of the pictures could be read\n");
    throw CommandFailed();
}

PictureList list_pictures(const std::vector<std::string>& arguments) {
    PictureList list;
    try {
        list = find_pictures(arguments);
    } catch (const SceneError& error) {
        throw UsageError(error.what());
    }
    if (list.examples.empty()) {
        std::string given = fmt::format("{}", fmt::join(arguments, ", "));
        throw UsageError(
            fmt::format("there are no pictures in {}: .png, .jpg and .jpeg are read{}", given,
                        list.other_files == 0 ? "" : fmt::format("; of other files there are {}", list.other_files)));
    }
    return list;
}

}  // namespace neumann::app
