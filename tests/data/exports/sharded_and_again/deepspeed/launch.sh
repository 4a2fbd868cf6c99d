#!/bin/bash
# For DeepSpeed 0.19.5: dp=4, fsdp=4, tp=2, zero=3 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

# What the layers make is made again: call `model.gradient_checkpointing_enable()` in the script.
deepspeed --num_nodes 1 --num_gpus 8 "${SCRIPT:?your training script}" --deepspeed \
  --deepspeed_config ds_config.json "$@"
