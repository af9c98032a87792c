#include "experiment_runner.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "child_process.h"
#include "experiment_numbers.h"
#include "experiment_progress.h"
#include "folder_lock.h"
#include "interrupt.h"
#include "machine.h"
#include "step_record.h"
#include "step_values.h"

namespace neumann::app {
namespace {

class Runner {
public:
    Runner(const Experiment& experiment, const RunnerOptions& options)
        : experiment_(experiment), options_(options), work_(options.folders.work(experiment.name, experiment.quick)),
          records_(work_ / "steps"), placeholders_(run_placeholders(experiment, options.folders)),
          instances_(expand_steps(experiment, options.folders)) {}

    RunOutcome run();

private:
    bool is_baseline(const StepInstance& instance) const {
        return std::ranges::any_of(experiment_.baselines, [&](const Step& one) { return &one == instance.step; });
    }
    // Of quick runs they are not worth keeping.
    std::filesystem::path baseline_path(const std::string& name) const {
        return baseline_file(experiment_.quick ? work_ / "baselines" : options_.baselines, experiment_, name);
    }
    bool wanted(std::size_t index) const;
    std::optional<StepRecord> known(const StepInstance& instance) const;
    StepRecord execute(const StepInstance& instance, ExperimentProgress& progress);
    void keep_baseline(const StepInstance& instance, StepRecord record) const;
    [[noreturn]] void fail(const StepInstance& instance, const std::string& what) const;

