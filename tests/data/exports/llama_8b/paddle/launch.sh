#!/bin/bash
# For PaddleNLP 3.0: dp=16, fsdp=16, tp=4, sp=4, zero=3 on h100:8x8, 8 hosts of 8 devices.
# By `meshwright export` from a plan of the program 4663312a257ad29e.
set -euo pipefail
cd "$(dirname "$0")"

# Model, tokenizer, data, output, steps and learning rate are yours to add to pretrain.json.
python3 -u -m paddle.distributed.launch --nnodes 8 --master "${MASTER:?HOST:PORT of the first host}" --devices "0,1,2,3,4,5,6,7" \
  "${PADDLENLP:?folder of PaddleNLP}/llm/run_pretrain.py" pretrain.json "$@"
