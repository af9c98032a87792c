// neumann repl: a conversation with a program, line by line.
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <editline/readline.h>
#include <fmt/format.h>

#include <neumann/limited_run.h>
#include <neumann/semantics.h>

#include "cli/conversation.h"
#include "command.h"

namespace neumann::app {
namespace {

constexpr const char* repl_examples = R"help(Examples:
  neumann repl                                start with an empty program
  neumann repl family.nm                      start with this program
  neumann repl --semantics exact coins.nm
  echo 'ancestor(ann, X)?' | neumann repl family.nm

A clause is added to the program, a goal with a question mark is a query, :explain prints proofs, :help lists the rest.)help";

// libedit asks a plain function.
const Conversation* completed_for = nullptr;

char* next_completion(const char* word, int state) {
    static std::vector<std::string> found;
    static std::size_t next = 0;
    if (state == 0) {
        found = completed_for->completions(word);
        next = 0;
    }
    return next < found.size() ? ::strdup(found[next++].c_str()) : nullptr;
}

char** complete(const char* word, int, int) { return rl_completion_matches(word, next_completion); }

// Where lines are remembered from one conversation to the next; nothing: nowhere.
std::optional<std::filesystem::path> history_file() {
    std::filesystem::path folder;
    if (const char* const state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0') {
        folder = state;
    } else if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        folder = std::filesystem::path(home) / ".local/state";
    } else {
        return std::nullopt;
    }
    std::error_code error;
    std::filesystem::create_directories(folder / "neumann", error);
    return error ? std::nullopt : std::optional(folder / "neumann/history");
}

// Ctrl-C cancels the line, or what runs; never the session.
std::atomic<bool> cancelled{false};
extern "C" void cancel(int) { cancelled = true; }

// libedit calls a plain function with each line; null at the end of the input.
struct TypedLine {
    bool is_there = false;
    std::unique_ptr<char, decltype(&std::free)> text{nullptr, &std::free};
};
TypedLine typed_line;

void take_line(char* text) {
    rl_callback_handler_remove();
    typed_line.is_there = true;
    typed_line.text.reset(text);
}

class Terminal {
public:
    explicit Terminal(const Conversation& conversation) : file_(history_file()) {
        completed_for = &conversation;
        rl_readline_name = const_cast<char*>("neumann");
        rl_attempted_completion_function = complete;
        struct sigaction action = {};
        action.sa_handler = cancel;  // without SA_RESTART: waiting for a key ends
        ::sigaction(SIGINT, &action, nullptr);
        using_history();
        if (file_) read_history(file_->c_str());
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    // Nothing at the end of the input; `cancelled` if the line was.
    std::optional<std::string> line(bool continued) {
        cancelled = typed_line.is_there = false;
        rl_callback_handler_install(continued ? "   | " : "nm> ", take_line);
        while (!typed_line.is_there) {
            pollfd keys{STDIN_FILENO, POLLIN, 0};
            if (::poll(&keys, 1, -1) < 0) {
                if (errno != EINTR) break;
                if (!cancelled) continue;
                rl_callback_handler_remove();
                fmt::print("^C\n");
                return std::string();
            }
            rl_callback_read_char();
        }
        if (typed_line.text == nullptr) return std::nullopt;
        std::string text = typed_line.text.get();
        if (!text.empty()) remember(text);
        return text;
    }

private:
    // At once: a session may end in any way.
    void remember(const std::string& line) {
        add_history(line.c_str());
        if (file_) write_history(file_->c_str());
    }

    std::optional<std::filesystem::path> file_;
};

void talk(Conversation& conversation) {
    const bool typed = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
    std::optional<Terminal> terminal;
    if (typed) {
        terminal.emplace(conversation);
        conversation.talk_to_people();
        fmt::print("neumann " NEUMANN_VERSION "; :help lists the commands, :quit ends the session\n");
    } else {
        conversation.read_ahead();
    }
    while (!conversation.is_over()) {
        std::string line;
        if (typed) {
            const std::optional<std::string> next = terminal->line(conversation.wants_more());
            if (!next) break;
            line = *next;
            if (cancelled) {
                conversation.forget_begun();
                continue;
            }
        } else if (!std::getline(std::cin, line)) {
            break;
        }
        std::optional<LimitedRun> run;
        if (typed) run.emplace(RunLimitOptions{.bytes = default_memory_limit(), .stop = &cancelled});
        std::string answer = conversation.say(line);
        if (typed && cancelled) answer = "% interrupted\n";
        fmt::print(stderr, "{}", conversation.take_errors());
        fmt::print("{}", answer);
        std::fflush(stdout);
    }
    conversation.finish();
    fmt::print(stderr, "{}", conversation.take_errors());
    if (conversation.wants_more()) throw UsageError("the last clause has no full stop, and was not added");
    if (typed) {
        fmt::print("\n");
    } else if (conversation.has_errors()) {
        throw CommandFailed();
    }
}

struct ReplCommand {
    std::string program;
    std::string semantics{default_semantics_name};
};

}  // namespace

void add_repl_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("repl", "interactive session: add clauses, ask queries, explain answers");
    const auto options = std::make_shared<ReplCommand>();
    command->add_option("PROGRAM", options->program, "program file to start with")->type_name("");
    command->add_option("--semantics", options->semantics, "meaning of AND, OR and weights, as in neumann reason")
        ->type_name("NAME")
        ->capture_default_str();
    command->footer(repl_examples);
    command->callback([options] {
        Conversation conversation({}, {.max_errors = 20});
        const std::string said = conversation.say(":semantics " + options->semantics);
        if (conversation.has_errors()) throw Error(said.substr(0, said.size() - 1));
        if (!options->program.empty()) conversation.load(options->program);
        talk(conversation);
    });
}

}  // namespace neumann::app
