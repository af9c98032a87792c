// CLEVR-List generator: examples of relations between lists, one image per argument. A list is a row of objects, its
// elements are their colours from left to right, without repetition; an element is an image of one object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/split.h"
#include "scene/place_objects.h"
#include "scene/scene.h"

namespace neumann {

//   member(element, list)    delete(element, list, rest)    sort(list, sorted)
//   is_sorted(list)          append(front, back, list)      reverse(list, reversed)
enum class ListRelation : std::uint8_t { Member, Delete, Sort, IsSorted, Append, Reverse };

inline constexpr ListRelation list_relations[] = {ListRelation::Member,   ListRelation::Delete, ListRelation::Sort,
                                                  ListRelation::IsSorted, ListRelation::Append, ListRelation::Reverse};

std::string_view list_relation_name(ListRelation relation);

using ColorList = std::vector<std::string>;

// Reference implementation of the relation, on lists of colours. Elements are lists of length one.
bool list_relation_holds(ListRelation relation, const std::vector<ColorList>& arguments);

struct ListExample {
    std::vector<Scene> images;  // one for each argument
    bool positive = false;
};

struct ListOptions {
    std::uint64_t seed = 1;
    ListRelation relation = ListRelation::Member;
    Split split = Split::Train;
    std::size_t per_label = 200;
    RowRules row = {};
    unsigned threads = 1;
};

// Positive and negative in turn. A negative example has as many objects in each image as a positive one and differs
// from one minimally: a wrong order, one wrong colour, another element deleted.
std::vector<ListExample> make_list_examples(const ListOptions& options);

}  // namespace neumann
