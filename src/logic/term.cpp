#include "logic/term.h"

#include <algorithm>

#include "base/hash.h"

namespace neumann {
namespace {

std::uint32_t hash_term(std::uint32_t symbol, std::span<const TermId> args) { return hash_ids(symbol, args); }

}  // namespace

std::uint32_t TermTable::make_symbol(TermKind kind, std::uint32_t number) {
    if (number > number_mask) throw IdOverflow("symbols of one kind");
    return (static_cast<std::uint32_t>(kind) << kind_shift) | number;
}

TermId TermTable::variable(std::uint32_t index) { return intern(make_symbol(TermKind::Variable, index), {}); }

TermId TermTable::constant(ConstantId constant) {
    return intern(make_symbol(TermKind::Constant, constant.value()), {});
}

TermId TermTable::compound(FunctorId functor, std::span<const TermId> args) {
    return intern(make_symbol(TermKind::Compound, functor.value()), args);
}

TermId TermTable::find_compound(FunctorId functor, std::span<const TermId> args) const {
    const std::uint32_t symbol = make_symbol(TermKind::Compound, functor.value());
    return find(symbol, args, hash_term(symbol, args));
}

TermId TermTable::find(std::uint32_t symbol, std::span<const TermId> args, std::uint32_t hash) const {
    return TermId(slots_.find(hash, [&](std::uint32_t t) {
        return symbols_[t] == symbol && std::ranges::equal(this->args(TermId(t)), args);
    }));
}

TermId TermTable::intern(std::uint32_t symbol, std::span<const TermId> args) {
    const std::uint32_t hash = hash_term(symbol, args);
    if (const TermId known = find(symbol, args, hash); !known.is_none()) return known;

    const auto id = checked_id<TermId>(symbols_.size(), "terms");
    checked_id<TermId>(args_.size() + args.size(), "term arguments");
    std::uint32_t depth = 0;
    bool variable = static_cast<TermKind>(symbol >> kind_shift) == TermKind::Variable;
    for (TermId arg : args) {
        depth = std::max(depth, this->depth(arg) + 1);
        variable = variable || !is_ground(arg);
    }
    args_.append(args);
    symbols_.push_back(symbol);
    arg_begin_.push_back(static_cast<std::uint32_t>(args_.size()));
    depth_.push_back(depth * 2 + (variable ? 1 : 0));
    slots_.insert(hash, id.value());
    return id;
}

std::uint32_t TermTable::greatest_depth() const {
    std::uint32_t greatest = 0;
    for (const std::uint32_t depth : depth_) greatest = std::max(greatest, depth >> 1);
    return greatest;
}

std::size_t TermTable::bytes() const {
    return symbols_.capacity_bytes() + arg_begin_.capacity_bytes() + args_.capacity_bytes() + depth_.capacity_bytes() +
           slots_.bytes();
}

}  // namespace neumann
