#include "syntax/clause_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "syntax/auxiliary_types.h"
#include "syntax/directive_reader.h"
#include "syntax/lower.h"
#include "syntax/parser.h"
#include "syntax/resolve.h"
#include "syntax/task_directives.h"

namespace neumann::syntax {
namespace {

// How often each variable is written, anonymous ones apart.
using VariableCounts = std::map<std::string_view, std::size_t>;

void count_variables(const Ast& ast, NodeIndex index, VariableCounts& counts) {
    const Node& node = ast[index];
    if (node.kind == NodeKind::Variable && node.text != "_") ++counts[node.text];
    for (NodeIndex child = node.first_child; child != no_node; child = ast[child].next)
        count_variables(ast, child, counts);
}

// ProbLog writes queries and evidence as facts. A program that declares predicates of these names means those.
bool is_task(const Signature& signature, const Ast& ast, const Item& item) {
    const Node& rule = ast[item.root];
    const Node& head = ast[rule.first_child];
    if (rule.child_count != 1 || !rule.text.empty() || head.quoted) return false;
    const bool query = head.text == "query" && head.child_count == 1;
    const bool evidence = head.text == "evidence" && (head.child_count == 1 || head.child_count == 2);
    return (query || evidence) && signature.find_predicate(head.text, head.child_count).is_none();
}

class ClauseReader {
public:
    ClauseReader(Program& program, ClauseTarget target, TextStore texts, Diagnostics& diagnostics)
        : program_(program), target_(target), diagnostics_(diagnostics), resolver_(program, diagnostics),
          lowering_(program, std::move(texts), diagnostics) {}

    void read(Ast& ast, const Item& item) {
        if (is_task(program_.signature, ast, item)) return read_task(ast, item);
        bool weights_ok = !item.weight || good_weight(*item.weight);
        for (const std::optional<Weight>& weight : item.head_weights)
            weights_ok = (!weight || good_weight(*weight)) && weights_ok;
        const std::vector<FlatRule> rules = lowering_.lower(ast, item);
        const bool lowered = rules.size() != 1 || rules[0].rule != item.root;
        VariableCounts written;
        if (lowered) {
            declare_auxiliary(program_, ast, rules);
            count_variables(ast, item.root, written);
        }
        std::vector<Clause> clauses;
        bool good = weights_ok;
        for (const FlatRule& rule : rules) {
            std::optional<Clause> clause = resolver_.rule(ast, rule.rule, item.span);
            good = good && clause;
            if (!good) continue;
            if (lowered && !rule.choice) forget_names(ast, rule.rule, written, *clause);
            if (rule.weight) clause->weight = rule.weight->value;
            if (rule.weight && rule.weight->learned)
                clause->parameter = Parameter{rule.weight->span, rule.weight->open};
            clause->choice = rule.choice;
            clauses.push_back(std::move(*clause));
        }
        for (std::size_t i = 0; good && i < clauses.size(); ++i) add(ast, rules[i], std::move(clauses[i]));
    }

