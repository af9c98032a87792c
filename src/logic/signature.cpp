#include "logic/signature.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/hash.h"

namespace neumann {
namespace {

constexpr std::string_view type_of_expressions = "(expression)";

template <class Map, class Key>
auto find_or_none(const Map& map, const Key& key) {
    const auto it = map.find(key);
    return it == map.end() ? typename Map::mapped_type() : it->second;
}

}  // namespace

std::uint32_t Signature::hash_constant(std::string_view name, TypeId type) {
    WordHash hash(type.value());
    std::size_t at = 0;
    for (std::uint32_t word = 0; at + sizeof word <= name.size(); at += sizeof word) {
        std::memcpy(&word, name.data() + at, sizeof word);
        hash.add(word);
    }
    std::uint32_t rest = 0;
    if (at < name.size()) std::memcpy(&rest, name.data() + at, name.size() - at);
    hash.add(rest);
    return hash.finish();
}

TypeId Signature::add_type(std::string name, Span span) {
    const auto id = checked_id<TypeId>(types_.size(), "types");
    types_by_name_.emplace(name, id);
    TypeDecl decl;
    decl.name = std::move(name);
    decl.span = span;
    types_.push_back(std::move(decl));
    return id;
}

ConstantId Signature::add_constant(std::string name, TypeId type, Span span) {
    const auto id = checked_id<ConstantId>(constants_.size(), "constants");
    types_[type.index()].constants.push_back(id);
    constants_.push_back({std::move(name), type, span, false});
    index_constant(id);
    return id;
}

ConstantId Signature::add_computed_constant(std::string name, TypeId type) {
    const ConstantId id = add_constant(std::move(name), type, {});
    constants_[id.index()].computed = has_computed_ = true;
    return id;
}

void Signature::index_constant(ConstantId id) {
    const ConstantDecl& constant = constants_[id.index()];
    constant_slots_.insert(hash_constant(constant.name, constant.type), id.value());
}

FunctorId Signature::add_functor(std::string name, std::vector<TypeId> args, TypeId result, Span span) {
    const auto id = checked_id<FunctorId>(functors_.size(), "functors");
    functors_by_name_.emplace(NameAndNumber(name, args.size()), id);
    types_[result.index()].functors.push_back(id);
    functors_.push_back({std::move(name), std::move(args), result, span, std::nullopt, false});
    return id;
}

FunctorId Signature::operation(Operation operation) {
    const auto first = std::ranges::find_if(functors_, [](const FunctorDecl& f) { return f.operation.has_value(); });
    const auto number = static_cast<std::size_t>(first - functors_.begin()) + static_cast<std::size_t>(operation);
    if (first != functors_.end()) return checked_id<FunctorId>(number, "functors");
    TypeId type = find_type(type_of_expressions);
    if (type.is_none()) type = add_type(std::string(type_of_expressions), {});
    types_[type.index()].open = true;  // variables that stand in expressions alone take any number
    for (std::size_t o = 0; o < operation_count; ++o) {
        const auto one = static_cast<Operation>(o);
        // Not by name: a program may have functors of its own that are called min or +.
        functors_.push_back(
            {std::string(spelling(one)), std::vector<TypeId>(operand_count(one), type), type, {}, one, false});
    }
    return checked_id<FunctorId>(number, "functors");
}

bool Signature::is_expression(TypeId type) const { return types_[type.index()].name == type_of_expressions; }

PredicateId Signature::add_predicate(std::string name, std::vector<TypeId> args, bool neural, Span span) {
    const auto id = checked_id<PredicateId>(predicates_.size(), "predicates");
    predicates_by_name_.emplace(NameAndNumber(name, args.size()), id);
    PredicateDecl decl;
    decl.name = std::move(name);
    decl.args = std::move(args);
    decl.neural = neural;
    decl.span = span;
    predicates_.push_back(std::move(decl));
    return id;
}

TypeId Signature::find_type(std::string_view name) const { return find_or_none(types_by_name_, name); }

ConstantId Signature::find_constant(std::string_view name, TypeId type) const {
    return find_constant(name, type, hash_constant(name, type));
}

ConstantId Signature::find_constant(std::string_view name, TypeId type, std::uint32_t hash) const {
    return ConstantId(constant_slots_.find(
        hash, [&](std::uint32_t c) { return constants_[c].type == type && constants_[c].name == name; }));
}

std::vector<ConstantId> Signature::constants_named(std::string_view name) const {
    std::vector<ConstantId> found;
    for (std::uint32_t t = 0; t < types_.size(); ++t) {
        const ConstantId constant = find_constant(name, TypeId(t));
        if (!constant.is_none()) found.push_back(constant);
    }
    std::ranges::sort(found);
    return found;
}

FunctorId Signature::find_functor(std::string_view name, std::size_t arity) const {
    return find_or_none(functors_by_name_, NameAndNumber(name, arity));
}

PredicateId Signature::find_predicate(std::string_view name, std::size_t arity) const {
    return find_or_none(predicates_by_name_, NameAndNumber(name, arity));
}

void Signature::renumber_constants() {
    std::vector<ConstantDecl> ordered;
    for (TypeDecl& type : types_) {
        for (ConstantId& id : type.constants) {
            const auto number = checked_id<ConstantId>(ordered.size(), "constants");
            if (type.list && type.list->empty == id) type.list->empty = number;
            ordered.push_back(std::move(constants_[id.index()]));
            id = number;
        }
    }
    constants_ = std::move(ordered);
    constant_slots_ = SlotTable();
    for (std::size_t c = 0; c < constants_.size(); ++c) index_constant(checked_id<ConstantId>(c, "constants"));
}

std::size_t Signature::bytes() const {
    std::size_t total = constants_.capacity() * sizeof(ConstantDecl) + constant_slots_.bytes();
    for (const TypeDecl& type : types_) total += type.constants.capacity() * sizeof(ConstantId);
    const std::size_t within = std::string().capacity();  // characters that take no memory of their own
    for (const ConstantDecl& constant : constants_) {
        if (constant.name.capacity() > within) total += constant.name.capacity() + 1;
    }
    return total;
}

void Signature::sort_computed_constants() {
    if (!has_computed_) return;
    const auto is_computed = [&](ConstantId id) { return constant(id).computed; };
    for (TypeDecl& type : types_) {
        const auto computed =
            std::stable_partition(type.constants.begin(), type.constants.end(), std::not_fn(is_computed));
        std::vector<std::pair<Number, ConstantId>> by_value;
        for (auto id = computed; id != type.constants.end(); ++id)
            by_value.emplace_back(*parse_number(constant(*id).name), *id);
        std::ranges::sort(by_value, [&](const auto& a, const auto& b) {
            const int order = compare(a.first, b.first);
            return order != 0 ? order < 0 : constant(a.second).name < constant(b.second).name;
        });
        std::ranges::transform(by_value, computed, &std::pair<Number, ConstantId>::second);
    }
}

bool Signature::is_cell(FunctorId id) const {
    const FunctorDecl& f = functor(id);
    return f.args.size() == 2 && f.args[1] == f.result && f.args[0] != f.result;
}

}  // namespace neumann
