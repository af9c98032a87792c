#include <fstream>
#include <iterator>
#include <system_error>

#include "base/files.h"

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

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;
    if (std::filesystem::exists(a, ignored) && std::filesystem::exists(b, ignored))
        return std::filesystem::equivalent(a, b, ignored);
    return std::filesystem::weakly_canonical(a, ignored) == std::filesystem::weakly_canonical(b, ignored);
}

bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder) {
    std::error_code ignored;
    const std::filesystem::path relative = std::filesystem::weakly_canonical(file, ignored)
                                               .lexically_relative(std::filesystem::canonical(folder, ignored));
    return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

}  // namespace neumann
