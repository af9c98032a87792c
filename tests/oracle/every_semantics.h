// Test suites that run once for each semantics of the registry, named after it.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reason/semantics.h"

namespace neumann::oracle {

inline auto every_semantics() {
    std::vector<Semantics> result;
    for (const SemanticsInfo& one : all_semantics()) result.push_back(one.semantics);
    return testing::ValuesIn(result);
}

// Those of which a law holds.
inline auto every_semantics(bool SemanticsLaws::*law) {
    std::vector<Semantics> result;
    for (const SemanticsInfo& one : all_semantics()) {
        if (one.*law) result.push_back(one.semantics);
    }
    return testing::ValuesIn(result);
}

inline std::string semantics_name(const testing::TestParamInfo<Semantics>& param) {
    std::string name(info(param.param).name);
    std::erase(name, '-');
    return name;
}

}  // namespace neumann::oracle
