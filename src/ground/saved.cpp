#include "ground/saved.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/mapped_file.h"
#include "graph/graph_file.h"
#include "logic/print.h"

namespace neumann {
namespace {

using Json = nlohmann::json;

// The vocabulary and the texts, as JSON: small, and readable with any tool that can skip to it.
class SymbolWriter {
public:
    explicit SymbolWriter(const CompiledProgram& compiled)
        : compiled_(compiled), signature_(compiled.program.signature) {}

    std::string write() const {
        Json types = Json::array();
        for (const TypeDecl& type : signature_.types()) {
            Json entry = {{"name", type.name}, {"constants", Json::array()}, {"no_repeats", type.no_repeats}};
            for (ConstantId c : type.constants) entry["constants"].push_back(c.value());
            if (type.max_depth) entry["max_depth"] = *type.max_depth;
            if (type.max_length) entry["max_length"] = *type.max_length;
            if (type.open) entry["open"] = true;
            if (type.inferred) entry["inferred"] = true;
            if (type.range) entry["range"] = {type.range->low, type.range->high};
            if (type.list) {
                entry["list"] = {{"element", type.list->element.value()},
                                 {"cons", type.list->cons.value()},
                                 {"empty", type.list->empty.value()},
                                 {"printed", type.list->printed}};
            }
            types.push_back(std::move(entry));
        }
        Json constants = Json::array();
        for (const ConstantDecl& c : signature_.constants()) {
            constants.push_back({{"name", c.name}, {"type", c.type.value()}});
            if (c.computed) constants.back()["computed"] = true;
        }
        Json functors = Json::array();
        for (const FunctorDecl& f : signature_.functors()) {
            functors.push_back({{"name", f.name}, {"args", type_numbers(f.args)}, {"result", f.result.value()}});
            if (f.operation) functors.back()["operation"] = static_cast<unsigned>(*f.operation);
        }
        Json predicates = Json::array();
        for (std::size_t p = 0; p < signature_.predicates().size(); ++p) {
            const PredicateDecl& predicate = signature_.predicates()[p];
            predicates.push_back(
                {{"name", predicate.name},
                 {"args", type_numbers(predicate.args)},
                 {"neural", predicate.neural},
                 {"distinct", predicate.distinct},
                 {"atoms", compiled_.ground.atoms.range(checked_id<PredicateId>(p, "predicates")).count}});
            if (predicate.internal) predicates.back()["internal"] = true;
            if (predicate.auxiliary) predicates.back()["auxiliary"] = true;
            if (predicate.spelled) predicates.back()["spelled"] = true;
            if (predicate.question) predicates.back()["question"] = predicate.asked;
            if (predicate.exclusive) predicates.back()["exclusive"] = *predicate.exclusive;
        }
        Json clauses = Json::array();
        for (const ClauseInfo& clause : compiled_.clauses) {
            clauses.push_back({{"text", clause.text}, {"file", clause.file}, {"line", clause.line}});
            if (clause.choice) clauses.back()["choice"] = *clause.choice;
        }
        Json all = {{"mode", compiled_.mode},          {"facts_evaluated", compiled_.facts_evaluated},
                    {"terms", compiled_.ground.terms}, {"types", types},
                    {"constants", constants},          {"functors", functors},
                    {"predicates", predicates},        {"clauses", clauses},
                    {"queries", compiled_.queries}};
        if (!compiled_.sayings.empty()) all["sayings"] = compiled_.sayings;
        if (!compiled_.inputs.empty()) all["inputs"] = compiled_.inputs;
        if (!compiled_.unneeded.empty()) all["unneeded"] = compiled_.unneeded;
        if (!compiled_.observed.empty()) {
            Json observed = Json::array();
            for (const GraphLiteral literal : compiled_.observed) observed.push_back(literal.code());
            all["observed"] = std::move(observed);
        }
        return all.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

private:
    static Json type_numbers(const std::vector<TypeId>& types) {
        Json numbers = Json::array();
        for (TypeId type : types) numbers.push_back(type.value());
        return numbers;
    }
    const CompiledProgram& compiled_;
    const Signature& signature_;
};

// Reads the output of SymbolWriter. Types come first without their constants, which come next in order of their
// numbers.
class SymbolReader {
public:
    SymbolReader(const Json& json, CompiledProgram& compiled)
        : json_(json), compiled_(compiled), signature_(compiled.program.signature) {}

