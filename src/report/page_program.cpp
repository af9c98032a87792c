// The program with the clauses and facts that were used marked, and how all was computed.
#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "report/page_sections.h"

namespace neumann::page {
namespace {

struct Mark {
    bool used = false;    // by a proof that is shown
    bool begins = false;  // a clause or fact begins here
    double share = 0;
    bool shares = false;
};

// Reads clauses far enough to find where they end and comments begin.
class LineReader {
public:
    struct Line {
        std::size_t comment;  // where it begins, or the length
        bool ends_clause;
    };
    Line read(std::string_view line) {
        bool ended = false;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i];
            if (quote_ != 0) {
                if (c == '\\') {
                    ++i;
                } else if (c == quote_) {
                    quote_ = 0;
                }
            } else if (c == '%') {
                return {i, ended};
            } else if (c == '\'' || c == '"') {
                quote_ = c;
            } else if (c == '.' && (i + 1 == line.size() || line[i + 1] == ' ' || line[i + 1] == '\t' ||
                                    line[i + 1] == '%' || line[i + 1] == '\r')) {
                ended = true;
            }
        }
        return {line.size(), ended};
    }

private:
    char quote_ = 0;
};

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::map<std::uint32_t, Mark> marks_of(const ReportPlace& place, std::size_t source) {
    std::map<std::uint32_t, Mark> marks;
    const Explanation& explanation = place.explanation();
    for (const ExplainedClause& clause : explanation.clauses) {
        if (source_of(*place.input, clause.file) != source || (!clause.used && clause.share == 0)) continue;
        Mark& mark = marks[clause.line];
        mark.used = mark.used || clause.used;
        mark.begins = true;
        mark.shares = true;
        mark.share += clause.share;
    }
    const auto add_facts = [&](const ExplainedProof& proof) {
        for (const ExplainedStep& step : proof.steps) {
            if (step.origin != ExplainedStep::Origin::Fact || source_of(*place.input, step.file) != source) continue;
            Mark& mark = marks[step.line];
            mark.used = mark.begins = true;
        }
    };
    for (const ExplainedProof& proof : explanation.proofs) add_facts(proof);
    if (explanation.proofs.empty() && explanation.why_not)
        for (const NearMiss& miss : explanation.why_not->nearest) add_facts(miss.proof);
    return marks;
}

// Tabs and spaces are kept; `escaped` makes a tab one space.
std::string program_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t tab = text.find('\t');
        out += escaped(text.substr(0, tab));
        if (tab == std::string_view::npos) break;
        out += '\t';
        text.remove_prefix(tab + 1);
    }
    return out;
}

void add_source(std::string& out, const ReportPlace& place, std::size_t source) {
    const std::map<std::uint32_t, Mark> marks = marks_of(place, source);
    add(out, "<h4>{}</h4>\n<ol class=\"program\">\n", escaped(place.input->sources[source].name));
    LineReader reader;
    bool within = false;  // a marked clause
    std::uint32_t number_of_line = 0;
    for (std::string_view line : lines_of(place.input->sources[source].text)) {
        ++number_of_line;
        if (line.ends_with('\r')) line.remove_suffix(1);
        const LineReader::Line read = reader.read(line);
        const auto found = marks.find(number_of_line);
        const bool marked = found != marks.end() && found->second.used;
        within = within || marked;
        add(out, "<li id=\"{}\"{}><span class=\"line\" aria-hidden=\"true\">{}</span><code>{}",
            line_id(place, source, number_of_line), within ? " class=\"used\"" : "", number_of_line,
            program_text(line.substr(0, read.comment)));
        if (read.comment < line.size())
            add(out, "<span class=\"comment\">{}</span>", program_text(line.substr(read.comment)));
        out += "</code>";
        if (marked) out += "<span class=\"unseen\"> used</span>";
        if (found != marks.end() && found->second.shares) {
            add(out, "<span class=\"share\" title=\"share of the influence of all rules\">{}</span>",
                percent(found->second.share));
        }
        out += "</li>\n";
        if (read.ends_clause) within = false;
    }
    out += "</ol>\n";
}

// Without a file, the clauses themselves.
void add_bare_clauses(std::string& out, const Explanation& explanation) {
    out += "<ol class=\"program\">\n";
    std::size_t number_of_clause = 0;
    for (const ExplainedClause& clause : explanation.clauses) {
        add(out,
            "<li{}><span class=\"line\" aria-hidden=\"true\">{}</span><code>{}</code>{}"
            "<span class=\"share\">{}</span></li>\n",
            clause.used ? " class=\"used\"" : "", ++number_of_clause, escaped(clause.text),
            clause.used ? "<span class=\"unseen\"> used</span>" : "", clause.share == 0 ? "" : percent(clause.share));
    }
    out += "</ol>\n";
}

}  // namespace

void add_program(std::string& out, const ReportPlace& place) {
    const bool bare = std::ranges::none_of(place.input->sources, is_listed);
    if (bare && place.explanation().clauses.empty()) return;
    add(out,
        "<section class=\"card\" id=\"{0}-program\" aria-labelledby=\"{0}-program-h\">\n"
        "<h3 id=\"{0}-program-h\">The program</h3>\n<p class=\"note\">Marked: what the derivations above use. "
        "Percentages: the share of each rule in the answer.</p>\n",
        place.id);
    if (bare) add_bare_clauses(out, place.explanation());
    for (std::size_t source = 0; source < place.input->sources.size(); ++source)
        if (is_listed(place.input->sources[source])) add_source(out, place, source);
    out += "</section>\n";
}

void add_origin(std::string& out, const ReportPlace& place) {
    const Explanation& explanation = place.explanation();
    add(out,
        "<section class=\"card\" id=\"{0}-computed\" aria-labelledby=\"{0}-computed-h\">\n"
        "<h3 id=\"{0}-computed-h\">How it was computed</h3>\n<dl class=\"facts\">\n",
        place.id);
    const auto row = [&](const char* name, const std::string& html) {
        if (!html.empty()) add(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", name, html);
    };
    row("Program", escaped(place.input->program));
    if (!explanation.id.empty()) row("Example", code(explanation.id));
    row("Semantics", escaped(explanation.semantics));
    if (explanation.gamma) row("Gamma", number(*explanation.gamma));
    row("Steps", with_separators(explanation.steps));
    row("True from", number(explanation.threshold) + " on");
    row("Best proof", explanation.exact ? "has the value of the atom" : "is worth at most the value of the atom");
    if (!place.input->command.empty())
        row("Command", "<code class=\"command\">" + escaped(place.input->command) + "</code>");
    out += "</dl>\n</section>\n";
}

}  // namespace neumann::page
