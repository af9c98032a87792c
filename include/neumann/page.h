// What the page in the browser asks of the library: a request in, an answer out, both JSON. docs/page.md lists them.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace neumann {

// Remembers the program that was asked about last, so that asking again is quick. Used by one thread at a time.
// Programs, tables and examples of requests are written into the current folder: whoever answers has one of its own.
class PageRequests {
public:
    PageRequests();
    PageRequests(PageRequests&&) noexcept;
    PageRequests& operator=(PageRequests&&) noexcept;
    ~PageRequests();

    // Told how far a long request has come: an object of JSON each time.
    using Tell = std::function<void(const std::string& json)>;

    // The answer to a request, {"do": "reason", "program": "…", …}. It never throws: what is wrong is in "error", and
    // where it is about the text of a program in "problems".
    std::string answer(const std::string& request, const Tell& tell = {});

    struct State;  // known to the library alone

private:
    std::unique_ptr<State> state_;
};

}  // namespace neumann
