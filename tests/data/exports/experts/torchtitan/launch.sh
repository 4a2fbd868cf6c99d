#!/bin/bash
# For torchtitan 0.2.2: dp=2, tp=2, sp=2, ep=2, zero=2 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 80e2333b848915a9.
# ZeRO-2 shards state of what is no expert over all 4 devices of the batch here, a plan's over the 2 that hold the same experts.
set -euo pipefail
cd "$(dirname "$0")"

export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"
torchrun --standalone --nproc_per_node 8 \
  -m torchtitan.train --job.config_file job.toml "$@"
