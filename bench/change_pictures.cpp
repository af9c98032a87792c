// Pictures as a camera or an editor might change them, for scripts/measure_robustness.py.
//
//     bench_change_pictures brightness 0.5 FOLDER TO     each value times 0.5
//     bench_change_pictures jpeg 10 FOLDER TO            compressed with quality 10
//     bench_change_pictures turn 90 FOLDER TO            turned to the right; 90 or 180, of square pictures
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <jpeglib.h>

#include "image/pictures.h"
#include "image/png.h"

namespace {

namespace fs = std::filesystem;
using neumann::Image;

void write_jpeg(const fs::path& path, const Image& picture, int quality) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) throw std::runtime_error("cannot write " + path.string());
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = picture.width;
    jpeg.image_height = picture.height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        auto* row = const_cast<JSAMPROW>(picture.at(0, jpeg.next_scanline));  // read only, whatever its type says
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    std::fclose(file);
}

Image turned(const Image& picture, int degrees) {
    Image result = picture;
    const unsigned last = picture.width - 1;
    for (unsigned y = 0; y < picture.height; ++y) {
        for (unsigned x = 0; x < picture.width; ++x) {
            std::uint8_t* const to = degrees == 90 ? result.at(last - y, x) : result.at(last - x, last - y);
            std::copy_n(picture.at(x, y), picture.channels, to);
        }
    }
    return result;
}

void change(const std::string& how, double amount, const fs::path& from, const fs::path& folder) {
    Image picture = neumann::read_picture(from);
    const fs::path to = folder / from.stem();
    if (how == "jpeg") return write_jpeg(to.string() + ".jpg", picture, static_cast<int>(amount));
    if (how == "turn") picture = turned(picture, static_cast<int>(amount));
    if (how == "brightness") {
        for (std::uint8_t& value : picture.data) value = static_cast<std::uint8_t>(std::min(255.0, value * amount));
    }
    neumann::write_png(to.string() + ".png", picture);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        fmt::print(stderr, "usage: bench_change_pictures brightness|jpeg|turn AMOUNT FOLDER TO\n");
        return 2;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(argv[3]))
        change(argv[1], std::atof(argv[2]), entry.path(), argv[4]);
}
