// Optional components: shared libraries loaded on demand, so that only their users need their dependencies.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace neumann {

// The component is missing or unusable; the text says why.
struct ComponentError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class ComponentLibrary {
public:
    struct Place {
        const char* file;       // beside the command, or in
        const char* folder;     // … of its installed files
        const char* variable;   // of the environment: names another file
        std::string_view what;  // it is, for messages: "perception"
        std::string_view lack;  // printed if the component is missing: how to get it
    };

    // Never closed: objects of the library may live to the end of the process. Throws ComponentError.
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
