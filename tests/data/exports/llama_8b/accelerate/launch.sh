#!/bin/bash
# For Accelerate 1.14.0: dp=16, fsdp=16, tp=4, zero=3 on h100:8x8, 8 hosts of 8 devices.
# By `meshwright export` from a plan of the program 4663312a257ad29e.
set -euo pipefail
cd "$(dirname "$0")"

export ACCELERATE_GRADIENT_ACCUMULATION_STEPS=2
# Batches of 4 sequences of 8192 tokens on each replica.
accelerate launch --config_file accelerate.yaml --main_process_ip "${FIRST_HOST:?address of the first host}" --main_process_port "${PORT:-29500}" --machine_rank "${NODE:?number of this host, from 0}" "${SCRIPT:?your training script}" "$@"
