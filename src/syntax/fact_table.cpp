#include "syntax/fact_table.h"

#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/pod_vector.h"
#include "base/suggest.h"
#include "syntax/csv.h"

namespace neumann::syntax {
namespace {

constexpr std::size_t most_mistakes = 100;  // in one table: what is wrong in every record need not be said of each

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
        std::vector<TermId> args(places_.size());
        while (mistakes_ < most_mistakes && reader_.next(fields_)) add_fact(args);
        if (reader_.mistake())
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

    bool good_size() {
        std::size_t needed = probability_ ? *probability_ + 1 : 0;
        for (const std::size_t place : places_) needed = std::max(needed, place + 1);
        if (fields_.size() == needed || (!exact_ && fields_.size() > needed)) return true;
        const bool one_more = exact_ && !probability_ && fields_.size() == needed + 1;
        report({file_, fields_.front().begin, fields_.back().end},
               fmt::format("{} field{}, but '{}/{}' needs {}", fields_.size(), fields_.size() == 1 ? "" : "s",
                           predicate_.name, predicate_.args.size(), needed),
               one_more ? fmt::format("if column {} is a probability: facts({}/{}, '…', [probability({})])",
                                      fields_.size(), predicate_.name, predicate_.args.size(), fields_.size())
                        : "columns([1, 2]) says which ones to take; separator(';') what stands between them");
        return false;
    }

    void add_fact(std::vector<TermId>& args) {
        if (!good_size()) return;
        double probability = 1;
        if (probability_ && !read_probability(fields_[*probability_], probability)) return;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            args[i] = constant(fields_[places_[i]], predicate_.args[i]);
            if (args[i].is_none()) return;
        }
        program_.facts.add(table_.predicate, args, probability, {file_, fields_.front().begin, fields_.back().end});
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

    TermId constant(const CsvField& field, TypeId type) {
        Signature& signature = program_.signature;
        ConstantId found = signature.find_constant(field.text, type);
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

    void report(Span span, std::string message, std::string advice) {
        ++mistakes_;
        diagnostics_.report(codes::bad_table, span, std::move(message), std::move(advice));
    }

    const FactTable& table_;
    std::uint32_t file_;
    Program& program_;
    Diagnostics& diagnostics_;
    const PredicateDecl predicate_;
    CsvReader reader_;
    std::vector<std::string> names_;  // of the columns
    std::vector<CsvField> fields_;
    std::vector<std::size_t> places_;  // of the arguments in a record
    std::optional<std::size_t> probability_;
    bool exact_ = false;       // a record has no other fields
    PodVector<TermId> terms_;  // per constant
    std::size_t mistakes_ = 0;
};

}  // namespace

void read_fact_table(const FactTable& table, Program& program, Diagnostics& diagnostics) {
    const std::optional<std::uint32_t> file =
        load_text(table.path, *program.sources, diagnostics, table_limits, table.path_span);
    if (file) TableReader(table, *file, program, diagnostics).read();
}

}  // namespace neumann::syntax
