#include <array>
#include <filesystem>
#include <stdexcept>

#include "base/text.h"
#include "report/explanation_output.h"
#include "report/page_assets.h"
#include "report/page_sections.h"

namespace neumann {
namespace {

using namespace page;

void add_headline(std::string& out, const ReportPlace& place) {
    const Explanation& explanation = place.explanation();
    const bool in_words = !explanation.sentence.empty() && explanation.sentence != explanation.atom;
    add(out, "<header class=\"headline {}\">\n<div class=\"claim\">\n<h2 id=\"{}-h\">{}</h2>\n",
        explanation.holds() ? "yes" : "no", place.id,
        in_words ? escaped(explanation.holds() ? capitalised(explanation.sentence) : "Not so: " + explanation.sentence)
                 : code(explanation.atom));
    out += "<p class=\"atom\">";
    if (in_words) out += code(explanation.atom);
    if (!explanation.id.empty()) add(out, " <span class=\"note\">example {}</span>", escaped(explanation.id));
    add(out,
        "</p>\n</div>\n<div class=\"verdict\">\n<p><span class=\"value\">{}</span> "
        "<span class=\"holds\">{}</span></p>\n{}\n"
        "</div>\n</header>\n",
        number(explanation.value), explanation.holds() ? "✓ holds" : "✗ does not hold",
        gauge(explanation.value, explanation.threshold));
}

struct Section {
    const char* suffix;
    const char* title;
    void (*add)(std::string&, const ReportPlace&);
};

constexpr std::array<Section, 9> sections = {{
    {"why-not", "Why not", add_why_not},
    {"scene", "Picture", add_pictures},
    {"proof", "Proof", add_proofs},
    {"objects", "Objects", add_objects},
    {"matters", "What it depends on", add_dependence},
    {"history", "Step by step", add_history},
    {"inputs", "Probabilities", add_probabilities},
    {"program", "Program", add_program},
    {"computed", "How it was computed", add_origin},
}};

// An explanation and the links to its sections.
struct Article {
    std::string html;
    std::string links;
};

Article article_of(const ReportPlace& place) {
    Article article;
    add(article.html, "<article id=\"{0}\" aria-labelledby=\"{0}-h\">\n", place.id);
    add_headline(article.html, place);
    for (const Section& section : sections) {
        const std::size_t before = article.html.size();
        section.add(article.html, place);
        if (article.html.size() == before) continue;
        add(article.links, "<li><a href=\"#{}-{}\">{}</a></li>\n", place.id, section.suffix, section.title);
    }
    article.html += "</article>\n";
    return article;
}

}  // namespace

std::string to_html(std::span<const ReportInput> inputs) {
    if (inputs.empty()) throw std::invalid_argument("report: no explanations");
    std::string articles;
    std::string navigation;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const ReportPlace place{fmt::format("e{}", i + 1), &inputs[i]};
        const Explanation& explanation = place.explanation();
        const Article article = article_of(place);
        articles += article.html;
        add(navigation, "<li><a class=\"to\" href=\"#{}\">{} {}", place.id,
            value_chip(explanation.value, explanation.threshold), code(explanation.atom));
        if (inputs.size() > 1 && !explanation.id.empty())
            add(navigation, " <span class=\"note\">{}</span>", escaped(explanation.id));
        add(navigation, "</a>\n<ul>\n{}</ul></li>\n", article.links);
    }
    const std::string title = inputs.size() == 1 ? "Explanation" : counted(inputs.size(), "explanation");
    std::string page;
    page.reserve(articles.size() + navigation.size() + report_style().size() + report_script().size() + 4096);
    // The page may load and run nothing outside this file.
    add(page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
        "<title>{}: {}</title>\n<style>",
        report_style_hash(), report_script_hash(), escaped(inputs.front().explanation->atom), title);
    page += report_style();
    add(page,
        "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the explanation</a>\n"
        "<header class=\"page\"><h1>{}</h1><p class=\"note\">{}</p></header>\n<div class=\"layout\">\n"
        "<nav aria-label=\"Contents\"><ul class=\"contents\">\n",
        title, escaped(std::filesystem::path(inputs.front().program).filename().string()));
    page += navigation;
    page += "</ul></nav>\n<main id=\"main\" tabindex=\"-1\">\n";
    page += articles;
    page += "</main>\n</div>\n<script>";
    page += report_script();
    page += "</script>\n</body>\n</html>\n";
    return page;
}

}  // namespace neumann
