#include "syntax/data_directives.h"

#include <charconv>
#include <optional>
#include <utility>

#include "syntax/fact_table.h"

namespace neumann::syntax {
namespace {

constexpr const char* known_options = "options are header, columns([from, to]), probability(p) and separator(';')";

// A name is a column of the header, a whole number counts from 1.
std::optional<Column> column_of(DirectiveReader& directive, const Node& node) {
    if (node.kind != NodeKind::Name || node.child_count != 0) {
        directive.bad(node.span, "expected a column: its name in the header, or its number from 1");
        return std::nullopt;
    }
    if (!node.quoted) {
        std::uint32_t number = 0;
        const char* const end = node.text.data() + node.text.size();
        const auto read = std::from_chars(node.text.data(), end, number);
        if (read.ec == std::errc() && read.ptr == end && number >= 1) return Column{number, node.span};
    }
    return Column{std::string(node.text), node.span};
}

bool read_option(DirectiveReader& directive, NodeIndex index, FactTable& table) {
    const Node& option = directive.node(index);
    const bool named = option.kind == NodeKind::Name;
    if (named && option.text == "header" && option.child_count == 0) {
        table.header = true;
        return true;
    }
    if (named && option.child_count == 1) {
        const Node& value = directive.node(option.first_child);
        if (option.text == "columns" && value.kind == NodeKind::List && !value.has_tail) {
            for (NodeIndex c = value.first_child; c != no_node; c = directive.node(c).next) {
                std::optional<Column> column = column_of(directive, directive.node(c));
                if (!column) return false;
                table.columns.push_back(std::move(*column));
            }
            return true;
        }
        if (option.text == "probability") {
            table.probability = column_of(directive, value);
            return table.probability.has_value();
        }
        if (option.text == "separator" && value.kind == NodeKind::Name && value.text.size() == 1 &&
            value.text != "\"" && value.text != "\n") {
            table.separator = value.text[0];
            return true;
        }
    }
    directive.bad(option.span, "not an option of a table of facts", known_options);
    return false;
}

}  // namespace

void declare_facts(DirectiveReader& directive) {
    FactTable table;
    table.span = directive.span();
    table.predicate = directive.predicate_of(0);
    const Node* path = directive.plain_name(1, "the path of a file, in quotes");
    if (table.predicate.is_none() || path == nullptr) return;
    if (directive.arg_count() == 3) {
        const Node& options = directive.arg(2);
        if (options.kind != NodeKind::List || options.has_tail)
            return directive.bad(options.span, "expected a list of options", known_options);
        for (const NodeIndex option : directive.children(2)) {
            if (!read_option(directive, option, table)) return;
        }
    }
    table.path_span = path->span;
    // Beside the file that the directive stands in.
    const std::filesystem::path beside = directive.program().sources->file(directive.span().file).name();
    table.path = beside.parent_path() / std::filesystem::path(std::string(path->text));
    read_fact_table(table, directive.program(), directive.diagnostics());
}

}  // namespace neumann::syntax
