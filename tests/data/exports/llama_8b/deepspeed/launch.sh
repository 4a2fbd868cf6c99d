#!/bin/bash
# For DeepSpeed 0.19.5: dp=16, fsdp=16, tp=4, zero=3 on h100:8x8, 8 hosts of 8 devices.
# By `meshwright export` from a plan of the program 4663312a257ad29e.
set -euo pipefail
cd "$(dirname "$0")"

# What the layers make is made again: call `model.gradient_checkpointing_enable()` in the script.
deepspeed --hostfile "${HOSTFILE:?file of the hosts}" --num_nodes 8 --num_gpus 8 "${SCRIPT:?your training script}" --deepspeed \
  --deepspeed_config ds_config.json "$@"
