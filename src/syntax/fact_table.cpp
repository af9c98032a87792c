#include "syntax/fact_table.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/budget.h"
#include "base/pod_vector.h"
#include "base/suggest.h"
#include "syntax/csv.h"

namespace neumann::syntax {
namespace {

constexpr std::size_t batch_records = 64;   // their constants are looked up together
constexpr std::size_t most_mistakes = 100;  // in one table: an error in every record need not be repeated for each

bool ends_with_tsv(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    return name.ends_with(".tsv") || name.ends_with(".tsv.gz");
}

class TableReader {
public:
    TableReader(const FactTable& table, std::uint32_t file, Program& program, Diagnostics& diagnostics)
        : table_(table), file_(file), program_(program), diagnostics_(diagnostics),
          predicate_(program.signature.predicate(table.predicate)),
          reader_(program.sources->file(file).text(),
                  table.separator.value_or(ends_with_tsv(table.path) ? '\t' : ',')) {}

    void read() {
        if (!read_header() || !find_columns()) return;
        while (mistakes_ < most_mistakes && read_batch()) {
            require_budget("reading a table of facts");
            add_batch();
        }
        report_header();
        if (mistakes_ < most_mistakes && reader_.mistake())
            report({file_, reader_.mistake()->begin, reader_.mistake()->end}, reader_.mistake()->message,
                   reader_.mistake()->advice);
    }

private:
    bool read_header() {
        bool by_name = table_.probability && std::holds_alternative<std::string>(table_.probability->name);
        for (const Column& column : table_.columns)
            by_name = by_name || std::holds_alternative<std::string>(column.name);
        if (!table_.header && !by_name) return true;
        if (!reader_.next(fields_)) {
            report(program_.sources->whole_file(file_), "a table without a header", "its first line names the columns");
            return false;
        }
        for (const CsvField& field : fields_) names_.emplace_back(field.text);
        return true;
    }

    // The place of a column in a record, from 0.
    std::optional<std::size_t> place_of(const Column& column) {
        if (const auto* number = std::get_if<std::uint32_t>(&column.name)) return *number - 1;
        const std::string& name = std::get<std::string>(column.name);
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (names_[i] == name) return i;
        }
        diagnostics_.report(codes::bad_table, column.span, fmt::format("the table has no column '{}'", name),
                            did_you_mean(name, names_, fmt::format("its columns are: {}", fmt::join(names_, ", "))));
        return std::nullopt;
    }

    bool find_columns() {
        if (table_.probability) {
            const std::optional<std::size_t> place = place_of(*table_.probability);
            if (!place) return false;
            probability_ = *place;
        }
        for (const Column& column : table_.columns) {
            const std::optional<std::size_t> place = place_of(column);
            if (!place) return false;
            places_.push_back(*place);
        }
        exact_ = table_.columns.empty();
        for (std::size_t i = 0; places_.size() < predicate_.args.size(); ++i) {
            if (i != probability_) places_.push_back(i);
        }
        if (places_.size() == predicate_.args.size()) return true;
        diagnostics_.report(codes::bad_table, table_.span,
                            fmt::format("{} columns for the {} arguments of '{}'", places_.size(),
                                        predicate_.args.size(), predicate_.name),
                            "name one column for each argument");
        return false;
    }

    // Reads the next records and prefetches the slots of their constants.
    bool read_batch() {
        fields_.clear();
        reader_.forget();
        record_end_.clear();
        while (record_end_.size() < batch_records && reader_.append(fields_)) record_end_.push_back(fields_.size());
        hashes_.clear();
        for (std::size_t r = 0; r < record_end_.size(); ++r) {
            const std::span<const CsvField> record = this->record(r);
            for (std::size_t i = 0; i < places_.size(); ++i) {
                const bool there = places_[i] < record.size();
                hashes_.push_back(there ? Signature::hash_constant(record[places_[i]].text, predicate_.args[i]) : 0);
                program_.signature.prefetch_slot(hashes_.back());
            }
        }
        return !record_end_.empty();
    }
    std::span<const CsvField> record(std::size_t r) const {
        const std::size_t begin = r == 0 ? 0 : record_end_[r - 1];
        return std::span(fields_).subspan(begin, record_end_[r] - begin);
    }

    void add_batch() {
        for (const std::uint32_t hash : hashes_) program_.signature.prefetch_constant(hash);
        const std::uint32_t* hash = hashes_.data();
        for (std::size_t r = 0; r < record_end_.size() && mistakes_ < most_mistakes; ++r, hash += places_.size())
            add_fact(record(r), hash);
    }

    bool good_size(std::span<const CsvField> record) {
        std::size_t needed = probability_ ? *probability_ + 1 : 0;
        for (const std::size_t place : places_) needed = std::max(needed, place + 1);
        if (record.size() == needed || (!exact_ && record.size() > needed)) return true;
        const bool one_more = exact_ && !probability_ && record.size() == needed + 1;
        report({file_, record.front().begin, record.back().end},
               fmt::format("{} field{}, but '{}/{}' needs {}", record.size(), record.size() == 1 ? "" : "s",
                           predicate_.name, predicate_.args.size(), needed),
               one_more ? fmt::format("if column {} is a probability: facts({}/{}, '…', [probability({})])",
                                      record.size(), predicate_.name, predicate_.args.size(), record.size())
                        : "columns([1, 2]) says which ones to take; separator(';') what stands between them");
        return false;
    }

