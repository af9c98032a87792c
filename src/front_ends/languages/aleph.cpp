// Learning tasks of Aleph: STEM.b with modes and settings, STEM.f and STEM.n with examples.
#include <array>

#include "front_ends/front_end.h"

namespace neumann {
namespace {

constexpr std::array<std::string_view, 1> aleph_endings = {".b"};

}  // namespace

const FrontEnd aleph_front_end = {
    .name = "aleph",
    .summary = "learning tasks of Aleph",
    .endings = aleph_endings,
    .refuses = "nothing; recalls and other settings (`noise`, `minpos`, `i`) are left out, with a note",
    .default_semantics = {},
    .task_of = "--aleph"};

}  // namespace neumann
