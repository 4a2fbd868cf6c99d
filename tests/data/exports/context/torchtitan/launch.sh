#!/bin/bash
# For torchtitan 0.2.2: dp=4, fsdp=4, cp=2, zero=3 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"
torchrun --standalone --nproc_per_node 8 \
  -m torchtitan.train --job.config_file job.toml "$@"