    static bool is_number(std::string_view text) {
        double value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        return read.ec == std::errc() && read.ptr == text.data() + text.size();
    }

    // Columns where the first record has a word, and all others have numbers.
    void compare_with_first(std::span<const CsvField> record) {
        if (records_++ == 0) {
            const auto number = [](const CsvField& field) { return is_number(field.text); };
            if (!names_.empty() || std::ranges::any_of(record, number)) return;
            first_.assign(record.begin(), record.end());
            for (std::size_t i = 0; i < record.size(); ++i) {
                first_texts_.emplace_back(record[i].text);
                word_over_numbers_.push_back(i);
            }
        } else if (!word_over_numbers_.empty()) {
            std::erase_if(word_over_numbers_,
                          [&](std::size_t i) { return i >= record.size() || !is_number(record[i].text); });
        }
    }

    void report_header() {
        constexpr std::size_t enough = 3;  // records: fewer may be anything
        if (word_over_numbers_.empty() || records_ < enough) return;
        const std::size_t column = word_over_numbers_.front();
        report({file_, first_[column].begin, first_[column].end},
               fmt::format("the first line seems to name the columns: '{}' stands over {} numbers",
                           first_texts_[column], records_ - 1),
               fmt::format("if so, say facts({}/{}, '…', [header]); if it is a fact, put another line before it",
                           predicate_.name, predicate_.args.size()));
    }

    // With the hash of each of its constants.
    void add_fact(std::span<const CsvField> record, const std::uint32_t* hashes) {
        compare_with_first(record);
        if (!good_size(record)) return;
        double probability = 1;
        if (probability_ && !read_probability(record[*probability_], probability)) return;
        args_.clear();
        for (std::size_t i = 0; i < places_.size(); ++i) {
            args_.push_back(constant(record[places_[i]], predicate_.args[i], hashes[i]));
            if (args_.back().is_none()) return;
        }
        program_.facts.add(table_.predicate, args_, probability, {file_, record.front().begin, record.back().end});
    }

    bool read_probability(const CsvField& field, double& probability) {
        const char* const end = field.text.data() + field.text.size();
        const auto read = std::from_chars(field.text.data(), end, probability);
        if (read.ec == std::errc() && read.ptr == end && probability >= 0 && probability <= 1) return true;
        report({file_, field.begin, field.end}, fmt::format("'{}' is not a probability", field.text),
               names_.empty() ? "it is a number from 0 to 1; if the first line names the columns, say [header]"
                              : "it is a number from 0 to 1");
        return false;
    }

    TermId constant(const CsvField& field, TypeId type, std::uint32_t hash) {
        Signature& signature = program_.signature;
        ConstantId found = signature.find_constant(field.text, type, hash);
        if (found.is_none()) {
            const TypeDecl& decl = signature.type(type);
            if (!decl.open) {
                std::vector<std::string> known;
                for (const ConstantId id : decl.constants) known.push_back(signature.constant(id).name);
                report({file_, field.begin, field.end},
                       fmt::format("unknown constant '{}' of type '{}'", field.text, decl.name),
                       did_you_mean(field.text, known, fmt::format("'{}' is declared with its constants", decl.name)));
                return TermId::none();
            }
            found = signature.add_constant(std::string(field.text), type, {file_, field.begin, field.end});
        }
        if (terms_.size() <= found.index())
            terms_.resize(std::max(found.index() + 1, terms_.size() * 2), TermId::none());
        TermId& term = terms_[found.index()];
        if (term.is_none()) term = program_.terms.constant(found);
        return term;
    }

    // An empty field is shown at what stands before it.
    void report(Span span, std::string message, std::string advice) {
        if (span.begin == span.end && span.begin > 0)
            --span.begin;
        else if (span.begin == span.end)
            ++span.end;
        ++mistakes_;
        diagnostics_.report(codes::bad_table, span, std::move(message), std::move(advice));
    }

    const FactTable& table_;
    std::uint32_t file_;
    Program& program_;
    Diagnostics& diagnostics_;
    const PredicateDecl predicate_;
    CsvReader reader_;
    std::vector<std::string> names_;       // of the columns
    std::vector<CsvField> fields_;         // of a batch of records
    std::vector<std::size_t> record_end_;  // in fields_, per record
    std::vector<std::uint32_t> hashes_;    // of each record's constants
    std::vector<TermId> args_;             // of the current fact
    std::vector<std::size_t> places_;      // of the arguments in a record
    std::optional<std::size_t> probability_;
    bool exact_ = false;       // a record has no other fields
    PodVector<TermId> terms_;  // per constant
    std::size_t mistakes_ = 0;
    std::size_t records_ = 0;
    std::vector<CsvField> first_;  // record; with its texts
    std::vector<std::string> first_texts_;
    std::vector<std::size_t> word_over_numbers_;  // columns
};

}  // namespace

void read_fact_table(const FactTable& table, Program& program, Diagnostics& diagnostics) {
    const std::optional<std::uint32_t> file =
        load_text(table.path, *program.sources, diagnostics, table_limits, table.path_span);
    if (file) TableReader(table, *file, program, diagnostics).read();
}

}  // namespace neumann::syntax
