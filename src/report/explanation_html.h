// Explanations as one page of HTML that needs nothing else: no network, no files beside it, and no JavaScript to be
// read (folding works without; switching and overlaying take it).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "explain/explanation.h"

namespace neumann {

struct ReportPicture {     // of the example
    std::string title;     // file name
    std::string picture;   // bytes of a PNG or JPEG file
    std::string heat_map;  // bytes of a PNG of the same shape: the picture with the objects that matter; may be empty
};

struct ReportSource {  // a file of the program
    std::string name;  // as clauses and steps call it
    std::string text;
};

struct ReportInput {
    const Explanation* explanation;
    std::vector<ReportPicture> pictures;
    std::vector<ReportSource> sources;
    std::string program;  // its name
    std::string command;  // that made the page; may be empty
};

// The same bytes for the same inputs. Throws std::invalid_argument if there are none.
std::string explanation_html(std::span<const ReportInput> inputs);

}  // namespace neumann
