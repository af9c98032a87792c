// The component that runs works on a graphics card: a shared library that needs CUDA, found beside the command and
// loaded when it is first asked for. The rest needs no CUDA.
#pragma once

#include <string>

#include "reason/cuda/card_device.h"

namespace neumann {

// What the shared library defines, with C linkage.
using CardVersionFunction = const char*();  // neumann_card_version
using CardDeviceFunction = CardDevice*();   // neumann_card_device: null where there is no card
using CardFailureFunction = const char*();  // neumann_card_failure: why

// Looked for in $NEUMANN_CUDA_LIBRARY (a file), beside the command, and where it is installed, in lib/neumann. Loads
// it. Throws CardError, saying what is missing and what to do, where it is not there or finds no card.
CardDevice& card_device();
// The same for those who can do without; null where there is none.
CardDevice* find_card_device();
// Whether it has been found before: starting a card takes longer than most reasoning.
bool card_started();

// For tests: what card_device() gives from now on; null: what was loaded.
void use_card_device(CardDevice* device);

}  // namespace neumann
