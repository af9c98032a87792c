// Lowering: a source clause becomes flat rules, whose goals are atoms, negated atoms and comparisons. Any other goal of
// a body gets an auxiliary predicate of its own, as in Lloyd and Topor's transformation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"
#include "syntax/ast.h"
#include "syntax/lexer.h"

namespace neumann::syntax {

struct FlatRule {
    NodeIndex rule = no_node;  // its goals are Name, Not of a Name, Compare, or Aggregate of a Name
    std::optional<Weight> weight;
    std::optional<std::uint32_t> choice;  // the annotated disjunction that its head is one of
    bool auxiliary = false;               // stands for a part of a body
};

// For the clauses of one text, in their order: the names of auxiliary predicates are numbered.
class Lowering {
public:
    Lowering(const Program& program, TextStore texts, Diagnostics& diagnostics);

    // The rules of a clause, those of auxiliary predicates last; their nodes are added to the tree. None if the clause
    // is wrong, which is reported.
    std::vector<FlatRule> lower(Ast& ast, const Item& item);

private:
    using Goals = std::vector<NodeIndex>;
    using Names = std::vector<std::string_view>;

    std::vector<FlatRule> lower_choice(const Item& item, const Goals& goals);
    bool good_choice(const Ast& ast, const Item& item);
    Goals one_case(const Goals& goals, Node rule);
    void name_variables(NodeIndex index);
    bool is_flat(NodeIndex goal) const;
    Goals flatten(const Goals& goals) const;
    Goals lower_goals(const Goals& written, const Names& outside);
    void lower_negation(NodeIndex negation, const Goals& around, const Names& rest, Goals& flat);
    bool lower_complement(NodeIndex negation, const Names& rest, Goals& flat);
    void lower_aggregate(NodeIndex aggregate, const Goals& around, const Names& rest, Goals& flat);
    void lower_alternatives(NodeIndex goal, const Goals& around, const Names& rest, Goals& flat);
    NodeIndex auxiliary(std::string_view kind, const Goals& alternatives, const Goals& around, const Names& rest,
                        Node like);
    Goals with_definitions(Goals goals, const Goals& around, const Names& shared) const;
    std::string_view fresh_name(std::string_view kind, std::size_t arity, std::uint32_t file);

    const Node& first_occurrence(std::string_view name, const std::vector<Goals>& bodies) const;
    void add_variables(NodeIndex index, Names& names) const;
    Names variables_of(const Goals& goals) const;
    bool has_local_variables(NodeIndex index, const Names& rest) const;
    NodeIndex copy(NodeIndex index);
    NodeIndex add_compare(Comparison comparison, NodeIndex left, NodeIndex right, Node like);
    NodeIndex add_rule(NodeIndex head, const Goals& goals, bool says_true, Node like);

    const Program& program_;
    TextStore texts_;
    Diagnostics& diagnostics_;
    std::map<std::pair<std::string, std::string>, std::size_t> numbers_;  // head and kind → how many
    std::uint32_t next_choice_ = 0;
    std::uint32_t anonymous_ = 0;  // variables that were given a name
    Ast* ast_ = nullptr;           // of the current clause, as are these
    std::string_view head_;        // its predicate
    std::vector<FlatRule> rules_;
};

}  // namespace neumann::syntax
