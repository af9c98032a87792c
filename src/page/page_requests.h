// Requests of the page in the browser: a request in, an answer out, both JSON. docs/page.md lists them.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace neumann {

// Keeps the last program, so that further requests for it are quick. Used by one thread at a time. Programs, tables and
// examples of requests are written into the current folder: every server process has one of its own.
class PageRequests {
public:
    PageRequests();
    PageRequests(PageRequests&&) noexcept;
    PageRequests& operator=(PageRequests&&) noexcept;
    ~PageRequests();

    // Called with the progress of a long request: an object of JSON each time.
    using Tell = std::function<void(const std::string& json)>;

    // The answer to a request, {"do": "reason", "program": "…", …}. It never throws: "error" has the error, and
    // "problems" the errors in the text of a program.
    std::string answer(const std::string& request, const Tell& tell = {});

    struct State;  // known to the library alone

private:
    std::unique_ptr<State> state_;
};

}  // namespace neumann
