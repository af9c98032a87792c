// Folders of the original: typed vocabulary, facts and definite clauses, each in a file of its own.
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "interchange/clause_goals.h"
#include "interchange/symbol_names.h"
#include "interchange/term_text.h"
#include "interchange/writers.h"
#include "logic/print.h"
#include "logic/substitution.h"

namespace neumann::interchange {
namespace {

constexpr std::uint32_t folder_depth = 3;  // of terms, unless an option sets it

bool is_folder_name(std::string_view name) {
    const auto word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    const bool stars = !name.empty() && name.find_first_not_of('*') == std::string_view::npos;
    const bool starts = !name.empty() && word(name[0]) && name[0] != '_' && !(name[0] >= 'A' && name[0] <= 'Z');
    return stars || (starts && std::ranges::all_of(name, word));
}

class FolderWriter {
public:
    FolderWriter(Program program, Diagnostics& diagnostics, std::vector<std::string>& notes)
        : program_(std::move(program)), diagnostics_(diagnostics), notes_(notes),
          symbols_(program_.signature, is_folder_name), types_(program_.signature, is_folder_name),
          text_(program_, {constant,
                           [this](const std::string& name) { return symbols_.of(name); },
                           Spelling::Lists::AsDeclared,
                           {},
                           {}}) {}

    std::vector<std::pair<std::string, std::string>> write() {
        add_vocabulary();
        for (const PlainFact& fact : effective_facts(program_, false)) {
            file("bk.txt") +=
                fmt::format("{}{}.\n", weight(fact.probability), text_.atom(fact.predicate, fact.args, {}));
        }
        const bool learns = !program_.learn.empty() || !program_.modes.empty();
        for (const Clause& clause : program_.clauses) add_clause(clause, learns);
        for (const Clause& clause : program_.initial) file("clauses.txt") += clause_text(clause);
        file("clauses.txt");  // the original asks for it
        add_directives();
        for (const auto& [ours, theirs] : symbols_.renamed())
            notes_.push_back(fmt::format("{} is called {} in the folder", quote_name(ours), theirs));
        return std::move(files_);
    }

private:
    std::string& file(std::string_view name) {
        for (auto& [known, text] : files_) {
            if (known == name) return text;
        }
        return files_.emplace_back(name, "").second;
    }

    void refuse(Span span, const std::string& what, const std::string& advice) {
        diagnostics_.report(codes::unsupported, span, fmt::format("a folder of the original has no place for {}", what),
                            advice);
    }

    static std::string constant(const std::string& name) {
        return name == "[]" ? "*" : name;  // the end of lists of an undeclared type
    }
    static std::string weight(double value) { return value == 1 ? "" : fmt::format("{}::", value); }
    std::string type_name(TypeId type) { return types_.of(program_.signature.type(type).name); }
    std::string type_names(const std::vector<TypeId>& types) {
        std::vector<std::string> names;
        for (const TypeId type : types) names.push_back(type_name(type));
        return fmt::format("{}:{}", types.size(), fmt::join(names, ","));
    }

    void add_vocabulary() {
        const Signature& signature = program_.signature;
        for (std::uint32_t t = 0; t < signature.types().size(); ++t) {
            if (signature.is_expression(TypeId(t))) continue;
            std::vector<std::string> constants;
            for (const ConstantId one : signature.types()[t].constants) {
                const ConstantDecl& declared = signature.constant(one);
                constants.push_back(constant(declared.name));
                if (!is_folder_name(constants.back()))
                    refuse(declared.span, fmt::format("the constant {}", quote_name(declared.name)),
                           "names there are made of letters, digits and _, and start with a small letter or a digit");
            }
            file("consts.txt") += fmt::format("{}:{}\n", type_name(TypeId(t)), fmt::join(constants, ","));
        }
        for (const FunctorDecl& functor : signature.functors()) {
            if (!functor.operation)
                file("funcs.txt") += fmt::format("{}:{}:{}\n", symbols_.of(functor.name), type_names(functor.args),
                                                 type_name(functor.result));
        }
        for (const PredicateDecl& predicate : signature.predicates())
            file(predicate.neural ? "neural_preds.txt" : "preds.txt") +=
                fmt::format("{}:{}\n", symbols_.of(predicate.name), type_names(predicate.args));
    }

