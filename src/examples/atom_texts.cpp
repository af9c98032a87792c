#include <neumann/examples.h>

namespace neumann {

std::uint32_t AtomTexts::add(std::string_view text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(&numbers_.emplace(std::string(text), number).first->first);
    return number;
}

void AtomTexts::clear() {
    numbers_.clear();
    texts_.clear();
    ++generation_;
}

}  // namespace neumann
