#include "syntax/declarations.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"
#include "logic/saying.h"
#include "syntax/resolve.h"

namespace neumann::syntax {
namespace {

constexpr std::uint32_t largest_bound = 1'000'000;

class Declarer {
public:
    Declarer(Program& program, Diagnostics& diagnostics)
        : program_(program), signature_(program.signature), diagnostics_(diagnostics), resolver_(program, diagnostics) {
    }

    void run(const std::vector<Directive>& directives, std::size_t phase);

private:
    using Handler = void (Declarer::*)();
    struct Entry {
        std::string_view name;
        std::size_t phase;  // declarations of a lower phase are visible to those of a higher one
        std::size_t min_args;
        std::size_t max_args;
        std::string_view usage;
        Handler handler;
    };
    static const std::array<Entry, 18> entries;

    // Phases: types; list types; constants, functors and predicates; what ties those into lists; bounds; what uses
    // them.
    void type_name();
    void list_name();
    void constants();
    void neural() { add_predicate(true); }
    void plain_predicate() { add_predicate(false); }
    void functor();
    void list();
    void max_depth();
    void max_length();
    void no_repeats();
    void distinct();
    void query();
    void modeh() { mode(true); }
    void modeb() { mode(false); }
    void learn();
    void initial();
    void label();
    void say();

    void add_predicate(bool neural);
    void mode(bool head);
    bool good_places(const Node& text, const std::vector<ClauseVariable>& variables);

    const Node& arg(std::size_t i) const { return (*ast_)[args_[i]]; }
    const Node* plain_name(std::size_t i, std::string_view what);
    static std::optional<std::uint32_t> whole_number(const Node& node, std::uint32_t least, std::uint32_t most);
    std::optional<std::uint32_t> integer(std::size_t i, std::uint32_t least, std::uint32_t most);
    TypeId type(const Node& node);
    std::optional<std::vector<TypeId>> types_of(NodeIndex signature);
    PredicateId predicate_of(std::size_t i);
    void bad(Span span, std::string message, std::string advice = {});
    bool bad_usage(const Entry& entry);
    void duplicate(Span span, const std::string& what, Span first);

    Program& program_;
    Signature& signature_;
    Diagnostics& diagnostics_;
    Resolver resolver_;
    const Ast* ast_ = nullptr;
    const Item* item_ = nullptr;
    std::vector<NodeIndex> args_;
};

const std::array<Declarer::Entry, 18> Declarer::entries = {{
    {"type", 0, 1, 2, "type(color, [red, blue])", &Declarer::type_name},
    {"list", 1, 4, 4, "list(colors, color, f, '*')", &Declarer::list_name},
    {"type", 2, 1, 2, "type(color, [red, blue])", &Declarer::constants},
    {"pred", 2, 1, 1, "pred(edge(node, node))", &Declarer::plain_predicate},
    {"neural", 2, 1, 1, "neural(color(object, color))", &Declarer::neural},
    {"functor", 2, 2, 2, "functor(s(number), number)", &Declarer::functor},
    {"list", 3, 4, 4, "list(colors, color, f, '*')", &Declarer::list},
    {"max_depth", 4, 2, 2, "max_depth(number, 10)", &Declarer::max_depth},
    {"max_length", 4, 2, 2, "max_length(colors, 3)", &Declarer::max_length},
    {"no_repeats", 4, 1, 1, "no_repeats(colors)", &Declarer::no_repeats},
    {"distinct", 4, 1, 1, "distinct(closeby/2)", &Declarer::distinct},
    {"query", 5, 1, 1, "query(answer(X))", &Declarer::query},
    {"modeh", 5, 2, 2, "modeh(1, kp(+image))", &Declarer::modeh},
    {"modeb", 5, 2, 2, "modeb(2, color(+object, #color))", &Declarer::modeb},
    {"learn", 5, 2, 2, "learn(delete/3, 2)", &Declarer::learn},
    {"initial", 5, 1, 1, "initial((kp(X) :- in(O,X)))", &Declarer::initial},
    {"label", 5, 1, 1, "label(kp(img))", &Declarer::label},
    {"say", 5, 2, 2, "say(older(X, Y), '{X} is older than {Y}')", &Declarer::say},
}};
constexpr std::size_t vocabulary_phases = 5;

void Declarer::run(const std::vector<Directive>& directives, std::size_t phase) {
    for (const Directive& directive : directives) {
        ast_ = &directive.ast;
        item_ = &directive.item;
        const Node& root = directive.ast[directive.item.root];
        args_ = directive.ast.children(directive.item.root);
        bool known = false;
        for (const Entry& entry : entries) {
            if (entry.name != root.text) continue;
            known = true;
            if (entry.phase == phase && !bad_usage(entry)) (this->*entry.handler)();
        }
        if (!known && phase == 0) {
            std::vector<std::string> names;
            for (const Entry& entry : entries) names.emplace_back(entry.name);
            diagnostics_.report(codes::unknown_directive, root.name_span,
                                fmt::format("unknown directive '{}'", root.text),
                                did_you_mean(root.text, names, "docs/language.md lists the directives"));
        }
    }
}

bool Declarer::bad_usage(const Entry& entry) {
    if (args_.size() >= entry.min_args && args_.size() <= entry.max_args) return false;
    bad((*ast_)[item_->root].span,
        fmt::format("'{}' with {} argument{}", entry.name, args_.size(), args_.size() == 1 ? "" : "s"),
        fmt::format("write it like :- {}.", entry.usage));
    return true;
}

void Declarer::bad(Span span, std::string message, std::string advice) {
    diagnostics_.report(codes::bad_declaration, span, std::move(message), std::move(advice));
}

void Declarer::duplicate(Span span, const std::string& what, Span first) {
    diagnostics_.report(codes::duplicate_declaration, span, fmt::format("{} is declared twice", what),
                        "remove one of them", {{first, "the first declaration is here"}});
}

const Node* Declarer::plain_name(std::size_t i, std::string_view what) {
    const Node& node = arg(i);
    if (node.kind == NodeKind::Name && node.child_count == 0) return &node;
    bad(node.span, fmt::format("expected {}", what));
    return nullptr;
}

std::optional<std::uint32_t> Declarer::whole_number(const Node& node, std::uint32_t least, std::uint32_t most) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), value);
    const bool whole = node.kind == NodeKind::Name && node.child_count == 0 && error == std::errc() &&
                       end == node.text.data() + node.text.size();
    return whole && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<std::uint32_t> Declarer::integer(std::size_t i, std::uint32_t least, std::uint32_t most) {
    const std::optional<std::uint32_t> value = whole_number(arg(i), least, most);
    if (!value) bad(arg(i).span, fmt::format("expected a whole number from {} to {}", least, most));
    return value;
}

