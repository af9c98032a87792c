// Output of `neumann perceive`: objects as a table, as JSON and as scenes, annotated images, attention maps.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <neumann/perceive.h>

namespace neumann {

// The scene that was seen, as a line of JSON with its line break; `number` stands in it where scenes are numbered.
// Objects of a presence below `least` are left out, as in all that follows.
std::string seen_scene_json(const SeenPicture& picture, double least, std::size_t number);

// The objects as a table for people, and as a line of JSON with its line break.
std::string seen_table(const SeenPicture& picture, double least);
std::string seen_json(const SeenPicture& picture, double least);

// The image with a numbered box and a description for each object, to a file that ends in .svg or .png.
// Throws Error.
void write_annotated(const SeenPicture& picture, double least, const std::filesystem::path& output);

// Attention maps of each object: BASE_object0.png and so on, if the network has attention. Returns their number. Throws
// Error.
std::size_t write_attention(const SeenPicture& picture, double least, const std::filesystem::path& base);

}  // namespace neumann
