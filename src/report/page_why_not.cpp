// Why an atom is not true: the failures, the detected alternatives, and the sufficient changes.
#include "report/page_sections.h"
#include "report/proof_order.h"

namespace neumann::page {
namespace {

void add_failure(std::string& out, const ReportPlace& place, const Failure& failure) {
    const double threshold = place.explanation().threshold;
    add(out,
        "<li class=\"failure\"><p class=\"head\"><span class=\"cross\" aria-hidden=\"true\">✗</span> {} "
        "<span class=\"said\">{}</span>",
        value_chip(failure.value, threshold), sentence_html(failure.sentence, failure.atom));
    if (!failure.sentence.empty() && failure.sentence != failure.atom) out += " " + code(failure.atom);
    out += "</p>\n<dl>";
    const auto row = [&](const char* name, const std::string& text) {
        add(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", name, text);
    };
    if (!failure.instead.empty()) {
        row("Instead", code(failure.instead) + " " + value_chip(failure.instead_value, threshold));
    }
    if (failure.needed) row("Needed", "at least " + number(*failure.needed));
    if (failure.if_true) row("If it were 1", "the answer would be " + value_chip(*failure.if_true, threshold));
    if (failure.gradient != 0) row("Gradient", number(failure.gradient));
    out += "</dl></li>\n";
}

}  // namespace

void add_why_not(std::string& out, const ReportPlace& place) {
    const Explanation& explanation = place.explanation();
    if (!explanation.why_not) return;
    const WhyNot& why_not = *explanation.why_not;
    add(out,
        "<section class=\"card\" id=\"{0}-why-not\" aria-labelledby=\"{0}-why-not-h\">\n"
        "<h3 id=\"{0}-why-not-h\">{1}</h3>\n",
        place.id, explanation.holds() ? "What stands against it" : "Why not");
    if (!why_not.impossible.empty()) add(out, "<p>{}</p>\n", escaped(why_not.impossible));
    for (std::size_t i = 0; i < why_not.nearest.size(); ++i) {
        const NearMiss& miss = why_not.nearest[i];
        const std::string id = fmt::format("{}-m{}", place.id, i + 1);
        add(out, "<div class=\"miss\">\n<h4>{}</h4>\n",
            why_not.nearest.size() == 1 ? std::string("What failed")
                                        : fmt::format("Way {} of {}: what failed", i + 1, why_not.nearest.size()));
        if (miss.failures.empty()) add(out, "<p>{}</p>\n", escaped(no_failure_text(explanation, miss.proof)));
        out += "<ul class=\"failures\">\n";
        for (const Failure& failure : miss.failures) add_failure(out, place, failure);
        out += "</ul>\n";
        if (miss.if_true && miss.failures.size() > 1) {
            add(out, "<p>If all of these were 1, the answer would be {}.</p>\n",
                value_chip(*miss.if_true, explanation.threshold));
        }
        if (!miss.proof.steps.empty()) {
            // The way is part of the answer where it is the only one.
            add(out, "<details class=\"way\"{}><summary>The derivation that nearly holds</summary>\n",
                i == 0 ? " open" : "");
            add_proof(out, place, miss.proof, id, &miss);
            out += "</details>\n";
        }
        out += "</div>\n";
    }
    out += "</section>\n";
}

}  // namespace neumann::page
