// Networks do not run in a browser: what needs them says where they do.
#include <neumann/error.h>

#include "page/request.h"

namespace neumann {
namespace {

[[noreturn]] void refuse() {
    throw Error("error: networks do not run in the browser; 'neumann page' looks at pictures on your own machine");
}

}  // namespace

PageJson answer_look(const PageRequest& /*request*/, ModelCache& /*cache*/, const PageTell& /*tell*/) { refuse(); }

PicturedExamples::PicturedExamples(const PageRequest& /*request*/, const Model& /*model*/) { refuse(); }

}  // namespace neumann
