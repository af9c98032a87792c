#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/rng.h"
#include "learn/journal/journal.h"
#include "learn/task/learn_error.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

using Numbers = std::vector<double>;

RoundRecord round_of(Numbers scores) {
    RoundRecord record;
    record.scores = std::move(scores);
    return record;
}

std::vector<std::uint64_t> bits(const Numbers& numbers) {
    std::vector<std::uint64_t> result;
    for (const double number : numbers) result.push_back(std::bit_cast<std::uint64_t>(number));
    return result;
}

std::string refusal(Journal journal) {
    try {
        journal.resume();
    } catch (const LearnError& error) {
        return error.what();
    }
    return "not refused";
}

TEST(Journal, NumbersComeBackToTheBit) {
    const TemporaryFolder folder;
    using Limits = std::numeric_limits<double>;
    Numbers odd = {0.0,
                   -0.0,
                   1.0 / 3,
                   -1e300,
                   1e300,
                   Limits::max(),
                   Limits::min(),
                   Limits::denorm_min(),
                   3e-310,
                   0.1,
                   1e22,
                   9007199254740993.0,
                   std::nextafter(1.0, 2.0),
                   -4294967295.0};
    Rng rng(1);
    std::cout << "seed 1" << std::endl;
    while (odd.size() < 2000) {
        const double any = std::bit_cast<double>(rng.next());
        if (std::isfinite(any)) odd.push_back(any);
    }
    Journal writer(folder.path() / "run", "one");
    writer.record("odd", round_of(odd));
    writer.record("none", round_of({}));
    Journal reader(folder.path() / "run", "one");
    ASSERT_TRUE(reader.resume());
    ASSERT_NE(reader.find<RoundRecord>("odd"), nullptr);
    EXPECT_EQ(bits(reader.find<RoundRecord>("odd")->scores), bits(odd));
    ASSERT_NE(reader.find<RoundRecord>("none"), nullptr);
    EXPECT_TRUE(reader.find<RoundRecord>("none")->scores.empty());
    EXPECT_EQ(reader.find<RoundRecord>("other"), nullptr);
}

TEST(Journal, EveryFieldOfARecordComesBack) {
    const TemporaryFolder folder;
    const RoundRecord round{{1.5, -2}, {0, 4294967295U}, {true, false}, 0.25, 1e-300};
    SearchRecord search;
    search.clauses = {"p(X) :- q(X,Y)."};
    search.invented = {{"inv1", "node"}};
    search.size = 2;
    search.description = 2.25;
    search.candidates = 12345678901ULL;
    search.finished_body = 3;
    search.shortest = true;
    search.counts = {1, 2, 3, 4};
    search.values = {0, 1};
    const WeightsRecord weights{3,      0.125, 0.75,   0xfedcba9876543210ULL,
                                {1, 2}, {3},   {4, 5}, {{0.5, 0.25, 1}, {0.375, -0.0, 0.5}}};
    Journal writer(folder.path() / "run", "one");
    writer.record("round", round);
    writer.record("weights", weights);
    writer.record("search", search);
    Journal reader(folder.path() / "run", "one");
    ASSERT_TRUE(reader.resume());
    ASSERT_NE(reader.find<RoundRecord>("round"), nullptr);
    EXPECT_EQ(*reader.find<RoundRecord>("round"), round);
    ASSERT_NE(reader.find<WeightsRecord>("weights"), nullptr);
    EXPECT_EQ(*reader.find<WeightsRecord>("weights"), weights);
    EXPECT_EQ(reader.find<WeightsRecord>("round"), nullptr) << "it is of another kind";
    ASSERT_NE(reader.find<SearchRecord>("search"), nullptr);
    EXPECT_EQ(*reader.find<SearchRecord>("search"), search);
}

TEST(Journal, AnotherVersionsJournalIsRefused) {
    const TemporaryFolder folder;
    folder.write("run", R"({"digest":"0","fingerprint":"one","format":"neumann-learning-1","seconds":1,"steps":{}})");
    const std::string message = refusal(Journal(folder.path() / "run", "one"));
    EXPECT_NE(message.find("another version of neumann wrote it"), std::string::npos) << message;
    EXPECT_NE(message.find("remove it or leave out --resume"), std::string::npos) << message;
}

