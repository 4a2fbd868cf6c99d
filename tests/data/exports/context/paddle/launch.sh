#!/bin/bash
# For PaddleNLP 3.0: dp=8, fsdp=8, zero=3 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

# Model, tokenizer, data, output, steps and learning rate are yours to add to pretrain.json.
python3 -u -m paddle.distributed.launch --devices "0,1,2,3,4,5,6,7" \
  "${PADDLENLP:?folder of PaddleNLP}/llm/run_pretrain.py" pretrain.json "$@"
