// Objects in images: the constants of a program that denote them, and the atoms about each. Maps gradients of atoms to
// weights of objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "ground/atoms.h"
#include "logic/program.h"

namespace neumann {

struct PictureObject {
    ConstantId constant;
    TypeId type;
    std::string name;         // of the constant, as printed
    std::uint32_t image = 0;  // index of the image in an example, counted from 0
    std::size_t row = 0;      // which object there: the constant's place in its type
};

// Objects are the constants of a type that occurs in an object argument of a neural predicate. The registry of
// valuation functions defines the object arguments; for predicates that are not in it these are the arguments of a type
// known from others, else those of the first argument's type. A name that ends in _img2 is about objects of the second
// image. Predicates of questions have no object arguments.
class ObjectAtoms {
public:
    ObjectAtoms(const Program& program, const AtomTable& atoms);

    std::span<const PictureObject> objects() const { return objects_; }  // by image, then row
    // The atoms of neural predicates that mention an object, as the table numbers them, ascending.
    std::span<const std::uint32_t> atoms_of(std::size_t object) const {
        return std::span(atoms_).subspan(begin_[object], begin_[object + 1] - begin_[object]);
    }

    struct Weight {
        double value = 0;
        std::optional<std::uint32_t> atom;  // nothing where no gradient is above 0
    };
    // φ of the paper: the largest gradient of the object's atoms, and the first atom that has it. `gradient_of` takes
    // the number of an atom.
    template <class Gradient>
    Weight weight_of(std::size_t object, const Gradient& gradient_of) const {
        Weight largest;
        for (const std::uint32_t atom : atoms_of(object)) {
            const double gradient = gradient_of(atom);
            if (gradient > largest.value) largest = {gradient, atom};
        }
        return largest;
    }

private:
    std::vector<PictureObject> objects_;
    std::vector<std::size_t> begin_;  // objects + 1
    std::vector<std::uint32_t> atoms_;
};

}  // namespace neumann
