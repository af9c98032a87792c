// Folders of the original code: a file for each kind of declaration.
#include <array>
#include <system_error>

#include "front_ends/front_end.h"
#include "interchange/writers.h"

namespace neumann {
namespace {

bool is_folder(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

Program read_folder(const ReadRequest& request, Diagnostics& diagnostics, std::vector<std::string>&) {
    return load_program(request.path, request.load, diagnostics);
}

constexpr std::array<Road, 1> folder_roads = {{{.grounding = "", .read = read_folder}}};

}  // namespace

const FrontEnd folder_front_end = {
    .name = "folder",
    .summary = "a folder of the original code",
    .endings = {},
    .refuses = "negation, conditions, aggregates, names that its files cannot spell",
    .default_semantics = {},
    .is_folder = true,
    .detects = is_folder,
    .roads = folder_roads,
    .write = [](Program& program, const WriteRequest& request, Diagnostics& diagnostics) {
        return WrittenProgram{{}, interchange::write_folder(program, diagnostics, request.notes)};
    }};

}  // namespace neumann
