#!/bin/bash
# For MaxText 0.2.4: dp=16, fsdp=16, tp=4, sp=4, zero=3 on h100:8x8, 8 hosts of 8 devices.
# By `meshwright export` from a plan of the program 4663312a257ad29e.
set -euo pipefail
cd "$(dirname "$0")"

python3 -m maxtext.trainers.pre_train.train config.yml run_name="${RUN:?name of the run}" \
  base_output_directory="${OUTPUT:?folder of the output}" "$@"
