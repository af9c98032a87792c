// Whether one that may choose goes to a GPU. It chooses by what it is given, never by the clock: the same
// calls in the same order come to the same numbers.
#pragma once

#include "reason/gpu/choose_device.h"

namespace neumann {

class GpuChoice {
public:
    // For the next batch; once it is the GPU, all that follow go there. A GPU is started when what it would have
    // saved so far, in all of the process, is worth that.
    bool takes(const ReasoningWork& batch);
    // The GPU has failed.
    void give_up() {
        given_up_ = true;
        taken_ = false;
    }
    bool taken() const { return taken_; }

private:
    bool taken_ = false;
    bool given_up_ = false;
};

}  // namespace neumann
