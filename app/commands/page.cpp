// neumann page: the page in the browser, with this machine's engine behind it.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "command.h"
#include "interrupt.h"
#include "options/program_options.h"
#include "page/page_server.h"

namespace neumann::app {
namespace {

constexpr const char* page_examples = R"help(Examples:
  neumann page                                prints the address to open; Ctrl-C ends it
  neumann page --port 8080
  neumann page --allow ~/tables               programs may read the files of this folder: facts, includes

Only this machine can open it, and reasoning takes the token in the address. docs/page.md describes the page.)help";

void run_page(const PageServerOptions& options) {
    const InterruptGuard guard;
    serve_page(options, InterruptGuard::requested());
}

}  // namespace

void add_page_command(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("page", "serve a page for the browser: write programs, ask queries, explain, learn");
    const auto options = std::make_shared<PageServerOptions>();
    command->add_option("--port", options->port, "port of 127.0.0.1; 0: any free port")
        ->type_name("N")
        ->check(CLI::Range(0, 65535).description(""))
        ->capture_default_str();
    command->add_option("--folder", options->folder, "folder of the page; default: beside the command")
        ->type_name("DIR");
    command
        ->add_option("--allow", options->allowed,
                     "folder whose files programs of the page may read; default: none but those of the request")
        ->type_name("DIR")
        ->take_all();
    add_memory_limit(*command, options->memory_limit,
                     "limit of a run (512M, 4G); default: four fifths of the free memory");
    command->add_option("--time-limit", options->time_limit, "limit of a run in seconds; 0: none")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e9).description(""))
        ->capture_default_str();
    command->footer(page_examples);
    command->callback([options] {
        options->ready = [](const std::string& address) {
            fmt::print("{}\n", address);
            if (std::fflush(stdout) != 0)
                throw Error("error: cannot write to standard output: nobody knows the address");
        };
        run_page(*options);
    });
}

}  // namespace neumann::app
