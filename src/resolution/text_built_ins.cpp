#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "resolution/built_in_call.h"

namespace neumann::resolution {
namespace {

// A string is a name that begins with a quotation mark.
std::optional<std::string> text_of(const Terms& terms, Term term) {
    if (terms.is_number(term)) return terms.name(term);
    if (!terms.is_callable(term) || !terms.args(term).empty()) return std::nullopt;
    const std::string& name = terms.name(term);
    return name.starts_with('"') && name.size() > 1 ? name.substr(1, name.size() - 2) : name;
}

std::string letter_of(std::int64_t code) {
    constexpr std::int64_t one_byte = 0x80;
    constexpr std::int64_t largest = 0x10FFFF;
    if (code < 0 || code > largest) throw GoalError(fmt::format("{} is no code of a letter", code));
    if (code < one_byte) return {static_cast<char>(code)};
    const std::size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    std::string letter(1, static_cast<char>((0xF00U >> more & 0xFFU) | static_cast<std::uint64_t>(code) >> (6 * more)));
    for (std::size_t i = more; i-- > 0;)
        letter += static_cast<char>(0x80U | (static_cast<std::uint64_t>(code) >> (6 * i) & 0x3FU));
    return letter;
}

// The text of an atom, a number, a string, or a list of letters or their codes.
std::string known_text(const BuiltInCall& call, Term term) {
    if (!call.terms.is(term, "[]", 0)) {
        if (const auto text = text_of(call.terms, term)) return *text;
    }
    std::vector<Term> elements;
    if (!call.terms.elements(term, elements)) throw GoalError(fmt::format("{} is no text", call.terms.print(term)));
    std::string text;
    for (const Term element : elements) {
        const bool code =
            call.terms.is_number(element) && std::holds_alternative<std::int64_t>(call.terms.value(element));
        const std::int64_t value = code ? std::get<std::int64_t>(call.terms.value(element)) : 0;
        constexpr std::int64_t digits = 10;
        if (code && value >= digits)
            text += letter_of(value);
        else if (const auto letter = text_of(call.terms, element))
            text += *letter;
        else
            throw GoalError(fmt::format("{} is no letter", call.terms.print(element)));
    }
    return text;
}

std::vector<std::string> letters(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        while (end < text.size() && continues_character(text[end])) ++end;
        found.push_back(text.substr(i, end - i));
        i = end;
    }
    return found;
}

// Of a text of one letter.
std::uint32_t code_of(const std::string& letter) {
    const auto lead = static_cast<unsigned char>(letter[0]);
    std::uint32_t code = letter.size() == 1 ? lead : lead & (0xFFU >> (letter.size() + 1));
    for (std::size_t i = 1; i < letter.size(); ++i)
        code = (code << 6U) | (static_cast<unsigned char>(letter[i]) & 0x3FU);
    return code;
}

Term string_term(Terms& terms, const std::string& text) { return terms.constant('"' + text + '"'); }

// A number if the text is one, else an atom.
Term value_of(Terms& terms, const std::string& text) {
    const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
    const std::optional<Number> number = digits.empty() || std::isdigit(static_cast<unsigned char>(digits[0])) == 0
                                             ? std::nullopt
                                             : parse_number(digits);
    if (!number) return terms.constant(text);
    return terms.number(text.starts_with('-') ? apply(Operation::Negate, *number, {}) : *number);
}

enum class Form : std::uint8_t { Atom, Value, Text };

Term made(Terms& terms, const std::string& text, Form form) {
    return form == Form::Atom    ? terms.constant(text)
           : form == Form::Value ? value_of(terms, text)
                                 : string_term(terms, text);
}

Term letter_list(const BuiltInCall& call, const std::string& text, bool codes) {
    std::vector<Term> elements;
    for (const std::string& letter : letters(text))
        elements.push_back(codes ? call.terms.number(std::int64_t{code_of(letter)}) : call.terms.constant(letter));
    return call.terms.list(elements);
}

// One side is a text, the other its letters.
template <Form Made, bool Codes>
void solve_letters(const BuiltInCall& call) {
    if (call.terms.is_variable(call.args[0]))
        return call.give(call.args[0], made(call.terms, known_text(call, call.args[1]), Made));
    call.give(call.args[1], letter_list(call, known_text(call, call.args[0]), Codes));
}

template <Form From, Form To>
void solve_conversion(const BuiltInCall& call) {
    if (!call.terms.is_variable(call.args[0])) {
        const Term value = made(call.terms, known_text(call, call.args[0]), To);
        if (To == Form::Value && !call.terms.is_number(value)) return;
        return call.give(call.args[1], value);
    }
    call.give(call.args[0], made(call.terms, known_text(call, call.args[1]), From));
}

template <Form Made>
void solve_join(const BuiltInCall& call) {
    if (!call.terms.is_variable(call.args[0]) && !call.terms.is_variable(call.args[1]))
        return call.give(call.args[2],
                         made(call.terms, known_text(call, call.args[0]) + known_text(call, call.args[1]), Made));
    const std::vector<std::string> all = letters(known_text(call, call.args[2]));
    for (std::size_t split = 0; split <= all.size(); ++split) {
        std::string left;
        std::string right;
        for (std::size_t i = 0; i < all.size(); ++i) (i < split ? left : right) += all[i];
        const Term both =
            call.terms.compound("", std::array{made(call.terms, left, Made), made(call.terms, right, Made)});
        call.give(call.terms.compound("", std::array{call.args[0], call.args[1]}), both);
    }
}

template <Form Made>
void solve_part(const BuiltInCall& call) {
    const std::vector<std::string> all = letters(known_text(call, call.args[0]));
    const auto number = [&](std::size_t n) { return call.terms.number(static_cast<std::int64_t>(n)); };
    const Term wanted = call.terms.compound("", std::span(call.args).subspan(1));
    for (std::size_t begin = 0; begin <= all.size(); ++begin) {
        std::string part;
        for (std::size_t end = begin; end <= all.size(); ++end) {
            if (end > begin) part += all[end - 1];
            call.give(wanted,
                      call.terms.compound("", std::array{number(begin), number(end - begin), number(all.size() - end),
                                                         made(call.terms, part, Made)}));
        }
    }
}

template <Form Made, int (*Change)(int)>
void solve_case(const BuiltInCall& call) {
    std::string text = known_text(call, call.args[0]);
    for (char& c : text) c = static_cast<char>(Change(static_cast<unsigned char>(c)));
    call.give(call.args[1], made(call.terms, text, Made));
}

void solve_joined_list(const BuiltInCall& call) {
    const std::string between = call.args.size() == 3 ? known_text(call, call.args[1]) : "";
    std::vector<Term> elements;
    const bool known = call.terms.elements(call.args[0], elements) &&
                       std::ranges::none_of(elements, [&](Term one) { return call.terms.is_variable(one); });
    if (known) {
        std::string text;
        for (std::size_t i = 0; i < elements.size(); ++i)
            text += (i == 0 ? "" : between) + known_text(call, elements[i]);
        return call.give(call.args.back(), call.terms.constant(text));
    }
    if (between.empty()) throw GoalError("atomic_list_concat needs a known list, or a text between its parts");
    const std::string text = known_text(call, call.args.back());
    std::vector<Term> parts;
    for (std::size_t at = 0;;) {
        const std::size_t end = text.find(between, at);
        parts.push_back(call.terms.constant(text.substr(at, end == std::string::npos ? end : end - at)));
        if (end == std::string::npos) break;
        at = end + between.size();
    }
    call.give(call.args[0], call.terms.list(parts));
}

bool has_type(const BuiltInCall& call, const std::string& letter) {
    constexpr std::array<std::pair<std::string_view, int (*)(int)>, 10> types = {{{"alnum", std::isalnum},
                                                                                  {"csym", std::isalnum},
                                                                                  {"digit", std::isdigit},
                                                                                  {"upper", std::isupper},
                                                                                  {"lower", std::islower},
                                                                                  {"space", std::isspace},
                                                                                  {"white", std::isblank},
                                                                                  {"punct", std::ispunct},
                                                                                  {"graph", std::isgraph},
                                                                                  {"csymf", std::isalpha}}};
    if (letter.size() != 1) return false;
    const auto c = static_cast<unsigned char>(letter[0]);
    const std::string& type = call.terms.name(call.args[1]);
    if (type == "alpha") return std::isalnum(c) != 0 || c == '_';
    if ((type == "csym" || type == "csymf") && c == '_') return true;
    const auto* found = std::ranges::find(types, type, &std::pair<std::string_view, int (*)(int)>::first);
    if (found == types.end()) throw GoalError(fmt::format("there is no type of letters '{}'", type));
    return found->second(c) != 0;
}

void solve_type(const BuiltInCall& call) {
    const std::string letter = known_text(call, call.args[0]);
    const bool cased = call.terms.is(call.args[1], "to_lower", 1) || call.terms.is(call.args[1], "to_upper", 1) ||
                       call.terms.is(call.args[1], "upper", 1) || call.terms.is(call.args[1], "lower", 1);
    if (cased && letter.size() == 1) {
        const std::string name = call.terms.name(call.args[1]);
        const auto c = static_cast<unsigned char>(letter[0]);
        if ((name == "upper" && std::isupper(c) == 0) || (name == "lower" && std::islower(c) == 0)) return;
        const int other = name == "upper" || name == "to_lower" ? std::tolower(c) : std::toupper(c);
        return call.give(call.terms.args(call.args[1])[0],
                         call.terms.constant(std::string(1, static_cast<char>(other))));
    }
    call.holds_if(has_type(call, letter));
}

void solve_letter_code(const BuiltInCall& call) {
    if (call.terms.is_variable(call.args[0]))
        return call.give(call.args[0], call.terms.constant(letter_of(call.integer(1))));
    const std::string letter = known_text(call, call.args[0]);
    if (letters(letter).size() == 1) call.give(call.args[1], call.terms.number(std::int64_t{code_of(letter)}));
}

void add_variables(const Terms& terms, Term term, std::vector<Term>& to) {
    if (terms.is_ground(term)) return;
    if (terms.is_variable(term)) {
        if (std::ranges::find(to, term) == to.end()) to.push_back(term);
        return;
    }
    for (const Term arg : terms.args(term)) add_variables(terms, arg, to);
}

void solve_variables(const BuiltInCall& call) {
    std::vector<Term> found;
    add_variables(call.terms, call.args[0], found);
    call.give(call.args[1], call.terms.list(found));
}

// Of a goal V^G under a template: G, and the variables of G that are neither V's nor the template's.
void solve_free_variables(const BuiltInCall& call) {
    std::vector<Term> bound;
    add_variables(call.terms, call.args[0], bound);
    Term goal = call.args[1];
    for (; call.terms.is(goal, "^", 2); goal = call.terms.args(goal)[1])
        add_variables(call.terms, call.terms.args(goal)[0], bound);
    std::vector<Term> all = bound;
    add_variables(call.terms, goal, all);
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bound.size()));
    const Term both = call.terms.compound("", std::array{goal, call.terms.list(all)});
    call.give(call.terms.compound("", std::array{call.args[2], call.args[3]}), both);
}

