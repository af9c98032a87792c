#include "options/device_options.h"

#include "options/threads_option.h"

namespace neumann::app {

void add_device_options(CLI::App& command, DeviceOptions& device) {
    command.add_option("--device", device.device, "cpu, cuda, or auto: cuda if present")
        ->type_name("NAME")
        ->default_str("cpu");
    add_threads_option(command, device.threads);
}

}  // namespace neumann::app
