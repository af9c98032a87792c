#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/experiment_steps.h"
#include "app/step_record.h"
#include "unit/experiment_files.h"
#include "unit/temporary_folder.h"

namespace neumann::app {
namespace {

const RunFolders folders{"results", "/root", "/bin/neumann", 2};

TEST(Placeholders, FillsInWhatIsKnown) {
    const Json settings =
        Json::parse(R"({"n": 3, "list": ["a", "b{n}"], "by": {"x": "ex", "1": ["p", "q"]}, "key": "x"})");
    const Placeholders placeholders(settings, {{"work", "results/test"}, {"work[other]", "results/other"}});
    const Bindings bindings{{"seed", 1}, {"name", "x"}};
    const auto fill = [&](const std::string& text) { return placeholders.fill(text, bindings); };
    EXPECT_EQ(fill("{work}/{seed}-{n}"), "results/test/1-3");
    EXPECT_EQ(fill("{work[other]}/a"), "results/other/a");
    EXPECT_EQ(fill("{by[name]} {by[key]}"), "ex ex");
    EXPECT_EQ(fill("{{seed}} {} { seed } {\"a\": {\"b\": 1}} ${x y}"), "{seed} {} { seed } {\"a\": {\"b\": 1}} ${x y}");
    EXPECT_THROW(fill("{nothing}"), PlaceholderError);
    EXPECT_THROW(fill("{list}"), PlaceholderError);
    EXPECT_THROW(fill("{by[n]}"), PlaceholderError);
    EXPECT_EQ(placeholders.fill_arguments({"{list}", "{by[seed]}", "-{n}"}, bindings),
              (std::vector<std::string>{"a", "b3", "p", "q", "-3"}));
}

TEST(ExperimentSteps, RunThroughAllLoops) {
    const Experiment experiment = experiment_from(R"({"title": "t", "settings": {"seeds": [1, 2]}, "steps": [
        {"name": "s", "for": {"kind": ["a", "b"], "seed": "seeds"}, "run": ["neumann", "{kind}{seed}", "{work}/x", "{threads}"]}]})");
    const std::vector<StepInstance> instances = expand_steps(experiment, folders);
    ASSERT_EQ(instances.size(), 4U);
    EXPECT_EQ(plain_text(instances[1].bindings), "kind a, seed 2");
    EXPECT_EQ(instances[1].run, (std::vector<std::string>{"neumann", "a2", "results/test/x", "2"}));
    EXPECT_EQ(instances[1].shown, (std::vector<std::string>{"neumann", "a2", "{work}/x", "{threads}"}));
    EXPECT_NE(instances[0].key, instances[1].key);
    const RunFolders elsewhere{"other", "/somewhere", "/usr/bin/neumann", 16};
    EXPECT_EQ(expand_steps(experiment, elsewhere)[1].key, instances[1].key);  // the same on every machine
}

std::vector<StepInstance> chain(Experiment& kept, const std::string& size) {
    kept = experiment_from(R"({"title": "t", "steps": [
        {"name": "make", "run": ["make", "-n", ")" +
                           size + R"(", "-o", "{work}/data"]},
        {"name": "use", "run": ["use", "{work}/data/train", "--out={work}/model"]},
        {"name": "other", "run": ["other", "{work}/data2"]},
        {"name": "last", "run": ["sh", "-c", "cat {work}/model > {work}/sum"]}],
        "baselines": [{"name": "net", "run": ["net", "{work}/data"]}]})");
    return expand_steps(kept, folders);
}

TEST(ExperimentSteps, KnowWhoMakesTheirFiles) {
    Experiment experiment;
    const std::vector<StepInstance> small = chain(experiment, "1");
    EXPECT_TRUE(small[0].makers.empty());
    EXPECT_EQ(small[1].makers, std::vector<std::size_t>{0});
    EXPECT_TRUE(small[2].makers.empty());
    EXPECT_EQ(small[3].makers, std::vector<std::size_t>{1});
    EXPECT_EQ(needed_for_baselines(small, experiment), (std::vector<bool>{true, false, false, false, true}));
    Experiment changed;
    const std::vector<StepInstance> large = chain(changed, "2");
    for (const std::size_t i : {0U, 1U, 3U, 4U}) EXPECT_NE(small[i].key, large[i].key) << i;
    EXPECT_EQ(small[2].key, large[2].key);
}

TEST(StepRecord, IsUsedAgainUnlessTheCommandChanged) {
    const TemporaryFolder folder;
    const RecordFolder records(folder.path());
    Experiment small_experiment, large_experiment;
    const StepInstance small = chain(small_experiment, "1")[0];
    const StepInstance large = chain(large_experiment, "2")[0];
    EXPECT_FALSE(records.find(small));
    StepRecord record;
    record.command = small.shown;
    record.values["x"] = 7;
    record.seconds = 1.5;
    record.errors = "\xFF broken";  // no UTF-8
    records.keep(small, record);
    ASSERT_TRUE(records.find(small));
    EXPECT_EQ(records.find(small)->values["x"], 7);
    EXPECT_EQ(records.find(small)->seconds, 1.5);
    EXPECT_FALSE(records.find(large));
    records.forget(large);  // about to run: what the other command left is overwritten
    EXPECT_FALSE(records.find(small));
    folder.write("make-" + small.key + ".json", "{\"for\":");
    EXPECT_FALSE(records.find(small));
}

TEST(StepRecord, ForgetsOnlyItsOwn) {
    const TemporaryFolder folder;
    const RecordFolder records(folder.path());
    Experiment experiment = experiment_from(R"({"title": "t", "steps": [
        {"name": "a", "for": {"seed": [1, 2]}, "run": ["x", "{seed}"]}, {"name": "a-b", "for": {"seed": [1]}, "run": ["y"]}]})");
    const std::vector<StepInstance> all = expand_steps(experiment, folders);
    for (const StepInstance& one : all) records.keep(one, record_of(one.bindings, Json::object()));
    records.forget(all[0]);
    EXPECT_FALSE(records.find(all[0]));
    EXPECT_TRUE(records.find(all[1]));
    EXPECT_TRUE(records.find(all[2]));
}

TEST(StepRecord, KeepsTheEndOfLongErrors) {
    const TemporaryFolder folder;
    EXPECT_EQ(tail_of(folder.write("a", "one\ntwo\nthree\n"), 8), "three\n");
    EXPECT_EQ(tail_of(folder.write("b", "one\n"), 100), "one\n");
    EXPECT_EQ(tail_of(folder.path() / "none"), "");
}

}  // namespace
}  // namespace neumann::app
