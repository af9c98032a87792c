// Clauses from labelled atoms that are true or false, by trying everything small: for tasks in the files of Popper and
// Aleph.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <neumann/error.h>
#include <neumann/score.h>

namespace neumann {

struct InduceOptions {
    // What the search may do, counted: the same limit ends it at the same place on any machine. The default is about a
    // minute of one core.
    std::uint64_t work_limit = 6'000'000'000;
    double time_limit = 0;                      // seconds after which it is stopped; 0: none
    std::size_t memory = std::size_t{3} << 29;  // bytes that the search may keep
};

// With what it gets right of the labels.
struct InduceResult : BinaryScore {
    std::vector<std::string> clauses;
    std::size_t size = 0;          // literals, heads too
    std::uint64_t candidates = 0;  // clauses and programs that were evaluated
    unsigned finished_body = 0;    // all clauses with so many goals, and without recursion, have been dealt with
    bool shortest = false;         // no shorter program is right
    bool interrupted = false;      // by a limit, for want of memory, or by `stop`
    // How it ended: proven (no shorter program is right), exhausted (nothing is left to try), settled (a right program
    // has not become shorter for long), work limit, time limit, memory, stopped.
    std::string ended;
    std::uint64_t work = 0;  // that was done, in the units of the limit
    double seconds = 0;

    bool is_right() const { return false_positives == 0 && false_negatives == 0; }
};

struct InduceProgress {
    std::function<void(const std::string& text)> message = {};    // what was read and is not kept to
    std::function<void()> learning_begins = {};                   // all has been read
    std::function<void(const InduceResult& best)> improved = {};  // a better program
};

// Learns the task in a folder: what clauses are made of in bias.pl, facts and clauses in bk.pl, pos(…) and neg(…) in
// exs.pl. It ends with a right program that is known to be the shortest, when there is nothing left to try, when the
// time is up, or once `stop` is true; always with the best program so far. Throws Error for files that cannot be read.
InduceResult induce_popper_task(const std::filesystem::path& folder, const InduceOptions& options = {},
                                const InduceProgress& progress = {}, const std::atomic<bool>* stop = nullptr);

// The same for a task of Aleph: STEM.b with modes, determinations and settings, STEM.f with positive and STEM.n with
// negative examples, or one file with sections from ':- begin_bg.' on.
InduceResult induce_aleph_task(const std::filesystem::path& stem, const InduceOptions& options = {},
                               const InduceProgress& progress = {}, const std::atomic<bool>* stop = nullptr);

// As the command prints it: one line on the way, one JSON object, text for people, and the program as a file.
std::string induce_progress_text(const InduceResult& best);
std::string induce_json(const InduceResult& result);
std::string induce_text(const InduceResult& result);
std::string induce_program_text(const InduceResult& result, const std::string& task);

}  // namespace neumann
