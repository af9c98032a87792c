#include "oracle/card_of_tests.h"

#include <cstdlib>

#include "reason/cuda/component.h"
#include "unit/emulated_card.h"

namespace neumann::oracle {

void use_card_of_tests() {
    if (std::getenv("NEUMANN_TEST_CARD") != nullptr) return;
    static EmulatedCard card;
    use_card_device(&card);
}

}  // namespace neumann::oracle
