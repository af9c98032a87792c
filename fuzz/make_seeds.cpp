// Small files for fuzzing to begin with: make_seeds FOLDER. One folder in it for each target.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/rng.h"
#include "base/tensor_file.h"
#include "unit/picture_bytes.h"

namespace {

using namespace neumann;
namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit(false);
}

void make_pictures(const fs::path& folder) {
    Rng rng(1);
    int number = 0;
    const auto add = [&](const std::string& bytes) { write(folder / ("seed_" + std::to_string(number++)), bytes); };
    for (const int color : {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_PALETTE})
        for (const unsigned depth : {1U, 4U, 8U}) add(png_bytes(random_png(rng, 9, 7, color, depth, depth == 4, true)));
    for (const int color : {PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA, PNG_COLOR_TYPE_GRAY_ALPHA}) {
        for (const unsigned depth : {8U, 16U}) {
            PngSamples png = random_png(rng, 5, 6, color, depth, depth == 16, false);
            png.frames = depth == 8 ? 3 : 0;
            add(png_bytes(png));
        }
    }
    for (const unsigned channels : {1U, 3U, 4U}) {
        for (const bool progressive : {false, true}) {
            JpegOptions options;
            options.quality = 60;
            options.progressive = progressive;
            add(jpeg_bytes(smooth_image(17, 10, channels), options));
        }
    }
}

void make_jpegs(const fs::path& folder) {
    int number = 0;
    for (const unsigned channels : {1U, 3U, 4U}) {
        for (const bool progressive : {false, true}) {
            for (const int quality : {5, 90}) {
                JpegOptions options;
                options.quality = quality;
                options.progressive = progressive;
                write(folder / ("seed_" + std::to_string(number++)),
                      jpeg_bytes(smooth_image(9, 17, channels), options));
            }
        }
    }
}

void make_tensor_files(const fs::path& folder) {
    const std::vector<StoredTensor> tensors{{"a", {2, 2}, {1, 2, 3, 4}}, {"b", {}, {5}}, {"c", {0, 7}, {}}};
    write_tensor_file(folder / "seed_full", tensors, {{"network", "small"}});
    write_tensor_file(folder / "seed_half", tensors, {}, true);
    write_tensor_file(folder / "seed_empty", {}, {});
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("make_seeds FOLDER\n", stderr);
        return 2;
    }
    try {
        const fs::path folder = arguments[1];
        fs::create_directories(folder / "fuzz_picture");
        fs::create_directories(folder / "fuzz_tensor_file");
        fs::create_directories(folder / "fuzz_jpeg");
        make_jpegs(folder / "fuzz_jpeg");
        make_pictures(folder / "fuzz_picture");
        make_tensor_files(folder / "fuzz_tensor_file");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "make_seeds: %s\n", error.what());
        return 1;
    }
    return 0;
}
