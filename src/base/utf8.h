// The one fact about UTF-8 that places, columns and excerpts need.
#pragma once

namespace neumann {

// Whether the byte continues a character that began before it.
constexpr bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace neumann
