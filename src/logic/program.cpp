#include "logic/program.h"

#include <algorithm>

namespace neumann {

void FactList::add(PredicateId predicate, std::span<const TermId> args, double probability, Span span) {
    const bool certain = probability == 1;
    const auto arity = static_cast<std::uint32_t>(args.size());
    if (runs_.empty() || runs_.back().predicate != predicate || runs_.back().file != span.file ||
        runs_.back().certain != certain)
        runs_.push_back({predicate, span.file, arity, size(), args_.size(), probabilities_.size(), certain});
    args_.append(args);
    begin_.push_back(span.begin);
    end_.push_back(span.end);
    if (!certain) probabilities_.push_back(probability);
}

std::size_t FactList::run_of(std::size_t fact) const {
    const auto after = std::ranges::upper_bound(runs_, fact, {}, &Run::first);
    return static_cast<std::size_t>(after - runs_.begin()) - 1;
}

}  // namespace neumann
