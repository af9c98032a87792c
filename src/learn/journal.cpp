#include "learn/journal.h"

#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/atomic_file.h"
#include "learn/learn_error.h"

namespace neumann {
namespace {

constexpr const char* format_name = "neumann-learning-1";

// Whoever changes a number by hand gets a refusal instead of a run that nobody could repeat.
std::string digest(const nlohmann::json& steps) {
    const std::string text = steps.dump();
    return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace

Journal::Journal(std::filesystem::path file, std::string fingerprint)
    : file_(std::move(file)), fingerprint_(std::move(fingerprint)) {}

bool Journal::resume() {
    if (file_.empty()) return false;
    std::ifstream in(file_, std::ios::binary);
    if (!in) return false;
    const auto damaged = [&](std::string_view why) {
        return LearnError(
            fmt::format("{} cannot be resumed: {}; remove it or leave out --resume", file_.string(), why));
    };
    try {
        const nlohmann::json json = nlohmann::json::parse(in);
        if (json.at("format") != format_name) throw damaged("it is no journal of learning");
        if (json.at("fingerprint") != fingerprint_)
            throw damaged("the program, the examples or the options are not those of the run that wrote it");
        if (json.at("digest") != digest(json.at("steps"))) throw damaged("it is damaged");
        seconds_before_ = json.at("seconds").get<double>();
        steps_ = json.at("steps").get<std::map<std::string, std::vector<double>>>();
    } catch (const nlohmann::json::exception&) {
        throw damaged("it is damaged");
    }
    return true;
}

const std::vector<double>* Journal::find(const std::string& step) const {
    const auto found = steps_.find(step);
    return found == steps_.end() ? nullptr : &found->second;
}

void Journal::record(const std::string& step, std::vector<double> numbers) {
    if (file_.empty()) return;
    steps_[step] = std::move(numbers);
    nlohmann::json json = {
        {"format", format_name}, {"fingerprint", fingerprint_}, {"seconds", seconds_before_ + seconds_}};
    json["steps"] = steps_;
    json["digest"] = digest(json["steps"]);
    AtomicFile out(file_);
    out.write(json.dump());
    out.commit(false);
}

void Journal::remove() {
    if (file_.empty()) return;
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
}

}  // namespace neumann
