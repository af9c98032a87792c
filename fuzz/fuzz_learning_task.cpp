// Any text as a task for Popper or Aleph: read, and then searched for a moment, or refused with a place. Lines of four
// minus signs part it into files: one is Aleph's with sections; two are its background and positives; three are
// Popper's bias, background and examples, and Aleph's with negatives.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "learn/readers/aleph_task.h"
#include "learn/readers/popper_task.h"
#include "learn/search/positives_only.h"

namespace {

using namespace neumann::search;

constexpr std::uint64_t work_of_search = work_of_second / 50;

std::vector<std::string> parts_of(std::string_view text) {
    constexpr std::string_view between = "\n----\n";
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(between, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + between.size();
    }
    return parts;
}

void learn(const std::function<ReadTask()>& read) {
    try {
        ReadTask found = read();
        std::string assumed;
        const SearchResult result = search_labels(found.task, Limits().part(work_of_search), {}, assumed);
        for (const Clause& clause : result.program) (void)print(clause, found.task.bias);
        if (result.true_positives + result.false_negatives != found.task.positives.size()) std::abort();
    } catch (const TaskError& error) {
        if (std::string_view(error.what()).find("error: ") == std::string_view::npos) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto is_no_text = [](char c) { return c == '\0' || static_cast<unsigned char>(c) >= 0x80; };
    if (std::ranges::any_of(text, is_no_text)) return 0;  // files are checked for that before
    const std::vector<std::string> parts = parts_of(text);
    if (parts.size() == 3) {
        const TaskFiles::Texts files{{"t/bias.pl", parts[0]}, {"t/bk.pl", parts[1]}, {"t/exs.pl", parts[2]}};
        learn([&] { return read_popper_task("t", std::make_shared<Work>(), TaskFiles(files)); });
    }
    TaskFiles::Texts files{{parts.size() == 1 ? "t.pl" : "t.b", parts[0]}};
    if (parts.size() > 1) files["t.f"] = parts[1];
    if (parts.size() > 2) files["t.n"] = parts[2];
    learn([&] { return read_aleph_task("t", std::make_shared<Work>(), TaskFiles(files)); });
    return 0;
}
