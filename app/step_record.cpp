#include "step_record.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/utf8.h"

namespace neumann::app {
namespace {

std::optional<Json> json_in(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    Json json = Json::parse(file, nullptr, false);
    if (json.is_discarded()) return std::nullopt;
    return json;
}

}  // namespace

Json to_json(const StepRecord& record) {
    Json bindings = Json::object();
    for (const auto& [variable, value] : record.bindings) bindings[variable] = value;
    Json json = {{"for", bindings},
                 {"command", record.command},
                 {"values", record.values},
                 {"sources", record.sources},
                 {"seconds", record.seconds},
                 {"peak_bytes", record.peak_bytes},
                 {"exit_code", record.exit_code},
                 {"timed_out", record.timed_out},
                 {"finished", record.finished},
                 {"version", record.version}};
    if (!record.machine.is_null()) json["machine"] = record.machine;
    if (!record.errors.empty()) json["errors"] = record.errors;
    return json;
}

std::optional<StepRecord> record_from(const Json& json) {
    try {
        StepRecord record;
        for (const auto& [variable, value] : json.at("for").items()) record.bindings.emplace_back(variable, value);
        record.command = json.at("command").get<std::vector<std::string>>();
        record.values = json.at("values");
        record.sources = json.at("sources").get<std::string>();
        record.seconds = json.at("seconds").get<double>();
        record.peak_bytes = json.at("peak_bytes").get<std::uint64_t>();
        record.exit_code = json.at("exit_code").get<int>();
        record.timed_out = json.at("timed_out").get<bool>();
        record.finished = json.at("finished").get<std::string>();
        record.version = json.at("version").get<std::string>();
        record.errors = json.value("errors", "");
        if (json.contains("machine")) record.machine = json.at("machine");
        return record;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

std::string time_of_day() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string tail_of(const std::filesystem::path& file, std::size_t bytes) {
    std::ifstream stream(file, std::ios::binary | std::ios::ate);
    if (!stream) return {};
    const auto size = static_cast<std::size_t>(stream.tellg());
    const std::size_t begin = size > bytes ? size - bytes : 0;
    stream.seekg(static_cast<std::streamoff>(begin));
    std::string text(size - begin, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (begin > 0) {  // from the next line on, or at least from the next character
        const std::size_t line = text.find('\n');
        std::size_t cut = line == std::string::npos ? 0 : line + 1;
        while (cut < text.size() && continues_character(text[cut])) ++cut;
        text.erase(0, cut);
    }
    return text;
}

std::filesystem::path RecordFolder::file(const StepInstance& instance, const std::string& ending) const {
    return folder_ / fmt::format("{}-{}{}", instance.step->name, instance.key, ending);
}

std::optional<StepRecord> RecordFolder::find(const StepInstance& instance) const {
    const std::optional<Json> json = json_in(file(instance, ".json"));
    return json ? record_from(*json) : std::nullopt;
}

bool RecordFolder::forget(const StepInstance& instance) const {
    std::error_code ignored;
    const std::string prefix = instance.step->name + "-";
    const std::size_t length = prefix.size() + instance.key.size();  // other steps' names may begin in the same way
    std::vector<std::filesystem::path> old;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
        const std::filesystem::path& path = entry.path();
        const std::string stem = path.stem().string();
        if (path.extension() != ".json" || stem.size() != length || !stem.starts_with(prefix)) continue;
        const std::optional<Json> json = json_in(path);
        const std::optional<StepRecord> record = json ? record_from(*json) : std::nullopt;
        if (!record || record->bindings == instance.bindings) old.push_back(path);
    }
    bool other_command = false;
    for (std::filesystem::path path : old) {
        other_command = other_command || path != file(instance, ".json");
        for (const char* ending : {".json", ".out", ".err"}) std::filesystem::remove(path.replace_extension(ending));
    }
    return other_command;
}

void RecordFolder::keep(const StepInstance& instance, const StepRecord& record) const {
    AtomicFile out(file(instance, ".json"));
    out.write(to_json(record).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    out.commit();
}

}  // namespace neumann::app
