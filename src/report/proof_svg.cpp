#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "draw/atom_label.h"
#include "draw/svg_text.h"
#include "draw/svg_writer.h"
#include "draw/terminal_text.h"
#include "draw/tree_layout.h"
#include "report/explanation_output.h"
#include "report/proof_colours.h"
#include "report/proof_order.h"

namespace neumann {
namespace {

using Origin = ExplainedStep::Origin;

// Lengths are in pixels at the image's own size.
constexpr double margin = 20;
constexpr double atom_size = 12;
constexpr double small_size = 10.5;
constexpr double title_size = 15;
constexpr double atom_line = 15;
constexpr double padding = 8;
constexpr double rule_height = 17;
constexpr double rule_gap = 7;             // between an atom and its rule
constexpr double chip_gap = 6;             // between leaves in a frame
constexpr double comfortable = 1200;       // wider images put the leaves of a rule into a frame
constexpr std::size_t label_columns = 30;  // of an atom's name before it is broken
constexpr std::size_t label_lines = 4;

constexpr const char* atom_font = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace";

// Broken after commas into lines of about the same length, so that boxes are not much wider than high.
std::vector<std::string> label_lines_of(const std::string& atom) {
    const std::string text = without_middle(one_line(atom), label_columns * label_lines);
    const std::size_t columns = columns_of(text);
    const std::size_t count = (columns + label_columns - 1) / label_columns;
    const std::size_t longest = count <= 1 ? label_columns : columns / count + 4;
    std::vector<std::string> lines(1);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size() - 1) + 1;
        const std::string piece = text.substr(begin, end - begin);
        if (!lines.back().empty() && columns_of(lines.back()) + columns_of(piece) > longest) lines.emplace_back();
        lines.back() += piece;
        begin = end;
    }
    return lines;
}

struct Box {
    std::vector<std::string> lines;  // of the atom
    std::string below;               // its value, and where a leaf comes from
    std::string rule;                // empty for leaves
    double width = 0;
    double height = 0;  // of the box
    double rule_width = 0;

    double whole_width() const { return std::max(width, rule_width); }
    double whole_height() const { return height + (rule.empty() ? 0 : rule_gap + rule_height); }
};

const char* origin_word(Origin origin) {
    switch (origin) {
    case Origin::Rule:
        return "derived";
    case Origin::Fact:
        return "fact";
    case Origin::Example:
        return "given with the example";
    case Origin::Picture:
        return "seen in the picture";
    case Origin::Negation:
        return "a negation";
    }
    return "";
}

Box box_of(const ExplainedStep& step, bool fails) {
    Box box;
    box.lines = label_lines_of(step.atom);
    box.below = (fails ? "✗ " : "") + shown(step.value);
    const std::string place = place_of(std::filesystem::path(step.file).filename().string(), step.line);
    if (is_derived(step)) {
        box.rule = place.empty() ? fmt::format("clause {}", step.clause + 1) : place;
        if (step.weight != 1) box.rule += " · weight " + shown(step.weight);
        if (step.share != 0 && step.share < as_good_as_one) box.rule += " · share " + shown(step.share);
        box.rule = without_middle(one_line(box.rule), 60);
        box.rule_width = text_width(box.rule, small_size) + 2 * padding;
    } else {
        const char* origin = step.origin == Origin::Picture    ? "seen"
                             : step.origin == Origin::Example  ? "given"
                             : step.origin == Origin::Negation ? (step.premises.empty() ? "not derived" : "in spite of")
                                                               : "fact";
        box.below += fmt::format(" · {}", origin);
        if (step.origin == Origin::Fact && !place.empty()) box.below += ' ' + without_middle(one_line(place), 40);
    }
    box.width = text_width(box.below, small_size) + 2 * padding;
    for (const std::string& line : box.lines)
        box.width = std::max(box.width, text_width(line, atom_size, 0.62) + 2 * padding);
    box.width = std::max(box.width, 60.0);
    box.height = static_cast<double>(box.lines.size()) * atom_line + atom_line + padding + 2;
    return box;
}

// The content of one place of the layout: a step, or a frame of leaves.
struct Item {
    std::vector<std::uint32_t> steps;
    bool frame = false;
    std::size_t columns = 1;
    double width = 0;
    double height = 0;
};

