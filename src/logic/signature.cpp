#include "logic/signature.h"

namespace neumann {
namespace {

template <class Map, class Key>
auto find_or_none(const Map& map, const Key& key) {
    const auto it = map.find(key);
    return it == map.end() ? typename Map::mapped_type() : it->second;
}

}  // namespace

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
    constants_by_name_.emplace(NameAndNumber(name, type.index()), id);
    types_[type.index()].constants.push_back(id);
    constants_.push_back({std::move(name), type, span});
    return id;
}

FunctorId Signature::add_functor(std::string name, std::vector<TypeId> args, TypeId result, Span span) {
    const auto id = checked_id<FunctorId>(functors_.size(), "functors");
    functors_by_name_.emplace(NameAndNumber(name, args.size()), id);
    types_[result.index()].functors.push_back(id);
    functors_.push_back({std::move(name), std::move(args), result, span});
    return id;
}

PredicateId Signature::add_predicate(std::string name, std::vector<TypeId> args, bool neural, Span span) {
    const auto id = checked_id<PredicateId>(predicates_.size(), "predicates");
    predicates_by_name_.emplace(NameAndNumber(name, args.size()), id);
    predicates_.push_back({std::move(name), std::move(args), neural, false, span});
    return id;
}

TypeId Signature::find_type(std::string_view name) const { return find_or_none(types_by_name_, name); }

ConstantId Signature::find_constant(std::string_view name, TypeId type) const {
    return find_or_none(constants_by_name_, NameAndNumber(name, type.index()));
}

FunctorId Signature::find_functor(std::string_view name, std::size_t arity) const {
    return find_or_none(functors_by_name_, NameAndNumber(name, arity));
}

PredicateId Signature::find_predicate(std::string_view name, std::size_t arity) const {
    return find_or_none(predicates_by_name_, NameAndNumber(name, arity));
}

void Signature::renumber_constants() {
    std::vector<ConstantDecl> ordered;
    constants_by_name_.clear();
    for (std::size_t t = 0; t < types_.size(); ++t) {
        for (ConstantId& id : types_[t].constants) {
            const auto number = checked_id<ConstantId>(ordered.size(), "constants");
            if (types_[t].list && types_[t].list->empty == id) types_[t].list->empty = number;
            ordered.push_back(std::move(constants_[id.index()]));
            constants_by_name_.emplace(NameAndNumber(ordered.back().name, t), number);
            id = number;
        }
    }
    constants_ = std::move(ordered);
}

bool Signature::is_cell(FunctorId id) const {
    const FunctorDecl& f = functor(id);
    return f.args.size() == 2 && f.args[1] == f.result && f.args[0] != f.result;
}

}  // namespace neumann
