#include "syntax/task_directives.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "syntax/unknown_names.h"

namespace neumann::syntax {
namespace {

// modeb(1, closeby(+object, +object), unordered): arguments of one type may change places.
bool can_be_unordered(DirectiveReader& directive, const Mode& mode) {
    Diagnostics& diagnostics = directive.diagnostics();
    const Node& word = directive.arg(2);
    if (word.kind != NodeKind::Name || word.child_count > 0 || word.text != "unordered") {
        diagnostics.report(codes::bad_mode, word.span, "expected 'unordered', or nothing behind the places",
                           "write it like modeb(1, closeby(+object, +object), unordered).");
        return false;
    }
    bool some = false;
    for (std::size_t p = 0; p < mode.places.size(); ++p) {
        for (std::size_t q = 0; q < p; ++q) {
            if (mode.places[q].type != mode.places[p].type) continue;
            some = true;
            if (mode.places[q].kind == mode.places[p].kind) continue;
            diagnostics.report(codes::bad_mode, directive.arg(1).span,
                               "places of one type that may change places need the same sign",
                               "write the same of +, - and # at both, or leave out 'unordered'");
            return false;
        }
    }
    if (some) return true;
    diagnostics.report(codes::bad_mode, word.span, "no two places of this mode are of the same type",
                       "only arguments of one type may change places; leave out 'unordered'");
    return false;
}

void add_mode(DirectiveReader& directive, bool head) {
    const Signature& signature = directive.signature();
    Diagnostics& diagnostics = directive.diagnostics();
    Mode mode;
    mode.head = head;
    mode.span = directive.span();
    if (directive.arg(0).kind != NodeKind::Star) {
        mode.recall = directive.whole_number(0, 1, largest_bound);
        if (!mode.recall) {
            diagnostics.report(codes::bad_mode, directive.arg(0).span,
                               "the recall is a whole number from 1, or * for any number",
                               "it bounds how often the predicate is used in one clause");
            return;
        }
    }
    const Node& node = directive.arg(1);
    if (node.kind != NodeKind::Name)
        return directive.bad(node.span, "expected a predicate with its places, such as color(+object, #color)");
    mode.predicate = signature.find_predicate(node.text, node.child_count);
    if (mode.predicate.is_none()) {
        report_unknown_predicate(directive.program(), node.text, node.child_count, node.name_span, diagnostics);
        return;
    }
    const PredicateDecl& predicate = signature.predicate(mode.predicate);
    if (head && predicate.neural) {
        diagnostics.report(codes::bad_mode, node.name_span, "a neural predicate cannot be the head of a clause",
                           "its values come from outside", {{predicate.span, "it is declared here"}});
        return;
    }
    for (NodeIndex child : directive.children(1)) {
        const Node& place = directive.node(child);
        if (place.kind != NodeKind::Signed) {
            diagnostics.report(codes::bad_mode, place.span, "a place of a mode needs a sign",
                               "+type: a variable that occurs before, -type: one that may be new, #type: a constant");
            return;
        }
        const TypeId given = directive.type(directive.node(place.first_child));
        if (given.is_none()) return;
        const TypeId declared = predicate.args[mode.places.size()];
        if (given != declared) {
            diagnostics.report(codes::bad_mode, place.span,
                               fmt::format("this place of '{}/{}' is of type '{}', not '{}'", node.text,
                                           node.child_count, signature.type(declared).name, signature.type(given).name),
                               {},
                               {{predicate.span,
                                 predicate.inferred ? "its types are inferred from its uses" : "it is declared here"}});
            return;
        }
        const auto kind = place.text == "+"   ? ModePlace::Kind::Input
                          : place.text == "-" ? ModePlace::Kind::Output
                                              : ModePlace::Kind::Constant;
        mode.places.push_back({kind, given});
    }
    mode.unordered = directive.arg_count() == 3;
    if (mode.unordered && !can_be_unordered(directive, mode)) return;
    for (const Mode& other : directive.program().modes) {
        if (other.head || mode.head || other.predicate != mode.predicate || other.unordered == mode.unordered) continue;
        diagnostics.report(
            codes::bad_mode, node.name_span,
            fmt::format("the modes of '{}/{}' disagree: one is unordered, one is not", node.text, node.child_count),
            "write 'unordered' in all of them or in none", {{other.span, "the other one is here"}});
        return;
    }
    directive.program().modes.push_back(std::move(mode));
}

}  // namespace

void declare_query(DirectiveReader& directive) {
    const Node& node = directive.arg(0);
    if (node.kind != NodeKind::Name || node.number) return directive.bad(node.span, "expected an atom");
    Scope scope;
    if (std::optional<Atom> atom = directive.atom(0, scope); atom && !scope.mistakes) {
        directive.program().queries.push_back({std::move(*atom), std::move(scope.variables)});
    }
}

// evidence(a), evidence(\+ a), evidence(a, false).
void declare_evidence(DirectiveReader& directive) {
    const NodeIndex given = directive.index(0);
    const bool negated = directive.node(given).kind == NodeKind::Not;
    const NodeIndex inside = negated ? directive.node(given).first_child : given;
    const Node& node = directive.node(inside);
    if (node.kind != NodeKind::Name || node.number)
        return directive.bad(node.span, "expected a ground atom, or \\+ and one");
    bool holds = !negated;
    if (directive.arg_count() == 2) {
        const Node& said = directive.arg(1);
        const bool plain = said.kind == NodeKind::Name && said.child_count == 0;
        if (!plain || (said.text != "true" && said.text != "false"))
            return directive.bad(said.span, "expected true or false", "write it like evidence(wet(lawn), false).");
        if (said.text == "false") holds = !holds;
    }
    Scope scope;
    std::optional<Atom> atom = directive.atom_at(inside, scope);
    if (!atom || scope.mistakes) return;
    if (!scope.variables.empty()) {
        return directive.diagnostics().report(
            codes::not_ground, scope.variables[0].span,
            fmt::format("evidence must be ground, but '{}' is a variable", scope.variables[0].name),
            "what was observed is one atom; name its constants");
    }
    directive.program().evidence.push_back({std::move(*atom), holds});
}

void declare_head_mode(DirectiveReader& directive) { add_mode(directive, true); }

void declare_body_mode(DirectiveReader& directive) { add_mode(directive, false); }

void declare_learn(DirectiveReader& directive) {
    const Node& target = directive.arg(0);
    const PredicateId id = directive.predicate_of(0);
    // 0: as many as it takes.
    const std::optional<std::uint32_t> count = directive.arg_count() == 1 ? 0U : directive.integer(1, 1, largest_bound);
    if (id.is_none() || !count) return;
    if (directive.signature().predicate(id).neural) {
        return directive.bad(target.span, "a neural predicate cannot be learned as clauses",
                             "its values come from outside");
    }
    for (const LearnTarget& other : directive.program().learn) {
        if (other.predicate == id)
            return directive.duplicate(target.span, fmt::format("learning of '{}/{}'", target.text, target.arity),
                                       other.span);
    }
    directive.program().learn.push_back({id, *count, directive.span()});
}

void declare_initial(DirectiveReader& directive) {
    const Node& written = directive.arg(0);
    std::optional<Clause> clause;
    if (written.kind == NodeKind::Rule) {
        clause = directive.rule(0);
    } else if (written.kind == NodeKind::Name) {
        Scope scope;
        std::optional<Atom> head = directive.atom(0, scope);
        if (!head || scope.mistakes) return;
        clause.emplace();
        clause->head = std::move(*head);
        clause->variables = std::move(scope.variables);
        clause->span = directive.span();
    } else {
        return directive.bad(written.span, "expected a clause", "write it like :- initial((kp(X) :- in(O,X))).");
    }
    if (!clause) return;
    if (directive.signature().predicate(clause->head.predicate).neural) {
        return directive.bad(clause->head.span, "a neural predicate cannot be the head of a clause",
                             "its values come from outside");
    }
    directive.program().initial.push_back(std::move(*clause));
}

void declare_label(DirectiveReader& directive) {
    const Node& node = directive.arg(0);
    if (node.kind != NodeKind::Name || node.number) return directive.bad(node.span, "expected a ground atom");
    Scope scope;
    std::optional<Atom> atom = directive.atom(0, scope);
    if (!atom || scope.mistakes) return;
    if (!scope.variables.empty()) {
        directive.diagnostics().report(
            codes::not_ground, scope.variables[0].span,
            fmt::format("a label must be ground, but '{}' is a variable", scope.variables[0].name),
            "name the constants, as in label(kp(img))");
        return;
    }
    if (const std::vector<Atom>& others = directive.program().labels; !others.empty())
        return directive.duplicate(node.span, "the label", others.front().span);
    directive.program().labels.push_back(std::move(*atom));
}

}  // namespace neumann::syntax