void solve_copy(const BuiltInCall& call) {
    const auto own =
        static_cast<std::uint32_t>(std::max<std::size_t>(call.environment.size(), call.terms.variables(call.args[1])));
    call.give(call.args[1], call.terms.shifted(call.terms.canonical(call.args[0]), own));
}

// sort(Key, Order, List, Sorted)
void solve_sort_by(const BuiltInCall& call) {
    std::vector<Term> elements = call.list(2);
    const std::int64_t key = call.integer(0);
    const std::string& how = call.terms.name(call.args[1]);
    const auto part = [&](Term term) {
        if (key == 0) return term;
        const std::span<const Term> args = call.terms.args(term);
        if (static_cast<std::size_t>(key) > args.size()) throw GoalError("sort/4: an element has no such argument");
        return args[static_cast<std::size_t>(key) - 1];
    };
    const int sign = how.starts_with("@>") ? -1 : 1;
    const auto compared = [&](Term a, Term b) { return sign * call.terms.order(part(a), part(b)); };
    std::ranges::stable_sort(elements, [&](Term a, Term b) { return compared(a, b) < 0; });
    if (how == "@<" || how == "@>") {
        const auto same = [&](Term a, Term b) { return compared(a, b) == 0; };
        elements.erase(std::unique(elements.begin(), elements.end(), same), elements.end());
    }
    call.give(call.args[3], call.terms.list(elements));
}

