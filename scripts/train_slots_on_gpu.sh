#!/usr/bin/env bash
# Trains weights/slots.safetensors as it is shipped, in three minutes on one H200: pictures of three to ten objects, and not
# one row, which the tasks of lists and questions are made of.
#   scripts/train_slots_on_gpu.sh NEUMANN OUTPUT [more options of neumann train slots]
# NEUMANN sees with a GPU: what scripts/build_with_pytorch.sh makes, say. A GPU adds in no fixed order: the weights are as
# good, not the same bytes. `--time-limit` is what ended the shipped training, at step 2,979; without it all steps are done.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,/^set/{/^#/s/^# \?//p}' "$0" >&2; exit 2; }
neumann=$1
output=$2
shift 2
export NVIDIA_TF32_OVERRIDE=1  # matrix products of the slots in the faster format
exec "$neumann" train slots --device cuda --render cuda --rows 0 --pictures 32000 --batch 256 --steps 3600 \
    --measure-every 1200 --output "$output" "$@"
