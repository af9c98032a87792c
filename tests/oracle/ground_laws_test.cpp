// Laws of grounding: what must not change the graph, whatever the program says.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "logic/print.h"
#include "oracle/cases.h"
#include "oracle/other_words.h"
#include "oracle/random_vocabulary.h"
#include "syntax/load.h"

namespace neumann::oracle {
namespace {

const std::vector<GroundOptions>& all_options() {
    static const std::vector<GroundOptions> all = [] {
        std::vector<GroundOptions> result;
        for (GroundMode mode : {GroundMode::Full, GroundMode::Relevant}) {
            for (FactMode facts : {FactMode::Keep, FactMode::Evaluate}) {
                GroundOptions one;
                one.mode = mode;
                one.facts = facts;
                result.push_back(one);
            }
        }
        return result;
    }();
    return all;
}

std::string describe(const GroundOptions& options, const std::string& wrong) {
    return fmt::format("{}, {}: {}", options.mode == GroundMode::Full ? "full" : "relevant",
                       options.facts == FactMode::Keep ? "keep" : "evaluate", wrong);
}

std::string compare_all(const Grounded& a, const Grounded& b) {
    if (std::string wrong = compare_graphs(a, b); !wrong.empty()) return wrong;
    if (!std::ranges::equal(a.ground.graph.clause, b.ground.graph.clause)) return "clauses differ";
    if (!std::ranges::equal(a.ground.graph.weight, b.ground.graph.weight)) return "weights differ";
    return {};
}

std::string check_threads(const Case& one) {
    for (GroundOptions options : all_options()) {
        const Grounded alone = ground_text(one.text, options);
        options.threads = 2;
        options.parallel_from = 0;  // these programs are too small for threads to pay
        if (std::string wrong = compare_all(alone, ground_text(one.text, options)); !wrong.empty())
            return describe(options, "two threads: " + wrong);
        options.threads = 1;
        // Terms that an earlier grounding left in the program are none of the next one's business.
        for (const GroundOptions& before : all_options()) {
            Grounded used = ground_program(load(one.text, true), before);
            if (std::string wrong = compare_all(alone, ground_program(std::move(used.program), options));
                !wrong.empty()) {
                return describe(options, "after another grounding: " + wrong);
            }
        }
    }
    return {};
}

// Which clause of the text a clause of the program is: each stands on a line of its own, the last of them on the last
// line.
std::size_t written_clause(const Program& program, std::size_t clause, std::size_t written) {
    const SourceFile& file = program.sources->file(0);
    const std::size_t last_line = file.locate(static_cast<std::uint32_t>(file.text().size() - 1)).line;
    return program.sources->line(program.clauses[clause].span) + written - 1 - last_line;
}

std::string compare_clauses(const Grounded& a, const Grounded& b, const std::vector<std::size_t>& original) {
    const ReasoningGraph& x = a.ground.graph;
    const ReasoningGraph& y = b.ground.graph;
    const std::size_t written = original.size();
    std::map<std::size_t, std::size_t> partner;  // merged clauses: another of the equal ones may have been kept
    for (std::uint32_t c = 0; c < x.conjunction_count(); ++c) {
        if (x.weight[x.clause[c]] != y.weight[y.clause[c]]) return "weights of conjunctions differ";
        const std::size_t first = written_clause(a.program, x.clause[c], written);
        const std::size_t second = original[written_clause(b.program, y.clause[c], written)];
        const bool merged = a.program.clauses.size() < written;
        if (first != second && !merged) return fmt::format("conjunction {} is of clause {} and {}", c, first, second);
        if (partner.try_emplace(first, second).first->second != second) return "the same clause is two";
    }
    return {};
}

std::string check_other_words(const Case& one) {
    Rng rng(one.seed);
    for (int round = 0; round < 2; ++round) {
        std::vector<std::size_t> original;
        const std::string text = text_of(in_other_words(one.source, rng, original));
        for (const GroundOptions& options : all_options()) {
            const Grounded a = ground_text(one.text, options);
            const Grounded b = ground_text(text, options);
            std::string wrong = compare_graphs(a, b);
            if (wrong.empty()) wrong = compare_clauses(a, b, original);
            if (!wrong.empty()) return describe(options, wrong) + "\nin other words:\n" + text;
        }
    }
    return {};
}

std::string check_printing(const Case& one) {
    Diagnostics diagnostics;
    const Program as_written = parse_program("seed.nm", one.text, LoadOptions{}, diagnostics);
    const std::string once = print_program(as_written);
    const Program reread = parse_program("printed.nm", once, LoadOptions{}, diagnostics);
    if (diagnostics.has_errors())
        return "printed text is refused:\n" + render(diagnostics, *reread.sources) + "\n" + once;
    const std::string twice = print_program(reread);
    if (once != twice) return "printed again, it differs:\n" + once + "\nand\n" + twice;
    for (const GroundOptions& options : all_options()) {
        const std::string wrong = compare_all(ground_text(one.text, options), ground_text(once, options));
        if (!wrong.empty()) return describe(options, wrong) + "\nprinted:\n" + once;
    }
    return {};
}

TEST(GroundLaws, ThreadsAndEarlierGroundingsChangeNothing) { check_programs(8'000'000, 200, check_threads); }
TEST(GroundLaws, OrderAndNamesChangeNothing) { check_programs(9'000'000, 500, check_other_words); }
TEST(GroundLaws, PrintedProgramsReadBackTheSame) { check_programs(10'000'000, 500, check_printing); }

}  // namespace
}  // namespace neumann::oracle
