// The refinement operator against the public log of learning the red triangle: the clauses of every round are those
// that follow from the sampled ones, and clauses that are one here were given one score there.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/clauses/refine.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

struct Round {
    std::vector<std::pair<double, std::string>> scored;
    std::vector<std::string> sampled;  // of the scored ones
};

// Beside the repository, where it is: the log of the authors' repository.
fs::path log_file() { return fs::path(NEUMANN_SOURCE_DIR) / "../shared/data/original/redtriangle_log.txt"; }

std::vector<Round> read_log() {
    std::ifstream in(log_file());
    std::vector<Round> rounds;
    bool scores = false;
    bool samples = false;
    for (std::string line; std::getline(in, line);) {
        const std::size_t clause = line.find("kp(X):-");
        if (line.starts_with("==== CLAUSE SCORES")) {
            rounds.emplace_back();
            scores = true;
            samples = false;
        } else if (line.starts_with("=== CLAUSES TO BE REFINED")) {
            scores = false;
            samples = true;
        } else if (clause == std::string::npos) {
            scores = samples = false;
        } else if (scores) {
            rounds.back().scored.emplace_back(std::stod(line), line.substr(clause));
        } else if (samples) {
            rounds.back().sampled.push_back(line.substr(clause));
        }
    }
    return rounds;
}

// The modes of the program in the log: Table 9 but for the recall of pairs of the same colour or shape.
std::string program_text() {
    std::ifstream in(fs::path(NEUMANN_SOURCE_DIR) / "examples/kandinsky/red_triangle.nm");
    std::string text;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(":- modeb(2, same_")) line.replace(line.find('2'), 1, "1");
        text += line + "\n";
    }
    return text;
}

TEST(PublishedLog, EveryRoundHasTheRefinementsOfTheOneBefore) {
    if (!fs::exists(log_file())) GTEST_SKIP() << "without " << log_file();
    const std::vector<Round> rounds = read_log();
    ASSERT_EQ(rounds.size(), 6U);
    std::string text = program_text();
    std::map<std::string, std::size_t> line_of;  // clauses of the log, read as clauses behind those of the program
    std::size_t count = 0;
    const auto add = [&](const std::string& clause) {
        if (line_of.try_emplace(clause, count).second) {
            text += clause + "\n";
            ++count;
        }
    };
    for (const Round& round : rounds) {
        for (const auto& [score, clause] : round.scored) add(clause);
        for (const std::string& clause : round.sampled) add(clause);
    }
    ReadProgram read_text = read(text);
    ASSERT_FALSE(read_text.diagnostics.has_errors()) << rendered(read_text);
    Program& program = read_text.program;
    const std::size_t first = program.clauses.size() - count;
    Refiner refiner(program, {program.modes, {}});
    const auto clause_of = [&](const std::string& clause) {
        return refiner.canonical(program.clauses[first + line_of.at(clause)]);
    };
    const auto readable = [&](const SearchClause& clause) { return print_clause(program, refiner.readable(clause)); };

    for (std::size_t r = 1; r < rounds.size(); ++r) {
        SCOPED_TRACE(r);
        std::set<std::string> refined;
        for (const std::string& clause : rounds[r - 1].sampled) {
            for (const SearchClause& one : refiner.refine(clause_of(clause))) {
                // Ours also makes two variables one; theirs does not.
                if (one.clause.variables.size() == 3) refined.insert(readable(one));
            }
        }
        std::set<std::string> scored;
        for (const auto& [score, clause] : rounds[r].scored) scored.insert(readable(clause_of(clause)));
        EXPECT_EQ(refined, scored);
    }
    // Clauses that differ in the names of the objects alone.
    std::size_t twins = 0;
    for (const Round& round : rounds) {
        std::map<std::string, double> score_of;
        for (const auto& [score, clause] : round.scored) {
            // In three rounds the first clause of the tensor has a score like that, and not that of its mirror image.
            if (score < -100) continue;
            const auto [known, is_new] = score_of.try_emplace(readable(clause_of(clause)), score);
            twins += is_new ? 0 : 1;
            EXPECT_NEAR(known->second, score, 1e-9) << clause;
        }
    }
    EXPECT_GT(twins, 40U);
}

}  // namespace
}  // namespace neumann
