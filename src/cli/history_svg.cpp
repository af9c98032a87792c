#include "cli/reason_output.h"
#include "draw/heat_map.h"

namespace neumann {

std::string history_svg(const std::vector<std::string>& atoms, const std::vector<std::vector<double>>& steps,
                        const std::string& title, const std::string& subtitle) {
    return heat_map_svg({.title = title, .subtitle = subtitle, .columns = atoms, .rows = steps});
}

}  // namespace neumann
