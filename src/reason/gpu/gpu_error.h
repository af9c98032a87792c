// What a GPU refuses or fails at: no fault of the caller's, who may go on without the GPU.
#pragma once

#include "reason/reason_error.h"

namespace neumann {

class GpuError : public ReasonError {
public:
    using ReasonError::ReasonError;
};

}  // namespace neumann
