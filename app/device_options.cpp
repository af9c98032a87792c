#include "device_options.h"

namespace neumann::app {

void add_device_options(CLI::App& command, DeviceOptions& device) {
    command.add_option("--device", device.device, "cpu or cuda")->type_name("NAME")->default_str("cpu");
    command.add_option("--threads", device.threads, "processor threads")
        ->type_name("N")
        ->check(CLI::Range(1, 1024))
        ->default_str("all cores");
}

}  // namespace neumann::app