TypeId Declarer::type(const Node& node) {
    if (node.kind != NodeKind::Name || node.child_count != 0) {
        bad(node.span, "expected the name of a type");
        return TypeId::none();
    }
    const TypeId id = signature_.find_type(node.text);
    if (id.is_none()) report_unknown_type(signature_, node.text, node.span, diagnostics_);
    return id;
}

std::optional<std::vector<TypeId>> Declarer::types_of(NodeIndex index) {
    const Node& node = (*ast_)[index];
    if (node.kind != NodeKind::Name) {
        bad(node.span, "expected a name with types as arguments, such as edge(node, node)");
        return std::nullopt;
    }
    std::vector<TypeId> types;
    for (NodeIndex child : ast_->children(index)) types.push_back(type((*ast_)[child]));
    for (TypeId t : types) {
        if (t.is_none()) return std::nullopt;
    }
    return types;
}

void Declarer::type_name() {
    const Node* name = plain_name(0, "the name of a type");
    if (name == nullptr) return;
    const TypeId first = signature_.find_type(name->text);
    if (first.is_none()) {
        signature_.add_type(std::string(name->text), name->span);
    } else {
        duplicate(name->span, fmt::format("type '{}'", name->text), signature_.type(first).span);
    }
}

// A list declaration makes its type unless a type directive did.
void Declarer::list_name() {
    const Node* name = plain_name(0, "the name of a list type");
    if (name == nullptr) return;
    const TypeId known = signature_.find_type(name->text);
    if (known.is_none()) signature_.add_type(std::string(name->text), name->span);
}

void Declarer::constants() {
    const Node* name = plain_name(0, "the name of a type");
    if (name == nullptr || args_.size() < 2) return;
    const TypeId owner = signature_.find_type(name->text);
    if (signature_.type(owner).span != name->span) return;  // a second declaration, reported already
    const Node& list = arg(1);
    if (list.kind != NodeKind::List || list.has_tail) {
        bad(list.span, "expected a list of constants", "write it like :- type(color, [red, blue]).");
        return;
    }
    for (NodeIndex child : ast_->children(args_[1])) {
        const Node& constant = (*ast_)[child];
        if (constant.kind != NodeKind::Name || constant.child_count != 0) {
            bad(constant.span, "expected a constant",
                "constants start with a lower-case letter or a digit, or are quoted");
            continue;
        }
        const ConstantId first = signature_.find_constant(constant.text, owner);
        if (first.is_none()) {
            signature_.add_constant(std::string(constant.text), owner, constant.span);
        } else {
            duplicate(constant.span, fmt::format("constant '{}' of type '{}'", constant.text, name->text),
                      signature_.constant(first).span);
        }
    }
}

