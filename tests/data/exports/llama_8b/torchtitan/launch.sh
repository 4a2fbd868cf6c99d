#!/bin/bash
# For torchtitan 0.2.2: dp=16, fsdp=16, tp=4, sp=4, zero=3 on h100:8x8, 8 hosts of 8 devices.
# By `meshwright export` from a plan of the program 4663312a257ad29e.
set -euo pipefail
cd "$(dirname "$0")"

export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"
torchrun --nnodes 8 --rdzv_backend c10d --rdzv_endpoint "${RDZV_ENDPOINT:?HOST:PORT of the first host}" --nproc_per_node 8 \
  -m torchtitan.train --job.config_file job.toml "$@"
