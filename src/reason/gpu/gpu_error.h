// Errors of a GPU: not the caller's fault, who may go on without the GPU.
#pragma once

#include "reason/reason_error.h"

namespace neumann {

class GpuError : public ReasonError {
public:
    using ReasonError::ReasonError;
};

}  // namespace neumann
