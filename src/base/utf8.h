// UTF-8 continuation bytes, for positions, columns and excerpts.
#pragma once

namespace neumann {

// Whether the byte continues a character that began before it.
constexpr bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace neumann
