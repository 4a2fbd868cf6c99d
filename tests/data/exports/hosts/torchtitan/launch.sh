#!/bin/bash
# For torchtitan 0.2.2: dp=4, fsdp=2, tp=2, sp=2, zero=3 on h100:2x4, 2 hosts of 4 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"
torchrun --nnodes 2 --rdzv_backend c10d --rdzv_endpoint "${RDZV_ENDPOINT:?HOST:PORT of the first host}" --nproc_per_node 4 \
  -m torchtitan.train --job.config_file job.toml "$@"
