// A proof: as numbered sentences, and as a tree that folds.
#include <vector>

#include "report/page_sections.h"
#include "report/proof_order.h"

namespace neumann::page {
namespace {

// Trees are cut at this depth and go on below: they stay on a narrow screen, and browsers give up nesting at 512.
constexpr std::size_t deepest = 14;
constexpr std::size_t all_open = 60;  // steps; of longer proofs only the upper levels are unfolded
constexpr std::size_t open_levels = 4;
constexpr std::size_t all_told = 16;  // sentences; of more, only the last are unfolded
constexpr std::size_t last_told = 8;

class ProofTree {
public:
    ProofTree(std::string& out, const ReportPlace& place, const ExplainedProof& proof, const std::string& id,
              const NearMiss* miss)
        : out_(out), place_(place), proof_(proof), id_(id), miss_(miss), numbers_(told_numbers(proof)),
          written_(proof.steps.size()) {}

    void write() {
        later_ = {0};
        for (std::size_t next = 0; next < later_.size(); ++next) {
            add(out_, "<ul class=\"tree\">\n");
            write_step(later_[next], 0, next == 0 ? "" : "continued: ");
            out_ += "</ul>\n";
        }
    }

private:
    std::string step_id(std::uint32_t step) const { return fmt::format("{}-s{}", id_, step); }

    std::string head(const ExplainedStep& step, std::uint32_t index) const {
        std::string text = value_chip(step.value, place_.explanation().threshold) + " ";
        if (miss_ == nullptr && numbers_[index] != 0) add(text, "<span class=\"told\">({})</span> ", numbers_[index]);
        add(text, "<span class=\"said\">{}</span>", sentence_html(step.sentence, step.atom));
        if (!step.sentence.empty() && step.sentence != step.atom) text += " " + code(step.atom);
        return text;
    }

    // The reasons why the step holds, as separate parts.
    std::string how(const ExplainedStep& step) const {
        std::vector<std::string> parts;
        const auto& clauses = place_.explanation().clauses;
        const std::string link = line_link(place_, step.file, step.line);
        if (is_derived(step)) {
            std::string rule = link.empty() ? "by the rule" : "by " + link;
            if (step.clause < clauses.size()) rule += " " + code(clauses[step.clause].text);
            parts.push_back(rule);
            if (!step.substitution.empty()) parts.push_back("with " + code(substitution_text(step.substitution)));
            if (step.weight != 1) parts.push_back("weight " + number(step.weight));
            if (step.share != 0) parts.push_back("share " + percent(step.share));
            if (shown(step.proof_value) != shown(step.value))
                parts.push_back(number(step.proof_value) + " by this derivation alone");
        } else {
            std::string origin = escaped(origin_words(step));
            if (step.origin == ExplainedStep::Origin::Fact && !link.empty()) origin += ", " + link;
            parts.push_back(origin);
            if (step.gradient != 0) parts.push_back("gradient " + number(step.gradient));
        }
        std::string text = "<span>" + parts[0] + "</span>";
        for (std::size_t i = 1; i < parts.size(); ++i) text += " <span>" + parts[i] + "</span>";
        return text;
    }

    void write_step(std::uint32_t index, std::size_t depth, const char* prefix = "") {
        const ExplainedStep& step = proof_.steps.at(index);
        if (written_[index]) {
            // A leaf has nothing above that would be worth going back for.
            const std::string link =
                step.premises.empty() ? "" : fmt::format(" <a href=\"#{}\">shown above</a>", step_id(index));
            add(out_, "<li class=\"step again\"><span class=\"head\">{}</span>{}</li>\n", head(step, index), link);
            return;
        }
        if (depth == deepest && !step.premises.empty()) {
            later_.push_back(index);
            add(out_,
                "<li class=\"step again\"><span class=\"head\">{}</span> <a href=\"#{}\">continued below</a></li>\n",
                head(step, index), step_id(index));
            return;
        }
        written_[index] = true;
        const bool failed = miss_ != nullptr && !is_derived(step) && failure_at(*miss_, step) != nullptr;
        add(out_, "<li class=\"step{}\" id=\"{}\">", failed ? " failed" : "", step_id(index));
        if (step.premises.empty()) {
            add(out_, "<div class=\"head\">{}{}</div><div class=\"how\">{}</div></li>\n", failed ? cross : "",
                head(step, index), how(step));
            return;
        }
        const bool open = proof_.steps.size() <= all_open || depth < open_levels;
        add(out_, "<details{}><summary class=\"head\">{}{}</summary>\n<div class=\"how\">{}</div>\n<ul>\n",
            open ? " open" : "", prefix, head(step, index), how(step));
        for (const std::uint32_t premise : step.premises) write_step(premise, depth + 1);
        out_ += "</ul></details></li>\n";
    }

    static constexpr const char* cross = "<span class=\"cross\">✗<span class=\"unseen\"> failed</span></span> ";

