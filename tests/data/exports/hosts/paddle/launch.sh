#!/bin/bash
# For PaddleNLP 3.0: dp=4, fsdp=2, tp=2, zero=3 on h100:2x4, 2 hosts of 4 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

# Model, tokenizer, data, output, steps and learning rate are yours to add to pretrain.json.
python3 -u -m paddle.distributed.launch --nnodes 2 --master "${MASTER:?HOST:PORT of the first host}" --devices "0,1,2,3" \
  "${PADDLENLP:?folder of PaddleNLP}/llm/run_pretrain.py" pretrain.json "$@"
