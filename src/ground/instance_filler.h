// Writer of the instances of one rule in full grounding, in chunks of its outermost loop that can run on different
// threads.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ground/bindings.h"
#include "ground/evaluation.h"
#include "ground/plan.h"
#include "ground/rule.h"
#include "ground/universe.h"

namespace neumann {

// How the atoms of a predicate are numbered: lexicographically in the ranks of their arguments. With distinct
// arguments, a digit skips the earlier arguments of its type.
struct AtomNumbering {
    std::uint32_t first = 0;
    std::uint64_t count = 0;
    bool distinct = false;
    std::vector<std::uint64_t> stride;
    std::vector<TypeId> types;
};

class InstanceFiller {
public:
    InstanceFiller(const Universe& universe, const TermTable& terms, const std::vector<AtomNumbering>& numbering,
                   const Rule& rule, const Plan& plan, std::optional<Evaluation> evaluation);

    // Iterations of the outermost loop; 1 if there is none.
    std::uint32_t outer_size();
    // The number of instances within a range of those iterations; counting stops once it exceeds `most`.
    std::uint64_t count(std::uint32_t begin, std::uint32_t end, std::uint64_t most);
    // Writes them to `out`: rows of atom numbers, the head first; InstanceBlock::missing for a negated atom that does
    // not exist.
    void fill(std::uint32_t begin, std::uint32_t end, std::uint32_t* out);

private:
    void find_tail();
    std::pair<std::uint32_t, std::uint32_t> bounds_of(std::size_t step, std::size_t size);
    void run(std::size_t at);
    void run_tail();
    void tail_loop(std::size_t depth);
    std::uint64_t domain_size(std::size_t step) const {
        return universe_.terms(rule_.slot_type[plan_.steps[step].slot]).size();
    }
    bool exists(const RuleAtom& atom) const;
    std::uint64_t number_of(const RuleAtom& atom) const;
    bool is_tail_slot(Slot slot) const;

    const Universe& universe_;
    const TermTable& terms_;
    const std::vector<AtomNumbering>& numbering_;  // per predicate
    const Rule& rule_;
    const Plan& plan_;
    std::vector<TermRole> roles_;  // per functor use
    Bindings values_;
    std::optional<Evaluation> evaluation_;  // of a rule with arithmetic
    std::vector<const RuleAtom*> atoms_;    // head, then body
    std::size_t width_;
    std::size_t tail_ = 0;                     // the first step of the tail, see find_tail
    std::size_t outer_ = 0;                    // the first step that loops
    std::vector<std::uint32_t> coefficients_;  // [tail depth][atom]
    std::vector<std::uint32_t> bases_;         // [tail depth][atom]
    bool size_only_ = false;
    std::uint32_t outer_items_ = 0;
    std::uint32_t begin_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t* out_ = nullptr;  // null while counting
    std::uint64_t count_ = 0;
    std::uint64_t most_ = 0;
};

}  // namespace neumann
