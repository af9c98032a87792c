#include "resolution/rules.h"

namespace neumann::resolution {

void Rules::add(Rule rule) {
    const auto number = static_cast<std::uint32_t>(rules.size());
    for (std::uint32_t h = 0; h < rule.heads.size(); ++h)
        by_head[indicator(rule.heads[h].atom)].emplace_back(number, h);
    rules.push_back(std::move(rule));
}

}  // namespace neumann::resolution
