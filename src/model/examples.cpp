#include "model/examples.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "base/atomic_file.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t longest_line = std::size_t{256} << 20;

std::string with_advice(std::string message, const std::string& advice) {
    return advice.empty() ? message : fmt::format("{}\n  {}", message, advice);
}

// Characters before a byte, as editors count columns.
std::size_t column_of(std::string_view line, std::size_t byte) {
    std::size_t column = 1;
    for (std::size_t i = 0; i < std::min(byte, line.size()); ++i) column += continues_character(line[i]) ? 0 : 1;
    return column;
}

// simdjson says that a line is broken, this says where.
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

// What is there, at most `size` bytes; 0 at the end. Does not wait for more than one byte, so that whoever writes
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

}  // namespace

struct ExampleReader::Json {
    simdjson::dom::parser parser;
    std::unordered_set<std::uint32_t> seen;
    std::unordered_set<std::string> seen_unneeded;
    std::set<std::string> no_inputs;
};

namespace {

std::FILE* open_examples(const std::string& path) {
    std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
    if (file == nullptr) throw FileError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    return file;
}

}  // namespace

ExampleReader::ExampleReader(const std::string& path)
    : ExampleReader(open_examples(path), path == "-" ? "<stdin>" : path) {}

ExampleReader::ExampleReader(std::FILE* file, std::string name)
    : name_(std::move(name)), file_(file), json_(std::make_unique<Json>()) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    while (!at_end_ && filled_ < byte_order_mark.size()) fill();
    if (std::string_view(buffer_.data(), filled_).starts_with(byte_order_mark)) begin_ = byte_order_mark.size();
}

ExampleReader::~ExampleReader() {
    if (file_ != nullptr && file_ != stdin) std::fclose(file_);
}

// Moves what is left to the front and reads another block behind it.
void ExampleReader::fill() {
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

bool ExampleReader::next_lines(std::size_t most) {
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

void ExampleReader::parse(AtomNames& names, const CompiledProgram& compiled, Parsed& parsed, std::size_t first,
                          std::size_t count) {
    parsed.examples.clear();
    parsed.failed.clear();
    for (std::size_t i = first; i < lines_.size() && i - first < count; ++i) {
        const Line& line = lines_[i];
        if (!parse_line({buffer_.data() + line.begin, line.size}, line.number, names, compiled, parsed)) return;
    }
}

std::string ExampleReader::place(const Example& example) const { return fmt::format("{}:{}", name_, example.line); }

bool ExampleReader::parse_line(std::string_view line, std::size_t number, AtomNames& names,
                               const CompiledProgram& compiled, Parsed& parsed) {
    const auto fail = [&](std::size_t byte, const std::string& message) {
        parsed.failed = fmt::format("{}:{}:{}: error: {}", name_, number, column_of(line, byte), message);
        return false;
    };
    const auto place_of = [&](std::string_view key) {
        const std::size_t quoted = line.find(fmt::format("\"{}\"", key));
        return quoted == std::string_view::npos ? 0 : quoted + 1;
    };
    simdjson::dom::element root;
    // The text is followed by more of the buffer, or by padding: never by its end.
    if (const auto error = json_->parser.parse(line.data(), line.size(), false).get(root)) {
        const auto [byte, message] = find_syntax_error(line, simdjson::error_message(error));
        return fail(byte, message);
    }
    simdjson::dom::object object;
    if (root.get(object) != simdjson::SUCCESS)
        return fail(0, "expected an object: {\"id\": …, \"atoms\": {\"atom\": probability, …}}");
    Example example;
    example.line = number;
    example.id = std::to_string(number);
    std::optional<simdjson::dom::element> id;
    std::optional<simdjson::dom::element> given;
    for (const auto& field : object) {
        std::optional<simdjson::dom::element>* place = field.key == "id"      ? &id
                                                       : field.key == "atoms" ? &given
                                                                              : nullptr;
        if (place == nullptr) continue;
        if (place->has_value()) return fail(line.rfind(field.key), fmt::format("\"{}\" stands twice", field.key));
        *place = field.value;
    }
    if (id) {
        if (!id->is_string() && !id->is_number()) return fail(place_of("id"), "\"id\" must be a string or a number");
        example.id = simdjson::minify(*id);
    }
    if (!given) {
        std::vector<std::string> keys;
        for (const auto& field : object) keys.emplace_back(field.key);
        const std::string near = nearest_name("atoms", keys);
        return fail(near.empty() ? 0 : place_of(near),
                    near.empty() ? "this example has no \"atoms\"; expected {\"atoms\": {\"atom\": probability, …}}"
                                 : fmt::format("there is \"{}\" but no \"atoms\"", near));
    }
    simdjson::dom::object atoms;
    if (given->get(atoms) != simdjson::SUCCESS)
        return fail(place_of("atoms"), "\"atoms\" must be an object from atoms to probabilities");
    json_->seen.clear();
    json_->seen_unneeded.clear();
    for (const auto& field : atoms) {
        const NamedAtom& atom = names.find(field.key);
        const auto wrong = [&](const std::string& message, std::size_t offset = 0) {
            return fail(place_of(field.key) + offset, message);
        };
        if (atom.kind == NamedAtom::Kind::Invalid)
            return wrong(with_advice(fmt::format("'{}': {}", field.key, atom.message), atom.advice), atom.column);
        if (atom.kind == NamedAtom::Kind::Impossible) {
            return wrong(with_advice(fmt::format("'{}' is beyond the bounds of the program", field.key),
                                     "raise the bound (max_depth, max_length, no_repeats, --term-depth)"));
        }
        if (!field.value.is_number())
            return wrong(fmt::format("'{}': expected a probability, not {}", field.key,
                                     std::string(simdjson::minify(field.value)).substr(0, 40)));
        double value = 0;
        if (field.value.get(value) != simdjson::SUCCESS || !(value >= 0 && value <= 1))
            return wrong(
                fmt::format("'{}': {} is not in [0,1]", field.key, std::string(simdjson::minify(field.value))));
        bool first = true;
        switch (atom.kind) {
        case NamedAtom::Kind::InGraph:
            first = json_->seen.insert(atom.atom).second;
            example.values.push_back({atom.atom, static_cast<float>(value)});
            break;
        case NamedAtom::Kind::Unneeded:
            first = json_->seen_unneeded.insert(atom.text).second;
            example.unneeded.push_back(atom.text);
            break;
        default:
            json_->no_inputs.insert(print_indicator(compiled.program.signature.predicate(atom.predicate)));
        }
        if (!first) return wrong(fmt::format("'{}' is given twice", field.key));
    }
    example.no_inputs.assign(json_->no_inputs.begin(), json_->no_inputs.end());
    json_->no_inputs.clear();
    parsed.examples.push_back(std::move(example));
    return true;
}

}  // namespace neumann