TEST(Journal, EveryRecordIsOnDiskAtOnce) {
    const TemporaryFolder folder;
    Journal writer(folder.path() / "run", "one");
    for (int step = 1; step <= 3; ++step) {
        writer.record("step " + std::to_string(step), round_of({1.0 * step}));
        Journal reader(folder.path() / "run", "one");
        ASSERT_TRUE(reader.resume());
        for (int s = 1; s <= 4; ++s)
            EXPECT_EQ(reader.find<RoundRecord>("step " + std::to_string(s)) != nullptr, s <= step);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing else is left";
}

TEST(Journal, ARecordReplacesAndForgettingRemoves) {
    const TemporaryFolder folder;
    Journal writer(folder.path() / "run", "one");
    writer.record("a", round_of({1}));
    writer.record("b", round_of({2}));
    writer.record("a", round_of({3}));
    writer.forget("b");
    EXPECT_EQ(writer.find<RoundRecord>("b"), nullptr);
    writer.record("c", round_of({4}));
    Journal reader(folder.path() / "run", "one");
    ASSERT_TRUE(reader.resume());
    EXPECT_EQ(*reader.find<RoundRecord>("a"), round_of({3}));
    EXPECT_EQ(reader.find<RoundRecord>("b"), nullptr);
    EXPECT_EQ(*reader.find<RoundRecord>("c"), round_of({4}));
}

TEST(Journal, ClocksAddUpOverRuns) {
    const TemporaryFolder folder;
    Journal first(folder.path() / "run", "one");
    EXPECT_EQ(first.seconds_before(), 0);
    first.set_clock(1.25);
    first.record("a", round_of({}));
    Journal second(folder.path() / "run", "one");
    ASSERT_TRUE(second.resume());
    EXPECT_EQ(second.seconds_before(), 1.25);
    second.set_clock(2);
    second.record("b", round_of({}));
    Journal third(folder.path() / "run", "one");
    ASSERT_TRUE(third.resume());
    EXPECT_EQ(third.seconds_before(), 3.25);
}

TEST(Journal, AnotherRunsJournalIsRefused) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "run";
    Journal(file, "one").record("a", round_of({1}));
    const std::string message = refusal(Journal(file, "two"));
    EXPECT_NE(message.find(file.string()), std::string::npos) << message;
    EXPECT_NE(message.find("the program, the examples or the options"), std::string::npos) << message;
    Journal other(file, "two");
    EXPECT_THROW(other.resume(), LearnError);
    EXPECT_EQ(other.find<RoundRecord>("a"), nullptr) << "nothing was taken over";
    EXPECT_TRUE(Journal(file, "one").resume()) << "and the file is as it was";
}

TEST(Journal, ADamagedFileIsRefused) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "run";
    Journal(file, "one").record("a", round_of({1, 2, 3}));
    std::ifstream in(file, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    ASSERT_GT(whole.size(), 20U);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        folder.write("run", whole.substr(0, size));
        EXPECT_NE(refusal(Journal(file, "one")).find("cannot be resumed: it is damaged"), std::string::npos) << size;
    }
    for (const char* other : {"[]", "{}", "17", "\"text\"", "{\"format\":\"neumann-learning-4\"}",
                              R"({"format":"neumann-learning-4","fingerprint":"one","seconds":"x","steps":{}})",
                              R"({"format":"neumann-learning-4","fingerprint":"one","seconds":1,"steps":[]})",
                              R"({"format":"neumann-learning-4","fingerprint":"one","seconds":1,"steps":{"a":["x"]}})",
                              R"({"format":"neumann-learning-4","fingerprint":"one","seconds":1,"steps":{"a":1}})"}) {
        folder.write("run", other);
        EXPECT_NE(refusal(Journal(file, "one")).find("it is damaged"), std::string::npos) << other;
    }
    folder.write("run", R"({"format":"something","fingerprint":"one","seconds":1,"steps":{}})");
    EXPECT_NE(refusal(Journal(file, "one")).find("it is no journal of learning"), std::string::npos);
}

TEST(Journal, AMissingFileIsNothingToResume) {
    const TemporaryFolder folder;
    Journal journal(folder.path() / "run", "one");
    EXPECT_FALSE(journal.resume());
    journal.record("a", round_of({1}));
    journal.remove();
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "run"));
    EXPECT_FALSE(Journal(folder.path() / "run", "one").resume());
    journal.remove();  // twice is once
}

TEST(Journal, WithoutAFileNothingIsKept) {
    const std::filesystem::path before = std::filesystem::current_path();
    const TemporaryFolder folder;
    std::filesystem::current_path(folder.path());
    Journal journal;
    EXPECT_FALSE(journal.resume());
    journal.record("a", round_of({1}));
    EXPECT_EQ(journal.find<RoundRecord>("a"), nullptr);
    journal.remove();
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    std::filesystem::current_path(before);
}

TEST(Journal, AFileThatCannotBeWrittenIsAnError) {
    const TemporaryFolder folder;
    Journal journal(folder.path() / "missing" / "run", "one");
    EXPECT_THROW(journal.record("a", round_of({1})), FileError);
}

}  // namespace
}  // namespace neumann
