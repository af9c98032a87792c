#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/child_process.h"
#include "app/step_values.h"
#include "unit/experiment_files.h"
#include "unit/temporary_folder.h"

namespace neumann::app {
namespace {

// The value that a declaration takes from these outputs, as JSON text, or what is wrong.
std::string value(const std::string& declared, const std::string& output, const std::string& errors = "") {
    const Experiment experiment = experiment_from(
        R"({"title": "t", "settings": {"part": "b"}, "steps": [{"name": "s", "run": ["x"], "values": {"x": )" +
        declared + "}}]}");
    const TemporaryFolder folder;
    const Placeholders placeholders(experiment.settings, {{"work", folder.path().string()}});
    folder.write("file.csv", "epoch,\"the loss\"\n1,0.5\n2,\n3,0.25\n");
    const ChildOutcome outcome{3, true, false, 1.5, 1000};
    try {
        return step_values(experiment.steps[0], {}, placeholders,
                           {folder.write("out", output), folder.write("err", errors), outcome}, false)["x"]
            .dump();
    } catch (const ValueError& error) {
        const std::string what = error.what();
        return what.substr(0, what.find(" (in "));
    }
}

TEST(StepValues, ComeFromJson) {
    const std::string json = R"({"a": {"b": [1, 2.5]}})";
    EXPECT_EQ(value(R"({"json": "/a/b/1"})", json), "2.5");
    EXPECT_EQ(value(R"({"json": "/a/{part}"})", json), "[1,2.5]");
    EXPECT_EQ(value(R"({"json": "/a/c"})", json), "value 'x': no /a/c");
    EXPECT_EQ(value(R"({"json": "/a"})", "oops"), "value 'x': not JSON");
    EXPECT_EQ(value(R"({"json": "/a", "jsonl": -1})", "{\"a\": 1}\n{\"a\": 2}\n\n"), "2");
    EXPECT_EQ(value(R"({"json": "/a", "jsonl": 0})", "{\"a\": 1}\n{\"a\": 2}\n"), "1");
    EXPECT_EQ(value(R"({"json": "/a", "jsonl": 2})", "{\"a\": 1}\n{\"a\": 2}\n"), "value 'x': no line 2 of 2");
}

TEST(StepValues, ComeFromText) {
    EXPECT_EQ(value(R"json({"match": "acc: ([0-9.]+)"})json", "x\nacc: 0.5\nacc: 7\n"), "0.5");
    EXPECT_EQ(value(R"json({"match": "acc: ([0-9.]+)", "which": "last"})json", "acc: 0.5\r\nacc: 7\r\n"), "7");
    EXPECT_EQ(value(R"json({"match": "acc: ([0-9.]+)", "which": "all"})json", "acc: 0.5\nacc: 7\n"), "[0.5,7]");
    EXPECT_EQ(value(R"json({"match": "(p.*)", "which": "all"})json", "p(a).\nq.\np(b).\n"), R"("p(a).\np(b).")");
    EXPECT_EQ(value(R"json({"match": "(.+)", "in": "stderr"})json", "no", "yes"), "\"yes\"");
    EXPECT_EQ(value(R"json({"match": "(no)"})json", "yes"), "value 'x': nothing matches '(no)'");
    EXPECT_EQ(value(R"({"text": true})", "a\nb\n\n"), R"("a\nb")");
    EXPECT_EQ(value(R"({"match": "(x*)y"})", std::string(1 << 20, 'x') + "\nxy"), "\"x\"");  // no deep recursion
}

TEST(StepValues, ComeFromFilesAndMeasurements) {
    EXPECT_EQ(value(R"({"file": "{work}/file.csv", "csv": "the loss"})", ""), "[0.5,null,0.25]");
    EXPECT_EQ(value(R"({"file": "{work}/file.csv", "csv": "gain"})", ""), "value 'x': no column 'gain'");
    EXPECT_EQ(value(R"({"file": "{work}/none", "text": true})", "").find("value 'x': "), 0U);
    EXPECT_EQ(value(R"({"measured": "seconds"})", ""), "1.5");
    EXPECT_EQ(value(R"({"measured": "peak_bytes"})", ""), "1000");
    EXPECT_EQ(value(R"({"measured": "exit_code"})", ""), "3");
    EXPECT_EQ(value(R"({"measured": "timed_out"}, "y": {"sum": ["x", "x"]}, "z": {"ratio": ["x", "y"]})", ""), "1");
}

TEST(ChildProcess, TellsWhatBecameOfIt) {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& script, double limit = 0) {
        return run_child({{"/bin/sh", "-c", script}, folder.path() / "out", folder.path() / "err", limit, nullptr, {}});
    };
    EXPECT_EQ(run("exit 0").exit_code, 0);
    EXPECT_EQ(run("exit 7").exit_code, 7);
    EXPECT_EQ(run("kill -9 $$").exit_code, 137);
    EXPECT_GT(run("true").peak_bytes, 0U);
    const ChildOutcome late = run("sleep 100 & sleep 100", 0.1);
    EXPECT_TRUE(late.timed_out);
    EXPECT_LT(late.seconds, 50);
    EXPECT_EQ(run_child({{"/no/such/command"}, folder.path() / "out", folder.path() / "err", 0, nullptr, {}}).exit_code,
              127);
    const std::atomic<bool> stop{true};
    EXPECT_TRUE(run_child({{"sleep", "100"}, folder.path() / "out", folder.path() / "err", 0, &stop, {}}).stopped);
}

}  // namespace
}  // namespace neumann::app
