#!/bin/bash
# For NeMo 2.4.0: dp=4, tp=2, zero=1 on h100:2x4, 2 hosts of 4 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

torchrun --nnodes 2 --rdzv_backend c10d --rdzv_endpoint "${RDZV_ENDPOINT:?HOST:PORT of the first host}" --nproc_per_node 4 \
  recipe.py
