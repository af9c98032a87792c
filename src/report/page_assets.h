// Style sheet and script of an explanation page: the files in assets/, embedded in the library.
#pragma once

#include <string>
#include <string_view>

namespace neumann::page {

std::string_view report_style();
std::string_view report_script();

// Their SHA-256 in base64, as in a Content-Security-Policy.
std::string report_style_hash();
std::string report_script_hash();

}  // namespace neumann::page
