// Clauses and search languages in words of their own, and every clause of a small language by trying everything: the
// oracle of refinement. Shares nothing with src/learn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "learn/clauses/modes.h"  // the bounds

namespace neumann::oracle {

struct Pattern {
    enum Kind : std::uint8_t { Variable, Constant, Compound };
    Kind kind = Variable;
    int id = 0;
    std::vector<Pattern> args;

    void code(std::vector<int>& words) const {
        words.push_back(kind);
        words.push_back(id);
        for (const Pattern& arg : args) arg.code(words);
    }
    friend bool operator==(const Pattern& a, const Pattern& b) {
        return a.kind == b.kind && a.id == b.id && a.args == b.args;
    }
    friend bool operator<(const Pattern& a, const Pattern& b) {
        if (a.kind != b.kind) return a.kind < b.kind;
        if (a.id != b.id) return a.id < b.id;
        return std::ranges::lexicographical_compare(a.args, b.args, std::less<>());
    }
    int depth() const {
        int deepest = 0;
        for (const Pattern& arg : args) deepest = std::max(deepest, arg.depth());
        return kind == Compound ? deepest + 1 : 0;
    }
    void parts(std::set<Pattern>& all) const {
        all.insert(*this);
        for (const Pattern& arg : args) arg.parts(all);
    }
    Pattern with(const std::map<int, Pattern>& values) const {
        if (kind == Variable) return values.contains(id) ? values.at(id) : *this;
        Pattern result = *this;
        for (Pattern& arg : result.args) arg = arg.with(values);
        return result;
    }
};
using Goal = Pattern;  // an atom: the predicate's number as id

struct Rule {
    Goal head;
    std::vector<Goal> body;
    std::vector<int> types;  // of variables
};

struct Language {
    struct Type {
        int constants = 0;
        std::optional<int> max_depth;
        std::optional<int> max_length;
        bool no_repeats = false;
    };
    struct Functor {
        std::vector<int> args;
        int result = 0;
        bool cell = false;
    };
    struct Predicate {
        std::vector<int> args;
        bool distinct = false;
    };
    struct Declared {
        bool head = false;
        int recall = -1;  // any number
        int predicate = 0;
        std::string signs;
    };

    std::vector<Type> types;
    std::vector<Functor> functors;
    std::vector<Predicate> predicates;
    std::vector<Declared> modes;
    SearchBounds bounds;

    static int constant(int type, int i) { return type * 10 + i; }
    static int type_of_constant(int constant) { return constant / 10; }
    bool has_functors(int type) const {
        return std::ranges::any_of(functors, [&](const Functor& f) { return f.result == type; });
    }

    std::string text() const;  // as directives
};

Language random_language(Rng& rng);

// The smallest code that a renaming of variables gives; bodies are sets.
std::vector<int> canonical_code(const Rule& rule);

// All clauses of the language, by their canonical codes; none if that takes too long.
std::optional<std::map<std::vector<int>, Rule>> every_rule(const Language& language, std::size_t most_tries);

// Whether some way to replace the general rule's variables by parts of the specific one puts the first into the second.
bool covers(const Rule& general, const Rule& specific);

}  // namespace neumann::oracle