void solve_text_length(const BuiltInCall& call) {
    call.give(call.args[1],
              call.terms.number(static_cast<std::int64_t>(letters(known_text(call, call.args[0])).size())));
}

constexpr std::array<BuiltIn, 34> text_predicates = {{
    {"atom_codes", 2, solve_letters<Form::Atom, true>},
    {"atom_chars", 2, solve_letters<Form::Atom, false>},
    {"name", 2, solve_letters<Form::Value, true>},
    {"number_codes", 2, solve_letters<Form::Value, true>},
    {"number_chars", 2, solve_letters<Form::Value, false>},
    {"string_codes", 2, solve_letters<Form::Text, true>},
    {"string_chars", 2, solve_letters<Form::Text, false>},
    {"atom_number", 2, solve_conversion<Form::Atom, Form::Value>},
    {"number_string", 2, solve_conversion<Form::Value, Form::Text>},
    {"atom_string", 2, solve_conversion<Form::Atom, Form::Text>},
    {"string_to_atom", 2, solve_conversion<Form::Text, Form::Atom>},
    {"term_to_atom", 2, solve_conversion<Form::Value, Form::Atom>},
    {"atom_concat", 3, solve_join<Form::Atom>},
    {"string_concat", 3, solve_join<Form::Text>},
    {"sub_atom", 5, solve_part<Form::Atom>},
    {"sub_string", 5, solve_part<Form::Text>},
    {"upcase_atom", 2, solve_case<Form::Atom, std::toupper>},
    {"downcase_atom", 2, solve_case<Form::Atom, std::tolower>},
    {"string_upper", 2, solve_case<Form::Text, std::toupper>},
    {"string_lower", 2, solve_case<Form::Text, std::tolower>},
    {"atomic_list_concat", 2, solve_joined_list},
    {"atomic_list_concat", 3, solve_joined_list},
    {"char_type", 2, solve_type},
    {"code_type", 2, solve_type},
    {"char_code", 2, solve_letter_code},
    {"atom_length", 2, solve_text_length},
    {"string_length", 2, solve_text_length},
    {"term_variables", 2, solve_variables},
    {"free variables", 4, solve_free_variables},
    {"copy_term", 2, solve_copy},
    {"sort", 4, solve_sort_by},
    {"string", 1,
     [](const BuiltInCall& c) {
         c.holds_if(c.terms.is_callable(c.args[0]) && c.terms.name(c.args[0]).starts_with('"'));
     }},
    {"throw", 1, [](const BuiltInCall& c) { throw GoalError(fmt::format("it throws {}", c.terms.print(c.args[0]))); }},
    {"halt", 0, [](const BuiltInCall&) { throw GoalError("it halts"); }},
}};

}  // namespace

std::span<const BuiltIn> text_built_ins() { return text_predicates; }

}  // namespace neumann::resolution
