// Parser for the enumerated words of scene files.
#pragma once

#include <algorithm>
#include <string>

#include "base/json_fields.h"

namespace neumann {

template <class Words>
std::string known_word(const FieldReader& field, const Words& known) {
    std::string word = field.text();
    if (std::find(known.begin(), known.end(), word) == known.end())
        field.refuse_word(word, {known.begin(), known.end()});
    return word;
}

}  // namespace neumann
