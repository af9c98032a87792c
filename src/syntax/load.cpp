#include "syntax/load.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "syntax/clause_text.h"
#include "syntax/folder.h"
#include "syntax/infer_types.h"
#include "syntax/parser.h"
#include "syntax/resolve.h"

namespace neumann {
namespace {

using namespace syntax;
namespace fs = std::filesystem;

void report_empty(const Program& program, Span span, Diagnostics& diagnostics) {
    diagnostics.report(codes::empty_program, span,
                       program.from_folder ? "there is no program in this folder" : "there is no program in this file",
                       "docs/language.md starts with a small one");
}

// Without links and dots; as it is if it cannot be followed, which is an error of reading it.
fs::path plain_path(const fs::path& path) {
    std::error_code error;
    fs::path plain = fs::weakly_canonical(path, error);
    return error ? path : plain;
}

// The file and all that it includes, each once, in the order in which they are met; and their directives.
class ProgramFiles {
public:
    ProgramFiles(Program& program, const TextLimits& limits, Diagnostics& diagnostics)
        : program_(program), limits_(limits), diagnostics_(diagnostics) {}

    void add(std::uint32_t file) {
        files_.push_back(file);
        const fs::path path = program_.sources->file(file).name();
        known_.insert(plain_path(path));
        const std::size_t first = directives_.size();
        std::ranges::move(read_directives(*program_.sources, file, diagnostics_, &program_.signature, &uses_),
                          std::back_inserter(directives_));
        const std::size_t end = directives_.size();
        for (std::size_t d = first; d < end; ++d) include(directives_[d], path);
    }

    const std::vector<std::uint32_t>& files() const { return files_; }
    const std::vector<Directive>& directives() const { return directives_; }
    TypeUses& uses() { return uses_; }

private:
    void include(const Directive& directive, const fs::path& by) {
        const Node& root = directive.ast[directive.item.root];
        if (root.text != "include" || root.child_count != 1) return;
        const Node& path = directive.ast[root.first_child];
        if (path.kind != NodeKind::Name || path.child_count != 0) {
            diagnostics_.report(codes::bad_declaration, path.span, "expected the path of a file, in quotes",
                                "write it like :- include('file.nm').");
            return;
        }
        constexpr std::size_t longest_path = 4095;
        if (path.text.size() > longest_path) {
            diagnostics_.report(codes::bad_declaration, path.span,
                                fmt::format("a path of {} bytes, longer than any file's", path.text.size()));
            return;
        }
        const fs::path file = by.parent_path() / fs::path(std::string(path.text));
        if (!known_.insert(plain_path(file)).second) return;
        if (const auto found = load_text(file, *program_.sources, diagnostics_, limits_, path.span)) add(*found);
    }

