#!/bin/bash
# For Accelerate 1.14.0: dp=4, fsdp=2, tp=2, zero=3 on h100:2x4, 2 hosts of 4 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

export ACCELERATE_GRADIENT_ACCUMULATION_STEPS=1
# Batches of 2 sequences of 16 tokens on each replica.
accelerate launch --config_file accelerate.yaml --main_process_ip "${FIRST_HOST:?address of the first host}" --main_process_port "${PORT:-29500}" --machine_rank "${NODE:?number of this host, from 0}" "${SCRIPT:?your training script}" "$@"
