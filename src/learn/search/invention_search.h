// Predicate invention: definitions by their size, each with the clauses for the
// target that use it. The tuples of a definition become a relation like those of the background; definitions with the
// same tuples are tried once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "learn/evaluate/relational_task.h"
#include "learn/search/dependencies.h"
#include "learn/search/pool.h"
#include "learn/search/recursion_search.h"

namespace neumann::search {

class InventionSearch {
public:
    // `functional` as for recursion. `plain`: clauses without invented predicates.
    InventionSearch(Task& task, const Dependencies& dependencies, bool functional, const Pool& plain);
    ~InventionSearch();

    // Goes on until the slice of work is over. `found` gets programs; the heads of invented clauses, and goals, have
    // the number of `slot`. False: there is nothing more to try, or the work is over.
    bool advance(const FoundProgram& found);

    std::uint16_t slot() const { return slot_; }
    std::uint64_t evaluated() const { return evaluated_; }
    // Programs of this size and longer are of no use.
    void set_known_size(std::size_t size) { known_size_ = size; }

private:
    struct Definition;  // of the invented predicate: its arguments and clauses
    struct Node;        // a clause for the target
    struct Family;      // clauses for one list of arguments

    void find_families();
    void find_definitions();
    std::optional<Relation> relation_of(const Definition& definition);
    std::optional<Relation> table_of(const Definition& definition);
    void try_definition(const Definition& definition, const FoundProgram& found);
    void try_clauses(const Definition& definition, const FoundProgram& found);
    void try_recursion(const Definition& definition, const FoundProgram& found);
    void refine(const Node& node, bool slot_only, std::vector<Node>& next, std::vector<Candidate>& crisp);
    void report(const Definition& definition, std::vector<Clause> clauses, Bits positives, const FoundProgram& found);

    Task& task_;
    const Dependencies& dependencies_;
    Work& work_;
    bool functional_;
    const Pool& plain_;
    std::uint16_t slot_;
    Bias bias_;  // with the slot
    std::vector<Family> families_;
    std::vector<Definition> definitions_;  // of this size
    std::size_t position_ = 0;
    std::size_t size_ = 2;
    unsigned goals_ = 2;         // of clauses for the target
    std::vector<Node> without_;  // clauses of one goal without it
    std::unordered_set<std::uint64_t> known_;
    SeenForms seen_;
    std::uint64_t evaluated_ = 0;
    std::shared_ptr<bool> lacks_answers_ = std::make_shared<bool>(false);  // of the definition that is tried
    std::size_t known_size_ = ~std::size_t{0};
};

}  // namespace neumann::search