    std::optional<Query> read_question(Ast& ast, const Item& item) {
        std::vector<FlatRule> rules = lowering_.lower(ast, item);
        if (rules.empty()) return std::nullopt;
        const Node head = ast[ast[rules[0].rule].first_child];
        for (FlatRule& rule : rules) {
            const Node& other = ast[ast[rule.rule].first_child];
            if (other.text == head.text && other.child_count == head.child_count) rule.auxiliary = true;
        }
        declare_auxiliary(program_, ast, rules);
        std::vector<Clause> clauses;
        for (const FlatRule& rule : rules) {
            std::optional<Clause> clause = resolver_.rule(ast, rule.rule, item.span);
            if (!clause) return std::nullopt;
            clauses.push_back(std::move(*clause));
        }
        const Clause& first = clauses[0];
        PredicateDecl& decl = program_.signature.predicate(first.head.predicate);
        decl.auxiliary = false;
        decl.question = true;
        for (std::size_t i = 0; i < first.head.args.size(); ++i) decl.asked.push_back(first.variables[i].name);
        Query query{first.head, first.variables};
        query.variables.resize(first.head.args.size());
        for (Clause& clause : clauses) add_clause(std::move(clause), true);
        return query;
    }

private:
    void read_task(const Ast& ast, const Item& item) {
        if (item.weight) {
            diagnostics_.report(codes::bad_weight, item.weight->span, "queries and evidence have no weight",
                                "give the weight to a fact or a clause");
            return;
        }
        const Item task{Item::Kind::Directive, item.span, std::nullopt, {}, ast[item.root].first_child};
        DirectiveReader directive(ast, task, program_, diagnostics_);
        if (directive.root().text == "query") {
            declare_query(directive);
        } else {
            declare_evidence(directive);
        }
    }
    // A variable that several rules share, and that occurs once in this one, is no typing mistake: it is anonymous
    // here.
    static void forget_names(const Ast& ast, NodeIndex rule, const VariableCounts& written, Clause& clause) {
        VariableCounts here;
        count_variables(ast, rule, here);
        for (ClauseVariable& variable : clause.variables) {
            const auto found = written.find(variable.name);
            if (found != written.end() && found->second > 1 && here[variable.name] == 1) variable.name = "_";
        }
    }
    void add(const Ast& ast, const FlatRule& rule, Clause clause) {
        // `p(a).` is a fact, `p(a) :- true.` a clause with an empty body; in folders the file decides.
        const bool bare = clause.body.empty() && clause.constraints.empty() && clause.aggregates.empty();
        const bool says_true = ast[rule.rule].text == "true";
        const bool is_fact = target_ == ClauseTarget::FactsOnly ||
                             (target_ == ClauseTarget::FactsAndClauses && bare && !says_true && is_ground(clause) &&
                              !clause.parameter);  // only the weight of a clause can be learned
        if (is_fact) {
            add_fact(clause, bare);
        } else {
            add_clause(std::move(clause), rule.auxiliary);
        }
    }
    bool good_weight(const Weight& weight) {
        const bool may_change = weight.value > 0 && weight.value < 1;
        if (weight.learned && !may_change) {
            diagnostics_.report(codes::bad_weight, weight.span,
                                "a probability to be learned starts between 0 and 1, and is neither",
                                "write t(_) or t(0.3); what is certain stays so");
            return false;
        }
        if (weight.value >= 0 && weight.value <= 1) return true;
        diagnostics_.report(codes::bad_weight, weight.span, "a weight lies between 0 and 1",
                            "write a number from 0 to 1; it multiplies the value of the body");
        return false;
    }
    bool is_ground(const Clause& clause) const {
        return std::ranges::all_of(clause.head.args, [&](TermId t) { return program_.terms.is_ground(t); });
    }
    void add_fact(const Clause& clause, bool bare) {
        if (!bare) {
            diagnostics_.report(codes::syntax, clause.span, "a clause with a body in a file of facts",
                                "clauses belong in bk_clauses.txt");
        } else if (!is_ground(clause)) {
            diagnostics_.report(codes::not_ground, clause.variables[0].span,
                                fmt::format("a fact must be ground, but '{}' is a variable", clause.variables[0].name),
                                "a clause with an empty body (head:-.) belongs in bk_clauses.txt");
        } else {
            program_.facts.add(clause.head.predicate, clause.head.args, clause.weight_value(), clause.span);
        }
    }
    void add_clause(Clause clause, bool auxiliary) {
        const PredicateDecl& predicate = program_.signature.predicate(clause.head.predicate);
        if (predicate.neural) {
            diagnostics_.report(codes::bad_declaration, clause.head.span,
                                fmt::format("'{}/{}' is neural: its values come from outside, not from clauses",
                                            predicate.name, predicate.args.size()),
                                "declare it with :- pred(…), or derive a predicate of another name",
                                {{predicate.span, "it is declared here"}});
            return;
        }
        const bool learned = std::ranges::any_of(
            program_.learn, [&](const LearnTarget& t) { return t.predicate == clause.head.predicate; });
        clause.certain = !clause.weight && !learned;
        if (target_ == ClauseTarget::Initial && !auxiliary) {
            clause.weight.reset();  // the search starts from a shape
            program_.initial.push_back(std::move(clause));
        } else {
            program_.clauses.push_back(std::move(clause));
        }
    }

