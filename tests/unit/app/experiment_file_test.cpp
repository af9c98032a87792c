#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/experiment_file.h"
#include "unit/experiment_files.h"

namespace neumann::app {
namespace {

std::string problem_of(const std::string& json) {
    try {
        experiment_from(json);
    } catch (const JsonFileError& error) {
        const std::string what = error.what();
        return what.substr(what.find("test.json: ") + 11);
    }
    return "none";
}

// One step "s" that loops over "seed" and has a value "x".
std::string with_step(const std::string& more) {
    return R"json({"title": "t", "settings": {"seeds": [1, 2]}, "steps": [{"name": "s", "for": {"seed": "seeds"},
                   "run": ["echo", "{seed}"], "values": {"x": {"match": "(.*)"}}}])json" +
           more + "}";
}

TEST(ExperimentFile, ReadsWhatItDeclares) {
    const Experiment full = experiment_from(with_step(R"(, "quick": {"seeds": [3]})"));
    ASSERT_EQ(full.steps.size(), 1U);
    EXPECT_EQ(combinations(full.steps[0].loops).size(), 2U);
    const Experiment quick = experiment_from(with_step(R"(, "quick": {"seeds": [3]})"), true);
    ASSERT_EQ(combinations(quick.steps[0].loops).size(), 1U);
    EXPECT_EQ(plain_text(combinations(quick.steps[0].loops)[0]), "seed 3");
    EXPECT_EQ(combinations(quick.steps[0].loops, true).size(), 2U);
}

TEST(ExperimentFile, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(problem_of("{}"), "/: 'title' is missing");
    EXPECT_EQ(problem_of("[]"), "/: expected an object");
    EXPECT_EQ(problem_of(R"({"title": "t", "step": []})"), "/: unknown key 'step'; did you mean 'steps'?");
    EXPECT_EQ(problem_of(R"({"title": "t", "settings": {"work": 1}})"),
              "/settings/work: 'work' is given by the runner");
    const auto step = [](const std::string& more) {
        return problem_of(R"({"title": "t", "steps": [{"name": "s", "run": ["true"], )" + more + "}]}");
    };
    EXPECT_EQ(step(R"("limit_s": 0)"), "/steps/0/limit_s: expected a positive number, or the name of such a setting");
    EXPECT_EQ(step(R"("values": {"x": {}})"),
              "/steps/0/values/x: expected one of json, match, text, csv, measured, sum and ratio");
    EXPECT_EQ(step(R"("values": {"x": {"match": "a"}})"),
              "/steps/0/values/x/match: the regular expression needs a group, in parentheses");
    EXPECT_EQ(step(R"("values": {"x": {"match": "(a"}})").find("/steps/0/values/x/match: not a regular expression"),
              0U);
    EXPECT_EQ(step(R"("values": {"x": {"json": "a"}})"),
              "/steps/0/values/x/json: expected a JSON pointer, such as /accuracy/test");
    EXPECT_EQ(step(R"("values": {"x": {"measured": "second"}})"),
              "/steps/0/values/x/measured: unknown: 'second'; did you mean 'seconds'?");
    EXPECT_EQ(step(R"("values": {"x": {"sum": ["y"]}})"), "/steps/0/values/x: there is no value 'y' before this one");
}

TEST(ExperimentFile, ChecksTables) {
    const auto table = [](const std::string& columns, const std::string& rows, const std::string& more = "") {
        return problem_of(with_step(R"(, "tables": [{"title": "t", "columns": [)" + columns + R"(], "rows": [)" + rows +
                                    "]" + more + "}]"));
    };
    const std::string column = R"({"title": "c"})";
    const std::string row = R"({"title": "r", "step": "s", "value": "x"})";
    EXPECT_EQ(table(column, row), "none");
    EXPECT_EQ(table("", row), "/tables/0/columns: a table needs columns");
    EXPECT_EQ(table(column, R"({"title": "r", "step": "s"})"), "/tables/0/rows/0: 'value' is missing");
    EXPECT_EQ(table(column, R"({"title": "r", "value": "x"})"), "/tables/0/rows/0: a step or a baseline is missing");
    EXPECT_EQ(table(column, R"({"title": "r", "step": "s", "value": "y"})"),
              "/tables/0/rows/0: 's' has no value 'y'; known are x");
    EXPECT_EQ(table(column, R"({"title": "r", "published": [1, 2]})"),
              "/tables/0/rows/0/published: 2 numbers for 1 columns");
    EXPECT_EQ(table(column, R"({"title": "r", "step": "s", "value": "x", "as": "percents"})"),
              "/tables/0/rows/0/as: unknown format 'percents'; did you mean 'percent'?");
    EXPECT_EQ(table(column, row, R"(, "claims": [{"row": "q", "at_least": 1}])"),
              "/tables/0/claims/0: there is no 'q' in this table; known are r");
    EXPECT_EQ(table(column, row, R"(, "claims": [{"row": "r", "at_least": [1, 2]}])"),
              "/tables/0/claims/0: 2 limits for 1 cells");
    EXPECT_EQ(table(R"({"title": "{sed}"})", row).find("/tables/0: there is no setting or loop variable 'sed'"), 0U);
}

}  // namespace
}  // namespace neumann::app
