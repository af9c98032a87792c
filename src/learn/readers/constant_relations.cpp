#include "learn/readers/constant_relations.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "logic/print.h"

namespace neumann::search {
namespace {

constexpr std::size_t most_choices = 200;

// The predicate without the arguments that are constants, and how it is written with them.
Predicate without_constants(const Predicate& predicate, Mask constants, const std::vector<Value>& chosen,
                            const resolution::Terms& terms) {
    Predicate made;
    made.name = predicate.name;
    made.pattern = {quote_name(predicate.name) + "("};
    std::size_t next = 0;
    for (std::size_t a = 0; a < predicate.types.size(); ++a) {
        if (a > 0) made.pattern.back() += ",";
        if ((constants >> a & 1U) != 0) {
            made.pattern.back() += terms.print(chosen[next++]);
            continue;
        }
        if ((predicate.inputs >> a & 1U) != 0) made.inputs |= Mask{1} << made.types.size();
        made.types.push_back(predicate.types[a]);
        made.pattern.emplace_back();
    }
    made.pattern.back() += ")";
    return made;
}

}  // namespace

std::vector<ConstantRelation> constant_relations(const std::shared_ptr<Background>& background,
                                                 const Predicate& predicate, Mask constants, std::string& described) {
    const std::optional<Relation> table = table_of(background, predicate, false, described);
    if (!table) {
        described = fmt::format("{}/{} has no finite table, so that its constants are not known: it is not used",
                                predicate.name, predicate.types.size());
        return {};
    }
    const Relation& all = *table;
    std::map<std::vector<Value>, std::vector<std::vector<Value>>> tuples;  // by constants
    for (std::uint32_t r = 0; r < all.size(); ++r) {
        std::vector<Value> chosen;
        std::vector<Value> rest;
        for (std::size_t a = 0; a < all.arity(); ++a)
            ((constants >> a & 1U) != 0 ? chosen : rest).push_back(all.row(r)[a]);
        tuples[chosen].push_back(std::move(rest));
    }
    using Choice = std::pair<const std::vector<Value>, std::vector<std::vector<Value>>>;
    std::vector<const Choice*> order;
    for (const Choice& one : tuples) order.push_back(&one);
    std::ranges::stable_sort(order, std::ranges::greater(), [](const Choice* one) { return one->second.size(); });
    if (order.size() > most_choices) {
        described = fmt::format("{}/{} has {} choices of constants: the {} most frequent are used", predicate.name,
                                predicate.types.size(), order.size(), most_choices);
        order.resize(most_choices);
    }
    std::vector<ConstantRelation> made;
    for (const Choice* one : order) {
        Predicate named = without_constants(predicate, constants, one->first, background->rules.terms);
        Relation relation(named.types.size());
        for (const std::vector<Value>& tuple : one->second) relation.add(tuple);
        std::vector<Value> all_constants(predicate.types.size(), resolution::no_term);
        std::size_t next = 0;
        for (std::size_t a = 0; a < all_constants.size(); ++a) {
            if ((constants >> a & 1U) != 0) all_constants[a] = one->first[next++];
        }
        made.push_back({std::move(named), std::move(relation), std::move(all_constants)});
    }
    return made;
}

ConstantRelation equality_relation(const Background& background, std::uint16_t type, Value value) {
    Relation relation(1);
    relation.add({&value, 1});
    Predicate made;
    made.name = "=";
    made.types = {type};
    made.pattern = {"", " = " + background.rules.terms.print(value)};
    return {std::move(made), std::move(relation), {value}};
}

}  // namespace neumann::search
