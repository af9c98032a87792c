#include "ground/items.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ground/canonical_order.h"
#include "ground/limit.h"
#include "logic/print.h"

namespace neumann {
namespace {

class ItemFiller {
public:
    ItemFiller(const ItemOrder& order, Program& program, NumberTable& numbers, std::vector<Relation>& relations)
        : order_(order), program_(program), numbers_(numbers), relations_(relations),
          source_(relations[order.source.index()]),
          ranks_((program.signature.sort_computed_constants(), program.terms), constant_ranks(program.signature)) {}

    void fill() {
        std::vector<std::uint32_t> rows(source_.size());
        std::iota(rows.begin(), rows.end(), 0U);
        if (order_.by) read_numbers();
        std::ranges::sort(rows, [&](std::uint32_t a, std::uint32_t b) { return comes_before(a, b); });
        std::int64_t item = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            add_item(rows[i], ++item);
            const bool ends = i + 1 == rows.size() || compare_groups(rows[i], rows[i + 1]) != 0;
            if (!ends) continue;
            end_group(rows[i], item);
            item = 0;
        }
    }

private:
    // Before the first item gets a constant: columns sorted by number are read at once.
    void read_numbers() {
        for (std::uint32_t row = 0; row < source_.size(); ++row) {
            const TermId term = source_.row(row)[*order_.by];
            const bool constant = program_.terms.kind(term) == TermKind::Constant;
            const Number* const value = constant ? numbers_.value(program_.terms.constant_of(term)) : nullptr;
            if (value == nullptr)
                throw EvaluationError(
                    program_.signature.predicate(order_.next).span,
                    fmt::format("{} is not a number", print_term(program_.signature, program_.terms, term)),
                    "the smallest and the largest are those of numbers");
            values_.push_back(*value);
        }
    }

    int compare_groups(std::uint32_t a, std::uint32_t b) const {
        for (std::size_t i = 0; i < source_.arity(); ++i) {
            if (((order_.group >> i) & 1U) == 0) continue;
            const std::uint32_t x = ranks_.rank(source_.row(a)[i]);
            const std::uint32_t y = ranks_.rank(source_.row(b)[i]);
            if (x != y) return x < y ? -1 : 1;
        }
        return 0;
    }
    bool comes_before(std::uint32_t a, std::uint32_t b) const {
        if (const int groups = compare_groups(a, b); groups != 0) return groups < 0;
        if (order_.by) {
            const int numbers = compare(values_[a], values_[b]);
            if (numbers != 0) return order_.descending ? numbers > 0 : numbers < 0;
        }
        return std::ranges::lexicographical_compare(
            source_.row(a), source_.row(b), {}, [&](TermId t) { return ranks_.rank(t); },
            [&](TermId t) { return ranks_.rank(t); });
    }

    TermId number(std::int64_t value) {
        const TypeId type = program_.signature.predicate(order_.next).args[0];
        const TermId term = numbers_.find_or_add(type, value);
        if (term.is_none())
            throw GroundingLimit(program_.signature.predicate(order_.next).span,
                                 fmt::format("more than {} numbers in an aggregate", numbers_.most_new()),
                                 "count over fewer instances, or raise --max-numbers");
        return term;
    }
    void add(PredicateId predicate) { relations_[predicate.index()].insert(args_, Relation::hash(args_)); }
    void add_item(std::uint32_t row, std::int64_t item) {
        args_ = {number(item - 1), number(item)};
        args_.insert(args_.end(), source_.row(row).begin(), source_.row(row).end());
        add(order_.next);
    }
    void end_group(std::uint32_t row, std::int64_t item) {
        args_.clear();
        for (std::size_t i = 0; i < source_.arity(); ++i) {
            if ((order_.group >> i) & 1U) args_.push_back(source_.row(row)[i]);
        }
        add(order_.some);
        args_.push_back(number(item));
        add(order_.last);
    }

    const ItemOrder& order_;
    Program& program_;
    NumberTable& numbers_;
    std::vector<Relation>& relations_;
    const Relation& source_;
    CanonicalTermOrder ranks_;
    std::vector<Number> values_;  // per row, of the argument that orders a group
    std::vector<TermId> args_;
};

}  // namespace

void fill_items(const ItemOrder& order, Program& program, NumberTable& numbers, std::vector<Relation>& relations) {
    ItemFiller(order, program, numbers, relations).fill();
}

}  // namespace neumann
