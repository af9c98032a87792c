// A part of the program in a shared library of its own, loaded when it is asked for: what it needs, nothing else does.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace neumann {

// There is none, or it is not as it should be; the text says which.
struct ComponentError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class ComponentLibrary {
public:
    struct Place {
        const char* file;       // beside the command, or in
        const char* folder;     // … of what was installed with it
        const char* variable;   // of the environment: names another file
        std::string_view what;  // it is, for messages: "perception"
        std::string_view lack;  // said where there is none: what to do
    };

    // Never closed: what it has made may live to the end of the process. Throws ComponentError.
    explicit ComponentLibrary(const Place& place);

    const std::filesystem::path& path() const { return path_; }
    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(symbol(name));
    }
    // Throws ComponentError unless it is of the command's version.
    void require_version(std::string_view version, std::string_view own) const;

private:
    void* symbol(const char* name) const;  // throws ComponentError if there is none

    std::filesystem::path path_;
    void* library_;
};

}  // namespace neumann
