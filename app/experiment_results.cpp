#include "experiment_results.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/atomic_file.h"

namespace neumann::app {

std::vector<const StepRecord*> ExperimentResults::matching(const Lookup& lookup, const Bindings& bound) const {
    std::vector<const StepRecord*> found;
    const bool is_step = !lookup.step.empty();
    for (const NamedRecord& one : is_step ? steps : baselines) {
        if (one.name != (is_step ? lookup.step : lookup.baseline)) continue;
        const auto agrees = [&](const auto& wanted) {
            const Json* value = binding(one.record.bindings, wanted.first);
            return value != nullptr && *value == wanted.second;
        };
        if (std::ranges::all_of(bound, agrees) && std::ranges::all_of(lookup.where, agrees))
            found.push_back(&one.record);
    }
    return found;
}

std::filesystem::path baseline_file(const std::filesystem::path& folder, const Experiment& experiment,
                                    const std::string& baseline) {
    return folder / fmt::format("{}-{}.json", experiment.name, baseline);
}

std::vector<StepRecord> read_baseline(const std::filesystem::path& file) {
    std::vector<StepRecord> records;
    if (!std::filesystem::exists(file)) return records;
    const std::string name = file.string();
    const Json json = read_json_file(file);
    for (const CheckedJson& run : CheckedJson(name, json).at("runs").elements()) {
        const std::optional<StepRecord> record = record_from(run.value());
        if (!record) run.fail("not the record of a run");
        records.push_back(*record);
    }
    return records;
}

void write_baseline(const std::filesystem::path& file, const Experiment& experiment, const std::string& baseline,
                    const std::vector<StepRecord>& records) {
    std::filesystem::create_directories(file.parent_path());
    Json json = {{"experiment", experiment.name}, {"baseline", baseline}, {"runs", Json::array()}};
    for (const StepRecord& record : records) json["runs"].push_back(to_json(record));
    AtomicFile out(file);
    out.write(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    out.commit();
}

}  // namespace neumann::app
