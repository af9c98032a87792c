// What is kept of each finished run of a step, so that an experiment goes on where it was stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "checked_json.h"
#include "experiment_steps.h"

namespace neumann::app {

struct StepRecord {
    Bindings bindings;
    std::vector<std::string> command;  // as shown
    Json values = Json::object();
    std::string sources;  // of the values, as the file declared them
    double seconds = 0;
    std::uint64_t peak_bytes = 0;
    int exit_code = 0;
    bool timed_out = false;
    std::string finished;  // date and time, UTC
    std::string version;
    std::string errors;  // the end of standard error
    Json machine;        // what kind it was

    bool failed() const { return exit_code != 0 || timed_out; }
};

Json to_json(const StepRecord& record);
std::optional<StepRecord> record_from(const Json& json);  // nothing for what is not a record

std::string time_of_day();  // now, UTC: 2024-05-17T09:30:00Z

// The last lines of a file, of at most so many bytes.
std::string tail_of(const std::filesystem::path& file, std::size_t bytes = 2000);

// The records of an experiment, in a folder: NAME-KEY.json, and standard output and error beside it.
class RecordFolder {
public:
    explicit RecordFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path output(const StepInstance& instance) const { return file(instance, ".out"); }
    std::filesystem::path errors(const StepInstance& instance) const { return file(instance, ".err"); }

    // Nothing if the step has not finished with this command, or with one before it that made its files.
    std::optional<StepRecord> find(const StepInstance& instance) const;
    // Before a step runs: what it left before, also with other commands, is no longer true. Says whether there was a
    // run with another command, whose files are not to be gone on from.
    bool forget(const StepInstance& instance) const;
    void keep(const StepInstance& instance, const StepRecord& record) const;  // at once or not at all

private:
    std::filesystem::path file(const StepInstance& instance, const std::string& ending) const;
    std::filesystem::path folder_;
};

}  // namespace neumann::app
