#include "syntax/folder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.h"
#include "syntax/clause_text.h"
#include "syntax/resolve.h"

namespace neumann::syntax {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> known_files = {"consts.txt", "preds.txt",   "neural_preds.txt", "funcs.txt",
                                                         "bk.txt",     "clauses.txt", "bk_clauses.txt"};
// Written by the original beside a program, or left over from it: other clause files one may name.
constexpr std::string_view learned_clauses = "learned_clauses.txt";

// A piece of a line with its place.
struct Field {
    std::string_view text;
    Span span;
};

class FolderReader {
public:
    FolderReader(const fs::path& folder, const LoadOptions& options, Program& program, Diagnostics& diagnostics)
        : folder_(folder), options_(options), program_(program), signature_(program.signature),
          diagnostics_(diagnostics) {}

    void read() {
        note_other_files();
        for_each_line("consts.txt", [&](Field line) { read_constants(line); });
        for_each_line("funcs.txt", [&](Field line) { read_functor(line); });
        for_each_line("preds.txt", [&](Field line) { read_predicate(line, false); });
        for_each_line("neural_preds.txt", [&](Field line) { read_predicate(line, true); });
        recognise_lists();
        // Without its declarations every clause would look wrong.
        program_.vocabulary_complete = !diagnostics_.has_errors();
        if (!program_.vocabulary_complete) return;

        std::vector<Directive> directives;
        if (!options_.modes_file.empty()) {
            if (const auto file = load_text(options_.modes_file, *program_.sources, diagnostics_, options_.limits)) {
                directives = read_directives(*program_.sources, *file, diagnostics_);
                refuse_clauses(*program_.sources, *file, diagnostics_);
            }
        }
        declare_vocabulary(directives, program_, diagnostics_);
        declare_bounds(directives, program_, diagnostics_);
        declare_tasks(directives, program_, diagnostics_);

        read_clause_file("bk.txt", ClauseTarget::FactsOnly, Required::No);
        read_clause_file("bk_clauses.txt", ClauseTarget::ClausesOnly, Required::No);
        const bool search = !program_.learn.empty() || !program_.modes.empty();
        const std::size_t first = program_.clauses.size();
        read_clause_file(options_.clauses_file, search ? ClauseTarget::Initial : ClauseTarget::ClausesOnly,
                         options_.clauses_file == LoadOptions().clauses_file ? Required::No : Required::Yes);
        // In a folder all clauses are learned: their weights are parameters, 1 unless written.
        for (std::size_t i = first; i < program_.clauses.size(); ++i) {
            program_.clauses[i].weight = program_.clauses[i].weight_value();
            program_.clauses[i].certain = false;
        }
    }

private:
    enum class Required { No, Yes };

    std::optional<std::uint32_t> open(const fs::path& name, Required required) {
        fs::path path = folder_ / name;  // name itself if it is absolute
        std::error_code error;
        // A clause file may also be named as seen from where the command runs.
        if (required == Required::Yes && !fs::exists(path, error) && fs::exists(name, error)) path = name;
        if (required == Required::No && !fs::exists(path, error))
            return std::nullopt;  // a missing file is an empty one
        return load_text(path, *program_.sources, diagnostics_, options_.limits);
    }

    void note_other_files() {
        std::vector<std::string> names;
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
            names.push_back(entry.path().filename().string());
        }
        std::ranges::sort(names);
        const bool any_known = std::ranges::any_of(
            names, [](const std::string& name) { return std::ranges::find(known_files, name) != known_files.end(); });
        if (error || !any_known) {
            const std::uint32_t file = program_.sources->add(folder_.string(), {});
            diagnostics_.report(codes::cannot_read, program_.sources->whole_file(file),
                                error ? fmt::format("cannot list the folder: {}", error.message())
                                      : "this folder holds none of the files of a program",
                                "a program folder has consts.txt, preds.txt, clauses.txt, …");
            return;
        }
        for (const std::string& name : names) {
            const bool read =
                std::ranges::find(known_files, name) != known_files.end() || name == options_.clauses_file;
            if (read || name == learned_clauses || name.starts_with('.')) continue;
            if (!options_.modes_file.empty() && fs::equivalent(folder_ / name, options_.modes_file, error)) continue;
            const std::uint32_t file = program_.sources->add((folder_ / name).string(), {});
            diagnostics_.report(codes::unused_file, program_.sources->whole_file(file),
                                "not a file of the folder format; ignored");
        }
    }

