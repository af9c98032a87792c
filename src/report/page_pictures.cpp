// The images of the example, each with its heat map beside or over it.
#include "draw/base64.h"
#include "report/page_sections.h"
#include "report/proof_order.h"

namespace neumann::page {

void add_pictures(std::string& out, const ReportPlace& place) {
    const auto& pictures = place.input->pictures;
    if (pictures.empty()) return;
    add(out,
        "<section class=\"card\" id=\"{0}-scene\" aria-labelledby=\"{0}-scene-h\">\n"
        "<h3 id=\"{0}-scene-h\">{1}</h3>\n",
        place.id, pictures.size() == 1 ? "The picture" : "The pictures");
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const ReportPicture& picture = pictures[i];
        const std::string title = escaped(picture.title);
        add(out,
            "<div class=\"views\" data-views>\n<div class=\"pair-of-views\">\n"
            "<figure><img src=\"{}\" alt=\"The picture {}\"><figcaption>{}</figcaption></figure>\n",
            picture_address(picture.picture), title, title);
        if (!picture.heat_map.empty()) {
            add(out,
                "<figure class=\"heat\"><img src=\"{}\" alt=\"Heat map of {}: the objects that the answer depends on\">"
                "<figcaption>What the answer, {}, depends on: the labels have the weights of objects</figcaption></figure>\n",
                picture_address(picture.heat_map), title, shown(place.explanation().value));
        }
        out += "</div>\n";
        if (!picture.heat_map.empty()) {
            add(out,
                R"(<div class="controls scripted"><label><input type="checkbox" data-overlay> One over the other)"
                R"(</label> <label class="strength">Heat map <input type="range" min="0" max="100" value="70" )"
                R"(step="5" data-strength disabled aria-label="How much of the heat map of {} is shown, in percent">)"
                R"(</label></div>)"
                "\n",
                title);
        }
        out += "</div>\n";
    }
    out += "</section>\n";
}

}  // namespace neumann::page
