#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/experiment_numbers.h"
#include "app/experiment_plots.h"
#include "app/experiment_report.h"
#include "app/experiment_tables.h"
#include "unit/experiment_files.h"

namespace neumann::app {
namespace {

constexpr const char* declared =
    R"json({"title": "t", "meaning": "So it is.", "settings": {"kinds": ["a", "b", "c"], "seeds": [1, 2]},
    "quick": {"kinds": ["c"]},
    "steps": [{"name": "s", "for": {"kind": "kinds", "seed": "seeds"}, "run": ["x"],
               "values": {"x": {"match": "(.)"}, "curve": {"match": "(.)"}}}],
    "baselines": [{"name": "net", "run": ["y"], "values": {"x": {"match": "(.)"}}}],
    "tables": [{"title": "T", "corner": "w|t", "columns": [{"title": "kind {kind}", "for": {"kind": "kinds"}}],
        "rows": [{"title": "paper", "published": [50, null, "OOM"]},
                 {"title": "ours", "step": "s", "value": "x", "as": "percent", "failed": "refused"},
                 {"title": "ratio", "ratio": ["ours", "paper"]}],
        "claims": [{"row": "ours", "at_least": [80, 100, null], "why": "Because."},
                   {"row": "ours", "at_least": [1.5, null, null], "times": "paper", "quick": true},
                   {"row": "ours", "at_most": 90}]}],
    "plots": [{"file": "a.svg", "kind": "lines", "title": "A <plot>", "overview": true, "series": [
                  {"title": "{kind}", "for": {"kind": "kinds"}, "step": "s", "x": "index", "y": "curve", "band": true}]},
              {"file": "b.svg", "kind": "bars", "title": "B", "log_y": true, "series": [
                  {"title": "ours", "step": "s", "x": "kind", "y": "x", "band": true},
                  {"title": "paper", "published": [["a", 0.5], ["b", 1]]}]}]})json";

ExperimentResults some_results() {
    ExperimentResults results;
    const auto add = [&](const char* kind, int seed, const char* values, int exit_code) {
        results.steps.push_back({"s", record_of({{"kind", kind}, {"seed", seed}}, Json::parse(values), exit_code)});
    };
    add("a", 1, R"({"x": 0.8, "curve": [3, 2, 1]})", 0);
    add("a", 2, R"({"x": 0.9, "curve": [5, 4]})", 0);
    add("b", 1, R"({"x": 1})", 0);
    add("b", 2, "{}", 2);
    add("c", 1, "{}", 2);
    return results;
}

FinishedTable table_of(const Experiment& experiment, const ExperimentResults& results) {
    const Placeholders placeholders(experiment.settings, {});
    return finish_table(experiment.tables[0], experiment, results, placeholders);
}

TEST(ExperimentTables, PutPublishedNumbersBesideOurs) {
    const Experiment experiment = experiment_from(declared);
    const FinishedTable table = table_of(experiment, some_results());
    EXPECT_EQ(markdown(table), "| w\\|t | kind a | kind b | kind c |\n|---|---:|---:|---:|\n| paper | 50 | – | OOM |\n"
                               "| ours | 85 ± 7.07 | 100 (1 of 2 failed) | refused |\n| ratio | 1.7× | – | – |\n");
    ASSERT_EQ(table.claims.size(), 3U);
    EXPECT_FALSE(table.claims[0].holds);  // a run that failed gives no right to a claim about the others
    EXPECT_EQ(table.claims[0].problem, "kind b: 100 (1 of 2 failed)");
    EXPECT_TRUE(table.claims[1].holds) << table.claims[1].problem;
    EXPECT_FALSE(table.claims[2].holds);
    EXPECT_EQ(table.claims[2].problem, "kind b: 100 (1 of 2 failed); kind c: refused");
}

TEST(ExperimentTables, AClaimAboutNothingDoesNotHold) {
    const Experiment experiment = experiment_from(R"json({"title": "t", "settings": {"kinds": []},
        "steps": [{"name": "s", "for": {"kind": "kinds"}, "run": ["x"], "values": {"x": {"match": "(.)"}}}],
        "tables": [{"title": "T", "columns": [{"title": "x", "value": "x"}],
                    "rows": [{"title": "{kind}", "for": {"kind": "kinds"}, "step": "s"}],
                    "claims": [{"column": "x", "equal": 5}]}]})json");
    const FinishedTable table = table_of(experiment, {});
    ASSERT_EQ(table.claims.size(), 1U);
    EXPECT_FALSE(table.claims[0].holds);
    EXPECT_EQ(table.claims[0].problem, "nothing to check");
}

