// Enumeration of an atom's derivations, the best first: a best-first search over partial derivations. An atom that is
// not yet derived counts as its best derivation, so the first complete one that comes up is the best there is.
//
// No atom stands above itself in a derivation: going round a cycle explains nothing. Two derivations differ if they
// choose differently somewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "base/optional_index.h"
#include "proofs/proof.h"

namespace neumann {

class ProofSearch {
public:
    struct Settings {
        std::size_t partial = 400'000;    // derivations begun
        std::size_t choices = 2'000'000;  // in total, including repeated ones
        // An initial value that a derivation uses twice counts once. Then the order is that of the values so counted
        // only where nothing is used twice, and nearly so elsewhere.
        bool inputs_once = false;
    };
    // Whether an initial value may be used together with those that the derivation uses already.
    using Fits = std::function<bool(std::uint32_t atom, std::span<const std::uint32_t> used)>;

    // Borrows the derivations, which must not have been narrowed to the best one.
    explicit ProofSearch(const Derivations& derivations) : ProofSearch(derivations, Settings(), {}) {}
    ProofSearch(const Derivations& derivations, const Settings& settings, Fits fits);
    ProofSearch(const ProofSearch&) = delete;
    ProofSearch& operator=(const ProofSearch&) = delete;

    // The next one; nothing: there is none, or the search was given up.
    std::optional<Proof> next();
    bool given_up() const { return given_up_; }

private:
    struct Partial {  // the choices of `parent` and one more
        OptionalIndex parent;
        std::uint32_t choice;
        std::uint32_t length;
        float key;  // the logarithm of its value: no complete derivation from here is worth more
    };
    struct Later {  // the order of the queue: the best, then the nearest to completion, then the first
        const std::vector<Partial>* partials;
        bool operator()(std::uint32_t a, std::uint32_t b) const;
    };
    struct Open {  // an atom that is still to be derived
        std::uint32_t atom;
        Derivations::Moment moment;
        OptionalIndex below;  // the choice that asked for it
    };
    void replay(OptionalIndex partial);
    void choose(std::uint32_t choice);
    void go_on();
    void push(OptionalIndex parent, std::uint32_t choice, double value);
    bool stands_above(std::uint32_t atom) const;
    bool is_counted(std::uint32_t atom) const;
    double hoped(std::uint32_t atom, Derivations::Moment moment) const;

    const Derivations& derivations_;
    Settings settings_;
    Fits fits_;
    bool given_up_ = false;
    std::size_t chosen_ = 0;
    std::vector<Partial> partials_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, Later> queue_;

    // The current derivation.
    OptionalIndex current_;
    std::vector<std::uint32_t> choices_;
    struct Made {
        std::uint32_t atom;
        OptionalIndex below;
    };
    std::vector<Made> made_;           // the atom of each choice, and which choice asked for it
    std::vector<Open> open_;           // the next one last
    std::vector<std::uint32_t> used_;  // atoms whose initial values it uses
    double decided_ = 1;               // the AND of the choices
};

}  // namespace neumann
