#include "base/tensor_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace neumann {
namespace {

using nlohmann::json;

constexpr std::string_view metadata_name = "__metadata__";
constexpr std::size_t most_dimensions = 64;  // far above any real tensor; a header of 100 MB could list millions

struct TypeName {
    NumberType type;
    std::string_view name;
    std::size_t bytes;
};
constexpr std::array types{TypeName{NumberType::F32, "F32", 4}, TypeName{NumberType::F16, "F16", 2},
                           TypeName{NumberType::BF16, "BF16", 2}};

const TypeName& type_name(NumberType type) { return *std::ranges::find(types, type, &TypeName::type); }

// An entry while it is read.
struct Draft {
    TensorEntry entry;
    std::string type;
    std::vector<std::uint64_t> shape;
    std::vector<std::uint64_t> offsets;
    std::set<std::string> fields;
};

// Called by the JSON reader for each token, and so sees keys that occur twice, which a tree would hide. Each
// function returns false to stop, with the reason in `problem`.
class HeaderReader : public nlohmann::json_sax<json> {
public:
    std::string problem;
    std::map<std::string, std::string> metadata;
    std::vector<Draft> drafts;

    bool start_object(std::size_t) override {
        if (place_ == Place::Start) {
            place_ = Place::Names;
        } else if (place_ == Place::Names) {
            place_ = name_ == metadata_name ? Place::Metadata : Place::Tensor;
            if (place_ == Place::Tensor) drafts.push_back({{name_, NumberType::F32, {}, 0, 0}, {}, {}, {}, {}});
        } else {
            return unexpected();
        }
        return true;
    }
    bool end_object() override {
        if (place_ == Place::Tensor && drafts.back().fields.size() != 3)
            return fail("tensor {} lacks one of dtype, shape and data_offsets", quoted_name(name_));
        place_ = place_ == Place::Names ? Place::End : Place::Names;
        return true;
    }
    bool key(std::string& key) override {
        bool is_new = true;
        if (place_ == Place::Names) {
            is_new = names_.insert(key).second;
            name_ = key;
        } else if (place_ == Place::Metadata) {
            is_new = metadata.emplace(key, "").second;
        } else {
            if (key != "dtype" && key != "shape" && key != "data_offsets")
                return fail("tensor {} has a field {} that is not known", quoted_name(name_), quoted_name(key));
            is_new = drafts.back().fields.insert(key).second;
        }
        field_ = key;
        return is_new || fail("{} occurs twice", quoted_name(key));
    }
    bool string(std::string& text) override {
        if (place_ == Place::Metadata) {
            metadata[field_] = text;
        } else if (place_ == Place::Tensor && field_ == "dtype") {
            drafts.back().type = text;
        } else {
            return unexpected();
        }
        return true;
    }
    bool start_array(std::size_t) override {
        if (place_ != Place::Tensor || field_ == "dtype") return unexpected();
        place_ = Place::Numbers;
        return true;
    }
    bool number_unsigned(std::uint64_t number) override {
        if (place_ != Place::Numbers) return unexpected();
        auto& numbers = field_ == "shape" ? drafts.back().shape : drafts.back().offsets;
        if (numbers.size() == most_dimensions) return fail("tensor {}: {} is too long", quoted_name(name_), field_);
        numbers.push_back(number);
        return true;
    }
    bool end_array() override {
        if (field_ == "data_offsets" && drafts.back().offsets.size() != 2)
            return fail("tensor {} needs two data_offsets and has {}", quoted_name(name_),
                        drafts.back().offsets.size());
        place_ = Place::Tensor;
        return true;
    }
    bool null() override { return unexpected(); }
    bool boolean(bool) override { return unexpected(); }
    bool number_integer(std::int64_t) override { return unexpected(); }  // negative ones
    bool number_float(double, const std::string&) override { return unexpected(); }
    bool binary(json::binary_t&) override { return unexpected(); }
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
        return fail("the header is not JSON, from its byte {} on", byte);
    }

private:
    enum class Place { Start, Names, Metadata, Tensor, Numbers, End };

    template <class... Values>
    bool fail(fmt::format_string<Values...> text, Values&&... values) {
        problem = fmt::format(text, std::forward<Values>(values)...);
        return false;
    }
    bool unexpected() {
        if (place_ == Place::Start) return fail("the header is not a JSON object");
        if (place_ == Place::Names) return fail("{} is not an object", quoted_name(name_));
        if (place_ == Place::Metadata) return fail("metadata {} is not a text", quoted_name(field_));
        return fail("tensor {}: {} is {}", quoted_name(name_), field_,
                    field_ == "dtype" ? "not a text" : "not a list of whole numbers from 0 on");
    }

    Place place_ = Place::Start;
    std::set<std::string> names_;
    std::string name_;
    std::string field_;
};

[[noreturn]] void refuse(const std::string& file, const std::string& problem) {
    throw FileError(fmt::format("'{}' is damaged: {}", file, problem));
}

