#include "interchange/problog_reader.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "syntax/goal_order.h"
#include "syntax/load.h"
#include "syntax/parser.h"
#include "syntax/refused.h"

namespace neumann::interchange {
namespace {

using namespace syntax;

// Unsupported text: it is blank for messages, whose positions stay right, and absent in the result.
class ProblogText {
public:
    ProblogText(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics, std::vector<std::string>& notes)
        : diagnostics_(diagnostics), notes_(notes), text_(sources.file(file).text()) {
        Diagnostics told_later;
        Lexer lexer(sources, file, {}, told_later);
        for (Token token = lexer.next(); token.kind != TokenKind::EndOfFile; token = lexer.next())
            tokens_.push_back(token);
        tokens_.emplace_back();
        texts_ = lexer.texts();
    }

    void find() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const bool begins =
                i == 0 || is(i - 1, TokenKind::End) || is(i - 1, TokenKind::Semicolon) || is(i - 1, TokenKind::Bad);
            if (begins && is(i, TokenKind::If) && is_word(i + 1, "use_module")) leave_out_module(i);
            if (begins && is_word(i, "t") && is(i + 1, TokenKind::Open)) keep_probability(i);
        }
    }

    std::string blanked() const {
        std::string text = text_;
        for (const Span span : gone_) {
            for (std::size_t i = span.begin; i < span.end; ++i) {
                if (text[i] != '\n') text[i] = ' ';
            }
        }
        return text;
    }
    std::string erased() const {
        std::string text;
        std::size_t from = 0;
        for (const Span span : gone_) {
            text += std::string_view(text_).substr(from, span.begin - from);
            from = span.end;
        }
        return text + text_.substr(from);
    }

private:
    bool is(std::size_t i, TokenKind kind) const { return i < tokens_.size() && tokens_[i].kind == kind; }
    bool is_word(std::size_t i, std::string_view word) const {
        return is(i, TokenKind::Name) && tokens_[i].text == word && !tokens_[i].quoted;
    }

    void leave_out_module(std::size_t first) {
        std::size_t last = first;
        while (!is(last, TokenKind::End) && last + 1 < tokens_.size()) ++last;
        if (!is(last, TokenKind::End)) return;
        const Span all = cover(tokens_[first].span, tokens_[last].span);
        notes_.push_back(fmt::format("'{}' is left out", text_.substr(all.begin, all.end - all.begin)));
        const bool whole_line = (all.begin == 0 || text_[all.begin - 1] == '\n') && text_[all.end] == '\n';
        gone_.push_back({all.file, all.begin, all.end + (whole_line ? 1 : 0)});
    }

    // t(0.5,X)::p(X): one for each X. t(0.5)::p and t(_)::p are part of the language.
    void keep_probability(std::size_t t) {
        if (is(t + 3, TokenKind::Close)) return;
        std::size_t close = t + 2;
        while (!is(close, TokenKind::Close) && !is(close, TokenKind::End) && close + 1 < tokens_.size()) ++close;
        const bool weight =
            is(close, TokenKind::Close) && is(close + 1, TokenKind::Refused) && tokens_[close + 1].text == "::";
        if (!weight) return;
        if (!is(t + 2, TokenKind::Number)) {
            diagnostics_.report(codes::bad_weight, cover(tokens_[t].span, tokens_[close].span),
                                "a probability to be learned for each instance has no first value",
                                "give it one, t(0.5,X)::p(X)., or one for all instances: t(_)::p(X).");
            return;
        }
        gone_.push_back(cover(tokens_[t].span, tokens_[t + 1].span));
        gone_.push_back({tokens_[t].span.file, tokens_[t + 2].span.end, tokens_[close].span.end});
        if (!told_)
            notes_.emplace_back("probabilities to be learned for each instance, t(P,X)::, are kept as they are given");
        told_ = true;
    }

    Diagnostics& diagnostics_;
    std::vector<std::string>& notes_;
    const std::string text_;
    TextStore texts_;  // of the tokens
    std::vector<Token> tokens_;
    std::vector<Span> gone_;
    bool told_ = false;
};

