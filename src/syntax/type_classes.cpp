#include "syntax/type_classes.h"

#include <algorithm>
#include <utility>

namespace neumann::syntax {

Place TypeClasses::add() {
    const auto place = static_cast<Place>(nodes_.size());
    nodes_.push_back({place, no_place, false, TypeId::none(), std::nullopt});
    return place;
}

Place TypeClasses::find(Place place) const {
    while (nodes_[place].parent != place) {
        nodes_[place].parent = nodes_[nodes_[place].parent].parent;
        place = nodes_[place].parent;
    }
    return place;
}

void TypeClasses::join(Place a, Place b, const Join& why) {
    for (Place place : {a, b}) {
        if (a != b && !nodes_[place].reason) nodes_[place].reason = why;
    }
    std::vector<std::pair<Place, Place>> todo = {{a, b}};
    while (!todo.empty()) {
        // The root is the place that was used first, so that names and explanations do not depend on the order of
        // joins.
        const auto [first, second] = std::minmax({find(todo.back().first), find(todo.back().second)});
        todo.pop_back();
        Node& root = nodes_[first];
        const Node& other = nodes_[second];
        const bool clash = !root.type.is_none() && !other.type.is_none() && root.type != other.type;
        if (first == second || clash) continue;
        if (root.type.is_none()) root.type = other.type;
        root.number = root.number || other.number;
        if (root.element == no_place) {
            root.element = other.element;
        } else if (other.element != no_place) {
            todo.emplace_back(root.element, other.element);
        }
        nodes_[second].parent = first;
    }
}

Place TypeClasses::element(Place list) {
    if (known_element(list) == no_place) {
        const Place element = add();
        nodes_[find(list)].element = element;
    }
    return known_element(list);
}

void TypeClasses::set_element(Place list, Place element) {
    const Place known = known_element(list);
    if (known == no_place) {
        nodes_[find(list)].element = element;
    } else {
        join(known, element, {});
    }
}

}  // namespace neumann::syntax
