// Numbers among a program's constants: the value of each, and for a value its constant, which a computation may add.
#pragma once

#include <cstdint>
#include <vector>

#include "base/slot_table.h"
#include "logic/arithmetic.h"
#include "logic/program.h"

namespace neumann {

// Numbers that computations may add to: only open types, or closed types as well, whose declared places then refuse
// them.
enum class Growth { OpenTypes, AllTypes };

// A number that a declared place of a closed type refused.
struct RefusedNumber {
    Span span;  // of the computation
    TypeId type;
    Number value;
};

class NumberTable {
public:
    // Adds at most `most_new` constants. Cheap until the first call of read_constants.
    NumberTable(Program& program, std::uint64_t most_new, Growth growth = Growth::OpenTypes)
        : program_(program), most_new_(most_new), growth_(growth) {}

    // Takes in the constants that the program has by now, and their terms.
    void read_constants();

    // The number that the constant is; null if it is none.
    const Number* value(ConstantId constant) const {
        const Entry& entry = entries_[constant.index()];
        return entry.is_number ? &entry.value : nullptr;
    }
    // The constant of the type with this value; none if there is none.
    TermId find(TypeId type, Number value) const;
    // The same, added if it is not there; none if that would be one too many.
    TermId find_or_add(TypeId type, Number value);
    // The integers of the type from low to high, in order.
    std::vector<std::int64_t> integers(TypeId type, std::int64_t low, std::int64_t high) const;

    // Whether every constant of the type is a number, spelled as numbers print.
    bool has_only_numbers(TypeId type) const { return type.index() < others_.size() && others_[type.index()] == 0; }
    // The terms of the type's numbers.
    std::vector<TermId> all(TypeId type) const;

    // Whether computations may add to this type.
    bool may_grow(TypeId type) const { return growth_ == Growth::AllTypes || program_.signature.type(type).open; }
    // Notes the first number of each computation that a declared place refused.
    void refuse(const RefusedNumber& number);
    const std::vector<RefusedNumber>& refused() const { return refused_; }

    std::uint64_t most_new() const { return most_new_; }
    std::uint64_t added() const { return added_; }
    std::uint64_t bytes() const;

private:
    struct Entry {
        Number value;
        bool is_number = false;
        TermId term;
    };
    void read_constant(ConstantId constant);

    Program& program_;
    std::uint64_t most_new_;
    Growth growth_;
    std::uint64_t added_ = 0;
    std::vector<RefusedNumber> refused_;
    std::vector<Entry> entries_;                       // per constant
    std::vector<std::vector<std::int64_t>> integers_;  // per type, sorted; without open types
    std::vector<std::uint32_t> others_;                // per type: constants that are no numbers, or not spelled so
    SlotTable slots_;                                  // type and value → constant
};

// Per constant its rank: those of the program in order of declaration, then those computed during grounding, by type
// and value (after Signature::sort_computed_constants). Empty if there are none of these: a constant's rank is its
// number.
std::vector<std::uint32_t> constant_ranks(const Signature& signature);

}  // namespace neumann
