#!/bin/bash
# For NeMo 2.4.0: dp=16, tp=4, sp=4, zero=1 on h100:8x8, 8 hosts of 8 devices.
# By `meshwright export` from a plan of the program 4663312a257ad29e.
set -euo pipefail
cd "$(dirname "$0")"

torchrun --nnodes 8 --rdzv_backend c10d --rdzv_endpoint "${RDZV_ENDPOINT:?HOST:PORT of the first host}" --nproc_per_node 8 \
  recipe.py
