#include "examples/json_lines.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "base/excerpt.h"
#include "base/files.h"
#include "base/input_files.h"
#include "base/utf8.h"

namespace neumann {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t longest_line = std::size_t{256} << 20;

// Characters before a byte, as editors count columns.
std::size_t column_of(std::string_view line, std::size_t byte) {
    std::size_t column = 1;
    for (std::size_t i = 0; i < std::min(byte, line.size()); ++i) column += continues_character(line[i]) ? 0 : 1;
    return column;
}

// simdjson reports that a line is broken; this function finds the position.
std::pair<std::size_t, std::string> find_syntax_error(std::string_view line, std::string_view otherwise) {
    try {
        [[maybe_unused]] const auto json = nlohmann::json::parse(line);
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t at = error.byte == 0 ? 0 : error.byte - 1;
        for (const std::string_view number : {"NaN", "nan", "Infinity", "inf"}) {
            const std::size_t from = at < number.size() ? 0 : at - number.size();
            const std::size_t found = line.find(number, from);
            if (found != std::string_view::npos && found <= at + 1)
                return {found, fmt::format("'{}' is no JSON, and no probability either", number)};
        }
        std::string_view text = error.what();
        if (const std::size_t colon = text.find(": "); colon != std::string_view::npos) text.remove_prefix(colon + 2);
        return {at, fmt::format("this is no valid JSON: {}", text)};
    } catch (const nlohmann::json::out_of_range&) {
        return {0, "this line has a number that is too large"};
    }
    return {0, fmt::format("this line cannot be read: {}", otherwise)};
}

// Reads the available bytes, at most `size`; 0 at the end. Waits for one byte only, so that a program that writes
// examples one by one gets answers one by one.
std::size_t read_some(std::FILE* file, char* to, std::size_t size, const std::string& name) {
    const int descriptor = fileno(file);
    if (descriptor < 0) return std::fread(to, 1, size, file);  // a file in memory
    while (true) {
        const ssize_t got = ::read(descriptor, to, size);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) throw FileError(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
    }
}

std::FILE* open_lines(const std::string& path) {
    std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
    if (file == nullptr) throw FileError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    if (path != "-") note_input(path);
    return file;
}

}  // namespace

JsonLines::JsonLines(const std::string& path) : JsonLines(open_lines(path), path == "-" ? "<stdin>" : path) {}

JsonLines::JsonLines(std::FILE* file, std::string name) : name_(std::move(name)), file_(file) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    while (!at_end_ && filled_ < byte_order_mark.size()) fill();
    if (std::string_view(buffer_.data(), filled_).starts_with(byte_order_mark)) begin_ = byte_order_mark.size();
}

JsonLines::~JsonLines() {
    if (file_ != nullptr && file_ != stdin) std::fclose(file_);
}

// Moves the unread rest to the front and reads another block behind it.
void JsonLines::fill() {
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
        filled_ -= begin_;
        begin_ = 0;
    }
    const std::size_t wanted = std::max(block_bytes, filled_);  // lines longer than a block: in ever larger steps
    if (buffer_.size() < filled_ + wanted + simdjson::SIMDJSON_PADDING)
        buffer_.resize(filled_ + wanted + simdjson::SIMDJSON_PADDING);
    const std::size_t got = read_some(file_, buffer_.data() + filled_, wanted, name_);
    at_end_ = got == 0;
    filled_ += got;
}

bool JsonLines::next_lines(std::size_t most) {
    lines_.clear();
    const auto too_long = [&] {
        return ExampleError(
            fmt::format("{}:{}:1: error: this line is longer than {} MiB", name_, line_ + 1, longest_line >> 20));
    };
    std::size_t searched = begin_;
    while (lines_.size() < most) {
        const void* newline = std::memchr(buffer_.data() + searched, '\n', filled_ - searched);
        if (newline == nullptr && !at_end_) {
            if (!lines_.empty()) break;  // they would be moved
            const std::size_t done = filled_ - begin_;
            if (done > longest_line) throw too_long();
            fill();
            searched = begin_ + done;
            continue;
        }
        const std::size_t end =
            newline == nullptr ? filled_ : static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data());
        if (newline == nullptr && end == begin_) break;
        ++line_;
        const std::string_view text(buffer_.data() + begin_, end - begin_);
        if (text.size() > longest_line) throw too_long();
        if (text.find_first_not_of(" \t\r") != std::string_view::npos) lines_.push_back({begin_, text.size(), line_});
        begin_ = std::min(filled_, end + 1);
        searched = begin_;
        if (newline == nullptr) break;
    }
    return !lines_.empty();
}

std::string JsonLines::error(const Line& line, std::size_t byte, const std::string& message, bool harmless) const {
    return fmt::format("{}:{}:{}: {}: {}", name_, line.number, column_of(line.text, byte),
                       harmless ? "warning" : "error", shortened(message));
}

std::string JsonLines::syntax_error(const Line& line, std::string_view otherwise) const {
    const auto [byte, message] = find_syntax_error(line.text, otherwise);
    return error(line, byte, message);
}

std::size_t JsonLines::place_of(const Line& line, std::string_view key, std::size_t from) {
    const std::string quoted = fmt::format("\"{}\"", key);
    for (std::size_t at = line.text.find(quoted, from); at != std::string_view::npos;
         at = line.text.find(quoted, at + 1)) {
        const std::size_t after = line.text.find_first_not_of(" \t", at + quoted.size());
        if (after != std::string_view::npos && line.text[after] == ':') return at + 1;  // else it is a value
    }
    return 0;
}

}  // namespace neumann
