// Progress that calls a given function.
#pragma once

#include <neumann/types.h>

#include "base/progress.h"

namespace neumann {

class ProgressCall : public Progress {
public:
    explicit ProgressCall(const ProgressFunction& call) : call_(call) {}  // borrowed; may be empty
    void update(std::string_view doing, std::uint64_t done, std::uint64_t total) override {
        if (call_) call_(doing, done, total);
    }

private:
    const ProgressFunction& call_;
};

}  // namespace neumann
