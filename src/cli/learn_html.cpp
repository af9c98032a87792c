#include "cli/learn_html.h"

#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "draw/svg_text.h"
#include "report/page_assets.h"

namespace neumann {
namespace {

class LearnPage {
public:
    LearnPage(const LearnResult& result, const LearnOrigin& origin) : result_(result), origin_(origin) {}

    std::string write() {
        const std::string title = fmt::format("Learned from {}", origin_.program_file);
        add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{}\n</style>\n</head>\n<body>\n"
            "<main>\n<h1>{}</h1>\n",
            escaped(title), page::report_style(), escaped(title));
        add_clauses();
        add_scores();
        add_effort();
        add_wrong_labels();
        add_limits();
        if (!result_.rounds.empty() || !result_.epochs.empty())
            add("<h2>Curves</h2>\n<figure>\n{}\n</figure>\n", learning_curves_svg(result_, ""));
        out_ += "</main>\n</body>\n</html>\n";
        return std::move(out_);
    }

private:
    template <typename... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }

    void row(std::string_view name, const std::string& value) {
        add("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", name, escaped(value));
    }

    void add_clauses() {
        add("<h2>Program</h2>\n");
        if (result_.clauses.empty()) {
            add("<p>No clause was found.</p>\n");
            return;
        }
        add("<table>\n<tr><th>weight</th>{}<th>clause</th></tr>\n",
            result_.goal == LearnGoal::Clauses ? "" : "<th>before</th>");
        for (const LearnedClause& clause : result_.clauses) {
            add("<tr><td>{:.4g}</td>", clause.weight);
            if (clause.start) add("<td>{:.4g}</td>", *clause.start);
            add("<td><code>{}</code></td></tr>\n", escaped(clause.text));
        }
        add("</table>\n");
    }

    void add_scores() {
        add("<h2>Scores</h2>\n<table>\n<tr><th>examples</th><th>labels</th><th>accuracy</th><th>precision</th><th>recall"
            "</th><th>F1</th></tr>\n");
        add_score("training", result_.train);
        add_score("validation", result_.validation);
        add_score("test", result_.test);
        add("</table>\n<p>An atom counts as true from {:.4g} upwards.</p>\n", result_.threshold);
    }

    void add_score(std::string_view name, const std::optional<LearnScore>& score) {
        if (!score || !score->counts) return;
        add("<tr><th scope=\"row\">{}</th><td>{}</td><td>{:.2f} %</td><td>{:.2f} %</td><td>{:.2f} %</td><td>{:.2f} "
            "%</td></tr>\n",
            name, score->labels, 100 * score->accuracy, 100 * score->counts->precision(), 100 * score->counts->recall(),
            100 * score->counts->f1());
    }

    void add_effort() {
        add("<h2>Search</h2>\n<table>\n");
        row("algorithm", result_.algorithm);
        row("candidates evaluated", std::to_string(result_.search.candidates));
        if (result_.search.size > 0) row("literals of the program", std::to_string(result_.search.size));
        if (result_.search.searched) {
            row("clauses done", fmt::format("all of up to {}", counted(result_.search.finished_body, "goal")));
            row("search ended", fmt::format("{}, after {} units of work", result_.search.ended, result_.search.work));
            row("proven shortest", result_.search.shortest ? "yes" : "no");
        }
        if (result_.search.rounds > 0) row("rounds of scoring", std::to_string(result_.search.rounds));
        row("ended", result_.interrupted ? origin_.timed_out ? "by the time limit" : "stopped" : "by itself");
        row("seconds", fmt::format("{:.2f}", result_.seconds));
        row("random seed", std::to_string(origin_.seed));
        add("</table>\n");
    }

    void add_wrong_labels() {
        std::string text;
        for (const WrongLabels& wrong : result_.wrong_labels) text += to_text(wrong);
        text += to_text(result_.wrong_in_test);
        if (text.empty()) return;
        add("<h2>Wrong labels</h2>\n<pre>");
        std::string_view left = text;
        while (!left.empty()) {
            const std::size_t end = left.find('\n');
            add("{}\n", escaped(left.substr(0, end)));
            left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
        }
        add("</pre>\n");
    }

    void add_limits() {
        if (result_.limits.empty()) return;
        add("<h2>What stands in the way</h2>\n<ul>\n");
        for (const LearnLimit& one : result_.limits)
            add("<li>{}: {}. {:.2f} % of the labels are right with <code>{}</code></li>\n", escaped(one.what),
                escaped(one.advice), 100 * one.accuracy, escaped(one.clause));
        add("</ul>\n");
    }

    const LearnResult& result_;
    const LearnOrigin& origin_;
    std::string out_;
};

}  // namespace

std::string learn_html(const LearnResult& result, const LearnOrigin& origin) {
    return LearnPage(result, origin).write();
}

}  // namespace neumann
