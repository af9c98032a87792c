#include "syntax/auxiliary_types.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace neumann::syntax {
namespace {

// The types of the variables of some rules, from the declared predicates around them; by name, for the rules come from
// one clause.
class VariableTypes {
public:
    VariableTypes(const Signature& signature, const Ast& ast) : signature_(signature), ast_(ast) {}

    void add_rule(NodeIndex rule) {
        for (const NodeIndex goal : ast_.children(rule)) {
            const bool negated = ast_[goal].kind == NodeKind::Not;
            add_atom(negated ? ast_[goal].first_child : goal);
        }
        for (std::size_t before = types_.size() + 1; before != types_.size();) {
            before = types_.size();
            for (const NodeIndex goal : ast_.children(rule)) add_equation(goal);
        }
    }
    TypeId find(std::string_view name) const {
        const auto found = std::ranges::find(types_, name, &std::pair<std::string_view, TypeId>::first);
        return found == types_.end() ? TypeId::none() : found->second;
    }

private:
    void add_atom(NodeIndex index) {
        const Node& atom = ast_[index];
        if (atom.kind != NodeKind::Name) return;
        const PredicateId predicate = signature_.find_predicate(atom.text, atom.child_count);
        if (!predicate.is_none()) add_terms(index, signature_.predicate(predicate).args);
    }
    void add_terms(NodeIndex parent, const std::vector<TypeId>& types) {
        const std::vector<NodeIndex> terms = ast_.children(parent);
        for (std::size_t i = 0; i < terms.size(); ++i) add_term(terms[i], types[i]);
    }
    void add_term(NodeIndex index, TypeId type) {
        const Node& node = ast_[index];
        if (node.kind == NodeKind::Variable && find(node.text).is_none()) types_.emplace_back(node.text, type);
        if (node.kind == NodeKind::Name && node.child_count > 0) {
            const FunctorId functor = signature_.find_functor(node.text, node.child_count);
            if (!functor.is_none()) add_terms(index, signature_.functor(functor).args);
        }
        if (node.kind == NodeKind::List && signature_.type(type).list) {
            const std::vector<NodeIndex> elements = ast_.children(index);
            for (std::size_t i = 0; i < elements.size(); ++i) {
                const bool tail = node.has_tail && i + 1 == elements.size();
                add_term(elements[i], tail ? type : signature_.type(type).list->element);
            }
        }
    }
    void add_equation(NodeIndex index) {
        const Node& node = ast_[index];
        if (node.kind != NodeKind::Compare || is_arithmetic(node.comparison)) return;
        const NodeIndex left = node.first_child;
        const NodeIndex right = ast_[left].next;
        TypeId type = type_of(left);
        if (type.is_none()) type = type_of(right);
        if (type.is_none()) return;
        add_term(left, type);
        add_term(right, type);
    }
    TypeId type_of(NodeIndex index) const {
        const Node& node = ast_[index];
        if (node.kind == NodeKind::Variable) return find(node.text);
        if (node.kind != NodeKind::Name || node.child_count == 0) return TypeId::none();
        const FunctorId functor = signature_.find_functor(node.text, node.child_count);
        return functor.is_none() ? TypeId::none() : signature_.functor(functor).result;
    }

    const Signature& signature_;
    const Ast& ast_;
    std::vector<std::pair<std::string_view, TypeId>> types_;
};

// The type of values that only arithmetic produces: all numbers of the computation.
TypeId type_of_numbers(Signature& signature, Span span) {
    for (std::size_t n = 1;; ++n) {
        const std::string name = n == 1 ? "number" : "number " + std::to_string(n);
        TypeId type = signature.find_type(name);
        if (type.is_none()) {
            type = signature.add_type(name, span);
            signature.type(type).open = signature.type(type).inferred = true;
        }
        if (signature.type(type).open) return type;
    }
}

// None where the type of an argument is not known yet.
std::vector<TypeId> argument_types(const Program& program, const Ast& ast, const std::vector<FlatRule>& rules,
                                   const Node& head) {
    VariableTypes own(program.signature, ast);
    VariableTypes all(program.signature, ast);
    for (const FlatRule& rule : rules) {
        const Node& other = ast[ast[rule.rule].first_child];
        if (other.text == head.text && other.child_count == head.child_count) own.add_rule(rule.rule);
        all.add_rule(rule.rule);
    }
    std::vector<TypeId> types;
    for (NodeIndex argument = head.first_child; argument != no_node; argument = ast[argument].next) {
        const TypeId found = own.find(ast[argument].text);
        types.push_back(found.is_none() ? all.find(ast[argument].text) : found);
    }
    return types;
}

}  // namespace

void declare_auxiliary(Program& program, const Ast& ast, const std::vector<FlatRule>& rules) {
    Signature& signature = program.signature;
    // Those of one may be known by those of another.
    for (bool insist = false;;) {
        bool progress = false;
        bool left = false;
        for (const FlatRule& rule : rules) {
            const Node& head = ast[ast[rule.rule].first_child];
            if (!rule.auxiliary || !signature.find_predicate(head.text, head.child_count).is_none()) continue;
            std::vector<TypeId> types = argument_types(program, ast, rules, head);
            const bool known = std::ranges::none_of(types, [](TypeId t) { return t.is_none(); });
            if (!known && !insist) {
                left = true;
                continue;
            }
            for (TypeId& type : types) {
                if (type.is_none()) type = type_of_numbers(signature, head.span);
            }
            const PredicateId added = signature.add_predicate(std::string(head.text), types, false, head.span);
            signature.predicate(added).inferred = signature.predicate(added).auxiliary = true;
            progress = true;
        }
        if (!left) return;
        insist = !progress;
    }
}

}  // namespace neumann::syntax