    Program& program_;
    ClauseTarget target_;
    Diagnostics& diagnostics_;
    Resolver resolver_;
    Lowering lowering_;
};

// As it was asked, without blanks around it and a full stop.
std::string_view name_of_question(const SourceSet& sources, std::uint32_t file) {
    constexpr std::string_view blanks = " \t\n.";
    std::string_view name = sources.file(file).text();
    const std::size_t first = std::min(name.find_first_not_of(" \t\n"), name.size());
    const std::size_t last = name.find_last_not_of(blanks);
    return last == std::string_view::npos ? name : name.substr(first, last + 1 - first);
}

}  // namespace

std::vector<Directive> read_directives(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                                       Signature* signature, TypeUses* uses) {
    std::vector<Directive> directives;
    Parser parser(sources, file, file_dialect, diagnostics);
    while (std::optional<Item> item = parser.next_item()) {
        if (uses != nullptr) uses->add(parser.ast(), *item);
        if (item->kind == Item::Kind::Directive) directives.push_back({parser.ast(), *item, parser.texts()});
    }
    if (signature != nullptr) {
        for (const std::string& name : parser.broken_names()) signature->mark_broken(name);
    }
    if (uses != nullptr) {
        for (const std::string& name : parser.broken_heads()) uses->add_broken_clause(name);
        uses->keep(parser.texts());
    }
    return directives;
}

void refuse_clauses(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics) {
    Parser parser(sources, file, file_dialect, diagnostics);
    while (std::optional<Item> item = parser.next_item()) {
        if (item->kind == Item::Kind::Directive) continue;
        diagnostics.report(codes::syntax, item->span, "only directives stand in a file given by --modes",
                           "clauses belong in clauses.txt or bk_clauses.txt");
    }
}

void read_clauses(Program& program, std::uint32_t file, Dialect dialect, ClauseTarget target,
                  Diagnostics& diagnostics) {
    Parser parser(*program.sources, file, dialect, diagnostics);
    ClauseReader reader(program, target, parser.texts(), diagnostics);
    while (std::optional<Item> item = parser.next_item()) {
        if (item->kind == Item::Kind::Clause) {
            reader.read(parser.ast(), *item);
        } else if (target != ClauseTarget::FactsAndClauses) {
            diagnostics.report(codes::syntax, item->span, "directives do not stand in the clause files of a folder",
                               "give them in a file of their own with --modes FILE");
        }
    }
}

bool is_question(std::string_view text) {
    SourceSet sources;
    const std::uint32_t file = sources.add("question", std::string(text));
    Diagnostics ignored;
    Parser parser(sources, file, file_dialect, ignored);
    if (const std::optional<Item> item = parser.whole_question(text)) {
        const std::vector<NodeIndex> children = parser.ast().children(item->root);
        return children.size() != 2 || parser.ast()[children[1]].kind != NodeKind::Name;
    }
    return !Parser(sources, file, {.starred_names = true}, ignored).whole_atom();
}

void add_question_uses(const Program& program, std::uint32_t file, TypeUses& uses) {
    Diagnostics later;  // the question is read again, with the program's vocabulary
    Parser parser(*program.sources, file, file_dialect, later);
    if (const std::optional<Item> item = parser.whole_question(name_of_question(*program.sources, file))) {
        uses.add(parser.ast(), *item);
        uses.keep(parser.texts());
    }
}

std::optional<Query> read_question(Program& program, std::uint32_t file, Diagnostics& diagnostics) {
    Parser parser(*program.sources, file, file_dialect, diagnostics);
    std::optional<Item> item = parser.whole_question(name_of_question(*program.sources, file));
    if (!item) return std::nullopt;
    return ClauseReader(program, ClauseTarget::FactsAndClauses, parser.texts(), diagnostics)
        .read_question(parser.ast(), *item);
}

}  // namespace neumann::syntax
