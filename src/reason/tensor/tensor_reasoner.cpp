#include "reason/tensor/tensor_reasoner.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/memory.h"
#include "reason/formulas.h"

namespace neumann {
namespace {

std::uint64_t capped_product(std::initializer_list<std::uint64_t> factors) {
    std::uint64_t result = 1;
    for (const std::uint64_t factor : factors) {
        if (__builtin_mul_overflow(result, factor, &result)) result = TensorSize::too_many;
    }
    return result;
}

std::uint64_t capped_sum(std::initializer_list<std::uint64_t> terms) {
    std::uint64_t result = 0;
    for (const std::uint64_t term : terms) {
        if (__builtin_add_overflow(result, term, &result)) result = TensorSize::too_many;
    }
    return result;
}

// Calls use(conjunction, which of its clause's conjunctions for its head it is).
template <class Use>
void number_substitutions(const ReasoningGraph& graph, Use&& use) {
    std::vector<std::uint32_t> seen(graph.clause_count());
    for (std::uint32_t atom = 0; atom < graph.atom_count(); ++atom) {
        const std::span<const std::uint32_t> clauses =
            graph.clause.span().subspan(graph.in_begin[atom], graph.in_begin[atom + 1] - graph.in_begin[atom]);
        for (std::uint32_t i = 0; i < clauses.size(); ++i) use(graph.in_begin[atom] + i, seen[clauses[i]]++);
        for (const std::uint32_t clause : clauses) seen[clause] = 0;
    }
}

void refuse_above(const TensorSize& size, std::uint64_t limit) {
    if (size.total_bytes > limit || size.total_bytes == TensorSize::too_many) throw TensorTooLarge(size, limit);
}

}  // namespace

TensorSize tensor_size(const ReasoningGraph& graph, const TensorOptions& options, std::size_t examples, bool history) {
    TensorSize size;
    size.clauses = graph.clause_count();
    size.atoms = graph.atom_count();
    number_substitutions(graph, [&](std::uint32_t conjunction, std::uint32_t number) {
        size.substitutions = std::max<std::uint64_t>(size.substitutions, number + 1);
        size.body_length = std::max<std::uint64_t>(size.body_length, graph.literals(conjunction).size());
    });
    size.index_bytes =
        capped_product({sizeof(std::uint32_t), size.clauses, size.atoms, size.substitutions, size.body_length});
    const std::uint64_t state =
        info(options.semantics).keeps_state ? capped_product({size.clauses, size.atoms, size.substitutions}) : 0;
    const std::uint64_t at_work = capped_sum({state, capped_product({size.clauses, size.substitutions}),
                                              size.body_length, size.atoms, 2 * (size.atoms + 2)});
    const std::uint64_t kept = capped_product({examples, history ? std::uint64_t{options.steps} + 1 : 1, size.atoms});
    size.total_bytes = capped_sum({size.index_bytes, capped_product({sizeof(double), capped_sum({at_work, kept})})});
    size.dense_matrix = size.atoms * graph.conjunction_count();
    return size;
}

TensorTooLarge::TensorTooLarge(const TensorSize& size, std::uint64_t limit)
    : ReasonError(fmt::format(
          "a tensor of {} clauses × {} atoms × {} substitutions × {} body atoms needs {}{} with its values; "
          "the limit is {}",
          size.clauses, size.atoms, size.substitutions, size.body_length,
          size.total_bytes == TensorSize::too_many ? "at least " : "", format_bytes(size.total_bytes),
          format_bytes(limit))),
      size_(size) {}

std::span<const double> TensorRun::history(std::uint32_t step, std::size_t example) const {
    if (!with_history_) throw ReasonError("this run did not keep its history");
    if (step >= kept_ || example >= examples_)
        throw ReasonError(fmt::format("there is no step {} of example {}", step, example));
    return state(step, example);
}

TensorReasoner::TensorReasoner(ReasoningGraph graph, const TensorOptions& options)
    : graph_(std::move(graph)), options_(options), formulas_(formulas::formulas_of(options.semantics)),
      size_(tensor_size(graph_, options_)) {
    require_gamma(options.gamma);
    if (!graph_.monotone) throw ReasonError("the tensor engine has no negated literals; take another engine");
    refuse_above(size_, options.memory_limit);
    set_weights(graph_.weight.span());
    fill_index();
    initial_.resize(size_.atoms);
    values_.resize(size_.atoms + 2);
    next_.resize(size_.atoms + 2);
    if (info(options.semantics).keeps_state) state_.resize(size_.clauses * size_.atoms * size_.substitutions);
}

void TensorReasoner::fill_index() {
    const std::uint32_t truth = graph_.atom_count();  // ids leave room for two more
    index_.resize(size_.index_bytes / sizeof(std::uint32_t), truth + 1);
    number_substitutions(graph_, [&](std::uint32_t conjunction, std::uint32_t number) {
        const std::size_t row = graph_.clause[conjunction] * size_.atoms + graph_.head[conjunction];
        std::uint32_t* to = index_.data() + (row * size_.substitutions + number) * size_.body_length;
        std::fill_n(to, size_.body_length, truth);
        std::ranges::transform(graph_.literals(conjunction), to, &GraphLiteral::atom);
    });
}

void TensorReasoner::set_weights(std::span<const double> weights) {
    if (weights.size() != size_.clauses)
        throw ReasonError(fmt::format("{} weights given for {} clauses", weights.size(), size_.clauses));
    const auto bad = std::ranges::find_if_not(weights, is_probability);
    if (bad != weights.end())
        throw ReasonError(fmt::format("weight {} of clause {} is not in [0,1]", *bad, bad - weights.begin()));
    weights_.assign(weights.begin(), weights.end());
}

TensorRun TensorReasoner::forward(const AtomNumbers& inputs, bool keep_history) {
    refuse_above(tensor_size(graph_, options_, inputs.examples(), keep_history), options_.memory_limit);
    TensorRun run;
    run.examples_ = inputs.examples();
    run.atoms_ = size_.atoms;
    run.kept_ = keep_history ? std::size_t{options_.steps} + 1 : 1;
    run.with_history_ = keep_history;
    run.values_.reserve(run.examples_ * run.kept_ * run.atoms_);
    const auto keep = [&] { run.values_.insert(run.values_.end(), values_.begin(), values_.end() - 2); };
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        load(inputs.of(e));
        for (std::uint32_t t = 0; t < options_.steps; ++t) {
            if (keep_history) keep();
            step();
        }
        keep();
    }
    return run;
}

