#include "report/proof_tree_text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "draw/terminal_text.h"
#include "report/proof_order.h"

namespace neumann {
namespace {

std::string against(const ExplainedStep& negation) {
    if (!negation.premises.empty()) return "the best proof against it:";
    return negation.value == 1 ? "nothing derives it" : fmt::format("what it denies is {}", shown(1 - negation.value));
}

// The text about a step, in pieces between which a line may be broken.
std::vector<std::string> pieces_of(const ExplainedStep& step) {
    std::vector<std::string> pieces;
    const std::string place = one_line(place_of(step.file, step.line));
    if (is_derived(step)) {
        if (!place.empty()) pieces.push_back(place);
        if (step.weight != 1) pieces.push_back(fmt::format("weight {}", shown(step.weight)));
        for (std::size_t i = 0; i < step.substitution.size(); ++i) {
            const auto& [variable, term] = step.substitution[i];
            pieces.push_back(
                one_line(fmt::format("{} = {}{}", variable, term, i + 1 < step.substitution.size() ? "," : "")));
        }
        if (step.share != 0 && step.share < as_good_as_one)
            pieces.push_back(fmt::format("share {}", shown(step.share)));
    } else {
        pieces.push_back(step.origin == ExplainedStep::Origin::Picture    ? "seen in the picture"
                         : step.origin == ExplainedStep::Origin::Example  ? "given with the example"
                         : step.origin == ExplainedStep::Origin::Negation ? against(step)
                         : place.empty()                                  ? "fact"
                                                                          : "fact " + place);
        if (step.gradient != 0) pieces.push_back(fmt::format("gradient {}", shown(step.gradient)));
    }
    return pieces;
}

class TreeWriter {
public:
    TreeWriter(const ExplainedProof& proof, std::size_t width, const NearMiss* miss)
        : proof_(proof), width_(width), miss_(miss), written_(proof.steps.size()) {}

    // By hand instead of recursion: proofs over long lists are deep.
    std::string text() && {
        pieces_.push_back(0);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (i > 0) out_ += '\n';
            std::vector<Line> open = {{pieces_[i], "", ""}};
            while (!open.empty()) {
                const Line line = open.back();
                open.pop_back();
                if (!add(line)) continue;
                const std::vector<std::uint32_t>& premises = proof_.steps[line.step].premises;
                for (std::size_t p = premises.size(); p-- > 0;) {
                    const bool last = p + 1 == premises.size();
                    open.push_back(
                        {premises[p], line.below + (last ? "└─ " : "├─ "), line.below + (last ? "   " : "│  ")});
                }
            }
        }
        return std::move(out_);
    }

private:
    struct Line {
        std::uint32_t step;
        std::string before, below;  // branches on the step's own line and on those under it
    };

    // Whether its premises are to follow.
    bool add(const Line& line) {
        const ExplainedStep& step = proof_.steps.at(line.step);
        const bool has_premises = !step.premises.empty();
        std::string text = line.before + one_line(step.atom) + "  " + shown(step.value);
        if (miss_ != nullptr && failure_at(*miss_, step) != nullptr) text += "  ✗ fails";
        if (has_premises && written_[line.step]) {
            out_ += text + "  as above\n";
            return false;
        }
        if (has_premises && 2 * columns_of(line.before) > width_) {  // branches must leave room for names
            out_ += text + "  continued below\n";
            if (std::ranges::find(pieces_, line.step) == pieces_.end()) pieces_.push_back(line.step);
            return false;
        }
        written_[line.step] = true;
        // Substitutions are a list of their own: a single space between them, two between all else.
        const std::string next = line.below + (has_premises ? "│    " : "     ");
        bool in_list = false;
        for (const std::string& piece : pieces_of(step)) {
            const std::string gap = in_list ? " " : "  ";
            in_list = piece.back() == ',';
            if (columns_of(text) + gap.size() + columns_of(piece) > width_) {
                out_ += text + '\n';
                text = next + piece;
            } else {
                text += gap + piece;
            }
        }
        out_ += text + '\n';
        return has_premises;
    }

    const ExplainedProof& proof_;
    std::size_t width_;
    const NearMiss* miss_;
    std::vector<bool> written_;
    std::vector<std::uint32_t> pieces_;  // steps at which a tree begins
    std::string out_;
};

}  // namespace

std::string proof_tree_text(const ExplainedProof& proof, std::size_t width, const NearMiss* miss) {
    return TreeWriter(proof, width, miss).text();
}

}  // namespace neumann
