// What has been computed so far, so that a run that was killed goes on where it was. Learning is a sequence of steps,
// each a function of the ones before; the journal keeps the numbers that a step came to. A resumed run takes the same
// decisions from the same numbers: its outcome is the same to the bit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

class Journal {
public:
    Journal() = default;  // keeps nothing
    // Written to this file after every step. `fingerprint` says what the run depends on (program, data, options).
    Journal(std::filesystem::path file, std::string fingerprint);

    // Takes over what an earlier run of the same fingerprint has written; false if there is no such file. Throws
    // LearnError if the file is of another run or damaged.
    bool resume();

    const std::vector<double>* find(const std::string& step) const;
    void record(const std::string& step, std::vector<double> numbers);  // throws FileError
    void forget(const std::string& step) { steps_.erase(step); }        // with the next record

    double seconds_before() const { return seconds_before_; }  // what earlier runs took
    void set_clock(double seconds) { seconds_ = seconds; }     // of this run; goes into the file with the next record
    void remove();                                             // the file: the run is done

private:
    std::filesystem::path file_;
    std::string fingerprint_;
    std::map<std::string, std::vector<double>> steps_;
    double seconds_before_ = 0;
    double seconds_ = 0;
};

}  // namespace neumann
