#include "options/picture_options.h"

#include <fmt/format.h>

namespace neumann::app {
void PictureOptions::add_to(CLI::App& command, const std::string& group, const char* batch_name) {
    command
        .add_option(
            "--network", network,
            "figures (flat), solids or slots (solid objects), or a file of weights; auto: as each picture looks")
        ->type_name("NAME|FILE")
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--device", device.device,
                    "cpu, cuda, or auto: a GPU where there is one and it pays; of networks and of steps")
        ->type_name("NAME")
        ->capture_default_str()
        ->group(group);
    command.add_option(batch_name, batch, "pictures looked at together; what is seen does not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 4096).description(""))
        ->capture_default_str()
        ->group(group);
    CLI::Option* const folder =
        command
            .add_option("--cache", cache,
                        "keep what is seen in this folder; default: for folders of pictures the user's cache "
                        "(XDG_CACHE_HOME), for single files nowhere")
            ->type_name("DIR")
            ->group(group);
    command.add_flag("--no-cache", no_cache, "look at every picture anew and keep nothing")
        ->excludes(folder)
        ->group(group);
}

}  // namespace neumann::app
