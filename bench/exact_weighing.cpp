// Exact probabilities again and again: one circuit, compiled once, run forwards and backwards for many weightings of
// the program's random facts, those that match an atom such as edge(X,Y).
//
//   bench_exact_weighing PROGRAM FACTS [weightings] [threads]      JSON on standard output
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <neumann/model.h>
#include <neumann/reasoner.h>

namespace neumann {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int run(const std::string& program, const std::string& pattern, std::size_t weightings, unsigned threads) {
    const double start = cpu_seconds();
    const Model model = Model::compile(program);
    const std::vector<AtomIndex> facts = model.matching(pattern);
    std::vector<AtomIndex> asked;
    for (const std::string& query : model.queries())
        for (const AtomIndex atom : model.matching(query)) asked.push_back(atom);

    Reasoner reasoner(model, {.semantics = "exact", .threads = threads});
    const double compiled = cpu_seconds();

    std::mt19937_64 random(1);
    std::uniform_real_distribution<float> probability(0.0F, 1.0F);
    std::vector<float> values(weightings * facts.size());
    for (float& value : values) value = probability(random);
    std::vector<float> results(weightings * asked.size());
    const std::vector<float> seeds(results.size(), 1.0F);
    std::vector<float> by_fact(values.size());

    const double forward_start = cpu_seconds();
    reasoner.forward(weightings, facts, values, asked, results);
    const double forward_end = cpu_seconds();
    const Values kept = reasoner.forward(weightings, facts, values, asked, results, Retain::Backward);
    reasoner.backward(kept, asked, seeds, facts, by_fact, {});
    const double end = cpu_seconds();
    double sum = 0;
    for (const float result : results) sum += static_cast<double>(result);
    fmt::print("{{\"facts\": {}, \"asked\": {}, \"weightings\": {}, \"compile_seconds\": {:.4f}, \"forward_seconds\": "
               "{:.4f}, \"forward_backward_seconds\": {:.4f}, \"mean_value\": {:.6f}}}\n",
               facts.size(), asked.size(), weightings, compiled - start, forward_end - forward_start, end - forward_end,
               sum / static_cast<double>(results.size()));
    return 0;
}

}  // namespace
}  // namespace neumann

int main(int argc, char** argv) {
    if (argc < 3 || argc > 5) {
        fmt::print(stderr, "usage: bench_exact_weighing PROGRAM FACTS [weightings] [threads]\n");
        return 2;
    }
    try {
        return neumann::run(argv[1], argv[2], argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 10'000,
                            argc > 4 ? static_cast<unsigned>(std::strtoul(argv[4], nullptr, 10)) : 1);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
