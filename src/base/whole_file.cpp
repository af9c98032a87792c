#include <fstream>
#include <iterator>

#include <neumann/files.h>

namespace neumann {

std::optional<std::string> read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad()) return std::nullopt;
    return text;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
    AtomicFile out(path);
    out.write(text);
    out.commit();
}

}  // namespace neumann