struct Plan {
    std::vector<Item> items;
    TreeLayout layout;
};

class Drawing : SvgWriter {
public:
    Drawing(const Explanation& explanation, const ExplainedProof& proof, const NearMiss* miss, std::string note)
        : explanation_(explanation), proof_(proof), miss_(miss), note_(std::move(note)) {
        for (const ExplainedStep& step : proof.steps)
            boxes_.push_back(box_of(step, miss != nullptr && failure_at(*miss, step) != nullptr));
        plan_ = planned(false);
        if (plan_.layout.width > comfortable) plan_ = planned(true);
    }
    std::string svg() &&;

private:
    Plan planned(bool frames) const;
    Item frame_of(std::vector<std::uint32_t> leaves) const;
    void add_edges();
    void add_step(std::uint32_t index, double x, double y);
    void add_item(const Item& item, const TreeLayout::Place& place);
    void add_legend(double y);

    const Explanation& explanation_;
    const ExplainedProof& proof_;
    const NearMiss* miss_;
    std::string note_;  // below the title
    std::vector<Box> boxes_;
    Plan plan_;
};

// As many columns as make it a little wider than high.
Item Drawing::frame_of(std::vector<std::uint32_t> leaves) const {
    Item item;
    item.frame = true;
    double width = 0;
    double height = 0;
    for (const std::uint32_t leaf : leaves) {
        width = std::max(width, boxes_[leaf].whole_width());
        height = std::max(height, boxes_[leaf].whole_height());
    }
    item.columns = 1;
    const auto rows = [&] { return (leaves.size() + item.columns - 1) / item.columns; };
    while (rows() > 4 && static_cast<double>(item.columns) * width < 1.5 * static_cast<double>(rows()) * height)
        ++item.columns;
    item.width = static_cast<double>(item.columns) * (width + chip_gap) + chip_gap;
    item.height = static_cast<double>(rows()) * (height + chip_gap) + chip_gap;
    item.steps = std::move(leaves);
    return item;
}

Plan Drawing::planned(bool frames) const {
    Plan plan;
    const std::vector<std::uint32_t> uses = uses_of(proof_);
    std::vector<std::uint32_t> item_of(proof_.steps.size(), ~0U);
    std::vector<LayoutNode> nodes;
    const auto item_for = [&](std::uint32_t step) {
        if (item_of[step] != ~0U) return item_of[step];
        const Box& box = boxes_[step];
        Item item;
        item.steps = {step};
        item.width = box.whole_width();
        item.height = box.whole_height();
        plan.items.push_back(item);
        return item_of[step] = static_cast<std::uint32_t>(plan.items.size() - 1);
    };
    item_for(0);
    // Items are made parents first, so the list is complete when its end is reached.
    for (std::size_t i = 0; i < plan.items.size(); ++i) {
        const Item item = plan.items[i];
        LayoutNode node{item.width, item.height, {}};
        if (!item.frame) {
            const std::vector<std::uint32_t>& premises = proof_.steps[item.steps.front()].premises;
            std::vector<std::uint32_t> framed;
            for (const std::uint32_t premise : premises) {
                if (frames && uses[premise] == 1 && proof_.steps[premise].premises.empty()) framed.push_back(premise);
            }
            if (framed.size() < 2) framed.clear();
            bool has_frame = false;
            for (const std::uint32_t premise : premises) {
                if (std::ranges::find(framed, premise) == framed.end()) {
                    node.children.push_back(item_for(premise));
                } else if (!has_frame) {
                    has_frame = true;
                    node.children.push_back(static_cast<std::uint32_t>(plan.items.size()));
                    plan.items.push_back(frame_of(framed));
                }
            }
        }
        nodes.push_back(std::move(node));
    }
    plan.layout = layout_tree(nodes);
    return plan;
}