    const Experiment& experiment_;
    const RunnerOptions& options_;
    std::filesystem::path work_;
    RecordFolder records_;
    Placeholders placeholders_;
    std::vector<StepInstance> instances_;
    std::vector<bool> needed_;  // for the baselines
};

bool Runner::wanted(std::size_t index) const {
    return options_.run_baselines ? needed_[index] : !is_baseline(instances_[index]);
}

std::optional<StepRecord> Runner::known(const StepInstance& instance) const {
    if (options_.fresh) return std::nullopt;
    if (is_baseline(instance)) {  // perhaps from another machine
        for (const StepRecord& record : read_baseline(baseline_path(instance.step->name)))
            if (record.bindings == instance.bindings && record.command == instance.shown) return record;
    }
    std::optional<StepRecord> record = records_.find(instance);
    if (!record) return std::nullopt;
    const Step& step = *instance.step;
    const bool more_time = record->timed_out && (step.limit_seconds == 0 || step.limit_seconds > record->seconds);
    if (record->failed() && (!step.may_fail || more_time)) return std::nullopt;
    if (record->sources == step.values_text) return record;
    // Other values of the same run.
    const ChildOutcome outcome{record->exit_code, record->timed_out, false, record->seconds, record->peak_bytes};
    try {
        record->values = step_values(step, instance.bindings, placeholders_,
                                     {records_.output(instance), records_.errors(instance), outcome}, record->failed());
    } catch (const ValueError&) {
        return std::nullopt;
    }
    record->sources = step.values_text;
    records_.keep(instance, *record);
    return record;
}

void Runner::fail(const StepInstance& instance, const std::string& what) const {
    const std::string errors = tail_of(records_.errors(instance));
    throw StepFailed(fmt::format(
        "{}: step '{}'{}{}: {}\n  command: {}\n  standard output: {}\n  standard error: {}{}{}\nRun the same command "
        "again to go on from this step, or with --fresh to begin with an empty folder.",
        experiment_.name, instance.step->name, instance.bindings.empty() ? "" : ", ", plain_text(instance.bindings),
        what, quoted_command(instance.run), records_.output(instance).string(), records_.errors(instance).string(),
        errors.empty() ? "" : ", which ends with\n", errors.substr(0, errors.find_last_not_of('\n') + 1)));
}

StepRecord Runner::execute(const StepInstance& instance, ExperimentProgress& progress) {
    if (records_.forget(instance))
        for (const std::string& path : instance.made) std::filesystem::remove_all(work_ / path);
    const Step& step = *instance.step;
    ChildRequest request;
    request.command = instance.run;
    if (request.command.front() == "neumann") request.command.front() = options_.folders.executable;
    request.output = records_.output(instance);
    request.errors = records_.errors(instance);
    request.limit_seconds = step.limit_seconds;
    request.stop = &InterruptGuard::requested();
    request.waiting = [&](double seconds) { progress.waits(seconds); };
    const ChildOutcome outcome = run_child(request);
    if (outcome.stopped || InterruptGuard::requested())
        throw RunStopped(fmt::format("{}: stopped in step '{}'", experiment_.name, step.name));

    const bool failed = outcome.exit_code != 0 || outcome.timed_out;
    if (failed && !step.may_fail) {
        fail(instance, outcome.timed_out ? fmt::format("stopped at its limit of {} s", step.limit_seconds)
                                         : fmt::format("failed with exit code {}", outcome.exit_code));
    }
    StepRecord record;
    record.bindings = instance.bindings;
    record.command = instance.shown;
    record.sources = step.values_text;
    record.seconds = outcome.seconds;
    record.peak_bytes = outcome.peak_bytes;
    record.exit_code = outcome.exit_code;
    record.timed_out = outcome.timed_out;
    record.finished = time_of_day();
    record.version = NEUMANN_VERSION;
    record.machine = describe_machine();
    record.errors = tail_of(request.errors);
    try {
        record.values =
            step_values(step, instance.bindings, placeholders_, {request.output, request.errors, outcome}, failed);
    } catch (const ValueError& error) {
        fail(instance, error.what());
    }
    records_.keep(instance, record);
    return record;
}

void Runner::keep_baseline(const StepInstance& instance, StepRecord record) const {
    if (instance.step->values.empty()) return;  // it only made files for others
    const std::filesystem::path path = baseline_path(instance.step->name);
    std::vector<StepRecord> kept;
    for (const Bindings& bindings : combinations(instance.step->loops)) {
        if (bindings == record.bindings) {
            record.errors.clear();
            kept.push_back(record);
            continue;
        }
        for (const StepRecord& old : read_baseline(path))
            if (old.bindings == bindings) kept.push_back(old);
    }
    write_baseline(path, experiment_, instance.step->name, kept);
}

RunOutcome Runner::run() {
    std::optional<FolderLock> lock;
    if (!options_.only_collect) {
        lock.emplace(work_);
        if (options_.fresh && !options_.run_baselines) std::filesystem::remove_all(work_);
        std::filesystem::create_directories(work_ / "steps");
    }
    needed_ = needed_for_baselines(instances_, experiment_);
    std::vector<const StepInstance*> plan;
    for (std::size_t i = 0; i < instances_.size(); ++i)
        if (wanted(i)) plan.push_back(&instances_[i]);
    std::vector<std::string> names;
    for (const StepInstance* instance : plan) names.push_back(instance->step->name);

    RunOutcome out;
    ExperimentProgress progress(experiment_.name, names, options_.quiet);
    std::vector<std::optional<StepRecord>> records(plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i) {
        records[i] = known(*plan[i]);
        if (!records[i]) continue;
        progress.took(i, records[i]->seconds);
        ++out.reused;
    }
    for (std::size_t i = 0; i < plan.size() && !options_.only_collect; ++i) {
        if (records[i]) continue;
        if (InterruptGuard::requested()) throw RunStopped(fmt::format("{}: stopped", experiment_.name));
        progress.begins(i, plain_text(plan[i]->bindings));
        records[i] = execute(*plan[i], progress);
        progress.took(i, records[i]->seconds);
        if (is_baseline(*plan[i])) keep_baseline(*plan[i], *records[i]);
        progress.ends(fmt::format("{}{}", format_duration(records[i]->seconds),
                                  records[i]->timed_out  ? ", stopped at its limit"
                                  : records[i]->failed() ? fmt::format(", exit code {}", records[i]->exit_code)
                                                         : ""));
        ++out.ran;
    }
    for (std::size_t i = 0; i < plan.size(); ++i) {
        if (!records[i]) {
            ++out.missing;
        } else if (!is_baseline(*plan[i])) {
            out.results.steps.push_back({names[i], *records[i]});
        }
    }
    for (const Step& baseline : experiment_.baselines)
        for (StepRecord& record : read_baseline(baseline_path(baseline.name)))
            out.results.baselines.push_back({baseline.name, std::move(record)});
    return out;
}

}  // namespace

RunOutcome run_experiment(const Experiment& experiment, const RunnerOptions& options) {
    return Runner(experiment, options).run();
}

}  // namespace neumann::app