    std::vector<std::uint32_t> read() {  // atoms per predicate
        compiled_.mode = json_.at("mode").get<std::string>();
        compiled_.facts_evaluated = json_.value("facts_evaluated", false);
        compiled_.loaded = true;
        compiled_.ground.terms = json_.at("terms").get<std::uint64_t>();
        compiled_.queries = json_.at("queries").get<std::vector<std::string>>();
        compiled_.sayings = json_.value("sayings", std::vector<std::string>());  // where there are any
        for (const Json& type : json_.at("types")) {
            require_sound(signature_.find_type(name(type)).is_none(), "a type declared twice");
            signature_.add_type(name(type), {});
        }
        for (const Json& constant : json_.at("constants")) {
            const TypeId type = type_number(constant.at("type"));
            require_sound(signature_.find_constant(name(constant), type).is_none(), "a constant declared twice");
            if (constant.value("computed", false)) {
                const bool number = parse_number(name(constant)).has_value();
                require_sound(number, "a computed constant that is no number");
                signature_.add_computed_constant(name(constant), type);
            } else {
                signature_.add_constant(name(constant), type, {});
            }
        }
        for (const Json& functor : json_.at("functors")) {
            if (functor.contains("operation")) {
                read_operation(functor.at("operation").get<std::uint32_t>());
                continue;
            }
            std::vector<TypeId> args = type_numbers(functor.at("args"));
            require_sound(!args.empty() && signature_.find_functor(name(functor), args.size()).is_none(),
                          "a bad functor");
            const TypeId result = type_number(functor.at("result"));
            signature_.add_functor(name(functor), std::move(args), result, {});
        }
        read_type_details();
        std::vector<std::uint32_t> atoms;
        for (const Json& predicate : json_.at("predicates")) {
            std::vector<TypeId> args = type_numbers(predicate.at("args"));
            require_sound(signature_.find_predicate(name(predicate), args.size()).is_none(),
                          "a predicate declared twice");
            const PredicateId id =
                signature_.add_predicate(name(predicate), std::move(args), predicate.at("neural").get<bool>(), {});
            signature_.predicate(id).distinct = predicate.at("distinct").get<bool>();
            signature_.predicate(id).internal = predicate.value("internal", false);
            signature_.predicate(id).auxiliary = predicate.value("auxiliary", false);
            signature_.predicate(id).spelled = predicate.value("spelled", false);
            if (predicate.contains("question")) {
                PredicateDecl& decl = signature_.predicate(id);
                decl.question = true;
                decl.asked = predicate.at("question").get<std::vector<std::string>>();
                require_sound(decl.asked.size() == decl.args.size(), "a question with other variables than arguments");
            }
            if (predicate.contains("exclusive")) {
                const auto argument = predicate.at("exclusive").get<std::uint32_t>();
                require_sound(argument < signature_.predicate(id).args.size(), "an argument that does not exist");
                signature_.predicate(id).exclusive = argument;
            }
            atoms.push_back(predicate.at("atoms").get<std::uint32_t>());
        }
        for (const Json& clause : json_.at("clauses")) {
            compiled_.clauses.push_back({clause.at("text").get<std::string>(), clause.at("file").get<std::string>(),
                                         clause.at("line").get<std::uint32_t>()});
            if (clause.contains("choice")) compiled_.clauses.back().choice = clause.at("choice").get<std::uint32_t>();
            compiled_.ground.rules.emplace_back();
        }
        compiled_.inputs = json_.value("inputs", std::vector<std::uint32_t>());
        require_sound(std::ranges::is_sorted(compiled_.inputs) &&
                          (compiled_.inputs.empty() || compiled_.inputs.back() < compiled_.ground.graph.atom_count()),
                      "inputs that are no atoms");
        compiled_.unneeded = json_.value("unneeded", std::vector<std::string>());
        for (const Json& code : json_.value("observed", Json::array())) {
            const GraphLiteral literal = GraphLiteral::from_code(code.get<std::uint32_t>());
            require_sound(literal.atom() < compiled_.ground.graph.atom_count(), "evidence about no atom");
            compiled_.observed.push_back(literal);
        }
        return atoms;
    }

private:
    static std::string name(const Json& entry) { return entry.at("name").get<std::string>(); }
    TypeId type_number(const Json& number) const {
        const auto value = number.get<std::uint32_t>();
        require_sound(value < signature_.types().size(), "an unknown type");
        return TypeId(value);
    }
    std::vector<TypeId> type_numbers(const Json& numbers) const {
        std::vector<TypeId> types;
        for (const Json& number : numbers) types.push_back(type_number(number));
        return types;
    }
    // All operations come with the first.
    void read_operation(std::uint32_t number) {
        require_sound(number < operation_count, "an unknown operation");
        if (number == 0) signature_.operation(Operation{});
        const bool complete = !signature_.functors().empty() && signature_.functors().back().operation.has_value();
        require_sound(complete, "an operation out of place");
    }
    void read_type_details() {
        std::uint32_t number = 0;
        for (const Json& entry : json_.at("types")) {
            const TypeId id(number++);
            TypeDecl& type = signature_.type(id);
            type.no_repeats = entry.at("no_repeats").get<bool>();
            if (entry.contains("max_depth")) type.max_depth = entry.at("max_depth").get<std::uint32_t>();
            if (entry.contains("max_length")) type.max_length = entry.at("max_length").get<std::uint32_t>();
            type.open = entry.value("open", false);
            type.inferred = entry.value("inferred", false);
            if (entry.contains("range"))
                type.range = {entry.at("range").at(0).get<std::int64_t>(), entry.at("range").at(1).get<std::int64_t>()};
            if (!entry.contains("list")) continue;
            const Json& list = entry.at("list");
            const ListSugar sugar{type_number(list.at("element")), FunctorId(list.at("cons").get<std::uint32_t>()),
                                  ConstantId(list.at("empty").get<std::uint32_t>()), list.at("printed").get<bool>()};
            require_sound(sugar.cons.index() < signature_.functors().size() &&
                              sugar.empty.index() < signature_.constants().size(),
                          "a bad list type");
            const FunctorDecl& cons = signature_.functor(sugar.cons);
            require_sound(cons.args == std::vector{sugar.element, id} && cons.result == id &&
                              signature_.constant(sugar.empty).type == id,
                          "a bad list type");
            type.list = sugar;
        }
    }

