// What a graphics card refuses or fails at: no fault of the caller's, who may go on without the card.
#pragma once

#include "reason/reason_error.h"

namespace neumann {

class CardError : public ReasonError {
public:
    using ReasonError::ReasonError;
};

}  // namespace neumann