    void read_clause_file(const fs::path& name, ClauseTarget target, Required required) {
        if (const auto file = open(name, required)) read_clauses(program_, *file, folder_dialect, target, diagnostics_);
    }

    template <class Handle>
    void for_each_line(const fs::path& name, Handle&& handle) {
        const auto file = open(name, Required::No);
        if (!file) return;
        const std::string_view text = program_.sources->file(*file).text();
        for (std::size_t begin = 0; begin < text.size();) {
            std::size_t end = text.find('\n', begin);
            if (end == std::string_view::npos) end = text.size();
            const std::size_t comment = std::min(text.find('#', begin), end);
            const Field line = trimmed(text, *file, begin, comment);
            if (!line.text.empty()) handle(line);
            begin = end + 1;
        }
    }

    static Field trimmed(std::string_view text, std::uint32_t file, std::size_t begin, std::size_t end) {
        const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
        while (begin < end && blank(text[begin])) ++begin;
        while (begin < end && blank(text[end - 1])) --end;
        return {text.substr(begin, end - begin),
                {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}};
    }

    std::vector<Field> split(Field line, char separator) const {
        const std::string_view text = program_.sources->file(line.span.file).text();
        std::vector<Field> fields;
        std::size_t begin = line.span.begin;
        while (true) {
            const std::size_t end = std::min<std::size_t>(text.find(separator, begin), line.span.end);
            fields.push_back(trimmed(text, line.span.file, begin, end));
            if (end == line.span.end) return fields;
            begin = end + 1;
        }
    }

