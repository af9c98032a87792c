#include "ground/numbers.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace neumann {
namespace {

constexpr std::uint64_t bytes_per_constant = 160;  // its declaration, its name, its term and where they are found

std::uint64_t bits_of(Number number) {
    return std::visit([](auto value) { return std::bit_cast<std::uint64_t>(value); }, number);
}

bool is_same(Number a, Number b) { return a.index() == b.index() && bits_of(a) == bits_of(b); }

std::uint32_t hash_number(TypeId type, Number number) {
    const std::uint64_t bits = bits_of(number);
    WordHash hash(type.value());
    hash.add(static_cast<std::uint32_t>(number.index()));
    hash.add(static_cast<std::uint32_t>(bits));
    hash.add(static_cast<std::uint32_t>(bits >> 32));
    return hash.finish();
}

}  // namespace

void NumberTable::read_constants() {
    const Signature& signature = program_.signature;
    integers_.resize(signature.types().size());
    others_.resize(signature.types().size());
    entries_.reserve(signature.constants().size());
    while (entries_.size() < signature.constants().size())
        read_constant(checked_id<ConstantId>(entries_.size(), "constants"));
    for (std::vector<std::int64_t>& integers : integers_) std::ranges::sort(integers);
}

void NumberTable::read_constant(ConstantId constant) {
    const ConstantDecl& decl = program_.signature.constant(constant);
    Entry& entry = entries_.emplace_back();
    const std::optional<Number> value = parse_number(decl.name);
    if (!value || print(*value) != decl.name) ++others_[decl.type.index()];
    if (!value) return;
    entry.value = *value;
    entry.is_number = true;
    if (print(*value) != decl.name) return;  // a number, but not in canonical spelling
    entry.term = program_.terms.constant(constant);
    slots_.insert(hash_number(decl.type, *value), constant.value());
    const auto* const integer = std::get_if<std::int64_t>(&*value);
    if (integer != nullptr && !decl.computed && !program_.signature.type(decl.type).open)
        integers_[decl.type.index()].push_back(*integer);
}

TermId NumberTable::find(TypeId type, Number value) const {
    const std::uint32_t found = slots_.find(hash_number(type, value), [&](std::uint32_t c) {
        return is_same(entries_[c].value, value) && program_.signature.constant(ConstantId(c)).type == type;
    });
    return found == SlotTable::absent ? TermId::none() : entries_[found].term;
}

TermId NumberTable::find_or_add(TypeId type, Number value) {
    const TermId found = find(type, value);
    if (!found.is_none() || added_ == most_new_) return found;
    ++added_;
    const ConstantId constant = program_.signature.add_computed_constant(print(value), type);
    read_constant(constant);
    return entries_[constant.index()].term;
}

std::vector<std::int64_t> NumberTable::integers(TypeId type, std::int64_t low, std::int64_t high) const {
    const std::vector<std::int64_t>& all = integers_[type.index()];
    const auto first = std::ranges::lower_bound(all, low);
    return {first, std::max(first, std::ranges::upper_bound(all, high))};
}

std::vector<TermId> NumberTable::all(TypeId type) const {
    std::vector<TermId> terms;
    for (std::uint32_t c = 0; c < entries_.size(); ++c)
        if (!entries_[c].term.is_none() && program_.signature.constant(ConstantId(c)).type == type)
            terms.push_back(entries_[c].term);
    return terms;
}

void NumberTable::refuse(const RefusedNumber& number) {
    if (std::ranges::find(refused_, number.span, &RefusedNumber::span) == refused_.end()) refused_.push_back(number);
}

std::uint64_t NumberTable::bytes() const {
    return entries_.capacity() * sizeof(Entry) + slots_.bytes() + added_ * bytes_per_constant;
}

std::vector<std::uint32_t> constant_ranks(const Signature& signature) {
    if (!signature.has_computed_constants()) return {};
    const std::vector<ConstantDecl>& constants = signature.constants();
    const auto computed = static_cast<std::size_t>(std::ranges::count(constants, true, &ConstantDecl::computed));
    std::vector<std::uint32_t> ranks(constants.size());
    std::uint32_t declared = 0;
    auto next = static_cast<std::uint32_t>(constants.size() - computed);
    for (std::size_t c = 0; c < constants.size(); ++c) {
        if (!constants[c].computed) ranks[c] = declared++;
    }
    for (const TypeDecl& type : signature.types()) {
        for (const ConstantId constant : type.constants) {
            if (constants[constant.index()].computed) ranks[constant.index()] = next++;
        }
    }
    return ranks;
}

}  // namespace neumann
