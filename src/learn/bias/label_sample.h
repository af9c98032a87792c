// Few of many labels: the search looks at a sample, and at the labels that it then gets wrong.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/evaluate/relational_task.h"

namespace neumann {

class LabelSample {
public:
    // Takes all labels of the task but for a sample out of it, if there are many.
    explicit LabelSample(search::Task& task);

    bool is_whole() const { return whole_; }
    // Counts on all labels, in the place of those on the sample. What is wrong, up to a number, joins the sample;
    // false: nothing was wrong beyond it.
    bool recount(search::SearchResult& found);
    // All labels are looked at from now on.
    void take_all();

private:
    struct Labels {
        std::vector<std::vector<search::Value>> all;
        std::vector<bool> taken;
    };
    static void begin(Labels& labels, std::vector<std::vector<search::Value>>& seen);
    std::size_t recount(Labels& labels, std::vector<std::vector<search::Value>>& seen,
                        const search::SearchResult& found, bool covered_is_right, bool& more);

    search::Task& task_;
    bool whole_ = true;
    Labels positives_;
    Labels negatives_;
};

}  // namespace neumann
