#include "explain/twins.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace neumann {
namespace {

constexpr float alike_within = 1e-6F;
constexpr std::uint32_t most_pairs = 100'000;  // a person does not look at near misses among more

}  // namespace

const std::vector<std::uint32_t>& Twins::twins_of(PredicateId predicate) {
    const auto [place, is_new] = known_.try_emplace(predicate);
    std::vector<std::uint32_t>& twins = place->second;
    const PredicateDecl& declared = compiled_.program.signature.predicate(predicate);
    const AtomTable::Range& range = compiled_.ground.atoms.range(predicate);
    if (!is_new || !declared.neural || declared.args.size() != 2 || declared.args[0] != declared.args[1] ||
        range.count > most_pairs)
        return twins;
    std::map<std::pair<TermId, TermId>, std::uint32_t> atom_of;
    const std::span<const TermId> args = range.args.span();
    for (std::uint32_t a = 0; a < range.count; ++a) {
        const std::span<const TermId> both = args.subspan(std::size_t{2} * a, 2);
        atom_of.emplace(std::pair(both[0], both[1]), a);
    }
    float largest = 0;
    std::vector<std::uint32_t> found(range.count);
    for (std::uint32_t a = 0; a < range.count; ++a) {
        const std::span<const TermId> both = args.subspan(std::size_t{2} * a, 2);
        const auto other = atom_of.find({both[1], both[0]});
        // An atom that is not in the graph has no value to compare with.
        found[a] = range.first + (other == atom_of.end() ? a : other->second);
        if (both[0] == both[1]) continue;
        const float value = initial_[range.first + a];
        if (other == atom_of.end() || std::abs(value - initial_[found[a]]) > alike_within) return twins;
        largest = std::max(largest, value);
    }
    if (largest > alike_within) twins = std::move(found);
    return twins;
}

std::uint32_t Twins::first_of(std::uint32_t atom) {
    const PredicateId predicate = compiled_.ground.atoms.predicate_of(AtomId(atom));
    const std::vector<std::uint32_t>& twins = twins_of(predicate);
    return twins.empty() ? atom : std::min(atom, twins[atom - compiled_.ground.atoms.range(predicate).first]);
}

}  // namespace neumann
