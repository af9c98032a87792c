// Pictures to learn from, as files of examples for as long as they are needed.
#pragma once

#include <filesystem>
#include <string>

#include "logic/signature.h"
#include "picture_options.h"

namespace neumann::app {

// A folder, or a list of pictures without atoms.
bool names_pictures(const std::string& argument);

// A folder for temporary files, made when first needed and removed in the end.
class PictureFiles {
public:
    PictureFiles() = default;
    ~PictureFiles();
    PictureFiles(const PictureFiles&) = delete;
    PictureFiles& operator=(const PictureFiles&) = delete;

    // Looks at all of them and returns the file with what was seen. The same pictures and network give the same bytes.
    std::string write(const Signature& signature, const std::string& argument, const PictureOptions& options);

private:
    std::filesystem::path folder_;
    std::size_t count_ = 0;
};

}  // namespace neumann::app
