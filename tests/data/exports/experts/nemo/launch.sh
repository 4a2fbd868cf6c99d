#!/bin/bash
# For NeMo 2.4.0: dp=2, tp=2, sp=2, ep=2 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 80e2333b848915a9.
set -euo pipefail
cd "$(dirname "$0")"

torchrun --standalone --nproc_per_node 8 \
  recipe.py
