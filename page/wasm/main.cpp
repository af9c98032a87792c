// The one function of the WebAssembly module: a request of the page in, its answer out.
#include <string>

#include <emscripten.h>

#include "page/page_requests.h"

// Whoever made the module may want to know how far a request has come.
EM_JS(void, tell_page, (const char* news), {
    if (Module.tell) Module.tell(UTF8ToString(news));
});

extern "C" {

// Texts are UTF-8; the answer lives until the next request.
EMSCRIPTEN_KEEPALIVE const char* neumann_answer(const char* request) {
    static neumann::PageRequests requests;
    static std::string answer;
    answer = requests.answer(request, [](const std::string& news) { tell_page(news.c_str()); });
    return answer.c_str();
}
}
