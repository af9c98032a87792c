// Learning tasks of Popper: a folder with the language bias, the background and the examples.
#include <system_error>

#include "front_ends/front_end.h"

namespace neumann {
namespace {

bool is_popper_task(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path / "bias.pl", ignored) && std::filesystem::exists(path / "bk.pl", ignored);
}

}  // namespace

const FrontEnd popper_front_end = {.name = "popper",
                                   .summary = "learning tasks of Popper",
                                   .endings = {},
                                   .refuses =
                                       "nothing; some constraints and clauses with a cut are left out, with a note",
                                   .default_semantics = {},
                                   .is_folder = true,
                                   .task_of = "--popper",
                                   .detects = is_popper_task};

}  // namespace neumann
