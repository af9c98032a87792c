// Output of explanations: as text, JSON, Graphviz drawings, SVG images and pages of HTML. All of them
// give the same bytes for the same explanation, everywhere.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <neumann/explanation.h>

namespace neumann {

struct ExplanationTextOptions {
    bool words = true;        // write the best proof in sentences too
    std::size_t top = 10;     // how many inputs and clauses are listed
    std::size_t width = 100;  // columns, where names allow it
};

// For the terminal: the headline, the best proof as a tree and in sentences, further proofs, important inputs, and near
// misses. Ends with a newline.
std::string to_text(const Explanation& explanation, const ExplanationTextOptions& options = {});

// The complete explanation as one line of JSON, ended by a newline; unknown fields are left out. Numbers are
// those of a float.
std::string to_json(const Explanation& explanation);

// All proofs for Graphviz in one graph, or the nearest miss if there are none: conclusions above their premises. An
// atom is there once, however many proofs use it.
std::string to_dot(const Explanation& explanation);

// The best proof, or the nearest miss if there is none, as a tree: a self-contained SVG, the conclusion on top. A step
// that several others use is drawn once. Of a larger proof so many steps are drawn, those nearest to the conclusion,
// and the image has a note.
inline constexpr std::size_t most_steps_drawn = 300;
std::string to_svg(const Explanation& explanation);

struct ReportPicture {     // of the example
    std::string title;     // file name
    std::string picture;   // bytes of a PNG or JPEG file
    std::string heat_map;  // bytes of a PNG of the same shape: the image with the important objects; may be empty
};

struct ReportInput {
    const Explanation* explanation;
    std::vector<ReportPicture> pictures;
    std::vector<ReportSource> sources;
    std::string program;  // its name
    std::string command;  // that made the page; may be empty
};

// One page of HTML that needs nothing else: no network, no files beside it, and no JavaScript to be read (folding works
// without; switching and overlaying take it). Throws std::invalid_argument if there are no inputs.
std::string to_html(std::span<const ReportInput> inputs);

}  // namespace neumann
