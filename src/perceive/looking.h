// A network run over a list of images: the network, its device, and the cache of its results.
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
    // Borrows the list. `fresh`: ignores results of earlier runs, for example because they lack attention. Rethrows the
    // exceptions of opening a network.
    Looking(const PictureList& list, const LookOptions& options, bool fresh = false);

    std::optional<LookedExample> next() { return examples_->next(); }
    std::size_t done() const { return examples_->examples_done(); }
    std::size_t total() const { return list_.examples.size(); }
    bool keeps() const { return cache_ != nullptr; }  // in a cache, for the next run
    // Final remarks: images that were left out, or of undecided kind. Empty if there are none, else ends with a
    // newline.
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