void Drawing::add_edges() {
    add("<g fill='none' stroke='{}' stroke-width='1.3'>\n", proof_colours::edge);
    for (const TreeLayout::Edge& edge : plan_.layout.edges) {
        add("<path d='M{:.1f} {:.1f}V{:.1f}", edge.rows.front().x, edge.rows.front().top, edge.rows.front().bottom);
        for (std::size_t i = 1; i < edge.rows.size(); ++i) {
            const auto& above = edge.rows[i - 1];
            const auto& row = edge.rows[i];
            const double middle = (above.bottom + row.top) / 2;
            add("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", above.x, middle, row.x, middle, row.x, row.top);
            if (row.bottom > row.top) add("V{:.1f}", row.bottom);
        }
        add("'/>\n");
    }
    add("</g>\n");
}

void Drawing::add_step(std::uint32_t index, double x, double y) {
    const ExplainedStep& step = proof_.steps[index];
    const Box& box = boxes_[index];
    const bool fails = miss_ != nullptr && failure_at(*miss_, step) != nullptr;
    add("<g><title>{}: {}</title>", escaped(step.atom),
        escaped(is_derived(step)
                    ? step_sentence(proof_, index, {})
                    : fmt::format("{}, {}", step.sentence.empty() ? step.atom : step.sentence, origin_words(step))));
    add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='{}' fill='{}' stroke='{}' stroke-width='{}'/>",
        x - box.width / 2, y, box.width, box.height, is_derived(step) ? 3 : 9, proof_colours::fill_of(step.value),
        fails ? proof_colours::failure : proof_colours::outline_of(step.origin), fails ? 2.5 : 1.3);
    double baseline = y + padding / 2 + 1;
    for (const std::string& line : box.lines) {
        baseline += atom_line;
        add("<text x='{:.1f}' y='{:.1f}' font-family='{}' font-size='{}'>{}</text>", x, baseline - 3, atom_font,
            atom_size, escaped(line));
    }
    add("<text x='{:.1f}' y='{:.1f}' font-size='{}' fill='{}'{}>{}</text></g>\n", x, baseline + atom_line - 3.5,
        small_size, fails ? proof_colours::failure : proof_colours::ink, fails ? " font-weight='600'" : "",
        escaped(box.below));
    if (box.rule.empty()) return;
    const double top = y + box.height + rule_gap;
    add("<g><title>{}{}{}</title>",
        escaped(step.clause < explanation_.clauses.size() ? explanation_.clauses[step.clause].text : box.rule),
        step.substitution.empty() ? "" : " with ", escaped(substitution_text(step.substitution)));
    add("<path d='M{:.1f} {:.1f}v{}' stroke='{}' stroke-width='1.3'/>", x, y + box.height, rule_gap,
        proof_colours::edge);
    add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' rx='{}' fill='{}' stroke='{}'/>",
        x - box.rule_width / 2, top, box.rule_width, rule_height, rule_height / 2, proof_colours::rule_fill,
        proof_colours::edge);
    add("<text x='{:.1f}' y='{:.1f}' font-size='{}' fill='{}'>{}</text></g>\n", x, top + 12, small_size,
        proof_colours::faint_ink, escaped(box.rule));
}

void Drawing::add_item(const Item& item, const TreeLayout::Place& place) {
    if (!item.frame) return add_step(item.steps.front(), place.x, place.y);
    const double left = place.x - item.width / 2;
    add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='10' fill='#fafbfc' stroke='{}'/>\n", left,
        place.y, item.width, item.height, proof_colours::edge);
    const std::size_t rows = (item.steps.size() + item.columns - 1) / item.columns;
    const double across = (item.width - chip_gap) / static_cast<double>(item.columns);
    const double down = (item.height - chip_gap) / static_cast<double>(rows);
    for (std::size_t i = 0; i < item.steps.size(); ++i) {
        const Box& box = boxes_[item.steps[i]];
        const std::size_t row = i / item.columns;
        const double x = left + chip_gap / 2 + (static_cast<double>(i % item.columns) + 0.5) * across;
        const double middle = place.y + chip_gap / 2 + (static_cast<double>(row) + 0.5) * down;
        add_step(item.steps[i], x, middle - box.whole_height() / 2);
    }
}

