#include <cstdio>
#include <cstring>
#include "analyse/analyse.h"
#include "ground/ground.h"
#include "syntax/load.h"
#include "logic/print.h"
int main(int argc, char** argv) {
    using namespace neumann;
    Diagnostics d; LoadOptions o; GroundOptions g; const char* path = nullptr;
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "full")) g.mode = GroundMode::Full;
        else if (!strcmp(argv[i], "eval")) g.facts = FactMode::Evaluate;
        else if (!strcmp(argv[i], "learned")) o.clauses_file = "learned_clauses.txt";
        else if (!strcmp(argv[i], "all")) o.distinct = "all";
        else if (!strcmp(argv[i], "d10")) o.term_depth = 10;
        else if (!strcmp(argv[i], "t2")) g.threads = 2;
        else path = argv[i];
    }
    auto p = load_program(path, o, d);
    if (!d.has_errors()) analyse(p, {g.mode == GroundMode::Full}, d);
    d.switch_off("all");
    if (!d.has_errors()) if (auto r = ground(p, g, d)) {
        std::printf("%s terms %lu atoms %u clauses %u edges %lu bytes %lu sec %.4f\n", path, r->terms, r->graph.atom_count(), r->graph.conjunction_count(), r->graph.edge_count(), r->graph.bytes(), r->seconds);
    }
    std::fputs(render(d, *p.sources).c_str(), stdout);
}