    void add_clause(const Clause& clause, bool learns) {
        if (clause.choice)
            return refuse(clause.span, "annotated disjunctions", "write clauses with weights of their own");
        if (!clause.certain && learns)
            refuse(clause.span, "a weighted clause beside what is to be learned",
                   "with modes, clauses.txt is where the search starts; make it :- initial(…).");
        file(clause.certain ? "bk_clauses.txt" : "clauses.txt") += clause_text(clause);
    }

    std::string clause_text(const Clause& clause) {
        if (!clause.aggregates.empty()) {
            refuse(clause.aggregates.front().span, "aggregates", "state the numbers by facts");
            return {};
        }
        const std::optional<SolvedClause> solved = solve_constraints(program_.terms, clause);
        if (!solved) return {};
        for (const Constraint& c : solved->disequations)
            refuse(c.span, fmt::format("the condition '{}'", spelling(c.comparison)),
                   "state by facts which terms differ");
        for (const Constraint& c : solved->arithmetic) refuse(c.span, "arithmetic", "state the numbers by facts");
        VariableNames names;
        for (std::size_t v = 0; v < clause.variables.size(); ++v)
            names.push_back(clause.variables[v].name.starts_with('_') ? fmt::format("V{}", v)
                                                                      : clause.variables[v].name);
        std::vector<std::string> goals;
        for (const Literal& goal : solved->body) {
            if (goal.negated)
                refuse(goal.atom.span, "negation", "derive or state the opposite by a predicate of its own");
            goals.push_back(text_.atom(goal.atom.predicate, goal.atom.args, names));
        }
        return fmt::format("{}{}:-{}.\n", weight(clause.weight_value()),
                           text_.atom(solved->head.predicate, solved->head.args, names), fmt::join(goals, ","));
    }

    // Declarations without a place in the seven files, as directives for --modes.
    void add_directives() {
        Program rest = program_;
        rest.facts = {};
        rest.clauses.clear();
        rest.initial.clear();
        bool repeats = false;
        bool deeper = false;
        for (std::uint32_t t = 0; t < rest.signature.types().size(); ++t) {
            TypeDecl& type = rest.signature.type(TypeId(t));
            const bool cells =
                std::ranges::any_of(type.functors, [&](FunctorId f) { return rest.signature.is_cell(f); });
            if (type.max_depth == folder_depth && !type.max_length)
                type.max_depth.reset();
            else
                deeper = deeper || (!type.functors.empty() && !type.max_depth && !type.max_length);
            repeats = repeats || (cells && !type.no_repeats);
            if (cells) type.no_repeats = false;
        }
        constexpr std::array<std::string_view, 5> vocabulary = {":- type(", ":- functor(", ":- list(", ":- pred(",
                                                                ":- neural("};
        const std::string text = print_program(rest);
        std::string directives;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find('\n', begin) + 1;
            const std::string_view line = std::string_view(text).substr(begin, end - begin);
            if (std::ranges::none_of(vocabulary, [&](std::string_view word) { return line.starts_with(word); }))
                directives += line;
            begin = end;
        }
        if (!directives.empty()) {
            file("modes.txt") = directives;
            notes_.emplace_back("queries, bounds and the like are in modes.txt; read it with --modes FOLDER/modes.txt");
        }
        if (repeats) notes_.emplace_back("lists of a folder hold no element twice; read it with --repeats allow");
        if (deeper) notes_.emplace_back("terms of a folder are at most 3 deep; --term-depth says otherwise");
    }

    Program program_;
    Diagnostics& diagnostics_;
    std::vector<std::string>& notes_;
    SymbolNames symbols_;
    SymbolNames types_;
    TermText text_;
    std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> write_folder(const Program& program, Diagnostics& diagnostics,
                                                              std::vector<std::string>& notes) {
    return FolderWriter(program, diagnostics, notes).write();
}

}  // namespace neumann::interchange