void Declarer::add_predicate(bool neural) {
    const std::optional<std::vector<TypeId>> types = types_of(args_[0]);
    if (!types) return signature_.mark_broken(arg(0).text);
    const Node& node = arg(0);
    const PredicateId first = signature_.find_predicate(node.text, types->size());
    if (first.is_none()) {
        signature_.add_predicate(std::string(node.text), *types, neural, node.span);
    } else {
        duplicate(node.span, fmt::format("predicate '{}/{}'", node.text, types->size()),
                  signature_.predicate(first).span);
    }
}

void Declarer::functor() {
    const std::optional<std::vector<TypeId>> types = types_of(args_[0]);
    const TypeId result = type(arg(1));
    if (!types || result.is_none()) return signature_.mark_broken(arg(0).text);
    const Node& node = arg(0);
    if (types->empty()) {
        bad(node.span, "a functor takes at least one argument", "a name without arguments is a constant of a type");
        return;
    }
    const FunctorId first = signature_.find_functor(node.text, types->size());
    if (first.is_none()) {
        signature_.add_functor(std::string(node.text), *types, result, node.span);
    } else {
        duplicate(node.span, fmt::format("functor '{}/{}'", node.text, types->size()), signature_.functor(first).span);
    }
}

void Declarer::list() {
    if (arg(0).kind != NodeKind::Name || arg(0).child_count != 0) return;  // reported by list_name
    const Node* functor_name = plain_name(2, "a functor");
    const Node* empty_name = plain_name(3, "the constant that stands for []");
    const TypeId owner = type(arg(0));
    const TypeId element = type(arg(1));
    if (functor_name == nullptr || empty_name == nullptr || owner.is_none() || element.is_none()) return;
    if (owner == element) {
        bad(arg(1).span, "a list cannot be its own element", "give the elements a type of their own");
        return;
    }
    if (signature_.type(owner).list) {
        duplicate(arg(0).span, fmt::format("list type '{}'", arg(0).text), signature_.type(owner).list_span);
        return;
    }
    FunctorId cons = signature_.find_functor(functor_name->text, 2);
    if (cons.is_none()) {
        cons = signature_.add_functor(std::string(functor_name->text), {element, owner}, owner, functor_name->span);
    } else if (signature_.functor(cons).args != std::vector{element, owner} ||
               signature_.functor(cons).result != owner) {
        diagnostics_.report(codes::bad_declaration, functor_name->span,
                            fmt::format("functor '{}/2' does not build '{}' from '{}' and '{}'", functor_name->text,
                                        arg(0).text, arg(1).text, arg(0).text),
                            "every list type needs a functor of its own",
                            {{signature_.functor(cons).span, "it is declared here"}});
        return;
    }
    ConstantId empty = signature_.find_constant(empty_name->text, owner);
    if (empty.is_none()) empty = signature_.add_constant(std::string(empty_name->text), owner, empty_name->span);
    signature_.type(owner).list = ListSugar{element, cons, empty, true};
    signature_.type(owner).list_span = arg(0).span;
}

void Declarer::max_depth() {
    const TypeId id = type(arg(0));
    const auto bound = integer(1, 0, largest_bound);
    if (id.is_none() || !bound) return;
    TypeDecl& decl = signature_.type(id);
    if (decl.max_depth) duplicate(arg(0).span, fmt::format("max_depth of '{}'", arg(0).text), decl.depth_span);
    decl.max_depth = bound;
    decl.depth_span = arg(0).span;
}

void Declarer::max_length() {
    const TypeId id = type(arg(0));
    const auto bound = integer(1, 0, largest_bound);
    if (id.is_none() || !bound) return;
    TypeDecl& decl = signature_.type(id);
    if (!decl.list)
        bad(arg(0).span, fmt::format("'{}' is not a list type", arg(0).text), "use max_depth for other types");
    if (decl.max_length) duplicate(arg(0).span, fmt::format("max_length of '{}'", arg(0).text), decl.length_span);
    decl.max_length = bound;
    decl.length_span = arg(0).span;
}

