#!/bin/bash
# For MaxText 0.2.4: dp=2, fsdp=4, tp=2, ep=2, zero=3 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 80e2333b848915a9.
set -euo pipefail
cd "$(dirname "$0")"

python3 -m maxtext.trainers.pre_train.train config.yml run_name="${RUN:?name of the run}" \
  base_output_directory="${OUTPUT:?folder of the output}" "$@"
