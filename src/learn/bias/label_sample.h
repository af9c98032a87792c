// Sample of the labels: the search uses few labels first, and adds the labels that it then gets wrong.
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
    // Replaces the counts on the sample by those on all labels. Wrong labels, up to a number, join the sample; false:
    // there were no others.
    bool recount(search::SearchResult& found);
    // Uses all labels from now on.
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
