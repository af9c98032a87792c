#include "syntax/vocabulary_directives.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/budget.h"

namespace neumann::syntax {
namespace {

void add_predicate(DirectiveReader& directive, bool neural) {
    Signature& signature = directive.signature();
    const Node& node = directive.arg(0);
    const std::optional<std::vector<TypeId>> types = directive.types_of(0);
    if (!types) return signature.mark_broken(node.text);
    const PredicateId first = signature.find_predicate(node.text, types->size());
    if (first.is_none()) {
        signature.add_predicate(std::string(node.text), *types, neural, node.span);
    } else {
        directive.duplicate(node.span, fmt::format("predicate '{}/{}'", node.text, types->size()),
                            signature.predicate(first).span);
    }
}

// 0..9: its constants are the numbers from one end to the other.
void add_range(DirectiveReader& directive, TypeId owner) {
    constexpr std::uint64_t largest_range = 10'000'000;
    Signature& signature = directive.signature();
    const Node& range = directive.arg(1);
    std::vector<std::int64_t> ends;
    for (const NodeIndex child : directive.children(1)) {
        const Node& end = directive.node(child);
        const std::optional<Number> value = end.number ? parse_number(end.text) : std::nullopt;
        const auto* const integer = value ? std::get_if<std::int64_t>(&*value) : nullptr;
        if (integer == nullptr)
            return directive.bad(end.span, "the ends of a range are integers", "write it like :- type(digit, 0..9).");
        ends.push_back(*integer);
    }
    if (ends[0] > ends[1])
        return directive.bad(range.span, fmt::format("the range from {} to {} is empty", ends[0], ends[1]),
                             fmt::format("write the smaller number first: {}..{}", ends[1], ends[0]));
    const std::uint64_t span = static_cast<std::uint64_t>(ends[1]) - static_cast<std::uint64_t>(ends[0]);
    if (span >= largest_range)
        return directive.bad(
            range.span, fmt::format("a range of more than {} numbers", largest_range),
            "every number of a type is a constant of its own; leave the type open, or make it smaller");
    for (std::int64_t number = ends[0];; ++number) {
        if (number % 4096 == 0) require_budget("declaring a type");
        signature.add_constant(fmt::format("{}", number), owner, range.span);
        if (number == ends[1]) break;
    }
    signature.type(owner).range = IntegerRange{ends[0], ends[1]};
}

// type(color, [red, blue|_]): these constants, and further ones that are used.
bool has_open_tail(const DirectiveReader& directive) {
    const Node& list = directive.arg(1);
    if (list.kind != NodeKind::List || !list.has_tail) return false;
    const Node& tail = directive.node(directive.children(1).back());
    return tail.kind == NodeKind::Variable && tail.text == "_";
}

}  // namespace

void declare_type_name(DirectiveReader& directive) {
    Signature& signature = directive.signature();
    const Node* name = directive.plain_name(0, "the name of a type");
    if (name == nullptr) return;
    const TypeId first = signature.find_type(name->text);
    if (first.is_none()) {
        const TypeId added = signature.add_type(std::string(name->text), name->span);
        signature.type(added).open = directive.arg_count() == 1 || has_open_tail(directive);
    } else {
        directive.duplicate(name->span, fmt::format("type '{}'", name->text), signature.type(first).span);
    }
}

// A list declaration makes its type unless a type directive did.
void declare_list_name(DirectiveReader& directive) {
    Signature& signature = directive.signature();
    const Node* name = directive.plain_name(0, "the name of a list type");
    if (name == nullptr) return;
    const TypeId known = signature.find_type(name->text);
    if (known.is_none()) signature.add_type(std::string(name->text), name->span);
    directive.name_type(directive.arg(1), name->text);  // colors are lists of the type that is named color
}

void declare_constants(DirectiveReader& directive) {
    Signature& signature = directive.signature();
    const Node* name = directive.plain_name(0, "the name of a type");
    if (name == nullptr || directive.arg_count() < 2) return;
    const TypeId owner = signature.find_type(name->text);
    if (signature.type(owner).span != name->span) return;  // a second declaration, reported already
    const Node& list = directive.arg(1);
    if (list.kind == NodeKind::Operation && list.operation == Operation::Range) return add_range(directive, owner);
    if (list.kind != NodeKind::List || (list.has_tail && !has_open_tail(directive))) {
        directive.bad(list.span, "expected a list of constants, or a range of integers",
                      "write it like :- type(color, [red, blue]). or :- type(digit, 0..9).");
        return;
    }
    std::vector<NodeIndex> constants = directive.children(1);
    if (list.has_tail) constants.pop_back();
    for (NodeIndex child : constants) {
        const Node& constant = directive.node(child);
        if (constant.kind != NodeKind::Name || constant.child_count != 0) {
            directive.bad(constant.span, "expected a constant",
                          "constants start with a lower-case letter or a digit, or are quoted");
            continue;
        }
        const ConstantId first = signature.find_constant(constant.text, owner);
        if (first.is_none()) {
            signature.add_constant(std::string(constant.text), owner, constant.span);
        } else {
            directive.duplicate(constant.span, fmt::format("constant '{}' of type '{}'", constant.text, name->text),
                                signature.constant(first).span);
        }
    }
}

void declare_plain_predicate(DirectiveReader& directive) { add_predicate(directive, false); }

void declare_neural_predicate(DirectiveReader& directive) { add_predicate(directive, true); }

void declare_functor(DirectiveReader& directive) {
    Signature& signature = directive.signature();
    const Node& node = directive.arg(0);
    const std::optional<std::vector<TypeId>> types = directive.types_of(0);
    const TypeId result = directive.named_type(directive.arg(1));
    if (!types || result.is_none()) return signature.mark_broken(node.text);
    if (types->empty()) {
        directive.bad(node.span, "a functor takes at least one argument",
                      "a name without arguments is a constant of a type");
        return;
    }
    const FunctorId first = signature.find_functor(node.text, types->size());
    if (first.is_none()) {
        signature.add_functor(std::string(node.text), *types, result, node.span);
    } else {
        directive.duplicate(node.span, fmt::format("functor '{}/{}'", node.text, types->size()),
                            signature.functor(first).span);
    }
}

void declare_list(DirectiveReader& directive) {
    Signature& signature = directive.signature();
    const Node& name = directive.arg(0);
    if (name.kind != NodeKind::Name || name.child_count != 0) return;  // reported by declare_list_name
    const Node* functor_name = directive.plain_name(2, "a functor");
    const Node* empty_name = directive.plain_name(3, "the constant that stands for []");
    const TypeId owner = directive.type(name);
    const TypeId element = directive.type(directive.arg(1));
    if (functor_name == nullptr || empty_name == nullptr || owner.is_none() || element.is_none()) return;
    if (owner == element) {
        directive.bad(directive.arg(1).span, "a list cannot be its own element",
                      "give the elements a type of their own");
        return;
    }
    if (signature.type(owner).list) {
        directive.duplicate(name.span, fmt::format("list type '{}'", name.text), signature.type(owner).list_span);
        return;
    }
    FunctorId cons = signature.find_functor(functor_name->text, 2);
    if (cons.is_none()) {
        cons = signature.add_functor(std::string(functor_name->text), {element, owner}, owner, functor_name->span);
    } else if (signature.functor(cons).args != std::vector{element, owner} || signature.functor(cons).result != owner) {
        directive.diagnostics().report(codes::bad_declaration, functor_name->span,
                                       fmt::format("functor '{}/2' does not build '{}' from '{}' and '{}'",
                                                   functor_name->text, name.text, directive.arg(1).text, name.text),
                                       "every list type needs a functor of its own",
                                       {{signature.functor(cons).span, "it is declared here"}});
        return;
    }
    ConstantId empty = signature.find_constant(empty_name->text, owner);
    if (empty.is_none()) empty = signature.add_constant(std::string(empty_name->text), owner, empty_name->span);
    signature.type(owner).list = ListSugar{element, cons, empty, true};
    signature.type(owner).list_span = name.span;
}

void declare_max_depth(DirectiveReader& directive) {
    const Node& name = directive.arg(0);
    const TypeId id = directive.type(name);
    const auto bound = directive.integer(1, 0, largest_bound);
    if (id.is_none() || !bound) return;
    TypeDecl& decl = directive.signature().type(id);
    if (decl.max_depth) directive.duplicate(name.span, fmt::format("max_depth of '{}'", name.text), decl.depth_span);
    decl.max_depth = bound;
    decl.depth_span = name.span;
}

void declare_max_length(DirectiveReader& directive) {
    const Node& name = directive.arg(0);
    const TypeId id = directive.type(name);
    const auto bound = directive.integer(1, 0, largest_bound);
    if (id.is_none() || !bound) return;
    TypeDecl& decl = directive.signature().type(id);
    if (!decl.list)
        directive.bad(name.span, fmt::format("'{}' is not a list type", name.text), "use max_depth for other types");
    if (decl.max_length) directive.duplicate(name.span, fmt::format("max_length of '{}'", name.text), decl.length_span);
    decl.max_length = bound;
    decl.length_span = name.span;
}

void declare_no_repeats(DirectiveReader& directive) {
    Signature& signature = directive.signature();
    const Node& name = directive.arg(0);
    const TypeId id = directive.type(name);
    if (id.is_none()) return;
    bool has_cell = false;
    for (FunctorId f : signature.type(id).functors) has_cell = has_cell || signature.is_cell(f);
    if (!has_cell)
        directive.bad(name.span, fmt::format("'{}' is not a list type", name.text),
                      "declare it with :- list(type, element, functor, empty).");
    signature.type(id).no_repeats = true;
}

void declare_distinct(DirectiveReader& directive) {
    const PredicateId id = directive.predicate_of(0);
    if (!id.is_none()) directive.signature().predicate(id).distinct = true;
}

// exclusive(digit/2, 2): of digit(img,0) to digit(img,9) exactly one holds.
void declare_exclusive(DirectiveReader& directive) {
    const Node& node = directive.arg(0);
    const PredicateId id = directive.predicate_of(0);
    if (id.is_none()) return;
    PredicateDecl& predicate = directive.signature().predicate(id);
    const auto arity = static_cast<std::uint32_t>(predicate.args.size());
    if (arity == 0)
        return directive.bad(node.span, fmt::format("'{}/0' has no arguments that could exclude each other", node.text),
                             "exclusive names the argument of which one value holds");
    const auto argument = directive.integer(1, 1, arity);
    if (!argument) return;
    if (predicate.exclusive)
        return directive.bad(
            node.span, fmt::format("'{}/{}' is exclusive already", node.text, node.arity),
            fmt::format("of its arguments only one can be; it is argument {}", *predicate.exclusive + 1));
    predicate.exclusive = *argument - 1;
}

}  // namespace neumann::syntax
