// Choice of a GPU for a batch. It depends on the given work, never on measured times: the same
// calls in the same order give the same numbers.
#pragma once

#include "reason/gpu/choose_device.h"

namespace neumann {

class GpuChoice {
public:
    // For the next batch; once it is the GPU, all later batches use it. A GPU is started when the time that it would
    // have saved so far, in all of the process, exceeds the time of the start.
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