    Program& program_;
    const TextLimits& limits_;
    Diagnostics& diagnostics_;
    std::vector<std::uint32_t> files_;
    std::vector<Directive> directives_;
    TypeUses uses_;
    std::set<fs::path> known_;
};

void read_file(Program& program, std::uint32_t file, const LoadOptions& options, Diagnostics& diagnostics) {
    ProgramFiles all(program, options.limits, diagnostics);
    all.add(file);
    for (const std::string& facts : options.facts)
        all.add(program.sources->add("--table", fmt::format(":- facts({}).", facts)));
    TypeUses& uses = all.uses();
    for (const std::string& question : options.questions)
        if (is_question(question)) add_question_uses(program, program.sources->add("--query", question), uses);
    const std::vector<Directive>& directives = all.directives();
    declare_vocabulary(directives, program, diagnostics);
    infer_types(uses, program);
    declare_bounds(directives, program, diagnostics);
    declare_tasks(directives, program, diagnostics);
    program.vocabulary_complete = !diagnostics.has_errors();
    for (const std::uint32_t one : all.files())
        read_clauses(program, one, file_dialect, ClauseTarget::FactsAndClauses, diagnostics);
    if (directives.empty() && program.clauses.empty() && program.facts.size() == 0 && !diagnostics.has_errors()) {
        report_empty(program, program.sources->whole_file(file), diagnostics);
    }
}

// The program text that stands for an option's value in diagnostics about that value.
Span option_span(Program& program, const std::string& option, const std::string& value) {
    const std::uint32_t file = program.sources->add(option, value);
    return {file, 0, static_cast<std::uint32_t>(value.size())};
}

void apply_distinct(const std::string& value, Program& program, Diagnostics& diagnostics) {
    Signature& signature = program.signature;
    const std::size_t count = signature.predicates().size();
    const auto set_all = [&](bool distinct) {
        for (std::size_t p = 0; p < count; ++p)
            signature.predicate(checked_id<PredicateId>(p, "predicates")).distinct = distinct;
    };
    set_all(value == "all");
    if (value == "all" || value == "none") return;
    const Span whole = option_span(program, "--distinct", value);
    for (std::size_t begin = 0; begin <= value.size();) {
        const std::size_t end = std::min(value.find(',', begin), value.size());
        const std::string name = value.substr(begin, end - begin);
        bool found = false;
        for (std::size_t p = 0; p < count; ++p) {
            PredicateDecl& predicate = signature.predicate(checked_id<PredicateId>(p, "predicates"));
            if (predicate.name != name && fmt::format("{}/{}", predicate.name, predicate.args.size()) != name) continue;
            predicate.distinct = found = true;
        }
        if (!found) {
            const Span span{whole.file, static_cast<std::uint32_t>(begin),
                            static_cast<std::uint32_t>(std::max(end, begin + 1))};
            diagnostics.report(codes::unknown_predicate, span, fmt::format("unknown predicate '{}'", name),
                               "give none, all, or predicates separated by commas");
        }
        begin = end + 1;
    }
}

void apply_options(const LoadOptions& options, Program& program, Diagnostics& diagnostics) {
    for (std::size_t t = 0; t < program.signature.types().size(); ++t) {
        TypeDecl& type = program.signature.type(checked_id<TypeId>(t, "types"));
        if (type.functors.empty()) continue;
        if (options.term_depth) {
            type.max_depth = options.term_depth;
            type.max_length.reset();
        } else if (program.from_folder && !type.max_depth && !type.max_length) {
            type.max_depth = options.folder_term_depth;
        }
    }
    for (std::size_t f = 0; options.allow_repeats && f < program.signature.functors().size(); ++f) {
        const auto id = checked_id<FunctorId>(f, "functors");
        if (program.signature.is_cell(id))
            program.signature.type(program.signature.functor(id).result).no_repeats = !*options.allow_repeats;
    }
    if (options.distinct) apply_distinct(*options.distinct, program, diagnostics);
}

// The predicate whose name is this atom, however it is spaced.
PredicateId find_spelled(const Signature& signature, std::string_view text) {
    std::string tight;
    char quote = 0;
    for (const char c : text) {
        if ((c == '\'' || c == '"') && (quote == 0 || quote == c)) quote = quote == 0 ? c : '\0';
        if (quote != 0 || c != ' ') tight += c;
    }
    if (tight.ends_with('.')) tight.pop_back();
    const PredicateId found = signature.find_predicate(tight, 0);
    return !found.is_none() && signature.predicate(found).spelled ? found : PredicateId::none();
}

// The question of this text that the program has, if any.
PredicateId find_question(const Program& program, std::string_view text) {
    const std::vector<PredicateDecl>& predicates = program.signature.predicates();
    const auto found =
        std::ranges::find_if(predicates, [&](const PredicateDecl& decl) { return decl.question && decl.name == text; });
    return found == predicates.end() ? PredicateId::none()
                                     : PredicateId(static_cast<std::uint32_t>(found - predicates.begin()));
}

}  // namespace

Program load_program(const std::filesystem::path& path, const LoadOptions& options, Diagnostics& diagnostics) {
    Program program;
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        load_folder(path, options, program, diagnostics);
        if (program.signature.types().empty() && program.signature.predicates().empty() && !diagnostics.has_errors()) {
            const std::uint32_t folder = program.sources->add(path.string(), {});
            report_empty(program, program.sources->whole_file(folder), diagnostics);
        }
    } else if (const auto file = load_text(path, *program.sources, diagnostics, options.limits)) {
        read_file(program, *file, options, diagnostics);
    }
    apply_options(options, program, diagnostics);
    return program;
}

Program parse_program(std::string name, std::string text, const LoadOptions& options, Diagnostics& diagnostics) {
    Program program;
    const std::uint32_t file = program.sources->add(std::move(name), std::move(text));
    read_file(program, file, options, diagnostics);
    apply_options(options, program, diagnostics);
    return program;
}

void add_clauses(Program& program, std::string name, std::string text, Diagnostics& diagnostics) {
    const std::uint32_t file = program.sources->add(std::move(name), std::move(text));
    Dialect dialect = file_dialect;
    dialect.starred_names = program.from_folder;
    read_clauses(program, file, dialect, ClauseTarget::FactsAndClauses, diagnostics);
}

std::optional<Query> parse_question(Program& program, std::string name, std::string_view text,
                                    Diagnostics& diagnostics) {
    if (!is_question(text) || !find_question(program, text).is_none())
        return parse_query(program, std::move(name), text, diagnostics);
    const std::uint32_t file = program.sources->add(std::move(name), std::string(text));
    return read_question(program, file, diagnostics);
}

std::optional<Query> parse_query(Program& program, std::string name, std::string_view text, Diagnostics& diagnostics) {
    if (const PredicateId question = find_question(program, text); !question.is_none()) {
        const PredicateDecl& decl = program.signature.predicate(question);
        Query query{{question, {}, {}}, {}};
        for (std::size_t i = 0; i < decl.args.size(); ++i) {
            query.atom.args.push_back(program.terms.variable(static_cast<std::uint32_t>(i)));
            query.variables.push_back({decl.asked[i], decl.args[i], {}});
        }
        return query;
    }
    if (const PredicateId spelled = find_spelled(program.signature, text); !spelled.is_none())
        return Query{{spelled, {}, {}}, {}};
    const std::uint32_t file = program.sources->add(std::move(name), std::string(text));
    // Stars are names here as well: f(red,*) is how folders write it.
    Parser parser(*program.sources, file, {.starred_names = true}, diagnostics);
    const std::optional<NodeIndex> node = parser.whole_atom();
    if (!node) return std::nullopt;
    Scope scope;
    std::optional<Atom> atom = Resolver(program, diagnostics).atom(parser.ast(), *node, scope);
    if (!atom || scope.mistakes) return std::nullopt;
    return Query{std::move(*atom), std::move(scope.variables)};
}

}  // namespace neumann
