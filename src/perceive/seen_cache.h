// File cache of detected objects, so that images need not be evaluated again. One line per image, append-only; a line
// that is damaged, or of an image that has changed since, is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "valuation/object_vectors.h"

namespace neumann {

class SeenCache {
public:
    // FOLDER/FINGERPRINT.seen. An image is identified by its path relative to `home`, or in full if that is empty; by
    // its size and its modification time. A folder that cannot be written to is no error: existing entries are read,
    // none are added.
    SeenCache(const std::filesystem::path& folder, const std::filesystem::path& home, const std::string& fingerprint);
    ~SeenCache();
    SeenCache(const SeenCache&) = delete;
    SeenCache& operator=(const SeenCache&) = delete;

    // Both may be called from several threads. Attention is not kept.
    std::optional<SeenObjects> find(const std::filesystem::path& picture);
    void add(const std::filesystem::path& picture, const SeenObjects& seen);

private:
    std::string stamp(const std::filesystem::path& picture) const;  // empty: unknown
    void read_lines();

    std::mutex mutex_;
    std::filesystem::path home_;
    std::filesystem::path file_;
    std::ifstream in_;
    int out_ = -1;
    bool torn_ = false;  // the file ends within a line
    struct Extent {
        std::uint64_t begin;
        std::size_t size;
    };
    std::unordered_map<std::string, Extent> lines_;  // by stamp
};

}  // namespace neumann
