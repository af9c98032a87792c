#include "report/annotate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "base/files.h"
#include "draw/base64.h"
#include "draw/svg_text.h"
#include "image/pictures.h"
#include "image/png.h"
#include "valuation/seen_box.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

using Colour = std::array<std::uint8_t, 3>;

constexpr double shown_below = 0.995;  // probabilities that are as good as 1 are not worth reading
constexpr double least_width = 640;    // smaller images are enlarged to make room for words

// Distinct from each other, from the grounds and from each object's own colour.
constexpr std::array<Colour, 10> line_colours{{{230, 25, 75},
                                               {0, 110, 220},
                                               {20, 140, 60},
                                               {245, 130, 48},
                                               {145, 30, 180},
                                               {0, 150, 160},
                                               {220, 40, 210},
                                               {110, 85, 20},
                                               {60, 60, 160},
                                               {90, 90, 90}}};

struct Mark {
    double left, top, right, bottom;  // pixels of the drawing
    std::string number;
    std::string text;
    Colour colour;
};

// "red 0.87", the probability where it is worth reading.
std::string likely_value(const SeenObjects& seen, std::size_t object, const AttributeColumns& attribute) {
    const auto [value, probability] = seen.likeliest(object, attribute);
    if (probability >= shown_below) return std::string(attribute.values[value]);
    return fmt::format("{} {:.2f}", attribute.values[value], probability);
}

std::vector<Mark> marks_of(const SeenObjects& seen, double least, double width, double height) {
    std::vector<Mark> marks;
    for (std::size_t i = 0; i < seen.count(); ++i) {
        const auto row = seen.row(i);
        if (row[column::presence] < least) continue;
        std::string text;
        // Shape is the noun and comes last.
        for (const AttributeColumns& attribute : seen.layout->attributes)
            if (attribute.name != "shape") text += " " + likely_value(seen, i, attribute);
        if (const AttributeColumns* shape = seen.layout->find("shape")) text += " " + likely_value(seen, i, *shape);
        if (row[column::presence] < shown_below) text += fmt::format(", presence {:.2f}", row[column::presence]);
        const SeenBox box = seen_box(seen, i);
        const auto side = [](double middle, double length, double sign, double size) {
            return std::clamp((middle + sign * length / 2) * size, 0.0, size);
        };
        marks.push_back({side(box.x, box.width, -1, width), side(box.y, box.height, -1, height),
                         side(box.x, box.width, 1, width), side(box.y, box.height, 1, height), fmt::format("{}", i),
                         text.substr(1), line_colours[i % line_colours.size()]});
    }
    return marks;
}

// The number of an object is above its box, or inside if there is no room.
std::pair<double, double> place_of_number(const Mark& mark, double wide, double high, double width) {
    return {std::max(0.0, std::min(mark.left, width - wide)), mark.top >= high ? mark.top - high : mark.top};
}

void write_svg(const fs::path& picture, const Image& image, const SeenObjects& seen, double least,
               const fs::path& output) {
    const std::string bytes = read_file(picture).value_or("");
    const double scale = std::max(1.0, least_width / image.width);
    const double width = image.width * scale;
    const double height = image.height * scale;
    const double font = std::clamp(width / 50, 13.0, 60.0);
    const double high = font * 1.35;
    const std::vector<Mark> marks = marks_of(seen, least, width, height);
    // The legend of the numbers is below the image: words next to the boxes would hide objects.
    const double total = height + high * (static_cast<double>(marks.size()) + 0.4);
    std::string text =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{5:.0f}\" "
                    "viewBox=\"0 0 {0:.0f} {5:.0f}\">\n<title>{2}</title>\n"
                    "<rect width=\"{0:.0f}\" height=\"{5:.0f}\" fill=\"#fff\"/>\n"
                    "<image width=\"{0:.0f}\" height=\"{1:.0f}\" preserveAspectRatio=\"none\" "
                    "href=\"{3}\"/>\n"
                    "<g font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{4:.1f}\">\n",
                    width, height, escaped(picture.filename().string()), picture_address(bytes), font, total);
    // A white line under each: seen on any ground.
    for (const Mark& mark : marks) {
        for (const auto& [colour, line] : {std::pair(Colour{255, 255, 255}, 5.0), std::pair(mark.colour, 2.5)}) {
            text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
                                "stroke=\"#{:02x}{:02x}{:02x}\" stroke-width=\"{:.1f}\"/>\n",
                                mark.left, mark.top, mark.right - mark.left, mark.bottom - mark.top, colour[0],
                                colour[1], colour[2], line * font / 13);
        }
    }
    const auto put_number = [&](const Mark& mark, double x, double y, double wide) {
        text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                            "fill=\"#{:02x}{:02x}{:02x}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#fff\" "
                            "text-anchor=\"middle\">{}</text>\n",
                            x, y, wide, high, mark.colour[0], mark.colour[1], mark.colour[2], x + wide / 2,
                            y + high * 0.75, mark.number);
    };
    double y = height + high * 0.2;
    for (const Mark& mark : marks) {
        const double wide = text_width(mark.number, font) + font * 0.6;
        const auto [left, top] = place_of_number(mark, wide, high, width);
        put_number(mark, left, top, wide);
        put_number(mark, font * 0.3, y, font * 2);
        text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#111\">{}</text>\n", font * 2.8, y + high * 0.75,
                            escaped(mark.text));
        y += high;
    }
    text += "</g>\n</svg>\n";
    AtomicFile file(output);
    file.write(text);
    file.commit(false);
}

// Parts outside of the image are left out.
void fill_rectangle(Image& picture, int left, int top, int right, int bottom, const Colour& colour) {
    for (int y = std::max(0, top); y < std::min(bottom, static_cast<int>(picture.height)); ++y) {
        for (int x = std::max(0, left); x < std::min(right, static_cast<int>(picture.width)); ++x)
            std::ranges::copy(colour, picture.at(static_cast<unsigned>(x), static_cast<unsigned>(y)));
    }
}

// The boxes alone: words are drawn by what shows SVG, which has fonts.
void draw_png(const Image& image, const SeenObjects& seen, double least, const fs::path& output) {
    const auto enlarged = static_cast<unsigned>(std::ceil(std::max(1.0, least_width / image.width)));
    Image drawing = enlarged == 1 ? image : resized(image, image.width * enlarged, image.height * enlarged);
    const int line = static_cast<int>(std::max(3U, drawing.width / 300));
    for (const Mark& mark : marks_of(seen, least, drawing.width, drawing.height)) {
        const auto frame = [&](int inset, int thick, const Colour& colour) {
            const int left = static_cast<int>(mark.left) + inset;
            const int top = static_cast<int>(mark.top) + inset;
            const int right = static_cast<int>(mark.right) - inset;
            const int bottom = static_cast<int>(mark.bottom) - inset;
            fill_rectangle(drawing, left, top, right, top + thick, colour);
            fill_rectangle(drawing, left, bottom - thick, right, bottom, colour);
            fill_rectangle(drawing, left, top, left + thick, bottom, colour);
            fill_rectangle(drawing, right - thick, top, right, bottom, colour);
        };
        frame(0, line + 2, {255, 255, 255});
        frame(1, line, mark.colour);
    }
    write_png(output, drawing);
}

}  // namespace

void write_annotated(const fs::path& picture, const SeenObjects& seen, double least, const fs::path& output) {
    const Image image = read_picture(picture);
    if (output.extension() == ".png") {
        draw_png(image, seen, least, output);
    } else {
        write_svg(picture, image, seen, least, output);
    }
}

}  // namespace neumann