void Declarer::no_repeats() {
    const TypeId id = type(arg(0));
    if (id.is_none()) return;
    bool has_cell = false;
    for (FunctorId f : signature_.type(id).functors) has_cell = has_cell || signature_.is_cell(f);
    if (!has_cell)
        bad(arg(0).span, fmt::format("'{}' is not a list type", arg(0).text),
            "declare it with :- list(type, element, functor, empty).");
    signature_.type(id).no_repeats = true;
}

PredicateId Declarer::predicate_of(std::size_t i) {
    const Node& node = arg(i);
    if (node.kind != NodeKind::Indicator) {
        bad(node.span, "expected a predicate with its number of arguments, such as edge/2");
        return PredicateId::none();
    }
    const PredicateId id = signature_.find_predicate(node.text, node.number);
    if (id.is_none()) report_unknown_predicate(program_, node.text, node.number, node.span, diagnostics_);
    return id;
}

void Declarer::distinct() {
    const PredicateId id = predicate_of(0);
    if (!id.is_none()) signature_.predicate(id).distinct = true;
}

void Declarer::query() {
    const Node& node = arg(0);
    if (node.kind != NodeKind::Name) return bad(node.span, "expected an atom");
    Scope scope;
    if (std::optional<Atom> atom = resolver_.atom(*ast_, args_[0], scope); atom && !scope.mistakes) {
        program_.queries.push_back({std::move(*atom), std::move(scope.variables)});
    }
}

void Declarer::mode(bool head) {
    Mode mode;
    mode.head = head;
    mode.span = item_->span;
    if (arg(0).kind != NodeKind::Star) {
        mode.recall = whole_number(arg(0), 1, largest_bound);
        if (!mode.recall) {
            diagnostics_.report(codes::bad_mode, arg(0).span,
                                "the recall is a whole number from 1, or * for any number",
                                "it bounds how often the predicate is used in one clause");
            return;
        }
    }
    const Node& node = arg(1);
    if (node.kind != NodeKind::Name)
        return bad(node.span, "expected a predicate with its places, such as color(+object, #color)");
    mode.predicate = signature_.find_predicate(node.text, node.child_count);
    if (mode.predicate.is_none()) {
        report_unknown_predicate(program_, node.text, node.child_count, node.name_span, diagnostics_);
        return;
    }
    const PredicateDecl& predicate = signature_.predicate(mode.predicate);
    if (head && predicate.neural) {
        diagnostics_.report(codes::bad_mode, node.name_span, "a neural predicate cannot be the head of a clause",
                            "its values come from outside", {{predicate.span, "it is declared here"}});
        return;
    }
    for (NodeIndex child : ast_->children(args_[1])) {
        const Node& place = (*ast_)[child];
        if (place.kind != NodeKind::Signed) {
            diagnostics_.report(codes::bad_mode, place.span, "a place of a mode needs a sign",
                                "+type: a variable that occurs before, -type: one that may be new, #type: a constant");
            return;
        }
        const TypeId given = type((*ast_)[place.first_child]);
        if (given.is_none()) return;
        const TypeId declared = predicate.args[mode.places.size()];
        if (given != declared) {
            diagnostics_.report(codes::bad_mode, place.span,
                                fmt::format("this place of '{}/{}' is of type '{}', not '{}'", node.text,
                                            node.child_count, signature_.type(declared).name,
                                            signature_.type(given).name),
                                {}, {{predicate.span, "it is declared here"}});
            return;
        }
        const auto kind = place.text == "+"   ? ModePlace::Kind::Input
                          : place.text == "-" ? ModePlace::Kind::Output
                                              : ModePlace::Kind::Constant;
        mode.places.push_back({kind, given});
    }
    program_.modes.push_back(std::move(mode));
}

void Declarer::learn() {
    const PredicateId id = predicate_of(0);
    const auto count = integer(1, 1, largest_bound);
    if (id.is_none() || !count) return;
    if (signature_.predicate(id).neural) {
        return bad(arg(0).span, "a neural predicate cannot be learned as clauses", "its values come from outside");
    }
    for (const LearnTarget& target : program_.learn) {
        if (target.predicate == id)
            return duplicate(arg(0).span, fmt::format("learning of '{}/{}'", arg(0).text, arg(0).number), target.span);
    }
    program_.learn.push_back({id, *count, item_->span});
}

