// Explanations: as JSON, as a drawing, and as the page that `neumann explain --html` writes.
#include <memory>

#include <neumann/examples.h>
#include <neumann/session.h>

#include "base/text.h"
#include "cli/explanation_output.h"
#include "page/request.h"
#include "report/explanation_output.h"

namespace neumann {

PageJson answer_explain(const PageRequest& request, ModelCache& cache) {
    const std::string program = request.put_program();
    ExplainSessionOptions options;
    options.reason = request.reasoner_options();
    options.atoms = request.texts("atoms");
    options.proofs = request.number_or<std::size_t>("proofs", 3);
    options.threshold = request.number_or("threshold", options.threshold);
    options.history = request.flag("history");
    const auto maker = [&](const ModelRequest& wanted) {
        ModelOptions how = request.model_options();
        how.queries = options.atoms;
        how.queries_from = "--atom";
        how.inputs = wanted.inputs;
        if (wanted.all_atoms) how.grounding = Grounding::Full;
        return cache.get(request, program, how);
    };
    options.in_pictures = request.has("pictures");
    ExplainSession session(maker, options);
    std::vector<Explanation> all;
    std::vector<std::vector<ReportPicture>> pictures;  // of each
    if (options.in_pictures) {
        PicturedExamples seen(request, session.model());
        const auto take = [&](const Example& example, Explanation one) {
            pictures.push_back(report_pictures(example, one));
            for (std::size_t i = 0; i < pictures.back().size(); ++i) pictures.back()[i].title = seen.title(i);
            if (example.images.size() == 1) one.id = json_text(seen.title(0));
            all.push_back(std::move(one));
        };
        session.run(seen.source(), {}, {.take = take});
    } else if (const std::optional<std::string> given = request.given_line()) {
        const std::unique_ptr<ExampleSource> source = read_examples(*given, "given");
        session.run(*source, {}, {.take = [&](const Example&, Explanation one) { all.push_back(std::move(one)); }});
    } else {
        session.run_own_facts([&](Explanation one) { all.push_back(std::move(one)); });
    }
    PageJson result = {{"explanations", PageJson::array()}};
    std::vector<ReportInput> inputs;
    pictures.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        PageJson shown = PageJson::parse(to_json(all[i]));
        shown["text"] = to_text(all[i]);
        shown["svg"] = to_svg(all[i]);
        result["explanations"].push_back(std::move(shown));
        inputs.push_back({.explanation = &all[i],
                          .pictures = std::move(pictures[i]),
                          .sources = session.sources(),
                          .program = program,
                          .command = {}});
    }
    if (request.flag("html") && !inputs.empty()) result["html"] = to_html(inputs);
    return result;
}

}  // namespace neumann
