#include "worlds/exclusive_families.h"

#include <algorithm>

namespace neumann {
namespace {

constexpr unsigned most_families = 16;        // families of one call; more heads stand alone
constexpr std::uint64_t bits_per_rule = 256;  // of a table of all combinations

std::span<const FamilyMember> body_of(const ExclusiveFamilies::Rule& rule, std::span<const FamilyMember> members) {
    return members.subspan(rule.begin, rule.end - rule.begin);
}

}  // namespace

// The usual case: all bodies are of the same families, and no two are equal.
bool ExclusiveFamilies::all_differ(std::span<const Rule> rules, std::span<const FamilyMember> members) {
    const std::span<const FamilyMember> first = body_of(rules[0], members);
    std::uint64_t combinations = 1;
    for (const FamilyMember one : first) {
        combinations *= sizes_[one.family];
        if (combinations > bits_per_rule * rules.size()) return false;
    }
    seen_.assign(combinations / 64 + 1, 0);
    for (const Rule& rule : rules) {
        const std::span<const FamilyMember> body = body_of(rule, members);
        if (body.size() != first.size()) return false;
        std::uint64_t code = 0;
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (body[i].family != first[i].family) return false;
            code = code * sizes_[body[i].family] + body[i].member;
        }
        const std::uint64_t bit = std::uint64_t{1} << code % 64;
        if ((seen_[code / 64] & bit) != 0) return false;
        seen_[code / 64] |= bit;
    }
    return true;
}

// A family that all bodies have, with different members.
std::optional<std::uint32_t> ExclusiveFamilies::dividing(std::span<const std::uint32_t> some,
                                                         std::span<const std::uint32_t> used) {
    for (const FamilyMember candidate : body_of(rules_[some[0]], members_)) {
        if (std::ranges::find(used, candidate.family) != used.end()) continue;
        bool differs = false;
        const bool common = std::ranges::all_of(some, [&](std::uint32_t r) {
            const std::span<const FamilyMember> body = body_of(rules_[r], members_);
            const auto found = std::ranges::find(body, candidate.family, &FamilyMember::family);
            if (found == body.end()) return false;
            differs = differs || found->member != candidate.member;
            return true;
        });
        if (common && differs) return candidate.family;
    }
    return std::nullopt;
}

// Leaves heads for later until the rules of the others exclude each other. False if two of one head do not.
bool ExclusiveFamilies::separate(std::vector<std::uint32_t>& some, std::vector<std::uint32_t>& used) {
    std::erase_if(some, [&](std::uint32_t r) { return later_[rules_[r].head]; });
    if (some.size() <= 1) return true;
    const std::optional<std::uint32_t> family = dividing(some, used);
    if (!family) {
        for (std::size_t i = 1; i < some.size(); ++i) {
            if (rules_[some[i]].head == rules_[some[0]].head) return false;
            later_[rules_[some[i]].head] = true;
        }
        return true;
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> parts;
    for (const std::uint32_t r : some)
        parts[std::ranges::find(body_of(rules_[r], members_), *family, &FamilyMember::family)->member].push_back(r);
    used.push_back(*family);
    const bool separated = std::ranges::all_of(parts, [&](auto& part) { return separate(part.second, used); });
    used.pop_back();
    return separated;
}

std::optional<std::vector<FamilyMember>> ExclusiveFamilies::divide(std::uint32_t heads, std::span<const Rule> rules,
                                                                   std::span<const FamilyMember> members) {
    std::vector<FamilyMember> place(heads);
    if (all_differ(rules, members)) {
        const std::uint32_t family = add(heads);
        for (std::uint32_t h = 0; h < heads; ++h) place[h] = {family, h};
        return place;
    }
    rules_ = rules;
    members_ = members;
    std::vector<bool> done(heads, false);
    std::vector<std::uint32_t> used;
    std::uint32_t left = heads;
    for (unsigned round = 0; left > 0; ++round) {
        later_ = done;
        if (round >= most_families) {  // the first one alone
            later_.assign(heads, true);
            later_[static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin())] = false;
        }
        std::vector<std::uint32_t> some;
        for (std::uint32_t r = 0; r < rules.size(); ++r)
            if (!later_[rules[r].head]) some.push_back(r);
        if (!separate(some, used)) return std::nullopt;
        std::uint32_t next = 0;
        const std::uint32_t family = add(0);
        for (std::uint32_t h = 0; h < heads; ++h) {
            if (later_[h]) continue;
            place[h] = {family, next++};
            done[h] = true;
        }
        sizes_[family] = next;
        left -= next;
    }
    return place;
}

}  // namespace neumann