// Outlines by origin, of those that occur.
void Drawing::add_legend(double y) {
    double x = margin;
    add("<g font-size='{}' fill='{}' text-anchor='start'>\n", small_size, proof_colours::faint_ink);
    for (const Origin origin : {Origin::Rule, Origin::Fact, Origin::Example, Origin::Picture, Origin::Negation}) {
        if (std::ranges::none_of(proof_.steps, [&](const ExplainedStep& step) { return step.origin == origin; }))
            continue;
        add("<rect x='{:.1f}' y='{:.1f}' width='18' height='11' rx='{}' fill='#fff' stroke='{}' stroke-width='1.3'/>",
            x, y, origin == Origin::Rule ? 2 : 5, proof_colours::outline_of(origin));
        add("<text x='{:.1f}' y='{:.1f}'>{}</text>\n", x + 24, y + 9.5, origin_word(origin));
        x += 24 + text_width(origin_word(origin), small_size, 0.55) + 16;
    }
    add("</g>\n");
}

std::string Drawing::svg() && {
    const Explanation& e = explanation_;
    const std::string title = without_middle(one_line(e.atom), 90) + " = " + shown(e.value);
    const std::string sentence =
        without_middle(e.sentence == e.atom ? "" : one_line(sentence_start(e.sentence, e.atom)), 120);
    const std::string subtitle = sentence + (sentence.empty() || note_.empty() ? "" : " – ") + note_;
    const double heading = std::max(text_width(title, title_size), text_width(subtitle, atom_size, 0.55));
    const double inner = std::max({plan_.layout.width, heading, 420.0});
    const double width = inner + 2 * margin;
    const double top = margin + 24 + (subtitle.empty() ? 0 : 20) + 14;
    const double height = top + plan_.layout.height + 28 + 11 + margin;
    add_start(width, height, "", fmt::format("fill='{}' text-anchor='middle'", proof_colours::ink));
    add("<title>{} {}</title>\n", miss_ == nullptr ? "Proof of" : "Why not", escaped(title));
    add_ground(width, height);
    add("<text x='{}' y='{}' font-size='{}' font-weight='600' text-anchor='start'>{}</text>\n", margin, margin + 15,
        title_size, escaped(title));
    if (!subtitle.empty()) {
        add("<text x='{}' y='{}' font-size='{}' fill='{}' text-anchor='start'>{}</text>\n", margin, margin + 36,
            atom_size, proof_colours::faint_ink, escaped(subtitle));
    }
    add("<g transform='translate({:.1f} {:.1f})'>\n", (width - plan_.layout.width) / 2, top);
    add_edges();
    for (std::size_t i = 0; i < plan_.items.size(); ++i) add_item(plan_.items[i], plan_.layout.places[i]);
    add("</g>\n");
    if (proof_.steps.size() > 1) add_legend(height - margin - 11);
    add_end();
    return std::move(out_);
}

}  // namespace

std::string to_svg(const Explanation& explanation) {
    const auto cut_note = [](const ExplainedProof& proof) {
        return proof.steps.size() <= most_steps_drawn
                   ? std::string()
                   : fmt::format("the {} steps nearest to it, of {}", most_steps_drawn,
                                 with_separators(proof.steps.size()));
    };
    if (!explanation.proofs.empty()) {
        const ExplainedProof& proof = explanation.proofs.front();
        return Drawing(explanation, first_steps(proof, most_steps_drawn), nullptr, cut_note(proof)).svg();
    }
    if (explanation.why_not && !explanation.why_not->nearest.empty()) {
        const NearMiss& miss = explanation.why_not->nearest.front();
        const std::string cut = cut_note(miss.proof);
        return Drawing(explanation, first_steps(miss.proof, most_steps_drawn), &miss,
                       "not proved; this comes nearest" + (cut.empty() ? "" : ": " + cut))
            .svg();
    }
    NearMiss alone;
    alone.proof.steps.emplace_back();
    alone.proof.steps[0].atom = explanation.atom;
    alone.proof.steps[0].sentence = explanation.sentence;
    alone.proof.steps[0].value = explanation.value;
    alone.proof.steps[0].origin = Origin::Example;
    alone.failures.emplace_back();
    alone.failures[0].atom = explanation.atom;
    return Drawing(explanation, alone.proof, &alone, "not proved; nothing derives it").svg();
}

}  // namespace neumann
