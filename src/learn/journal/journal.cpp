#include "learn/journal/journal.h"

#include <fstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/files.h"
#include "base/unfinished_files.h"
#include "learn/task/learn_error.h"

namespace neumann {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RoundRecord, scores, alike, precise, uniform_weight, loss)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WeightsRecord::Epoch, train_loss, validation_loss, validation_accuracy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WeightsRecord, best_epoch, best_loss, best_accuracy, random_state, logits,
                                   best_logits, optimiser, epochs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SearchRecord, reason, clauses, invented, size, description, candidates,
                                   finished_body, shortest, ended, work, counts, equals, notes, proof, values)

namespace {

constexpr std::string_view format_family = "neumann-learning-";
constexpr std::string_view format_name = "neumann-learning-4";

// A journal with a number changed by hand is refused: its run could not be repeated.
std::string digest_of_steps(const nlohmann::json& steps) {
    const std::string text = steps.dump();
    return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

nlohmann::json to_json(const Journal::Record& record) {
    return std::visit(
        [](const auto& one) {
            using Kind = std::decay_t<decltype(one)>;
            constexpr bool is_round = std::is_same_v<Kind, RoundRecord>;
            return nlohmann::json{{is_round                             ? "round"
                                   : std::is_same_v<Kind, SearchRecord> ? "search"
                                                                        : "weights",
                                   one}};
        },
        record);
}

Journal::Record from_json(const nlohmann::json& json) {
    if (json.contains("round")) return json.at("round").get<RoundRecord>();
    if (json.contains("search")) return json.at("search").get<SearchRecord>();
    return json.at("weights").get<WeightsRecord>();
}

// What is written here is flat; writing deep JSON again calls itself.
bool not_deep(int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    constexpr int deepest = 100;
    if (depth > deepest) throw nlohmann::json::out_of_range::create(401, "nested too deep", nullptr);
    return true;
}

}  // namespace

Journal::Journal(std::filesystem::path file, std::string fingerprint)
    : file_(std::move(file)), fingerprint_(std::move(fingerprint)) {
    if (!file_.empty()) remove_abandoned_copies(file_);
}

std::string Journal::text_of(const std::string& fingerprint, const std::string& steps) {
    try {
        nlohmann::json json = {{"format", format_name}, {"fingerprint", fingerprint}, {"seconds", 1.5}};
        json["steps"] = nlohmann::json::parse(steps, not_deep);
        json["digest"] = digest_of_steps(json["steps"]);
        return json.dump();
    } catch (const nlohmann::json::exception& error) {
        throw LearnError(error.what());
    }
}

bool Journal::resume() {
    if (file_.empty()) return false;
    std::ifstream in(file_, std::ios::binary);
    if (!in) return false;
    const auto refused = [&](std::string_view why) {
        return LearnError(
            fmt::format("{} cannot be resumed: {}; remove it or leave out --resume", file_.string(), why));
    };
    try {
        const nlohmann::json json = nlohmann::json::parse(in, not_deep);
        const auto format = json.at("format").get<std::string>();
        if (!format.starts_with(format_family)) throw refused("it is no journal of learning");
        if (format != format_name) throw refused("another version of neumann wrote it");
        if (json.at("fingerprint") != fingerprint_)
            throw refused("the program, the examples or the options are not those of the run that wrote it");
        if (json.at("digest") != digest_of_steps(json.at("steps"))) throw refused("it is damaged");
        std::map<std::string, Record> records;
        for (const auto& [step, record] : json.at("steps").items()) records.emplace(step, from_json(record));
        seconds_before_ = json.at("seconds").get<double>();
        records_ = std::move(records);
    } catch (const nlohmann::json::exception&) {
        throw refused("it is damaged");
    }
    return true;
}

void Journal::record(const std::string& step, Record record) {
    if (file_.empty()) return;
    records_.insert_or_assign(step, std::move(record));
    nlohmann::json json = {
        {"format", format_name}, {"fingerprint", fingerprint_}, {"seconds", seconds_before_ + seconds_}};
    nlohmann::json& steps = json["steps"] = nlohmann::json::object();
    for (const auto& [name, one] : records_) steps[name] = to_json(one);
    json["digest"] = digest_of_steps(steps);
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
