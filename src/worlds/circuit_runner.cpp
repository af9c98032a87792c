#include "worlds/circuit_runner.h"

#include "reason/engines.h"
#include "reason/require_that.h"

namespace neumann {

std::unique_ptr<CircuitRunner> make_circuit_runner(std::string_view engine, const Circuit& circuit,
                                                   const ReasonOptions& options) {
    const EngineInfo* const found = find_engine(engine);
    require_that(found != nullptr, "there is no engine '{}'", engine);
    require_that(found->gradients, "the {} engine cannot run circuits; take another", found->name);
    if (found->device_use == DeviceUse::Always) return make_gpu_circuit_runner(circuit);
    if (found->device_use == DeviceUse::WhereItPays) return make_auto_circuit_runner(circuit, options);
    return found->double_precision ? make_reference_circuit_runner(circuit)
                                   : make_tile_circuit_runner(circuit, options);
}

}  // namespace neumann
