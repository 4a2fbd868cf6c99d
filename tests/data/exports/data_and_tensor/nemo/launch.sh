#!/bin/bash
# For NeMo 2.4.0: dp=4, tp=2, zero=1 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

torchrun --standalone --nproc_per_node 8 \
  recipe.py
