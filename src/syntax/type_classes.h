// Classes of places that hold terms of one type: a union-find structure whose classes may be lists of another class,
// numbers, or a declared type.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/source.h"

namespace neumann::syntax {

using Place = std::uint32_t;  // an argument of a predicate, an argument or the result of a functor, …
inline constexpr Place no_place = 0xffffffffU;

class TypeClasses {
public:
    // The reason why two places have one type: a variable or functor, and its position.
    struct Join {
        std::string_view by;
        Span span;
    };

    Place add();  // in a class of its own
    Place find(Place place) const;
    // Two declared types are not joined: name resolution reports the clash.
    void join(Place a, Place b, const Join& why);
    // The place of the elements, made when it is first asked for: the class is one of lists from then on.
    Place element(Place list);
    void set_element(Place list, Place element);
    Place known_element(Place list) const { return nodes_[find(list)].element; }

    void mark_number(Place place) { nodes_[find(place)].number = true; }
    bool is_number(Place place) const { return nodes_[find(place)].number; }
    void set_type(Place place, TypeId type) { nodes_[find(place)].type = type; }
    TypeId type(Place place) const { return nodes_[find(place)].type; }

    // The first thing that tied this place to another one.
    const std::optional<Join>& reason(Place place) const { return nodes_[place].reason; }
    std::size_t size() const { return nodes_.size(); }

private:
    struct Node {
        Place parent;
        // Of the class, if this is its root:
        Place element = no_place;
        bool number = false;
        TypeId type;
        std::optional<Join> reason;
    };

    mutable std::vector<Node> nodes_;
};

}  // namespace neumann::syntax
