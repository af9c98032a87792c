// Proof tree as lines of text, for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include <neumann/explanation.h>

namespace neumann {

// A step that is used several times is written out once and referenced afterwards. With `miss`, the near miss whose
// proof it is, failed steps are marked.
std::string proof_tree_text(const ExplainedProof& proof, std::size_t width, const NearMiss* miss = nullptr);

}  // namespace neumann
