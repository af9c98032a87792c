#include "picture_lines.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/json_fields.h"
#include "base/suggest.h"
#include "command.h"
#include "draw/table.h"
#include "perceive/weights_folder.h"
#include "valuation/valuation.h"

namespace neumann::app {
namespace {

// Relations as they were learned on generated pictures; as published where these weights are not installed.
PredicateWeights bundled_predicates() {
    std::filesystem::path file;
    try {
        file = find_weights("predicates");
    } catch (const PerceptionError&) {
        return PredicateWeights();
    }
    return PredicateWeights::read(TensorFile::read(file));
}

// Atoms are spelled without blanks, people put them in.
std::string without_blanks(std::string_view text) {
    std::string result;
    bool quoted = false;
    for (const char c : text) {
        if (c == '\'') quoted = !quoted;
        if (quoted || (c != ' ' && c != '\t')) result += c;
    }
    return result;
}

}  // namespace

PictureLines::PictureLines(const Signature& signature, const PictureList& list, const PictureOptions& options,
                           std::string ask, bool keep_looked)
    : signature_(signature), looking_(list, options), weights_(bundled_predicates()), ask_(std::move(ask)),
      keep_looked_(keep_looked) {
    if (!std::ranges::any_of(signature.predicates(), &PredicateDecl::neural))
        throw UsageError("the program has no neural predicates: pictures would make no difference to it");
    has_questions_ = std::ranges::any_of(signature.predicates(), [](const PredicateDecl& predicate) {
        return predicate.neural && (predicate.name == "query2" || predicate.name == "query3");
    });
    std::error_code ignored;
    if (std::filesystem::exists(list.folder / "dataset.json", ignored))
        throw UsageError(fmt::format("'{}' is a whole data set: name one of its parts, such as {}",
                                     list.folder.string(), (list.folder / "test").string()));
}

const SoftValuation& PictureLines::valuation_for(const SeenObjects& seen) {
    const auto found = valuations_.find(seen.layout->name);
    if (found != valuations_.end()) return found->second;
    const SoftValuation& made =
        valuations_.try_emplace(seen.layout->name, signature_, *seen.layout, weights_).first->second;
    for (const std::string& problem : made.unknown_words()) fmt::print(stderr, "warning: {}\n", problem);
    return made;
}

std::string PictureLines::query_of(const PictureExample& example) const {
    return without_blanks(ask_.empty() ? example.query : ask_);
}

std::string PictureLines::answer_of(const PictureExample& example) const {
    const bool other = !ask_.empty() && !example.query.empty() && query_of(example) != without_blanks(example.query);
    return other ? std::string() : example.answer;
}

std::optional<std::string> PictureLines::next() {
    const std::optional<LookedExample> looked = looking_.next();
    if (!looked) return std::nullopt;
    const PictureExample& example = *looked->example;
    SoftValuation::Looked given;
    for (const auto& image : looked->images) given.images.push_back(&image->seen);
    given.query = query_of(example);
    try {
        const SoftValuation& valuation = valuation_for(looked->images.front()->seen);
        for (const SeenObjects* image : given.images) {
            if (image->layout->name != valuation.layout().name)
                throw UsageError("its pictures are of different kinds; choose one with --network");
        }
        if (!given.query.empty() && std::ranges::find(valuation.atoms(), given.query) == valuation.atoms().end())
            throw UsageError(fmt::format("the question '{}' is no atom of a neural predicate; {}", given.query,
                                         did_you_mean(given.query, valuation.atoms(), "see the program")));
        unasked_ += has_questions_ && given.query.empty() ? 1 : 0;
        crowded_ += valuation.left_out(given) > 0 ? 1 : 0;
        std::string more;
        if (example.label) more += fmt::format(", \"label\": {}", *example.label);
        if (!given.query.empty()) more += fmt::format(", \"query\": {}", json_text(given.query));
        const std::string answer = answer_of(example);
        if (!answer.empty()) more += fmt::format(", \"answer\": {}", json_text(answer));
        const std::lock_guard lock(mutex_);
        lines_.push_back(&example);
        if (keep_looked_) looked_.emplace(lines_.size(), std::make_shared<const LookedExample>(*looked));
        return example_line(example.id, valuation.nonzero(given), more);
    } catch (const ValuationError& error) {
        throw UsageError(fmt::format("{}: {}\n  if the picture was taken for what it is not, say --network figures or"
                                     " --network solids",
                                     example.id, error.what()));
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", example.id, error.what()));
    }
}

const PictureExample& PictureLines::example_of_line(std::size_t line) {
    const std::lock_guard lock(mutex_);
    return *lines_.at(line - 1);
}

std::shared_ptr<const LookedExample> PictureLines::looked_at_line(std::size_t line) {
    const std::lock_guard lock(mutex_);
    const auto found = looked_.find(line);
    return found == looked_.end() ? nullptr : found->second;
}

void PictureLines::forget_up_to(std::size_t line) {
    const std::lock_guard lock(mutex_);
    looked_.erase(looked_.begin(), looked_.upper_bound(line));
}

void PictureLines::finish() const {
    if (unasked_ > 0)
        fmt::print(stderr, "note: {} asked nothing, and the program waits for a question; ask one with --ask\n",
                   unasked_ == 1 ? "1 example" : counted(unasked_, "example"));
    if (crowded_ > 0)
        fmt::print(stderr,
                   "note: in {} there are more objects than the program has constants for; the least certain were left"
                   " out\n",
                   counted(crowded_, "example"));
    looking_.finish();
}

PicturePipe::PicturePipe(PictureLines& lines) : lines_(lines) {
    int ends[2];
    if (::pipe(ends) != 0) throw FileError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    file_ = ::fdopen(ends[0], "rb");
    if (file_ == nullptr) throw FileError(fmt::format("cannot read from a pipe: {}", std::strerror(errno)));
    thread_ = std::thread([this, to = ends[1]] {
        // Where the reader has given up, writing fails; it should not end the process.
        sigset_t pipes;
        sigemptyset(&pipes);
        sigaddset(&pipes, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipes, nullptr);
        try {
            write_lines(to);
        } catch (...) {
            failure_ = std::current_exception();
        }
        ::close(to);
    });
}

PicturePipe::~PicturePipe() {
    if (file_ != nullptr) std::fclose(file_);
    if (thread_.joinable()) thread_.join();
}

void PicturePipe::write_lines(int to) {
    while (const std::optional<std::string> line = lines_.next()) {
        for (std::size_t done = 0; done < line->size();) {
            const ssize_t written = ::write(to, line->data() + done, line->size() - done);
            if (written < 0 && errno != EINTR) return;  // nobody reads any more
            if (written > 0) done += static_cast<std::size_t>(written);
        }
    }
}

std::FILE* PicturePipe::take_file() { return std::exchange(file_, nullptr); }

void PicturePipe::finish() {
    thread_.join();
    if (failure_ != nullptr) std::rethrow_exception(failure_);
}

}  // namespace neumann::app
