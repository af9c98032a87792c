// A network at work on a list of images: which one, on which device, and where what it saw is kept.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <neumann/perceive.h>

#include "perceive/looked_examples.h"
#include "perceive/network_choice.h"
#include "perceive/picture_examples.h"
#include "perceive/seen_cache.h"

namespace neumann {

class Looking {
public:
    // Borrows the list. `fresh`: no results from earlier runs, for they lack what is needed. Throws what opening a
    // network throws.
    Looking(const PictureList& list, const LookOptions& options, bool fresh = false);

    std::optional<LookedExample> next() { return examples_->next(); }
    std::size_t done() const { return examples_->examples_done(); }
    std::size_t total() const { return list_.examples.size(); }
    bool keeps() const { return cache_ != nullptr; }  // what is seen, for the next time
    // What to tell people in the end: images that were left out, or whose kind was in doubt. Empty: nothing; else it
    // ends with a newline.
    std::string notes() const;
    // There were images, and none of them could be read.
    bool saw_nothing() const;

private:
    const PictureList& list_;
    NetworkChoice network_;
    std::unique_ptr<SeenCache> cache_;
    std::unique_ptr<LookedExamples> examples_;
};

// find_pictures(), but throws SceneError also where there are none.
PictureList list_pictures(std::span<const std::string> arguments);

}  // namespace neumann
