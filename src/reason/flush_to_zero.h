// Flush-to-zero mode while this object exists: computing with subnormal floats is many times slower.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace neumann {

class FlushToZero {
public:
#if defined(__x86_64__)
    FlushToZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }
    ~FlushToZero() { _mm_setcsr(before_); }
    FlushToZero(const FlushToZero&) = delete;
    FlushToZero& operator=(const FlushToZero&) = delete;

private:
    unsigned before_;
#endif
};

}  // namespace neumann
