// Journal of a learning run: the results so far, so that a run that was killed can resume. Learning is a sequence of
// steps, each a function of the ones before; the journal keeps the result of each step. A resumed
// run takes the same decisions from the same numbers: its outcome is the same to the bit.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>

#include "learn/journal/journal_records.h"

namespace neumann {

class Journal {
public:
    using Record = std::variant<RoundRecord, WeightsRecord, SearchRecord>;

    Journal() = default;  // keeps nothing
    // Written to this file after every step. `fingerprint` identifies the inputs of the run (program, data, options).
    Journal(std::filesystem::path file, std::string fingerprint);

    // Loads the steps of an earlier run of the same fingerprint; false if there is no such file. Throws
    // LearnError if the file is of another run, of another version or damaged.
    bool resume();

    // The result of a step; null if it has not been recorded, or was a step of another kind.
    template <class Kind>
    const Kind* find(const std::string& step) const {
        const auto found = records_.find(step);
        return found == records_.end() ? nullptr : std::get_if<Kind>(&found->second);
    }
    void record(const std::string& step, Record record);            // throws FileError
    void forget(const std::string& step) { records_.erase(step); }  // with the next record

    double seconds_before() const { return seconds_before_; }  // time of earlier runs
    void set_clock(double seconds) { seconds_ = seconds; }     // of this run; goes into the file with the next record
    void remove();                                             // the file: the run is done

    // The text of a journal with these steps, as JSON; for tests. Throws LearnError if they are none.
    static std::string text_of(const std::string& fingerprint, const std::string& steps);

private:
    std::filesystem::path file_;
    std::string fingerprint_;
    std::map<std::string, Record> records_;
    double seconds_before_ = 0;
    double seconds_ = 0;
};

}  // namespace neumann
