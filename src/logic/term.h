// Hash-consed terms: structurally equal terms have the same id, so equality is id equality. Arguments are always older
// (smaller ids) than the term that contains them.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/pod_vector.h"
#include "base/slot_table.h"

namespace neumann {

enum class TermKind : std::uint32_t { Variable, Constant, Compound };

class TermTable {
public:
    TermId variable(std::uint32_t index);  // variables are numbered within their clause
    TermId constant(ConstantId constant);
    TermId compound(FunctorId functor, std::span<const TermId> args);
    TermId find_compound(FunctorId functor, std::span<const TermId> args) const;  // none if it was never made

    std::size_t size() const { return symbols_.size(); }
    TermKind kind(TermId t) const { return static_cast<TermKind>(symbols_[t.index()] >> kind_shift); }
    std::uint32_t variable_index(TermId t) const { return number(t); }
    ConstantId constant_of(TermId t) const { return ConstantId(number(t)); }
    FunctorId functor_of(TermId t) const { return FunctorId(number(t)); }
    std::span<const TermId> args(TermId t) const {
        const std::uint32_t begin = arg_begin_[t.index()];
        return {args_.data() + begin, arg_begin_[t.index() + 1] - begin};
    }
    std::uint32_t depth(TermId t) const { return depth_[t.index()] >> 1; }  // nested functors
    std::uint32_t greatest_depth() const;  // of all terms; takes time linear in their number
    bool is_ground(TermId t) const { return (depth_[t.index()] & 1U) == 0; }

    std::size_t bytes() const;

private:
    static constexpr unsigned kind_shift = 30;
    static constexpr std::uint32_t number_mask = (1U << kind_shift) - 1;
    std::uint32_t number(TermId t) const { return symbols_[t.index()] & number_mask; }
    static std::uint32_t make_symbol(TermKind kind, std::uint32_t number);
    TermId find(std::uint32_t symbol, std::span<const TermId> args, std::uint32_t hash) const;
    TermId intern(std::uint32_t symbol, std::span<const TermId> args);

    PodVector<std::uint32_t> symbols_;           // kind in the top two bits, number below
    PodVector<std::uint32_t> arg_begin_{1, 0U};  // one more entry than terms
    PodVector<TermId> args_;
    PodVector<std::uint32_t> depth_;  // depth * 2 + (contains a variable)
    SlotTable slots_;
};

}  // namespace neumann
