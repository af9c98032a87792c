// Proof tree as lines of text, for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include <neumann/explanation.h>

namespace neumann {

// A step that is used several times is written out once and referred to afterwards. With `miss`, whose proof it is, the
// steps that fail are marked.
std::string proof_tree_text(const ExplainedProof& proof, std::size_t width, const NearMiss* miss = nullptr);

}  // namespace neumann
