// The GPU that the engine `cuda` runs on in these tests: an emulated one, or with NEUMANN_TEST_GPU=1 that of the
// machine.
#pragma once

namespace neumann::oracle {

void use_gpu_of_tests();

}  // namespace neumann::oracle