    const Json& json_;
    CompiledProgram& compiled_;
    Signature& signature_;
};

// The terms that occur in atoms, numbered so that arguments precede the terms that contain them.
struct TermSections {
    PodVector<std::uint32_t> symbols;  // constant number * 2, or functor number * 2 + 1
    PodVector<std::uint32_t> args;     // arguments of compound terms, one after another
    PodVector<std::uint32_t> atom_args;
};

TermSections collect_terms(const CompiledProgram& compiled) {
    const TermTable& terms = compiled.program.terms;
    PodVector<bool> used(terms.size(), false);
    const AtomTable& atoms = compiled.ground.atoms;
    const auto for_each_arg = [&](auto&& visit) {
        for (std::size_t p = 0; p < atoms.predicate_count(); ++p) {
            for (TermId term : atoms.range(PredicateId(static_cast<std::uint32_t>(p))).args) visit(term);
        }
    };
    for_each_arg([&](TermId term) { used[term.index()] = true; });
    for (std::size_t t = terms.size(); t-- > 0;) {  // arguments have smaller numbers than their terms
        if (!used[t]) continue;
        for (TermId arg : terms.args(TermId(static_cast<std::uint32_t>(t)))) used[arg.index()] = true;
    }
    TermSections sections;
    PodVector<std::uint32_t> number(terms.size(), 0);
    for (std::uint32_t t = 0; t < terms.size(); ++t) {
        if (!used[t]) continue;
        const TermId term(t);
        number[t] = static_cast<std::uint32_t>(sections.symbols.size());
        const bool compound = terms.kind(term) == TermKind::Compound;
        sections.symbols.push_back(compound ? terms.functor_of(term).value() * 2 + 1
                                            : terms.constant_of(term).value() * 2);
        for (TermId arg : terms.args(term)) sections.args.push_back(number[arg.index()]);
    }
    for_each_arg([&](TermId term) { sections.atom_args.push_back(number[term.index()]); });
    return sections;
}

TypeId type_of(const Program& program, TermId term) {
    return program.terms.kind(term) == TermKind::Compound
               ? program.signature.functor(program.terms.functor_of(term)).result
               : program.signature.constant(program.terms.constant_of(term)).type;
}

void read_terms(const SectionReader& reader, const std::vector<std::uint32_t>& atom_counts, CompiledProgram& compiled) {
    Program& program = compiled.program;
    const auto symbols = reader.array<std::uint32_t>("terms.symbols");
    const auto args = reader.array<std::uint32_t>("terms.args");
    const auto atom_args = reader.array<std::uint32_t>("atoms.args");
    std::size_t next = 0;
    for (std::uint32_t t = 0; t < symbols.size(); ++t) {
        const std::uint32_t number = symbols[t] / 2;
        TermId made;
        if (symbols[t] % 2 == 0) {
            require_sound(number < program.signature.constants().size(), "an unknown constant");
            made = program.terms.constant(ConstantId(number));
        } else {
            require_sound(number < program.signature.functors().size(), "an unknown functor");
            const FunctorDecl& functor = program.signature.functors()[number];
            require_sound(functor.args.size() <= args.size() - next, "a term without its arguments");
            std::vector<TermId> term_args;
            for (TypeId type : functor.args) {
                require_sound(args[next] < t, "a term that contains itself");
                term_args.emplace_back(args[next++]);
                require_sound(type_of(program, term_args.back()) == type, "a term of the wrong type");
            }
            made = program.terms.compound(FunctorId(number), term_args);
        }
        require_sound(made.value() == t, "a term that stands twice");
    }
    require_sound(next == args.size(), "arguments of no term");

    compiled.ground.atoms = AtomTable(atom_counts.size());
    std::size_t at = 0;
    for (std::uint32_t p = 0; p < atom_counts.size(); ++p) {
        const std::vector<TypeId>& types = program.signature.predicates()[p].args;
        const std::size_t count = std::size_t{atom_counts[p]} * types.size();
        require_sound(count <= atom_args.size() - at, "atoms without arguments");
        for (std::size_t i = 0; i < count; ++i) {
            require_sound(atom_args[at + i] < symbols.size(), "an unknown term");
            require_sound(type_of(program, TermId(atom_args[at + i])) == types[i % types.size()],
                          "an argument of the wrong type");
        }
        PodVector<TermId> rows;
        rows.resize_uninitialized(count);
        for (std::size_t i = 0; i < count; ++i) rows[i] = TermId(atom_args[at + i]);
        compiled.ground.atoms.add(PredicateId(p), atom_counts[p], SharedArray(std::move(rows)));
        at += count;
    }
    require_sound(at == atom_args.size(), "arguments of no atom");
}

}  // namespace

void save_compiled(const CompiledProgram& compiled, const GraphLevels& levels, const std::filesystem::path& path,
                   const std::function<void(SectionWriter&)>& add_more) {
    const std::string symbols = SymbolWriter(compiled).write();
    const TermSections terms = collect_terms(compiled);
    SectionWriter writer;
    writer.add("symbols.json", std::span<const char>(symbols));
    writer.add("terms.symbols", terms.symbols.span());
    writer.add("terms.args", terms.args.span());
    writer.add("atoms.args", terms.atom_args.span());
    add_graph_sections(compiled.ground.graph, levels, writer);
    if (!compiled.ground.chances.empty()) writer.add("facts.chances", std::span(compiled.ground.chances));
    if (add_more) add_more(writer);
    writer.write(path);
}

LoadedProgram load_compiled(const std::filesystem::path& path, const ReadMore& read_more) {
    const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
    return load_compiled(file->bytes(), file, read_more);
}

LoadedProgram load_compiled(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                            const ReadMore& read_more) {
    const SectionReader reader(file, std::move(owner));
    LoadedProgram loaded;
    loaded.compiled.ground.graph = read_graph_sections(reader);
    loaded.levels = read_level_sections(reader, loaded.compiled.ground.graph);
    const auto text = reader.array<char>("symbols.json");
    try {
        const Json symbols = Json::parse(text.begin(), text.end());
        read_terms(reader, SymbolReader(symbols, loaded.compiled).read(), loaded.compiled);
    } catch (const Json::exception& error) {
        throw DamagedFile(fmt::format("its symbols cannot be read ({})", error.what()));
    }
    const GroundProgram& ground = loaded.compiled.ground;
    if (ground.atoms.size() != ground.graph.atom_count() ||
        loaded.compiled.clauses.size() != ground.graph.clause_count()) {
        throw DamagedFile("graph and symbols do not belong together");
    }
    count_instances(loaded.compiled.ground);
    if (reader.has("facts.chances")) {
        const auto chances = reader.array<FactChance>("facts.chances");
        for (const FactChance& one : chances)
            require_sound(one.atom < ground.graph.atom_count() && one.probability > 0 && one.probability < 1,
                          "a value that is no probability");
        loaded.compiled.ground.chances.assign(chances.begin(), chances.end());
    }
    if (read_more) read_more(reader, loaded.compiled);
    return loaded;
}

}  // namespace neumann