// The entry that a draft makes, its shape and its bytes in agreement.
TensorEntry checked_entry(Draft draft, const std::string& file) {
    TensorEntry& entry = draft.entry;
    const std::string name = quoted_name(entry.name);
    const auto type = std::ranges::find(types, draft.type, &TypeName::name);
    if (type == types.end())
        throw FileError(fmt::format("'{}': tensor {} holds numbers of type {}; F32, F16 and BF16 are read", file, name,
                                    quoted_name(draft.type)));
    entry.type = type->type;
    entry.begin = draft.offsets[0];
    entry.end = draft.offsets[1];
    for (const std::uint64_t side : draft.shape) {
        if (side > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
            refuse(file, fmt::format("tensor {} has a side of {}", name, side));
        entry.shape.push_back(static_cast<std::int64_t>(side));
    }
    std::uint64_t count = 0;
    if (!count_numbers(entry.shape, count) || entry.begin > entry.end || (entry.end - entry.begin) % type->bytes != 0 ||
        (entry.end - entry.begin) / type->bytes != count)
        refuse(file, fmt::format("tensor {} of shape [{}] and type {} cannot lie in the bytes from {} to {}", name,
                                 fmt::join(entry.shape, ","), type->name, entry.begin, entry.end));
    return std::move(entry);
}

// Every byte belongs to exactly one tensor: unused room could hide data.
void check_layout(const std::vector<TensorEntry>& entries, std::uint64_t data_bytes, const std::string& file) {
    std::vector<const TensorEntry*> by_place;
    by_place.reserve(entries.size());
    for (const TensorEntry& entry : entries) by_place.push_back(&entry);
    std::ranges::sort(by_place, [](const TensorEntry* a, const TensorEntry* b) {
        return std::tie(a->begin, a->end, a->name) < std::tie(b->begin, b->end, b->name);
    });
    std::uint64_t reached = 0;
    for (const TensorEntry* entry : by_place) {
        if (entry->begin != reached)
            refuse(file,
                   fmt::format("tensor {} begins at byte {} where {} was expected: {}", quoted_name(entry->name),
                               entry->begin, reached, entry->begin < reached ? "tensors overlap" : "there is a gap"));
        reached = entry->end;
    }
    if (reached > data_bytes)
        refuse(file, fmt::format("it ends too early: the tensors need {} bytes behind the header, there are {}",
                                 reached, data_bytes));
    if (reached < data_bytes)
        refuse(file, fmt::format("{} bytes behind the last tensor belong to none", data_bytes - reached));
}

std::string quoted_json(const std::string& text) {
    try {
        return json(text).dump();
    } catch (const json::exception&) {
        throw std::invalid_argument(fmt::format("{} is not UTF-8", quoted_name(text)));
    }
}

}  // namespace

std::size_t bytes_of(NumberType type) { return type_name(type).bytes; }

std::string quoted_name(std::string_view name) {
    constexpr std::size_t longest = 80;
    const std::string shown = json(name.substr(0, longest)).dump(-1, ' ', false, json::error_handler_t::replace);
    return fmt::format("'{}{}'", shown.substr(1, shown.size() - 2), name.size() > longest ? "…" : "");
}

bool count_numbers(const std::vector<std::int64_t>& shape, std::uint64_t& count) {
    count = 1;
    for (const std::int64_t side : shape)
        if (side < 0 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(side), &count)) return false;
    return true;
}

TensorHeader parse_tensor_header(std::string_view text, std::uint64_t data_bytes, const std::string& file) {
    HeaderReader reader;
    // The JSON reader takes a zero byte for the end, and would ignore the rest.
    if (const std::size_t zero = text.find('\0'); zero != text.npos)
        refuse(file, fmt::format("the header is not JSON, from its byte {} on", zero + 1));
    if (!json::sax_parse(text.begin(), text.end(), &reader)) refuse(file, reader.problem);
    TensorHeader header;
    header.metadata = std::move(reader.metadata);
    for (Draft& draft : reader.drafts) header.entries.push_back(checked_entry(std::move(draft), file));
    std::ranges::sort(header.entries, {}, &TensorEntry::name);
    check_layout(header.entries, data_bytes, file);
    return header;
}

std::string print_tensor_header(const TensorHeader& header) {
    std::vector<std::string> items;
    if (!header.metadata.empty()) {
        std::vector<std::string> pairs;
        for (const auto& [key, value] : header.metadata)
            pairs.push_back(fmt::format("{}:{}", quoted_json(key), quoted_json(value)));
        items.push_back(fmt::format("\"{}\":{{{}}}", metadata_name, fmt::join(pairs, ",")));
    }
    for (const TensorEntry& entry : header.entries) {
        if (entry.name == metadata_name)
            throw std::invalid_argument(fmt::format("a tensor cannot be called {}", metadata_name));
        items.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                    quoted_json(entry.name), type_name(entry.type).name, fmt::join(entry.shape, ","),
                                    entry.begin, entry.end));
    }
    std::string text = fmt::format("{{{}}}", fmt::join(items, ","));
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return text;
}

}  // namespace neumann
