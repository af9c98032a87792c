// Style sheet and script of an explanation page: the files in assets/, part of the library so that it needs no others.
#pragma once

#include <string>
#include <string_view>

namespace neumann::page {

std::string_view report_style();
std::string_view report_script();

// What a Content-Security-Policy calls them: their SHA-256, as base64.
std::string report_style_hash();
std::string report_script_hash();

}  // namespace neumann::page
