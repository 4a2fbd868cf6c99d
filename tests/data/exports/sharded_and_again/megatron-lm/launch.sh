#!/bin/bash
# For Megatron-LM core_v0.15.0: dp=4, fsdp=4, tp=2, zero=3 on h100:1x8, a host of 8 devices.
# By `meshwright export` from a plan of the program 35ef45d598e1affc.
set -euo pipefail
cd "$(dirname "$0")"

unset CUDA_DEVICE_MAX_CONNECTIONS
torchrun --standalone --nproc_per_node 8 \
  "${MEGATRON:?folder of Megatron-LM}/pretrain_gpt.py" \
  --tensor-model-parallel-size 2 \
  --pipeline-model-parallel-size 1 \
  --context-parallel-size 1 \
  --use-distributed-optimizer \
  --recompute-granularity full \
  --recompute-method uniform \
  --recompute-num-layers 1 \
  --use-megatron-fsdp \
  --data-parallel-sharding-strategy optim_grads_params \
  --ckpt-format fsdp_dtensor \
  --no-gradient-accumulation-fusion \
  --micro-batch-size 1 \
  --global-batch-size 8 \
  --seq-length 16 \
  --num-layers 3 \
  --hidden-size 32 \
  --ffn-hidden-size 48 \
  --num-attention-heads 4 \
  --kv-channels 8 \
  --max-position-embeddings 64 \
  --vocab-size 96 \
  --make-vocab-size-divisible-by 48 \
  --rotary-base 500000 \
  --group-query-attention \
  --num-query-groups 2 \
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
  --transformer-impl transformer_engine \
  --tokenizer-type HuggingFaceTokenizer \
  --tokenizer-model "${TOKENIZER:?folder or name of the tokenizer}" \
  --data-path "${DATA:?prefix of the data}" \
  --train-iters "${STEPS:?number of steps}" \
  --lr "${LEARNING_RATE:?learning rate}" "$@"
