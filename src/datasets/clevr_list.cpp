#include "datasets/clevr_list.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/random_draws.h"

namespace neumann {
namespace {

constexpr std::size_t examples_per_chunk = 32;
constexpr std::array<const char*, 4> list_colors{"cyan", "gray", "red", "yellow"};
constexpr std::size_t row_length = 3;

struct RelationName {
    std::string_view name;
    std::size_t arity;
};
constexpr std::array<RelationName, 6> names{
    {{"member", 2}, {"delete", 3}, {"sort", 2}, {"is_sorted", 1}, {"append", 3}, {"reverse", 2}}};

ColorList part(const ColorList& list, std::size_t begin, std::size_t end) {
    return {list.begin() + static_cast<std::ptrdiff_t>(begin), list.begin() + static_cast<std::ptrdiff_t>(end)};
}

ColorList without(const ColorList& list, const std::string& element) {
    ColorList rest;
    std::copy_if(list.begin(), list.end(), std::back_inserter(rest), [&](const auto& e) { return e != element; });
    return rest;
}

ColorList sorted(ColorList list) {
    std::sort(list.begin(), list.end());
    return list;
}

ColorList reversed(ColorList list) {
    std::reverse(list.begin(), list.end());
    return list;
}

// All four colours in random order: the first three are a list, the last one is missing from it.
struct Draw {
    ColorList list;
    std::string missing;
};
Draw draw(Rng& rng) {
    ColorList colors(list_colors.begin(), list_colors.end());
    shuffle_in_place(colors, rng);
    return {part(colors, 0, row_length), colors.back()};
}

std::vector<ColorList> positive(ListRelation relation, Rng& rng) {
    const ColorList list = draw(rng).list;
    const std::string& element = list[rng.below(row_length)];
    const std::size_t cut = 1 + rng.below(row_length - 1);
    switch (relation) {
    case ListRelation::Member:
        return {{element}, list};
    case ListRelation::Delete:
        return {{element}, list, without(list, element)};
    case ListRelation::Sort:
        return {list, sorted(list)};
    case ListRelation::IsSorted:
        return {sorted(list)};
    case ListRelation::Append:
        return {part(list, 0, cut), part(list, cut, row_length), list};
    case ListRelation::Reverse:
        return {list, reversed(list)};
    }
    return {};
}

// A positive example with its last argument spoilt: another order of the same colours, or one colour exchanged for one
// that does not occur in it. Both occur equally often, so neither the colours nor the order alone reveal the label.
std::vector<ColorList> spoil_last(std::vector<ColorList> arguments, Rng& rng) {
    ColorList& last = arguments.back();
    if (rng.chance(0.5)) {
        const ColorList before = last;
        while (last == before) shuffle_in_place(last, rng);
    } else {
        ColorList others;
        for (const char* color : list_colors) {
            if (std::find(last.begin(), last.end(), color) == last.end()) others.emplace_back(color);
        }
        last[rng.below(static_cast<std::uint32_t>(last.size()))] =
            others[rng.below(static_cast<std::uint32_t>(others.size()))];
    }
    return arguments;
}

std::vector<ColorList> negative(ListRelation relation, Rng& rng) {
    std::vector<ColorList> arguments = positive(relation, rng);
    switch (relation) {
    case ListRelation::Member: {
        const Draw drawn = draw(rng);
        return {{drawn.missing}, drawn.list};
    }
    case ListRelation::IsSorted:
        while (std::is_sorted(arguments[0].begin(), arguments[0].end())) shuffle_in_place(arguments[0], rng);
        return arguments;
    case ListRelation::Delete:
        if (rng.below(3) == 0) {  // the element is any other colour, which may be in the list or not
            const std::string element = arguments[0][0];
            while (arguments[0][0] == element) arguments[0][0] = list_colors[rng.below(list_colors.size())];
            return arguments;
        }
        return spoil_last(std::move(arguments), rng);
    case ListRelation::Sort:
        if (rng.chance(0.5)) {  // sorted, but not the same colours
            const Draw drawn = draw(rng);
            ColorList other = drawn.list;
            other[rng.below(row_length)] = drawn.missing;
            return {drawn.list, sorted(other)};
        }
        while (std::is_sorted(arguments[1].begin(), arguments[1].end())) shuffle_in_place(arguments[1], rng);
        return arguments;
    case ListRelation::Append:
    case ListRelation::Reverse:
        return spoil_last(std::move(arguments), rng);
    }
    return arguments;
}

ListExample make_example(const ListOptions& options, std::size_t index) {
    Rng rng(
        item_seed(options.seed, "clevr-list",
                  {static_cast<std::uint64_t>(options.relation), static_cast<std::uint64_t>(options.split), index}));
    ListExample example;
    example.positive = index % 2 == 0;
    std::vector<ColorList> arguments;
    do {
        arguments = example.positive ? positive(options.relation, rng) : negative(options.relation, rng);
    } while (list_relation_holds(options.relation, arguments) != example.positive);
    for (const ColorList& argument : arguments) {
        example.images.push_back(make_row(argument, rng.next(), options.row));
        example.images.back().image =
            fmt::format("CLEVR_List_{}_{}_{:06}_img{}.png", list_relation_name(options.relation),
                        split_name(options.split), index, example.images.size());
    }
    return example;
}

}  // namespace

std::string_view list_relation_name(ListRelation relation) { return names[static_cast<std::size_t>(relation)].name; }

bool list_relation_holds(ListRelation relation, const std::vector<ColorList>& arguments) {
    const RelationName& name = names[static_cast<std::size_t>(relation)];
    if (arguments.size() != name.arity) {
        throw std::invalid_argument(fmt::format("{} of {} lists; it has {}", name.name, arguments.size(), name.arity));
    }
    const ColorList& first = arguments[0];
    const ColorList& last = arguments.back();
    switch (relation) {
    case ListRelation::Member:
        return std::find(last.begin(), last.end(), first.at(0)) != last.end();
    case ListRelation::Delete:
        return arguments[1].size() == last.size() + 1 && without(arguments[1], first.at(0)) == last;
    case ListRelation::Sort:
        return sorted(first) == last;
    case ListRelation::IsSorted:
        return std::is_sorted(first.begin(), first.end());
    case ListRelation::Append: {
        ColorList both = first;
        both.insert(both.end(), arguments[1].begin(), arguments[1].end());
        return both == last;
    }
    case ListRelation::Reverse:
        return reversed(first) == last;
    }
    return false;
}

std::vector<ListExample> make_list_examples(const ListOptions& options) {
    std::vector<ListExample> examples(2 * options.per_label);
    const std::size_t chunks = (examples.size() + examples_per_chunk - 1) / examples_per_chunk;
    parallel_chunks(options.threads, chunks, [&](std::size_t chunk) {
        const std::size_t end = std::min(examples.size(), (chunk + 1) * examples_per_chunk);
        for (std::size_t i = chunk * examples_per_chunk; i < end; ++i) examples[i] = make_example(options, i);
    });
    return examples;
}

}  // namespace neumann
