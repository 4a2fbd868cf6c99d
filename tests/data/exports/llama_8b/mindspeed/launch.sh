#!/bin/bash
# For MindSpeed-LLM 2.3.0: dp=16, tp=4, sp=4, zero=1 on h100:8x8, 8 hosts of 8 devices.
# By `meshwright export` from a plan of the program 4663312a257ad29e.
set -euo pipefail
cd "$(dirname "$0")"

export CUDA_DEVICE_MAX_CONNECTIONS=1
torchrun --nnodes 8 --rdzv_backend c10d --rdzv_endpoint "${RDZV_ENDPOINT:?HOST:PORT of the first host}" --nproc_per_node 8 \
  "${MINDSPEED:?folder of MindSpeed-LLM}/pretrain_gpt.py" \
  --use-mcore-models \
  --tensor-model-parallel-size 4 \
  --pipeline-model-parallel-size 1 \
  --context-parallel-size 1 \
  --sequence-parallel \
  --use-distributed-optimizer \
  --recompute-granularity full \
  --recompute-method uniform \
  --recompute-num-layers 1 \
  --micro-batch-size 4 \
  --global-batch-size 128 \
  --seq-length 8192 \
  --bf16 \
  --num-layers 32 \
  --hidden-size 4096 \
  --ffn-hidden-size 14336 \
  --num-attention-heads 32 \
  --kv-channels 128 \
  --max-position-embeddings 131072 \
  --vocab-size 128256 \
  --make-vocab-size-divisible-by 32064 \
  --rotary-base 500000 \
  --group-query-attention \
  --num-query-groups 8 \
  --position-embedding-type rope \
  --normalization RMSNorm \
  --norm-epsilon 1.0e-5 \
  --swiglu \
  --disable-bias-linear \
  --attention-dropout 0.0 \
  --hidden-dropout 0.0 \
  --untie-embeddings-and-output-weights \
  --use-rope-scaling \
  --rope-scaling-factor 8.0 \
  --use-flash-attn \
  --use-fused-rmsnorm \
  --use-fused-swiglu \
  --use-fused-rotary-pos-emb \
  --tokenizer-type PretrainedFromHF \
  --tokenizer-name-or-path "${TOKENIZER:?folder or name of the tokenizer}" \
  --data-path "${DATA:?prefix of the data}" \
  --train-iters "${STEPS:?number of steps}" \
  --lr "${LEARNING_RATE:?learning rate}" \
  --distributed-backend nccl "$@"