TEST(ExperimentTables, OfQuickRunsHaveFewerColumns) {
    const Experiment experiment = experiment_from(declared, true);
    const FinishedTable table = table_of(experiment, some_results());
    EXPECT_EQ(table.columns, std::vector<std::string>{"kind c"});
    EXPECT_EQ(table.cells[0][0].text, "OOM");  // the published number of this very column
    EXPECT_EQ(table.claims.size(), 1U);
}

TEST(ExperimentTables, SayWhatHasNotRun) {
    const Experiment experiment = experiment_from(declared);
    EXPECT_EQ(table_of(experiment, {}).cells[1][0].text, "not run");
}

TEST(ExperimentNumbers, AreWrittenForPeople) {
    EXPECT_EQ(format_number(97.429, "percent"), "97.43");
    EXPECT_EQ(format_number(100, "percent"), "100");
    EXPECT_EQ(format_number(1234567, ""), "1,234,567");
    EXPECT_EQ(format_number(0.123456, "number"), "0.1235");
    EXPECT_EQ(format_number(12.3456, "seconds"), "12.3");
    EXPECT_EQ(format_number(0, "seconds"), "0");
    EXPECT_EQ(format_number(2.5e-7, "number"), "2.5e-07");
    EXPECT_EQ(format_number(-1234.4, "integer"), "-1,234");
    EXPECT_EQ(format_number(1536, "bytes"), "1.5 KiB");
    EXPECT_EQ(format_spread({1, 2, 3}, "number"), "2 ± 1");
    EXPECT_EQ(format_spread({2}, "number"), "2");
    EXPECT_EQ(format_duration(0.25), "0.25 s");
    EXPECT_EQ(format_duration(600), "10 min");
    EXPECT_EQ(format_duration(7500), "2 h 5 min");
}

TEST(ExperimentPlots, AreSoundPictures) {
    const Experiment experiment = experiment_from(declared);
    const Placeholders placeholders(experiment.settings, {});
    for (const ExperimentResults& results : {some_results(), ExperimentResults()}) {
        for (const PlotDeclaration& plot : experiment.plots) {
            const std::string svg = draw_plot(plot, results, placeholders, false);
            EXPECT_EQ(svg.find("<svg"), 0U);
            EXPECT_EQ(svg.find("nan"), std::string::npos);
            EXPECT_EQ(svg.find("inf"), std::string::npos);
            EXPECT_EQ(svg.find("<plot>"), std::string::npos);
        }
    }
    const std::string lines = draw_plot(experiment.plots[0], some_results(), placeholders, true);
    EXPECT_NE(lines.find("fill-opacity"), std::string::npos);  // a band around the mean
    EXPECT_NE(lines.find("quick run"), std::string::npos);
    const std::string bars = draw_plot(experiment.plots[1], some_results(), placeholders, false);
    EXPECT_NE(bars.find("<title>ours, a: 0.85</title>"), std::string::npos);
    EXPECT_NE(bars.find("<title>paper, b: 1</title>"), std::string::npos);
}

TEST(ExperimentReport, KeepsTheRestOfTheOverview) {
    const Experiment experiment = experiment_from(declared);
    const ExperimentResults results = some_results();
    const Placeholders placeholders(experiment.settings, {});
    const ExperimentReport report{experiment, results, placeholders, {table_of(experiment, results)}};
    const std::string page = "By hand.\n<!-- results -->\n<!-- experiment: z -->\nLast.\n<!-- experiment: old -->\n"
                             "Gone.\n<!-- end -->\nMore.\n";
    const std::string once = with_overview(page, report, {"test", "z"});
    EXPECT_EQ(once.find("By hand.\n<!-- results -->\n<!-- experiment: test -->\n### [t](test.md)"), 0U) << once;
    EXPECT_NE(once.find("1,"), 0U);
    EXPECT_NE(once.find("<!-- experiment: z -->\nLast.\n"), std::string::npos) << once;
    EXPECT_EQ(once.find("Gone."), std::string::npos);
    EXPECT_NE(once.find("1 of 3 claims hold."), std::string::npos);
    EXPECT_NE(once.find("\n\nSo it is.\n\n"), std::string::npos) << once;
    EXPECT_NE(once.find("src=\"a.svg\""), std::string::npos) << once;
    EXPECT_EQ(once.find("b.svg"), std::string::npos) << once;
    EXPECT_NE(once.find("Because."), std::string::npos) << once;  // why a claim does not hold
    EXPECT_TRUE(once.ends_with("<!-- end -->\nMore.\n"));
    EXPECT_EQ(with_overview(once, report, {"test", "z"}), once);
    EXPECT_EQ(with_overview("No place.", report, {"test"}), "No place.");
}

}  // namespace
}  // namespace neumann::app
