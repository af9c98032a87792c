// Complement, NOT x = 1 − x, for lanes and for numbers.
#pragma once

namespace neumann {

struct Complement {
    static constexpr bool negates = true;

    template <class V>
    static constexpr V value(V x) {
        return V(1.0F) - x;
    }
    // From the gradient of the literal to that of the atom, whose value is x.
    template <class V>
    static constexpr V gradient(V /*x*/, V gradient) {
        return V(0.0F) - gradient;
    }
};

}  // namespace neumann
