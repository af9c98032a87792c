#include "options/picture_options.h"

#include <fmt/format.h>

namespace neumann::app {
void PictureOptions::add_to(CLI::App& command, const std::string& group, const char* batch_name) {
    command
        .add_option(
            "--network", network,
            "figures (flat), solids or slots (solid objects), or a file of weights; auto: recognised from each image")
        ->type_name("NAME|FILE")
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--device", device.device,
                    "cpu, cuda, or auto: a GPU if present and worthwhile; for networks and for steps")
        ->type_name("NAME")
        ->capture_default_str()
        ->group(group);
    command.add_option(batch_name, batch, "images in a batch; results do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 4096).description(""))
        ->capture_default_str()
        ->group(group);
    CLI::Option* const folder =
        command
            .add_option("--cache", cache,
                        "keep the detected objects in this folder; default: for folders of images the user's cache "
                        "(XDG_CACHE_HOME), for single files none")
            ->type_name("DIR")
            ->group(group);
    command.add_flag("--no-cache", no_cache, "detect the objects of every image anew, and keep nothing")
        ->excludes(folder)
        ->group(group);
}

}  // namespace neumann::app
