// Limits of a fuzzed run: short and small, so that a run that goes beyond them is a finding.
#pragma once

#include <neumann/limited_run.h>

// Calls `work`; what a limit ends is no finding, what it does not end libFuzzer's own timeout finds.
template <class Work>
void within_limits(Work&& work) {
    const neumann::LimitedRun limits({.seconds = 1, .bytes = std::uint64_t{1} << 29});
    try {
        work();
    } catch (const neumann::LimitReached&) {
    }
}
