// A component with an emulated card, for tests of the command: what it does on cards, and where they fail.
#include <cstdlib>
#include <string>

#include "reason/cuda/component.h"
#include "reason/cuda/version.h"
#include "unit/emulated_card.h"

namespace {

const char* given(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

extern "C" {

const char* neumann_card_version() {
    const char* const other = given("FAKE_CARD_VERSION");
    return *other == '\0' ? neumann::card_version : other;
}

neumann::CardDevice* neumann_card_device() {
    if (*given("FAKE_CARD_MISSING") != '\0') return nullptr;
    static neumann::EmulatedCard card;
    if (const char* const bytes = given("FAKE_CARD_MEMORY"); *bytes != '\0') card.memory = std::stoull(bytes);
    if (const char* const calls = given("FAKE_CARD_CALLS"); *calls != '\0') card.calls_left = std::stoull(calls);
    return &card;
}

const char* neumann_card_failure() { return given("FAKE_CARD_MISSING"); }
}
