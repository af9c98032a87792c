#include "syntax/csv.h"

#include <utility>

namespace neumann::syntax {

bool CsvReader::fail(std::size_t begin, std::size_t end, std::string message, std::string advice) {
    mistake_ = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), std::move(message),
                std::move(advice)};
    return false;
}

bool CsvReader::at_line_end(std::size_t at) const {
    return at >= text_.size() || text_[at] == '\n' ||
           (text_[at] == '\r' && (at + 1 == text_.size() || text_[at + 1] == '\n'));
}

bool CsvReader::next(std::vector<CsvField>& fields) {
    fields.clear();
    forget();
    return append(fields);
}

bool CsvReader::append(std::vector<CsvField>& fields) {
    while (at_ < text_.size() && at_line_end(at_)) at_ += text_[at_] == '\r' ? 2 : 1;  // empty lines
    if (at_ >= text_.size()) return false;
    while (true) {
        CsvField& field = fields.emplace_back();
        if (at_ < text_.size() && text_[at_] == '"') {
            if (!read_quoted(field)) return false;
        } else {
            read_plain(field);
        }
        if (at_ < text_.size() && text_[at_] == separator_) {
            ++at_;
            continue;
        }
        if (at_ < text_.size()) at_ += text_[at_] == '\r' ? 2 : 1;
        return true;
    }
}

void CsvReader::read_plain(CsvField& field) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n' &&
           (text_[at_] != '\r' || !at_line_end(at_)))
        ++at_;
    field = {text_.substr(begin, at_ - begin), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
}

bool CsvReader::read_quoted(CsvField& field) {
    const std::size_t begin = at_++;
    std::size_t part = at_;       // of the field, not yet in `text`
    std::string* text = nullptr;  // if it has doubled quotes
    while (true) {
        const std::size_t quote = text_.find('"', at_);
        if (quote == std::string_view::npos)
            return fail(begin, begin + 1, "this quote is never closed",
                        "a quote inside a quoted field is written twice");
        at_ = quote + 1;
        if (at_ < text_.size() && text_[at_] == '"') {
            if (text == nullptr) text = &unescaped_.emplace_back();
            text->append(text_.substr(part, at_ - part));
            part = ++at_;
            continue;
        }
        const std::string_view rest = text_.substr(part, quote - part);
        if (text != nullptr) text->append(rest);
        field = {text != nullptr ? std::string_view(*text) : rest, static_cast<std::uint32_t>(begin),
                 static_cast<std::uint32_t>(at_)};
        break;
    }
    if (at_line_end(at_) || text_[at_] == separator_) return true;
    return fail(at_, at_ + 1, "text behind a quoted field", "a quote inside a quoted field is written twice");
}

}  // namespace neumann::syntax
