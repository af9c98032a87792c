// Puts pictures side by side: contact_sheet OUT.png COLUMNS IN.png… All must have the size of the first.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

#include "image/png.h"

int main(int argc, char** argv) try {
    using namespace neumann;
    const long columns = argc > 3 ? std::atol(argv[2]) : 0;
    if (columns < 1) {
        std::fprintf(stderr, "usage: contact_sheet OUT.png COLUMNS IN.png...\n");
        return 2;
    }
    constexpr unsigned gap = 4;
    std::vector<Image> pictures;
    for (int i = 3; i < argc; ++i) pictures.push_back(read_png(argv[i]));
    const unsigned width = pictures.front().width;
    const unsigned height = pictures.front().height;
    const auto across = static_cast<unsigned>(columns);
    const auto down = (static_cast<unsigned>(pictures.size()) + across - 1) / across;
    Image sheet = Image::blank(across * (width + gap) - gap, down * (height + gap) - gap, 3);
    std::memset(sheet.data.data(), 255, sheet.data.size());
    for (unsigned i = 0; i < pictures.size(); ++i) {
        if (pictures[i].width != width || pictures[i].height != height || pictures[i].channels != 3) continue;
        for (unsigned y = 0; y < height; ++y)
            std::memcpy(sheet.at(i % across * (width + gap), i / across * (height + gap) + y), pictures[i].at(0, y),
                        std::size_t{width} * 3);
    }
    write_png(argv[1], sheet);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
