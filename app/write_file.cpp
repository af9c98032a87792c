#include "write_file.h"

#include "base/atomic_file.h"

namespace neumann::app {

void write_file(const std::filesystem::path& path, const std::string& text) {
    AtomicFile out(path);
    out.write(text);
    out.commit();
}

}  // namespace neumann::app