struct Calls {
    std::set<std::pair<std::string, std::uint32_t>> defined;
    std::vector<std::pair<std::pair<std::string, std::uint32_t>, Span>> used;
};

void add_calls(const Ast& ast, NodeIndex index, Calls& calls) {
    const Node& node = ast[index];
    if (node.kind == NodeKind::Name && !node.number)
        calls.used.push_back({{std::string(node.text), node.child_count}, node.name_span});
    const bool goals = node.kind == NodeKind::And || node.kind == NodeKind::Or || node.kind == NodeKind::Not ||
                       node.kind == NodeKind::Aggregate;
    for (NodeIndex child = node.first_child; goals && child != no_node; child = ast[child].next)
        add_calls(ast, child, calls);
}

Calls calls_of(const std::string& text) {
    SourceSet sources;
    Diagnostics told_later;
    Parser parser(sources, sources.add("", text), {}, told_later);
    Calls calls;
    while (const std::optional<Item> item = parser.next_item()) {
        if (item->kind != Item::Kind::Clause) continue;
        const Ast& ast = parser.ast();
        const std::vector<NodeIndex> parts = ast.children(item->root);
        for (const NodeIndex head : ast[parts[0]].kind == NodeKind::Or ? ast.children(parts[0]) : std::vector{parts[0]})
            calls.defined.insert({std::string(ast[head].text), ast[head].child_count});
        for (std::size_t i = 1; i < parts.size(); ++i) add_calls(ast, parts[i], calls);
    }
    return calls;
}

void refuse_builtins(const std::string& text, std::uint32_t file, Diagnostics& diagnostics) {
    const Calls calls = calls_of(text);
    for (const auto& [call, place] : calls.used) {
        const std::string_view advice = advice_without(call.first, call.second);
        if (advice.empty() || calls.defined.contains(call)) continue;
        diagnostics.report(codes::unsupported, {file, place.begin, place.end},
                           fmt::format("ProbLog's '{}/{}' is not part of the language", call.first, call.second),
                           std::string(advice));
    }
}

// Goals that mean something else where goals have no order.
void refuse_ordered_goals(const std::string& text, std::uint32_t file, Diagnostics& diagnostics) {
    SourceSet sources;
    for (const OrderedGoal& goal : find_ordered_goals(sources, sources.add("", text))) {
        if (goal.by_call) continue;
        diagnostics.report(codes::unsupported, {file, goal.span.begin, goal.span.end},
                           "this goal stands before those that bind its variables: its meaning depends on the order",
                           "write it behind them; goals of the language have no order");
    }
}

// A fact that stands twice is two chances there, and one value here.
std::string with_separate_chances(const std::string& name, std::string text) {
    Diagnostics told_later;
    const Program program = parse_program(name, text, {}, told_later);
    if (told_later.has_errors()) return text;
    std::map<std::pair<PredicateId, std::vector<TermId>>, std::vector<std::size_t>> facts;
    for (std::size_t i = 0; i < program.facts.size(); ++i) {
        const FactList::Fact fact = program.facts[i];
        facts[{fact.predicate, {fact.args.begin(), fact.args.end()}}].push_back(i);
    }
    std::set<std::size_t, std::greater<>> ends;
    for (const auto& [atom, all] : facts) {
        const bool certain = std::ranges::all_of(all, [&](std::size_t i) { return program.facts[i].probability == 1; });
        for (const std::size_t i : all) {
            const Span span = program.facts[i].span;
            if (all.size() > 1 && !certain && span.file == 0) ends.insert(text.rfind('.', span.end - 1));
        }
    }
    for (const std::size_t end : ends) text.insert(end, " :- true");
    return text;
}

}  // namespace

std::string read_problog(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                         std::vector<std::string>& notes) {
    ProblogText text(sources, file, diagnostics, notes);
    text.find();
    refuse_builtins(text.blanked(), file, diagnostics);
    refuse_ordered_goals(text.blanked(), file, diagnostics);
    return diagnostics.has_errors() ? "" : with_separate_chances(sources.file(file).name(), text.erased());
}

}  // namespace neumann::interchange
