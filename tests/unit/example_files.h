// The programs of examples/, for tests that go through all of them.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace neumann {

inline std::filesystem::path example_folder() { return std::filesystem::path(NEUMANN_SOURCE_DIR) / "examples"; }

inline std::vector<std::string> example_files() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(example_folder())) {
        if (entry.path().extension() == ".nm")
            files.push_back(std::filesystem::relative(entry.path(), example_folder()).string());
    }
    std::ranges::sort(files);
    return files;
}

inline std::string example_test_name(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param.substr(0, info.param.size() - 3);
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

}  // namespace neumann