void TensorReasoner::load(std::span<const AtomNumbers::Entry> inputs) {
    std::ranges::copy(graph_.initial, initial_.begin());
    for (const AtomNumbers::Entry& entry : inputs) {
        if (entry.atom >= size_.atoms) throw ReasonError(fmt::format("there is no atom {}", entry.atom));
        if (!is_probability(entry.value))
            throw ReasonError(fmt::format("the value {} of atom {} is not in [0,1]", entry.value, entry.atom));
        initial_[entry.atom] = entry.value;
    }
    std::ranges::copy(initial_, values_.begin());
    for (std::vector<double>* values : {&values_, &next_}) {
        (*values)[size_.atoms] = 1;
        (*values)[size_.atoms + 1] = 0;
    }
    std::ranges::fill(state_, 0.0);
}

void TensorReasoner::step() {
    for (std::size_t atom = 0; atom < size_.atoms; ++atom) next_[atom] = derive(atom);
    std::swap(values_, next_);
}

// Padding is looked at and left out: under semantics that do not keep zero a conjunction that is 0 would count.
double TensorReasoner::derive(std::size_t atom) {
    const auto falsity = static_cast<std::uint32_t>(size_.atoms + 1);
    buffer_.clear();
    places_.clear();
    for (std::uint32_t clause = 0; clause < size_.clauses; ++clause) {
        for (std::size_t s = 0; s < size_.substitutions; ++s) {
            const std::size_t place = (clause * size_.atoms + atom) * size_.substitutions + s;
            const std::uint32_t* body = index_.data() + place * size_.body_length;
            if (body[0] == falsity) continue;
            for (std::size_t j = 0; j < size_.body_length; ++j) buffer_.add_literal(values_[body[j]]);
            buffer_.end_conjunction(clause, weights_[clause]);
            places_.push_back(place);
        }
    }
    if (places_.empty()) return values_[atom];  // nothing derives it
    state_here_.clear();
    if (!state_.empty()) {
        for (const std::size_t place : places_) state_here_.push_back(state_[place]);
    }
    formulas::Clamp clamp;
    const double result =
        formulas_.forward(buffer_.view(options_.gamma, initial_[atom], values_[atom]), state_here_, clamp);
    for (std::size_t k = 0; k < state_here_.size(); ++k) state_[places_[k]] = state_here_[k];
    return result;
}

}  // namespace neumann