void Declarer::initial() {
    std::optional<Clause> clause;
    if (arg(0).kind == NodeKind::Rule) {
        clause = resolver_.rule(*ast_, args_[0], item_->span);
    } else if (arg(0).kind == NodeKind::Name) {
        Scope scope;
        std::optional<Atom> head = resolver_.atom(*ast_, args_[0], scope);
        if (!head || scope.mistakes) return;
        clause.emplace();
        clause->head = std::move(*head);
        clause->variables = std::move(scope.variables);
        clause->span = item_->span;
    } else {
        return bad(arg(0).span, "expected a clause", "write it like :- initial((kp(X) :- in(O,X))).");
    }
    if (!clause) return;
    if (signature_.predicate(clause->head.predicate).neural) {
        return bad(clause->head.span, "a neural predicate cannot be the head of a clause",
                   "its values come from outside");
    }
    program_.initial.push_back(std::move(*clause));
}

void Declarer::label() {
    const Node& node = arg(0);
    if (node.kind != NodeKind::Name) return bad(node.span, "expected a ground atom");
    Scope scope;
    std::optional<Atom> atom = resolver_.atom(*ast_, args_[0], scope);
    if (!atom || scope.mistakes) return;
    if (!scope.variables.empty()) {
        diagnostics_.report(codes::not_ground, scope.variables[0].span,
                            fmt::format("a label must be ground, but '{}' is a variable", scope.variables[0].name),
                            "name the constants, as in label(kp(img))");
        return;
    }
    program_.labels.push_back(std::move(*atom));
}

void Declarer::say() {
    const Node& pattern = arg(0);
    const Node& text = arg(1);
    Scope scope;
    std::optional<Atom> atom;
    if (pattern.kind == NodeKind::Name) {
        atom = resolver_.atom(*ast_, args_[0], scope);
    } else {
        bad(pattern.span, "expected an atom", "its variables may stand in the text: say(wet(X), '{X} is wet')");
    }
    if (text.kind != NodeKind::Name || !text.quoted || text.child_count != 0)
        return bad(text.span, "expected a text in single quotes", "write it like '{X} is older than {Y}'");
    if (!atom || scope.mistakes || !good_places(text, scope.variables)) return;
    program_.sayings.push_back({std::move(*atom), std::move(scope.variables), std::string(text.text), item_->span});
}

bool Declarer::good_places(const Node& text, const std::vector<ClauseVariable>& variables) {
    const SayingText parts = split_saying(text.text);
    // With an escape inside, places in the text are not those in the file.
    const bool as_written = text.span.end - text.span.begin == text.text.size() + 2;
    const auto span_of = [&](std::size_t begin, std::size_t end) {
        if (!as_written) return text.span;
        const auto at = [&](std::size_t i) { return text.span.begin + 1 + static_cast<std::uint32_t>(i); };
        return Span{text.span.file, at(begin), at(end)};
    };
    if (parts.stray_brace) {
        const char brace = text.text[*parts.stray_brace];
        diagnostics_.report(codes::unclosed, span_of(*parts.stray_brace, *parts.stray_brace + 1),
                            brace == '{' ? "this '{' is never closed" : "this '}' closes nothing",
                            fmt::format("a place is written like {{X}}; for the character itself write {0}{0}", brace));
        return false;
    }
    std::vector<std::string> names;
    for (const ClauseVariable& variable : variables) {
        if (variable.name != "_") names.push_back(variable.name);
    }
    bool good = true;
    for (const SayingPart& part : parts.parts) {
        if (!part.place || std::ranges::find(names, part.text) != names.end()) continue;
        good = false;
        const Span span = span_of(part.begin, part.end);
        if (part.text == "_") {
            bad(span, "'_' has no value that could stand here", "give the variable a name");
            continue;
        }
        bad(span,
            part.text.empty() ? "a place without a variable"
                              : fmt::format("'{}' is not a variable of the atom", part.text),
            names.empty() ? "the atom has no variables with a name; for the character { write {{"
                          : did_you_mean(part.text, names, fmt::format("the atom has {}", fmt::join(names, ", "))));
    }
    return good;
}

}  // namespace

void declare_vocabulary(const std::vector<Directive>& directives, Program& program, Diagnostics& diagnostics) {
    Declarer declarer(program, diagnostics);
    for (std::size_t phase = 0; phase < vocabulary_phases; ++phase) declarer.run(directives, phase);
    program.signature.renumber_constants();
}

void declare_tasks(const std::vector<Directive>& directives, Program& program, Diagnostics& diagnostics) {
    Declarer(program, diagnostics).run(directives, vocabulary_phases);
}

}  // namespace neumann::syntax
