// Relation of the background: ground tuples with indexes over bound positions, built at their first use; or tuples
// found on demand from the arguments that its direction requires.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "learn/evaluate/tuple_table.h"

namespace neumann::search {

using Mask = std::uint32_t;  // positions of arguments, the first is the lowest bit

inline constexpr std::size_t most_arguments = 8;

struct TupleHash {
    std::size_t operator()(const std::vector<Value>& key) const {
        std::size_t hash = 0xcbf29ce484222325ULL;
        for (const Value part : key) hash = (hash ^ part) * 0x100000001b3ULL;
        return hash ^ (hash >> 29);
    }
};

// Values that leave a part open, as [3,_] does: answers that hold for every value of that part. Goals that come later
// may narrow them down.
class OpenValues {
public:
    virtual ~OpenValues() = default;
    virtual bool is_open(Value value) const = 0;
    // The common instances of two values; nothing if there are none.
    virtual std::optional<Value> common(Value one, Value other) = 0;
};

class Relation {
public:
    // All tuples for the known arguments, appended one after the other; the arguments that are not known are ignored.
    // An answer may have open values.
    enum class Answers : std::uint8_t {
        All,
        Open,     // … and some tuples have open values
        Missing,  // there are answers that leave arguments open, which a call with these arguments finds
    };
    using Solver = std::function<Answers(std::span<const Value> args, Mask known, std::vector<Value>& tuples)>;

    explicit Relation(std::size_t arity) : rows_(arity) {}
    // `inputs`: the arguments that a call must have. `moded`: which others are known makes a difference, as a cut does.
    // `takes_open`: calls may have open values.
    Relation(std::size_t arity, Mask inputs, Solver solver, bool moded = false, bool takes_open = false)
        : rows_(arity), inputs_(inputs), solver_(std::move(solver)), moded_(moded), takes_open_(takes_open) {}

    // A copy makes its indexes anew.
    Relation(const Relation& other)
        : rows_(other.rows_), inputs_(other.inputs_), solver_(other.solver_), moded_(other.moded_),
          takes_open_(other.takes_open_), has_open_(other.has_open_), function_(other.function_),
          left_open_(other.left_open_), calls_(other.calls_) {}
    Relation(Relation&&) = default;
    Relation& operator=(const Relation& other) { return *this = Relation(other); }
    Relation& operator=(Relation&&) = default;
    ~Relation() = default;

    void add(std::span<const Value> tuple);  // once each
    std::size_t arity() const { return rows_.width(); }
    std::size_t size() const { return rows_.size(); }
    Mask inputs() const { return inputs_; }
    bool on_demand() const { return solver_ != nullptr; }
    bool moded() const { return moded_; }
    bool takes_open() const { return takes_open_; }
    bool has_open() const { return has_open_; }  // some row has open values
    // Every call so far has given one tuple at most; true only after some calls.
    bool is_function() const { return function_ && !has_open_ && calls_ >= 8; }
    std::size_t calls() const { return calls_; }  // that were answered on demand, each once
    const Value* row(std::uint32_t number) const { return rows_.tuple(number); }
    const TupleTable& rows() const { return rows_; }

    // Numbers of the rows that agree with the arguments at the known positions; these include the inputs. Arguments at
    // `open`, some of the known ones, have open values: rows have instances of them.
    std::span<const std::uint32_t> matches(std::span<const Value> args, Mask known, Mask open = 0);

private:
    // The rows for each key; those of relations on demand come one by one, and stay where they are.
    struct Index {
        explicit Index(std::size_t width) : keys(width) {}
        TupleTable keys;
        int column = -1;  // the only one that is known, where its values are their own keys
        std::vector<std::uint32_t> starts;
        std::vector<std::uint32_t> rows;
        std::deque<std::vector<std::uint32_t>> lists;
    };
    using Key = std::array<Value, most_arguments>;

    Key key_of(const Value* args, Mask known) const;
    void fill(Index& index, Mask known) const;
    void fill_members();
    std::uint32_t key_number(Index& index, std::uint32_t row, Mask known) const;
    bool ask(std::span<const Value> args, Mask known, std::vector<std::uint32_t>& rows);
    std::span<const std::uint32_t> found_on_demand(std::span<const Value> args, Mask known, Mask open);
    std::span<const std::uint32_t> whole(std::span<const Value> args);
    Index& index_for(Mask known);

    TupleTable rows_;
    Mask inputs_ = 0;
    Solver solver_;
    bool moded_ = false;
    bool takes_open_ = false;
    bool has_open_ = false;
    bool function_ = true;
    bool left_open_ = false;  // some call to which an answer had open arguments
    std::size_t calls_ = 0;
    std::vector<std::pair<Mask, std::unique_ptr<Index>>> indexes_;
    std::vector<bool> members_;  // by value, of a relation with one argument
};

}  // namespace neumann::search
