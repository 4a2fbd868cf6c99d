#!/bin/bash
# For Accelerate 1.14.0: dp=4, tp=2, zero=2 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 80e2333b848915a9.
set -euo pipefail
cd "$(dirname "$0")"

export ACCELERATE_GRADIENT_ACCUMULATION_STEPS=1
# Batches of 2 sequences of 16 tokens on each replica.
accelerate launch --config_file accelerate.yaml "${SCRIPT:?your training script}" "$@"
