// From pictures to lines of examples: {"id": …, "atoms": {…}, "label": …}, as `reason` and `learn` read them.
#pragma once

#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "logic/signature.h"
#include "picture_options.h"
#include "valuation/predicates.h"
#include "valuation/soft_valuation.h"

namespace neumann::app {

class PictureLines {
public:
    // Borrows all three. `ask`: the query atom of examples that have none of their own; empty: none. Throws what
    // opening a network throws; UsageError for a program that says nothing about pictures.
    // `keep_looked`: what was seen stays until it is forgotten.
    PictureLines(const Signature& signature, const PictureList& list, const PictureOptions& options, std::string ask,
                 bool keep_looked = false);

    // The next example, with its newline; nothing after the last. Throws UsageError for what the program cannot say.
    std::optional<std::string> next();

    // What is known about the example of a line, counted from 1. May be called while another thread is in next().
    const PictureExample& example_of_line(std::size_t line);

    // What was seen in the pictures of a line; null if it is not kept. May be called while another thread is in next().
    std::shared_ptr<const LookedExample> looked_at_line(std::size_t line);
    void forget_up_to(std::size_t line);

    // The answer that is known to the question that is asked, which may be another one than the list's own; or empty.
    std::string answer_of(const PictureExample& example) const;

    bool keeps() const { return looking_.keeps(); }  // what is seen, for the next time
    std::size_t done() const { return looking_.done(); }
    std::size_t total() const { return looking_.total(); }
    // Says on standard error what was left out; throws CommandFailed if that was everything.
    void finish() const;

private:
    const SoftValuation& valuation_for(const SeenObjects& seen);
    std::string query_of(const PictureExample& example) const;

    const Signature& signature_;
    Looking looking_;
    PredicateWeights weights_;
    std::string ask_;
    std::map<std::string_view, SoftValuation> valuations_;  // by the name of the layout
    std::mutex mutex_;
    std::vector<const PictureExample*> lines_;  // guarded
    bool keep_looked_;
    std::map<std::size_t, std::shared_ptr<const LookedExample>> looked_;  // guarded; by line
    std::size_t crowded_ = 0;     // examples with more objects than the program has constants for
    std::size_t unasked_ = 0;     // examples without a question
    bool has_questions_ = false;  // whether the program waits for one
};

// Runs it on a thread of its own and hands the lines over through a pipe, which holds only so many of them.
class PicturePipe {
public:
    explicit PicturePipe(PictureLines& lines);  // borrowed; throws FileError
    ~PicturePipe();                             // whoever reads must have closed the file
    PicturePipe(const PicturePipe&) = delete;
    PicturePipe& operator=(const PicturePipe&) = delete;

    std::FILE* take_file();  // to read from; the caller closes it
    void finish();           // after the last line: throws what the thread threw

private:
    void write_lines(int to);

    PictureLines& lines_;
    std::FILE* file_ = nullptr;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace neumann::app