    std::string& out_;
    const ReportPlace& place_;
    const ExplainedProof& proof_;
    const std::string& id_;
    const NearMiss* miss_;
    std::vector<std::uint32_t> numbers_;
    std::vector<bool> written_;
    std::vector<std::uint32_t> later_;  // roots of trees; the first is the proof's
};

// Turns the references "(3)" of sentences into links to the third step.
std::string with_references(const std::string& sentence, const std::string& id, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < sentence.size();) {
        std::size_t end = i + 1;
        const bool opened = sentence[i] == '(' && i > 0 && sentence[i - 1] == ' ';  // not the one of p(3)
        while (opened && end < sentence.size() && sentence[end] >= '0' && sentence[end] <= '9') ++end;
        const bool closed = end > i + 1 && end < i + 8 && end < sentence.size() && sentence[end] == ')';
        const std::size_t told = closed ? std::stoul(sentence.substr(i + 1, end - i - 1)) : 0;
        if (told >= 1 && told <= count) {
            add(text, "<a class=\"told\" href=\"#{}-t{}\">({})</a>", id, told, told);
            i = end + 1;
        } else {
            text += sentence[i++];
        }
    }
    return text;
}

void add_sentences(std::string& out, const ExplainedProof& proof, const std::string& id) {
    const std::vector<std::uint32_t> order = leaves_first(proof);
    const std::vector<std::uint32_t> numbers = told_numbers(proof);
    if (order.empty()) return;
    const auto part = [&](std::size_t begin, std::size_t end) {
        add(out, "<ol class=\"sentences\" start=\"{}\">\n", begin + 1);
        for (std::size_t i = begin; i < end; ++i) {
            add(out, "<li id=\"{}-t{}\"{}>{}</li>\n", id, i + 1, i + 1 == order.size() ? " class=\"last\"" : "",
                with_references(escaped(step_sentence(proof, order[i], numbers)), id, i));
        }
        out += "</ol>\n";
    };
    out += "<h4>In words</h4>\n";
    const std::size_t folded = order.size() <= all_told ? 0 : order.size() - last_told;
    if (folded > 0) {
        add(out, "<details class=\"more\"><summary>What comes first: sentences 1 to {}</summary>\n", folded);
        part(0, folded);
        out += "</details>\n";
    }
    part(folded, order.size());
}

void add_parts(std::string& out, const Explanation& explanation) {
    out += "<h4>Parts of the value</h4>\n<ul class=\"parts\">\n";
    for (std::size_t i = 0; i < explanation.proofs.size(); ++i)
        add(out, "<li>{} proof {} holds{}</li>\n", number(explanation.proofs[i].part.value_or(0)), i + 1,
            i == 0 ? "" : ", and none before it does");
    add(out, "<li>{} other proofs, where none of these holds</li>\n</ul>\n", number(*explanation.rest));
}

}  // namespace

void add_proof(std::string& out, const ReportPlace& place, const ExplainedProof& proof, const std::string& id,
               const NearMiss* miss) {
    if (proof.steps.empty()) return;
    if (miss == nullptr) add_sentences(out, proof, id);
    out += "<div class=\"titled\"><h4>As a tree</h4>";
    if (!proof.steps[0].premises.empty()) {
        add(out,
            R"(<div class="buttons scripted"><button type="button" data-fold="open" data-tree="{0}-tree">)"
            R"(Expand all</button><button type="button" data-fold="close" data-tree="{0}-tree">Collapse all)"
            R"(</button></div>)",
            id);
    }
    add(out, "</div>\n<div id=\"{}-tree\">\n", id);
    ProofTree(out, place, proof, id, miss).write();
    out += "</div>\n";
}

void add_proofs(std::string& out, const ReportPlace& place) {
    const Explanation& explanation = place.explanation();
    const auto& proofs = explanation.proofs;
    if (proofs.empty()) return;
    add(out,
        "<section class=\"card proofs\" id=\"{0}-proof\" aria-labelledby=\"{0}-proof-h\">\n"
        "<h3 id=\"{0}-proof-h\">{1}</h3>\n<p class=\"note\">{2}{3}</p>\n",
        place.id,
        !explanation.holds() ? "What speaks for it"
        : proofs.size() == 1 ? "Why: the proof"
                             : "Why: the best proofs",
        escaped(meaning_of_proof_value(explanation)), explanation.more_proofs ? " There may be other proofs." : "");
    if (proofs.size() > 1) {
        out += "<fieldset class=\"choice scripted\" data-switch><legend>Proof</legend>\n";
        for (std::size_t i = 0; i < proofs.size(); ++i) {
            add(out, "<label><input type=\"radio\" name=\"{0}-which\" value=\"{0}-p{1}\"{2}> {1} {3}</label>\n",
                place.id, i + 1, i == 0 ? " checked" : "", value_chip(proofs[i].value, explanation.threshold));
        }
        out += "</fieldset>\n";
    }
    for (std::size_t i = 0; i < proofs.size(); ++i) {
        const std::string id = fmt::format("{}-p{}", place.id, i + 1);
        add(out, "<div class=\"panel\" id=\"{}\">\n", id);
        if (proofs.size() > 1) {
            add(out, "<p class=\"which\">Proof {} of {}, alone worth {}</p>\n", i + 1, proofs.size(),
                number(proofs[i].value));
        }
        add_proof(out, place, proofs[i], id);
        out += "</div>\n";
    }
    if (explanation.rest) add_parts(out, explanation);
    out += "</section>\n";
}

}  // namespace neumann::page
