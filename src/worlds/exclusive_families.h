// Families of propositions of which at most one holds, such as all sums of three digits: found among rules whose bodies
// have different members of known families.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace neumann {

struct FamilyMember {
    std::uint32_t family;
    std::uint32_t member;
    friend auto operator<=>(FamilyMember, FamilyMember) = default;
};

class ExclusiveFamilies {
public:
    std::uint32_t add(std::uint32_t members) {
        sizes_.push_back(members);
        return static_cast<std::uint32_t>(sizes_.size() - 1);
    }

    // A rule of a head: it holds at most if all these members do. One of a family at most, ascending.
    struct Rule {
        std::uint32_t head;  // among those of the call, ascending from rule to rule
        std::uint32_t begin;
        std::uint32_t end;  // in `members`
    };
    // Gives each of so many heads a place in a new family, of those that exclude each other; nothing if two rules of a
    // head may hold together.
    std::optional<std::vector<FamilyMember>> divide(std::uint32_t heads, std::span<const Rule> rules,
                                                    std::span<const FamilyMember> members);

private:
    bool all_differ(std::span<const Rule> rules, std::span<const FamilyMember> members);
    bool separate(std::vector<std::uint32_t>& some, std::vector<std::uint32_t>& used);
    std::optional<std::uint32_t> dividing(std::span<const std::uint32_t> some, std::span<const std::uint32_t> used);

    std::vector<std::uint32_t> sizes_;  // per family
    // Of the current call.
    std::span<const Rule> rules_;
    std::span<const FamilyMember> members_;
    std::vector<bool> later_;  // heads that are left for another family
    std::vector<std::uint64_t> seen_;
};

}  // namespace neumann
