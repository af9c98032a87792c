// Tasks of Popper and Aleph written into a folder for one test, and read from there.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "base/source.h"
#include "learn/readers/aleph_task.h"
#include "learn/readers/popper_task.h"
#include "resolution/rule_reader.h"
#include "unit/temporary_folder.h"

namespace neumann::search {

struct PopperText {
    std::string bias = "head_pred(f,1). body_pred(g,1).\n";
    std::string background = "g(a).\n";
    std::string examples = "pos(f(a)). neg(f(b)).\n";
};

inline ReadTask read_popper(const PopperText& text) {
    const TemporaryFolder folder;
    folder.write("bias.pl", text.bias);
    folder.write("bk.pl", text.background);
    folder.write("exs.pl", text.examples);
    return read_popper_task(folder.path(), std::make_shared<Work>());
}

struct AlephText {
    std::string background = ":- modeh(1, f(+t)).\n:- modeb(*, g(+t)).\n:- determination(f/1, g/1).\ng(a).\n";
    std::string positives = "f(a).\n";
    std::string negatives = "f(b).\n";
};

inline ReadTask read_aleph(const AlephText& text) {
    const TemporaryFolder folder;
    folder.write("task.b", text.background);
    folder.write("task.f", text.positives);
    folder.write("task.n", text.negatives);
    return read_aleph_task(folder.path() / "task", std::make_shared<Work>());
}

inline std::shared_ptr<Background> background_of(const std::string& text) {
    auto background = std::make_shared<Background>();
    SourceSet sources;
    Diagnostics diagnostics;
    resolution::read_rules(sources, sources.add("bk.pl", text), background->rules, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    return background;
}

// What a task is refused with; the folder's name is left out.
template <class Read>
std::string refusal(Read&& read) {
    try {
        const ReadTask task = read();
        return "it was read";
    } catch (const TaskError& error) {
        std::string text = error.what();
        const std::string folder = std::filesystem::temp_directory_path().string() + "/neumann_test_";
        for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
            text.erase(at, text.find('/', at + folder.size()) + 1 - at);
        return text;
    }
}
inline std::string popper_refusal(const PopperText& text) {
    return refusal([&] { return read_popper(text); });
}
inline std::string aleph_refusal(const AlephText& text) {
    return refusal([&] { return read_aleph(text); });
}

inline bool notes(const ReadTask& task, std::string_view part) {
    return std::ranges::any_of(task.notes,
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

// Labels and rows of relations as they are written, in order.
inline std::vector<std::string> written(const ReadTask& task, const std::vector<std::vector<Value>>& tuples) {
    std::vector<std::string> texts;
    for (const std::vector<Value>& tuple : tuples) {
        std::string& text = texts.emplace_back();
        for (const Value value : tuple) text += (text.empty() ? "" : " ") + task.background->rules.terms.print(value);
    }
    std::ranges::sort(texts);
    return texts;
}
inline std::vector<std::string> rows(const ReadTask& task, std::size_t predicate) {
    const Relation& relation = task.task.relations.at(predicate);
    std::vector<std::vector<Value>> tuples;
    for (std::uint32_t r = 0; r < relation.size(); ++r)
        tuples.emplace_back(relation.row(r), relation.row(r) + relation.arity());
    return written(task, tuples);
}

using Texts = std::vector<std::string>;
using Types = std::vector<std::uint16_t>;

}  // namespace neumann::search
