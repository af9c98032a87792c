#include "syntax/directive_reader.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"
#include "syntax/unknown_names.h"

namespace neumann::syntax {

DirectiveReader::DirectiveReader(const Ast& ast, const Item& item, Program& program, Diagnostics& diagnostics)
    : ast_(ast), item_(item), program_(program), diagnostics_(diagnostics), resolver_(program, diagnostics),
      args_(ast.children(item.root)) {}

const Node* DirectiveReader::plain_name(std::size_t i, std::string_view what) {
    const Node& node = arg(i);
    if (node.kind == NodeKind::Name && node.child_count == 0) return &node;
    bad(node.span, fmt::format("expected {}", what));
    return nullptr;
}

std::optional<std::uint32_t> DirectiveReader::whole_number(std::size_t i, std::uint32_t least,
                                                           std::uint32_t most) const {
    const Node& node = arg(i);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), value);
    const bool whole = node.kind == NodeKind::Name && node.child_count == 0 && error == std::errc() &&
                       end == node.text.data() + node.text.size();
    return whole && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<std::uint32_t> DirectiveReader::integer(std::size_t i, std::uint32_t least, std::uint32_t most) {
    const std::optional<std::uint32_t> value = whole_number(i, least, most);
    if (!value) bad(arg(i).span, fmt::format("expected a whole number from {} to {}", least, most));
    return value;
}

TypeId DirectiveReader::type(const Node& node) {
    if (node.kind != NodeKind::Name || node.child_count != 0) {
        bad(node.span, "expected the name of a type");
        return TypeId::none();
    }
    const TypeId id = program_.signature.find_type(node.text);
    if (id.is_none()) report_unknown_type(program_.signature, node.text, node.span, diagnostics_);
    return id;
}

TypeId DirectiveReader::named_type(const Node& node) {
    name_type(node);
    return type(node);
}

void DirectiveReader::name_type(const Node& node, std::string_view unlike) {
    Signature& signature = program_.signature;
    const bool name = node.kind == NodeKind::Name && node.child_count == 0;
    if (!name || program_.from_folder || !signature.find_type(node.text).is_none() || signature.is_broken(node.text))
        return;
    std::vector<std::string> declared;
    for (const TypeDecl& decl : signature.types()) {
        if (!decl.inferred && decl.name != unlike) declared.push_back(decl.name);
    }
    if (!nearest_name(node.text, declared).empty()) return;
    const TypeId added = signature.add_type(std::string(node.text), node.span);
    signature.type(added).open = true;
    signature.type(added).inferred = true;
}

std::optional<std::vector<TypeId>> DirectiveReader::types_of(std::size_t i) {
    const Node& node = arg(i);
    if (node.kind != NodeKind::Name) {
        bad(node.span, "expected a name with types as arguments, such as edge(node, node)");
        return std::nullopt;
    }
    std::vector<TypeId> types;
    for (NodeIndex child : children(i)) types.push_back(named_type(ast_[child]));
    for (TypeId t : types) {
        if (t.is_none()) return std::nullopt;
    }
    return types;
}

PredicateId DirectiveReader::predicate_of(std::size_t i) {
    const Node& node = arg(i);
    if (node.kind != NodeKind::Indicator) {
        bad(node.span, "expected a predicate with its number of arguments, such as edge/2");
        return PredicateId::none();
    }
    const PredicateId id = program_.signature.find_predicate(node.text, node.arity);
    if (id.is_none()) report_unknown_predicate(program_, node.text, node.arity, node.span, diagnostics_);
    return id;
}

void DirectiveReader::bad(Span span, std::string message, std::string advice) {
    diagnostics_.report(codes::bad_declaration, span, std::move(message), std::move(advice));
}

void DirectiveReader::duplicate(Span span, const std::string& what, Span first) {
    diagnostics_.report(codes::duplicate_declaration, span, fmt::format("{} is declared twice", what),
                        "remove one of them", {{first, "the first declaration is here"}});
}

}  // namespace neumann::syntax
