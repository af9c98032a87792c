// Lines of JSON from a file, a pipe or memory: read in blocks, split, parsed one by one. A file may be of any
// length.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/examples.h>

namespace neumann {

class JsonLines {
public:
    explicit JsonLines(const std::string& path);   // "-": standard input; throws FileError
    JsonLines(std::FILE* file, std::string name);  // takes the file over
    ~JsonLines();
    JsonLines(const JsonLines&) = delete;
    JsonLines& operator=(const JsonLines&) = delete;

    const std::string& name() const { return name_; }

    // Reads up to `most` lines that are not blank; false when there are none left. The lines before are gone.
    bool next_lines(std::size_t most);

    struct Line {
        std::string_view text;  // followed by more of the buffer or by padding: simdjson may read beyond its end
        std::size_t number = 0;
    };
    std::size_t size() const { return lines_.size(); }
    Line line(std::size_t i) const { return {{buffer_.data() + lines_[i].begin, lines_[i].size}, lines_[i].number}; }

    // "file:line:column: error: …", with the byte of the line where it is.
    std::string error(const Line& line, std::size_t byte, const std::string& message, bool harmless = false) const;
    // The same for a line that is not JSON; `otherwise` is the parser's message.
    std::string syntax_error(const Line& line, std::string_view otherwise) const;
    // The byte behind the quote of a key, searched from a byte on; 0 if the line does not contain it literally.
    static std::size_t place_of(const Line& line, std::string_view key, std::size_t from = 0);

private:
    void fill();

    std::string name_;
    std::FILE* file_ = nullptr;
    bool at_end_ = false;
    std::vector<char> buffer_;  // with room behind the text that the parser may read
    std::size_t begin_ = 0;     // of the unread part
    std::size_t filled_ = 0;
    std::size_t line_ = 0;  // lines handed out
    struct Extent {
        std::size_t begin;
        std::size_t size;
        std::size_t number;
    };
    std::vector<Extent> lines_;
};

}  // namespace neumann
