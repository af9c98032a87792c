#include "base/text_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "base/budget.h"
#include "base/input_files.h"
#include "base/memory.h"
#include "base/utf8.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

struct Defect {
    std::size_t at;
    std::size_t length;
    Code code;
    std::string message;
    std::string advice;
};

// Length of the well-formed UTF-8 sequence at `at`, or 0.
std::size_t utf8_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (!continues_character(text[at + i])) return 0;
    }
    const unsigned char second = byte(at + 1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;  // overlong, surrogates
    if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;  // overlong, beyond Unicode
    return length;
}

std::optional<Defect> find_defect(std::string_view text, const TextLimits& limits) {
    std::size_t line_start = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '\n') {
            line_start = ++at;
            continue;
        }
        if (c == '\0') {
            return Defect{at, 1, codes::not_text, "this is a binary file: it contains a zero byte",
                          "programs are UTF-8 text; a saved graph ends in .nmg"};
        }
        if (at - line_start > limits.max_line_bytes) {
            return Defect{line_start, 1, codes::too_large,
                          fmt::format("this line is longer than {}", format_bytes(limits.max_line_bytes)),
                          "break it into several lines"};
        }
        const std::size_t length = utf8_length(text, at);
        if (length == 0) {
            return Defect{at, 1, codes::not_text,
                          fmt::format("byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(c)),
                          "save the file as UTF-8"};
        }
        at += length;
    }
    return std::nullopt;
}

// Reads at most a block more than the limit, so that an endless stream is noticed and not swallowed.
bool read_bounded(gzFile file, std::uint64_t limit, std::string& text) {
    std::size_t block = 1U << 16;
    const Budget& budget = Budget::current();
    while (text.size() <= limit) {
        const std::size_t old = text.size();
        budget.require_bytes(text.capacity() < old + block ? old + block : 0, "reading a file");
        text.resize(old + block);
        const int got = gzread(file, text.data() + old, static_cast<unsigned>(block));
        text.resize(old + static_cast<std::size_t>(std::max(got, 0)));
        if (got < static_cast<int>(block)) {
            int error = Z_OK;
            gzerror(file, &error);
            return got >= 0 && error == Z_OK;
        }
        if (text.find('\0', old) != std::string::npos) return true;  // no text, perhaps without end
        block = std::min<std::size_t>(block * 2, 1U << 24);
    }
    return true;
}

}  // namespace

std::size_t first_bad_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) return at;
        at += length;
    }
    return std::string_view::npos;
}

std::optional<std::uint32_t> load_text(const fs::path& path, SourceSet& sources, Diagnostics& diagnostics,
                                       const TextLimits& limits, std::optional<Span> named_at) {
    const bool from_stdin = path == "-";
    const std::string name = from_stdin ? "<stdin>" : path.string();
    std::string text;
    const auto refuse = [&](Code code, std::string message, std::string advice = {}) {
        if (named_at) {
            constexpr std::size_t longest_name = 255;
            const std::string shown =
                name.size() > longest_name ? fmt::format("a name of {} bytes", name.size()) : fmt::format("'{}'", name);
            diagnostics.report(code, *named_at, fmt::format("{}: {}", shown, message), std::move(advice));
        } else {
            diagnostics.report(code, sources.whole_file(sources.add(name, {})), std::move(message), std::move(advice));
        }
        return std::nullopt;
    };
    const auto refuse_size = [&](const std::string& size) {
        return refuse(codes::too_large,
                      fmt::format("the file has {} more than the limit of {}", size, format_bytes(limits.max_bytes)),
                      "bulk data belongs in examples (JSON Lines), not in the program");
    };

    if (!from_stdin && !may_read(path))
        return refuse(codes::cannot_read, "this file lies outside of the folders that may be read",
                      "'neumann page --allow FOLDER' lets programs of the page read another folder");
    std::error_code error;
    const fs::file_status status = from_stdin ? fs::file_status(fs::file_type::fifo) : fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return refuse(codes::cannot_read, "no such file",
                      named_at ? "is the path right, seen from the folder of the file that names it?"
                               : "is the path right, seen from where the command runs?");
    if (status.type() == fs::file_type::directory) return refuse(codes::cannot_read, "this is a folder, not a file");
    if (status.type() == fs::file_type::regular) {
        const std::uintmax_t size = fs::file_size(path, error);
        if (!error && size > limits.max_bytes) return refuse_size(format_bytes(size) + ",");
    }
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(
        from_stdin ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb"), gzclose);
    if (!file) return refuse(codes::cannot_read, fmt::format("cannot open: {}", std::strerror(errno)));
    if (!from_stdin) note_input(path);
    if (!read_bounded(file.get(), limits.max_bytes, text)) {
        int code = Z_OK;
        const std::string what = gzerror(file.get(), &code);
        if (code != Z_ERRNO && code != Z_OK)
            return refuse(codes::cannot_read, fmt::format("cannot unpack: {}", what), "is the file complete?");
        return refuse(codes::cannot_read, fmt::format("cannot read: {}", std::strerror(errno)));
    }
    if (text.size() > limits.max_bytes) return refuse_size("no end:");
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a byte order mark has no meaning in UTF-8

    std::optional<Defect> defect = find_defect(text, limits);
    const std::uint32_t index = sources.add(name, std::move(text));
    if (!defect) return index;
    const auto at = static_cast<std::uint32_t>(defect->at);
    const auto end = static_cast<std::uint32_t>(defect->at + defect->length);
    diagnostics.report(defect->code, {index, at, end}, std::move(defect->message), std::move(defect->advice));
    return std::nullopt;
}

}  // namespace neumann