    bool good_name(Field field, std::string_view what) {
        const bool stars = !field.text.empty() && field.text.find_first_not_of('*') == std::string_view::npos;
        const auto word = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        };
        const bool lower = !field.text.empty() && word(field.text[0]) &&
                           !(field.text[0] >= 'A' && field.text[0] <= 'Z') && field.text[0] != '_';
        if (stars || (lower && std::ranges::all_of(field.text, word))) return true;
        const Span span =
            field.text.empty() ? Span{field.span.file, field.span.begin, field.span.begin + 1} : field.span;
        diagnostics_.report(codes::syntax, span, fmt::format("expected {}", what),
                            "names are made of letters, digits and _, and start with a lower-case letter or a digit");
        return false;
    }

    TypeId type(Field field) {
        if (!good_name(field, "a type")) return TypeId::none();
        const TypeId known = signature_.find_type(field.text);
        return known.is_none() ? signature_.add_type(std::string(field.text), field.span) : known;
    }

    void read_constants(Field line) {
        const std::vector<Field> parts = split(line, ':');
        if (parts.size() != 2) {
            diagnostics_.report(codes::syntax, line.span, "expected a type, ':' and its constants",
                                "as in color:red,blue");
            return;
        }
        const TypeId owner = type(parts[0]);
        if (owner.is_none() || parts[1].text.empty()) return;
        for (const Field& name : split(parts[1], ',')) {
            if (!good_name(name, "a constant")) continue;
            const ConstantId first = signature_.find_constant(name.text, owner);
            if (first.is_none()) {
                signature_.add_constant(std::string(name.text), owner, name.span);
            } else {
                duplicate(name.span, fmt::format("constant '{}' of type '{}'", name.text, parts[0].text),
                          signature_.constant(first).span);
            }
        }
    }

    // "name:arity:type,type" and, for functors, ":type".
    struct Declaration {
        Field name;
        std::vector<TypeId> args;
        TypeId result;
    };
    std::optional<Declaration> read_declaration(Field line, bool with_result) {
        const std::vector<Field> parts = split(line, ':');
        const std::size_t wanted = with_result ? 4 : 3;
        if (parts.size() != wanted) {
            diagnostics_.report(codes::syntax, line.span,
                                fmt::format("expected {} parts separated by ':', found {}", wanted, parts.size()),
                                with_result ? "as in f:2:color,colors:colors" : "as in edge:2:node,node");
            return std::nullopt;
        }
        if (!good_name(parts[0], "a name")) return std::nullopt;
        std::size_t arity = 0;
        const std::string_view digits = parts[1].text;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), arity);
        if (error != std::errc() || end != digits.data() + digits.size()) {
            const Span span = digits.empty() ? line.span : parts[1].span;
            diagnostics_.report(codes::bad_number, span, "expected the number of arguments");
            return std::nullopt;
        }
        Declaration declaration{parts[0], {}, {}};
        if (!parts[2].text.empty()) {
            for (const Field& arg : split(parts[2], ',')) declaration.args.push_back(type(arg));
        }
        if (with_result) declaration.result = type(parts[3]);
        const bool bad_type = std::ranges::any_of(declaration.args, [](TypeId t) { return t.is_none(); });
        if (bad_type || (with_result && declaration.result.is_none())) return std::nullopt;
        if (declaration.args.size() != arity) {
            diagnostics_.report(codes::wrong_arity, parts[1].span,
                                fmt::format("'{}' says {} argument{}, but {} type{} follow{}", parts[0].text, arity,
                                            arity == 1 ? "" : "s", declaration.args.size(),
                                            declaration.args.size() == 1 ? "" : "s",
                                            declaration.args.size() == 1 ? "s" : ""));
            return std::nullopt;
        }
        return declaration;
    }

    void read_functor(Field line) {
        const auto d = read_declaration(line, true);
        if (!d) return;
        if (d->args.empty()) {
            diagnostics_.report(codes::bad_declaration, d->name.span, "a functor takes at least one argument",
                                "a name without arguments is a constant: put it in consts.txt");
            return;
        }
        const FunctorId first = signature_.find_functor(d->name.text, d->args.size());
        if (first.is_none()) {
            signature_.add_functor(std::string(d->name.text), d->args, d->result, d->name.span);
        } else {
            duplicate(d->name.span, fmt::format("functor '{}/{}'", d->name.text, d->args.size()),
                      signature_.functor(first).span);
        }
    }

    void read_predicate(Field line, bool neural) {
        const auto d = read_declaration(line, false);
        if (!d) return;
        const PredicateId first = signature_.find_predicate(d->name.text, d->args.size());
        if (first.is_none()) {
            signature_.add_predicate(std::string(d->name.text), d->args, neural, d->name.span);
        } else {
            duplicate(d->name.span, fmt::format("predicate '{}/{}'", d->name.text, d->args.size()),
                      signature_.predicate(first).span);
        }
    }

    void duplicate(Span span, const std::string& what, Span first) {
        diagnostics_.report(codes::duplicate_declaration, span, fmt::format("{} is declared twice", what),
                            "remove one of them", {{first, "the first declaration is here"}});
    }

    // Folders do not declare list types; the shape of their functor identifies them.
    void recognise_lists() {
        for (std::size_t f = 0; f < signature_.functors().size(); ++f) {
            const auto id = checked_id<FunctorId>(f, "functors");
            if (!signature_.is_cell(id)) continue;
            TypeDecl& owner = signature_.type(signature_.functor(id).result);
            owner.no_repeats = true;
            if (owner.constants.size() == 1 && !owner.list) {
                owner.list = ListSugar{signature_.functor(id).args[0], id, owner.constants[0], false};
            }
        }
    }

    const fs::path& folder_;
    const LoadOptions& options_;
    Program& program_;
    Signature& signature_;
    Diagnostics& diagnostics_;
};

}  // namespace

void load_folder(const fs::path& folder, const LoadOptions& options, Program& program, Diagnostics& diagnostics) {
    program.from_folder = true;
    FolderReader(folder, options, program, diagnostics).read();
}

}  // namespace neumann::syntax
