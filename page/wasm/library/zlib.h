// Files as zlib reads them, unpacked: on the page no file is packed.
#pragma once

#include <cstdio>

struct gzFile_s {
    std::FILE* file;
};
using gzFile = gzFile_s*;

inline constexpr int Z_OK = 0;
inline constexpr int Z_ERRNO = -1;

inline gzFile gzopen(const char* path, const char* mode) {
    std::FILE* const file = std::fopen(path, mode);
    return file == nullptr ? nullptr : new gzFile_s{file};
}
inline gzFile gzdopen(int, const char*) { return nullptr; }
inline int gzread(gzFile from, void* to, unsigned size) {
    const std::size_t got = std::fread(to, 1, size, from->file);
    return std::ferror(from->file) != 0 ? -1 : static_cast<int>(got);
}
inline const char* gzerror(gzFile from, int* error) {
    *error = std::ferror(from->file) != 0 ? Z_ERRNO : Z_OK;
    return "";
}
inline int gzclose(gzFile from) {
    std::fclose(from->file);
    delete from;
    return Z_OK;
}
