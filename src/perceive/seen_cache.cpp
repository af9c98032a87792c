#include "perceive/seen_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>
#define XXH_INLINE_ALL  // the header is all that is needed
#include <xxhash.h>

namespace neumann {
namespace {

namespace fs = std::filesystem;

// A line is CHECK \t LAYOUT \t NUMBERS \t STAMP; the check is of all that follows it, numbers are floats as eight
// hexadecimal digits each, so that they come back as they were.
constexpr char separator = '\t';
constexpr std::size_t check_digits = 16;
constexpr std::size_t number_digits = 8;

std::string check_of(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

struct Fields {
    std::string_view layout;
    std::string_view numbers;
    std::string_view stamp;
};

std::optional<Fields> split(std::string_view line) {
    if (line.size() < check_digits + 1 || line[check_digits] != separator) return std::nullopt;
    const std::string_view rest = line.substr(check_digits + 1);
    const std::size_t first = rest.find(separator);
    const std::size_t second = first == std::string_view::npos ? first : rest.find(separator, first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    return Fields{rest.substr(0, first), rest.substr(first + 1, second - first - 1), rest.substr(second + 1)};
}

std::optional<SeenObjects> parse(std::string_view line, std::string_view stamp) {
    const std::optional<Fields> fields = split(line);
    if (!fields || fields->stamp != stamp || line.substr(0, check_digits) != check_of(line.substr(check_digits + 1)))
        return std::nullopt;
    SeenObjects seen;
    seen.layout = find_layout(fields->layout);
    if (seen.layout == nullptr || fields->numbers.size() % (number_digits * seen.layout->columns) != 0)
        return std::nullopt;
    for (std::size_t at = 0; at < fields->numbers.size(); at += number_digits) {
        const char* const begin = fields->numbers.data() + at;
        std::uint32_t bits = 0;
        const auto [end, error] = std::from_chars(begin, begin + number_digits, bits, 16);
        const float value = std::bit_cast<float>(bits);
        if (error != std::errc() || end != begin + number_digits || !std::isfinite(value)) return std::nullopt;
        seen.rows.push_back(value);
    }
    return seen;
}

}  // namespace

SeenCache::SeenCache(const fs::path& folder, const fs::path& home, const std::string& fingerprint)
    : home_(home), file_(folder / (fingerprint + ".seen")) {
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    read_lines();
    out_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

SeenCache::~SeenCache() {
    if (out_ >= 0) ::close(out_);
}

void SeenCache::read_lines() {
    in_.open(file_, std::ios::binary);
    std::string line;
    for (std::uint64_t begin = 0; std::getline(in_, line); begin += line.size() + 1) {
        torn_ = in_.eof();
        if (const std::optional<Fields> fields = split(line))
            lines_[std::string(fields->stamp)] = {begin, line.size()};  // the latest counts
    }
    in_.clear();
}

std::string SeenCache::stamp(const fs::path& picture) const {
    std::error_code error;
    const auto size = fs::file_size(picture, error);
    if (error) return {};
    const auto time = fs::last_write_time(picture, error).time_since_epoch().count();
    if (error) return {};
    const fs::path name = home_.empty() ? fs::absolute(picture, error).lexically_normal()
                                        : fs::absolute(picture, error)
                                              .lexically_normal()
                                              .lexically_relative(fs::absolute(home_).lexically_normal());
    std::string text = fmt::format("{} {} {}", size, time, name.string());
    return error || text.find('\n') != std::string::npos ? std::string() : text;
}

std::optional<SeenObjects> SeenCache::find(const fs::path& picture) {
    const std::string wanted = stamp(picture);
    std::string line;
    {
        const std::lock_guard lock(mutex_);
        const auto found = lines_.find(wanted);
        if (wanted.empty() || found == lines_.end()) return std::nullopt;
        line.resize(found->second.size);
        in_.clear();
        in_.seekg(static_cast<std::streamoff>(found->second.begin));
        if (!in_.read(line.data(), static_cast<std::streamsize>(line.size()))) return std::nullopt;
    }
    return parse(line, wanted);
}

void SeenCache::add(const fs::path& picture, const SeenObjects& seen) {
    const std::string wanted = stamp(picture);
    if (out_ < 0 || wanted.empty() || seen.layout == nullptr) return;
    std::string text = fmt::format("{}{}", seen.layout->name, separator);
    for (const float value : seen.rows) text += fmt::format("{:08x}", std::bit_cast<std::uint32_t>(value));
    text += separator + wanted;
    const std::lock_guard lock(mutex_);
    std::string line = fmt::format("{}{}{}{}\n", torn_ ? "\n" : "", check_of(text), separator, text);
    // In one piece, for others may be writing too. A disk that is full costs time later, nothing else.
    const ssize_t written = ::write(out_, line.data(), line.size());
    torn_ = written != static_cast<ssize_t>(line.size());
}

}  // namespace neumann
