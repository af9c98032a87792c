// Evaluation of the arithmetic of one rule while its steps run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ground/bindings.h"
#include "ground/numbers.h"
#include "ground/plan.h"
#include "ground/rule.h"

namespace neumann {

class Evaluation {
public:
    // With `growing`, which then is `numbers`, results that heads need are added to types that may grow.
    Evaluation(const Signature& signature, const TermTable& terms, const Rule& rule, const NumberTable& numbers,
               NumberTable* growing);

    // All of these throw EvaluationError.
    // Whether a condition holds whose variables all have values.
    bool holds(std::uint32_t condition, const Bindings& values) const;
    // Gives the slot the value of the condition's right side; false if there is no instance with it.
    bool compute(std::uint32_t condition, Slot slot, Bindings& values);
    // The numbers between the ends of the condition that the slot may take, and giving it one of them.
    std::vector<std::int64_t> range(std::uint32_t condition, Slot slot, const Bindings& values) const;
    bool bind(std::uint32_t condition, Slot slot, Number value, Bindings& values);
    // The terms of the only variable on the right with which a condition with an offset may hold: it is to be tested.
    std::vector<TermId> solutions(std::uint32_t condition, Slot slot, const Bindings& values) const;
    // Makes the slot's number a term, if it is none yet; false if there is no such term, or a declared place of a
    // closed type refuses it.
    bool create(std::uint32_t condition, Slot slot, Bindings& values);

private:
    Number value_of(const ArithmeticCondition& condition, TermId term, const Bindings& values) const;
    Number constant_value(const ArithmeticCondition& condition, TermId term, const Bindings& values) const;
    std::int64_t integer_value(const ArithmeticCondition& condition, TermId term, const Bindings& values) const;
    bool equals_left(const ArithmeticCondition& condition, Number value, const Bindings& values) const;
    [[noreturn]] void fail(const ArithmeticCondition& condition, const std::string& what, const Bindings& values) const;
    [[noreturn]] void fail_too_many(const ArithmeticCondition& condition, Slot slot, Number last) const;

    const Signature& signature_;
    const TermTable& terms_;
    const Rule& rule_;
    const NumberTable& numbers_;
    NumberTable* growing_;
    std::vector<TermRole> roles_;         // per slot
    std::vector<bool> part_of_term_;      // per slot: other steps than those of arithmetic need its term
    std::vector<bool> closed_;            // per slot: stands in a declared place of a closed type
    std::vector<Number> number_of_slot_;  // of slots whose value is no term (yet)
};

}  // namespace neumann
