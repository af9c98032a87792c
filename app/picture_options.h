// The options of every command that looks at pictures, and the way from them to what is seen.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "perceive/looked_examples.h"
#include "perceive/network_choice.h"
#include "perceive/picture_examples.h"
#include "perceive/seen_cache.h"

namespace neumann::app {

struct PictureOptions {
    std::string network = "auto";
    DeviceOptions device;
    std::size_t batch = 32;
    std::string cache;  // folder; empty: that of the user
    bool no_cache = false;

    // `batch_name`: where the command has another --batch already.
    void add_to(CLI::App& command, const std::string& group, const char* batch_name);
};

// A network at work on a list of pictures.
class Looking {
public:
    // Borrows the list. `fresh`: no results from earlier runs, for they lack what the command needs.
    Looking(const PictureList& list, const PictureOptions& options, bool fresh = false);

    std::optional<LookedExample> next() { return examples_->next(); }
    std::size_t done() const { return examples_->examples_done(); }
    std::size_t total() const { return list_.examples.size(); }
    std::size_t skipped() const { return examples_->skipped(); }
    bool keeps() const { return cache_ != nullptr; }  // what is seen, for the next time
    // Says on standard error what was left out; throws CommandFailed if that was everything.
    void finish() const;

private:
    const PictureList& list_;
    NetworkChoice network_;
    std::unique_ptr<SeenCache> cache_;
    std::unique_ptr<LookedExamples> examples_;
};

// What the arguments of a command name. Throws UsageError.
PictureList list_pictures(const std::vector<std::string>& arguments);

}  // namespace neumann::app
