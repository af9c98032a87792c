// A relation of the background: ground tuples with indexes over bound positions, made when first asked for; or tuples
// found on demand from the arguments that its direction wants known.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace neumann::induce {

using Value = std::uint32_t;
using Mask = std::uint32_t;  // positions of arguments, the first is the lowest bit

struct TupleHash {
    std::size_t operator()(const std::vector<Value>& key) const {
        std::size_t hash = 0xcbf29ce484222325ULL;
        for (const Value part : key) hash = (hash ^ part) * 0x100000001b3ULL;
        return hash ^ (hash >> 29);
    }
};

class Relation {
public:
    // All tuples for the known arguments, appended one after the other; the arguments that are not known are ignored.
    using Solver = std::function<void(std::span<const Value> args, Mask known, std::vector<Value>& tuples)>;

    explicit Relation(std::size_t arity) : arity_(arity) {}
    // `inputs`: what must be known before it is asked.
    Relation(std::size_t arity, Mask inputs, Solver solver)
        : arity_(arity), inputs_(inputs), solver_(std::move(solver)) {}

    void add(std::span<const Value> tuple);  // once each
    std::size_t arity() const { return arity_; }
    std::size_t size() const { return arity_ == 0 ? (known_.empty() ? 0 : 1) : rows_.size() / arity_; }
    Mask inputs() const { return inputs_; }
    bool on_demand() const { return solver_ != nullptr; }
    // Every call so far has given one tuple at most; true only after some calls.
    bool is_function() const { return function_ && calls_ >= 8; }
    const Value* row(std::uint32_t number) const { return rows_.data() + std::size_t{number} * arity_; }

    // Numbers of the rows that agree with the arguments at the known positions; these include the inputs.
    std::span<const std::uint32_t> matches(std::span<const Value> args, Mask known);

private:
    using Index = std::unordered_map<std::vector<Value>, std::vector<std::uint32_t>, TupleHash>;

    std::uint32_t add_row(std::span<const Value> tuple);
    void key_of(const Value* args, Mask known);
    std::span<const std::uint32_t> found_on_demand(std::span<const Value> args, Mask known);
    Index& index_for(Mask known);

    std::size_t arity_;
    Mask inputs_ = 0;
    Solver solver_;
    bool function_ = true;
    std::size_t calls_ = 0;
    std::vector<Value> rows_;
    std::unordered_map<std::vector<Value>, std::uint32_t, TupleHash> known_;
    std::map<Mask, Index> indexes_;
    std::vector<Value> key_;  // of the latest look-up
};

}  // namespace neumann::induce
