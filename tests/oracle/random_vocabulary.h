// The random declarations of a program: types, functors, bounds, predicates.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace neumann::oracle {

// Types refer to each other by their place in Vocabulary::types. Names are as written, quoted if need be.
struct Functor {
    std::string name;
    std::vector<std::size_t> args;
    bool cell = false;  // [H|T] of its type
};

struct Type {
    static constexpr unsigned uninhabited = 1000;
    std::string name;
    std::vector<std::string> constants;
    std::vector<Functor> functors;
    std::string empty;             // the constant written []; "": not a list type
    unsigned depth = uninhabited;  // of its shallowest term
};

struct Predicate {
    std::string name;
    std::vector<std::size_t> args;
    bool neural = false;
    bool live = false;  // neural, or the predicate of a fact or of a clause's head
};

struct Vocabulary {
    std::vector<Type> types;
    std::vector<Predicate> predicates;  // the first is not neural
    std::vector<std::string> declarations;

    unsigned depth_of(const Functor& functor) const;  // of its shallowest term
};

// Not always are all types finite: the caller drops such programs.
Vocabulary random_vocabulary(Rng& rng);

inline std::size_t pick(Rng& rng, std::size_t count) { return rng.below(static_cast<std::uint32_t>(count)); }

template <class T>
void shuffle(std::vector<T>& values, Rng& rng) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[pick(rng, i)]);
}

}  // namespace neumann::oracle
