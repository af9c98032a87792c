// Output of explanations: the terminal or lines of JSON during the run, and files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <neumann/session.h>

#include "cli/explanation_output.h"

namespace neumann::app {

struct ExplainOutputOptions {
    bool json = false;
    ExplanationTextOptions text;
    std::string dot;
    std::string svg;
    std::string html;
    std::string heat_map;  // a .png, or a folder
    std::string program;
    std::string command;

    bool needs_pictures() const { return !html.empty() || !heat_map.empty(); }
    // Before the work, so that a mistake costs nothing. Throws UsageError.
    void require_names() const;
};

class ExplainOutput {
public:
    static constexpr std::size_t most_in_report = 100;  // pages that are larger are no pleasure

    explicit ExplainOutput(ExplainOutputOptions options);

    // Throws UsageError for a second explanation where a file shows one, before it is written; FileError.
    void add(Explanation explanation, const Example& example);
    void set_sources(std::vector<ReportSource> sources) { sources_ = std::move(sources); }

    void finish();  // writes the output about all of them, and lists the written files on standard error

private:
    static void print_text(const std::string& text);
    void add_pictures(const Explanation& explanation, const Example& example);
    void add_to_report(Explanation explanation, const Example& example);
    std::filesystem::path picture_file(const Explanation& explanation);

    ExplainOutputOptions options_;
    std::size_t count_ = 0;
    std::string only_text_;  // these three come out in the end: there must be one explanation only
    std::string drawn_dot_;
    std::string drawn_svg_;
    std::set<std::string> picture_names_;
    std::vector<std::filesystem::path> written_;
    std::vector<ReportSource> sources_;
    struct Reported {
        Explanation explanation;
        std::vector<ReportPicture> pictures;
    };
    std::vector<Reported> reported_;
    std::size_t not_reported_ = 0;
};

}  // namespace neumann::app
