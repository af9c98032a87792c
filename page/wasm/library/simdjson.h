// The part of simdjson that reads examples, on top of nlohmann's reader: Debian has simdjson for processors only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

namespace simdjson {

inline constexpr std::size_t SIMDJSON_PADDING = 64;

enum error_code { SUCCESS = 0, TAPE_ERROR, INCORRECT_TYPE, NO_SUCH_FIELD };

inline const char* error_message(error_code) { return "it is no valid JSON"; }

template <class Value>
struct simdjson_result {
    Value value;
    error_code error = SUCCESS;

    error_code get(Value& to) const {
        if (error == SUCCESS) to = value;
        return error;
    }
};

namespace dom {

struct Node;
struct Field;

class object {
public:
    object() = default;
    explicit object(const std::vector<Field>* fields) : fields_(fields) {}
    const Field* begin() const;
    const Field* end() const;
    simdjson_result<class element> operator[](std::string_view key) const;

private:
    const std::vector<Field>* fields_ = nullptr;
};

class array {
public:
    array() = default;
    explicit array(const std::vector<class element>* elements) : elements_(elements) {}
    const class element* begin() const;
    const class element* end() const;

private:
    const std::vector<class element>* elements_ = nullptr;
};

class element {
public:
    element() = default;
    explicit element(const Node* node) : node_(node) {}
    bool is_string() const { return holds<std::string>(); }
    bool is_bool() const { return holds<bool>(); }
    bool is_number() const { return holds<std::int64_t>() || holds<std::uint64_t>() || holds<double>(); }
    error_code get(bool& to) const;
    error_code get(double& to) const;
    error_code get(std::int64_t& to) const;
    error_code get(std::string_view& to) const;
    error_code get(object& to) const;
    error_code get(array& to) const;
    nlohmann::ordered_json json() const;

private:
    template <class Kind>
    bool holds() const;

    const Node* node_ = nullptr;
};

struct Field {
    std::string key;
    element value;
};

// What a value is; lives as long as the parser reads nothing else.
struct Node {
    std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, std::vector<Field>,
                 std::vector<element>>
        value;
};

inline const Field* object::begin() const { return fields_ == nullptr ? nullptr : fields_->data(); }
inline const Field* object::end() const { return fields_ == nullptr ? nullptr : fields_->data() + fields_->size(); }
inline simdjson_result<element> object::operator[](std::string_view key) const {
    for (const Field& field : *this)
        if (field.key == key) return {field.value};
    return {element(), NO_SUCH_FIELD};
}
inline const element* array::begin() const { return elements_ == nullptr ? nullptr : elements_->data(); }
inline const element* array::end() const {
    return elements_ == nullptr ? nullptr : elements_->data() + elements_->size();
}

template <class Kind>
bool element::holds() const {
    return std::holds_alternative<Kind>(node_->value);
}
inline error_code element::get(bool& to) const {
    if (!is_bool()) return INCORRECT_TYPE;
    to = std::get<bool>(node_->value);
    return SUCCESS;
}
inline error_code element::get(double& to) const {
    if (!is_number()) return INCORRECT_TYPE;
    if (holds<double>()) to = std::get<double>(node_->value);
    if (holds<std::int64_t>()) to = static_cast<double>(std::get<std::int64_t>(node_->value));
    if (holds<std::uint64_t>()) to = static_cast<double>(std::get<std::uint64_t>(node_->value));
    return SUCCESS;
}
inline error_code element::get(std::int64_t& to) const {
    if (!holds<std::int64_t>()) return INCORRECT_TYPE;
    to = std::get<std::int64_t>(node_->value);
    return SUCCESS;
}
inline error_code element::get(std::string_view& to) const {
    if (!is_string()) return INCORRECT_TYPE;
    to = std::get<std::string>(node_->value);
    return SUCCESS;
}
inline error_code element::get(object& to) const {
    if (!holds<std::vector<Field>>()) return INCORRECT_TYPE;
    to = object(&std::get<std::vector<Field>>(node_->value));
    return SUCCESS;
}
inline error_code element::get(array& to) const {
    if (!holds<std::vector<element>>()) return INCORRECT_TYPE;
    to = array(&std::get<std::vector<element>>(node_->value));
    return SUCCESS;
}
inline nlohmann::ordered_json element::json() const {
    return std::visit(
        [](const auto& value) -> nlohmann::ordered_json {
            using Kind = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Kind, std::vector<Field>>) {
                auto result = nlohmann::ordered_json::object();
                for (const Field& field : value) result[field.key] = field.value.json();
                return result;
            } else if constexpr (std::is_same_v<Kind, std::vector<element>>) {
                auto result = nlohmann::ordered_json::array();
                for (const element& one : value) result.push_back(one.json());
                return result;
            } else {
                return value;
            }
        },
        node_->value);
}

// Keeps all fields, also where a name stands twice.
class parser {
public:
    simdjson_result<element> parse(const char* text, std::size_t size, bool /*copy*/) {
        nodes_.clear();
        Reader reader{*this};
        if (!nlohmann::json::sax_parse(std::string_view(text, size), &reader) || nodes_.empty())
            return {element(), TAPE_ERROR};
        return {element(&nodes_.front())};
    }

private:
    struct Reader : nlohmann::json_sax<nlohmann::json> {
        explicit Reader(parser& of) : owner(of) {}
        template <class Value>
        bool add(Value value) {
            Node& node = owner.nodes_.emplace_back(Node{std::move(value)});
            if (!open.empty()) {
                if (auto* fields = std::get_if<std::vector<Field>>(&open.back()->value))
                    fields->push_back({name, element(&node)});
                else
                    std::get<std::vector<element>>(open.back()->value).emplace_back(&node);
            }
            return true;
        }
        template <class Value>
        bool enter() {
            add(Value());
            open.push_back(&owner.nodes_.back());
            return true;
        }
        bool leave() {
            open.pop_back();
            return true;
        }
        bool null() override { return add(nullptr); }
        bool boolean(bool value) override { return add(value); }
        bool number_integer(std::int64_t value) override { return add(value); }
        bool number_unsigned(std::uint64_t value) override {
            return value <= std::uint64_t{INT64_MAX} ? add(static_cast<std::int64_t>(value)) : add(value);
        }
        bool number_float(double value, const std::string&) override { return add(value); }
        bool string(std::string& value) override { return add(std::move(value)); }
        bool binary(binary_t&) override { return false; }
        bool start_object(std::size_t) override { return enter<std::vector<Field>>(); }
        bool end_object() override { return leave(); }
        bool key(std::string& value) override {
            name = std::move(value);
            return true;
        }
        bool start_array(std::size_t) override { return enter<std::vector<element>>(); }
        bool end_array() override { return leave(); }
        bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

        parser& owner;
        std::string name;
        std::vector<Node*> open;
    };

    std::deque<Node> nodes_;
};

}  // namespace dom

inline std::string minify(dom::element value) { return value.json().dump(); }

}  // namespace simdjson
