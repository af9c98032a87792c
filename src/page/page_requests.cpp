#include "page/page_requests.h"

#include <exception>
#include <new>
#include <string_view>

#include <neumann/error.h>

#include "page/request.h"

namespace neumann {

struct PageRequests::State {
    ModelCache models;
};

PageRequests::PageRequests() : state_(std::make_unique<State>()) {}
PageRequests::PageRequests(PageRequests&&) noexcept = default;
PageRequests& PageRequests::operator=(PageRequests&&) noexcept = default;
PageRequests::~PageRequests() = default;

namespace {

std::string text_of(const PageJson& json) { return json.dump(-1, ' ', false, PageJson::error_handler_t::replace); }

PageJson answer_one(const PageRequest& request, ModelCache& models, const PageTell& tell) {
    const std::string what = request.text("do");
    if (what == "about") return answer_about(request);
    if (what == "check") return answer_check(request);
    if (what == "ground") return answer_ground(request, models);
    if (what == "graph") return answer_graph(request, models);
    if (what == "reason") return answer_reason(request, models);
    if (what == "explain") return answer_explain(request, models);
    if (what == "learn") return answer_learn(request, tell);
    if (what == "learn_parameters") return answer_learn_parameters(request, tell);
    if (what == "generate") return answer_generate(request);
    if (what == "draw") return answer_draw(request);
    if (what == "look") return answer_look(request, models, tell);
    throw RequestError("there is no request '" + what + "'");
}

}  // namespace

std::string PageRequests::answer(const std::string& request, const Tell& tell) {
    const auto tell_json = [&](const PageJson& news) {
        if (tell) tell(text_of(news));
    };
    try {
        return text_of(answer_one(PageRequest(request), state_->models, tell_json));
    } catch (const Error& error) {
        return text_of({{"error", error.what()}, {"problems", problems_json(error.problems())}});
    } catch (const std::bad_alloc&) {
        state_->models = {};
        return text_of({{"error", "error: this takes more memory than there is"}});
    } catch (const std::exception& error) {
        return text_of({{"error", error.what()}});
    }
}

}  // namespace neumann
