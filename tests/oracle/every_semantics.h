// Test suites that run once for each semantics, named after it.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "reason/semantics.h"

namespace neumann::oracle {

inline auto every_semantics() {
    return testing::Values(Semantics::SoftOr, Semantics::Paper, Semantics::MaxProduct, Semantics::NoisyOr,
                           Semantics::Godel, Semantics::Lukasiewicz, Semantics::Clausewise);
}

inline std::string semantics_name(const testing::TestParamInfo<Semantics>& param) {
    std::string name(info(param.param).name);
    std::erase(name, '-');
    return name;
}

}  // namespace neumann::oracle
