#include "compile/input_atoms.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "base/slot_table.h"
#include "compile/atom_names.h"
#include "logic/bounds.h"
#include "logic/print.h"

namespace neumann {
namespace {

// Numbers of equal atoms: the first one's.
struct AtomPlaces {
    SlotTable slots;
    static std::uint32_t hash(const FactList::Fact& atom) { return hash_ids(atom.predicate.value(), atom.args); }
    std::uint32_t find(const FactList& atoms, const FactList::Fact& atom) const {
        return slots.find(hash(atom), [&](std::uint32_t i) {
            const FactList::Fact other = atoms[i];
            return other.predicate == atom.predicate && std::ranges::equal(other.args, atom.args);
        });
    }
    void add(const FactList& atoms, std::size_t i) {
        if (find(atoms, atoms[i]) == SlotTable::absent) slots.insert(hash(atoms[i]), static_cast<std::uint32_t>(i));
    }
};

}  // namespace

void InputAtoms::add_to(Program& program, std::span<const std::string> inputs) {
    const TermBounds bounds(program.signature);
    for (const std::string& text : inputs) {
        if (text.find('(') == std::string::npos) continue;
        Atom atom;  // reading it adds its constants to open types
        const NamedAtom found = read_ground_atom(program, bounds, text, atom);
        if (found.kind == NamedAtom::Kind::InGraph && !program.signature.predicate(atom.predicate).neural)
            atoms_.add(atom.predicate, atom.args, 0.0, {});
    }
    if (atoms_.size() == 0) return;
    AtomPlaces places;
    for (std::size_t i = 0; i < atoms_.size(); ++i) places.add(atoms_, i);
    std::vector<bool> is_fact(atoms_.size(), false);
    for (std::size_t i = 0; i < program.facts.size(); ++i) {
        const FactList::Fact fact = program.facts[i];
        const std::uint32_t found = places.find(atoms_, fact);
        if (found == SlotTable::absent) continue;
        is_fact[found] = true;
        if (fact.probability == 1) program.signature.predicate(fact.predicate).neural = true;
    }
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
        const FactList::Fact atom = atoms_[i];
        const bool is_first = places.find(atoms_, atom) == i;
        if (is_first && !is_fact[i]) program.facts.add(atom.predicate, atom.args, 0.0, {});
    }
}

void InputAtoms::find_in(CompiledProgram& compiled) const {
    AtomNames names(compiled);
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
        const FactList::Fact atom = atoms_[i];
        if (const std::optional<std::uint32_t> number = names.find(atom.predicate, atom.args)) {
            compiled.inputs.push_back(*number);
        } else {
            compiled.unneeded.push_back(
                print_atom(compiled.program.signature, compiled.program.terms, atom.predicate, atom.args));
        }
    }
    std::ranges::sort(compiled.inputs);
}

}  // namespace neumann
