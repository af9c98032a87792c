// Numbers as the tables of experiments write them.
#pragma once

#include <string>
#include <vector>

namespace neumann::app {

// percent, number, integer, seconds, bytes, text; empty is number.
const std::vector<std::string>& number_formats();

double shown_units(double value, const std::string& format);         // percent: times 100
std::string format_number(double value, const std::string& format);  // of a value in the units that are shown
std::string published_number(double value);                          // as it was published, with separators

struct Spread {
    double mean = 0;
    double deviation = 0;  // of the sample; 0 for one number
};
Spread spread(const std::vector<double>& numbers);

// "98.5 %", or "98.5 ± 0.7 %" of several.
std::string format_spread(const std::vector<double>& numbers, const std::string& format);

std::string format_duration(double seconds);  // "1.2 s", "14 min", "2 h 5 min"

}  // namespace neumann::app
