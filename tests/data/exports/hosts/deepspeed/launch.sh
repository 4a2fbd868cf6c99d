#!/bin/bash
# For DeepSpeed 0.19.5: dp=4, fsdp=4, tp=2, zero=3 on h100:2x4, 2 hosts of 4 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

deepspeed --hostfile "${HOSTFILE:?file of the hosts}" --num_nodes 2 --num_gpus 4 "${SCRIPT:?your training script}" --deepspeed \
  --deepspeed_config ds_config.json "$@"
