#!/bin/bash
# For Megatron-LM core_v0.15.0: dp=16, fsdp=16, tp=4, sp=4, zero=3 on h100:8x8, 8 hosts of 8 devices.
# By `meshwright export` from a plan of the program 4663312a257ad29e.
set -euo pipefail
cd "$(dirname "$0")"

unset CUDA_DEVICE_MAX_CONNECTIONS
torchrun --nnodes 8 --rdzv_backend c10d --rdzv_endpoint "${RDZV_ENDPOINT:?HOST:PORT of the first host}" --nproc_per_node 8 \
  "${MEGATRON:?folder of Megatron-LM}/pretrain_gpt.py" \
  --tensor-model-parallel-size 4 \
  --pipeline-model-parallel-size 1 \
  --context-parallel-size 1 \
  --sequence-parallel \
  --use-distributed-optimizer \
  --recompute-granularity full \
  --recompute-method uniform \
  --recompute-num-layers 1 \
  --use-megatron-fsdp \
  --data-parallel-sharding-strategy optim_grads_params \
  --ckpt-format fsdp_dtensor \
  --no-gradient-accumulation-fusion \
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
  --transformer-impl transformer_engine \
  --tokenizer-type HuggingFaceTokenizer \
  --tokenizer-model "${TOKENIZER:?folder or name of the tokenizer}" \
  --data-path "${DATA:?prefix of the data}" \
  --train-iters "${STEPS:?number of steps}" \
  --lr "${LEARNING_RATE:?learning rate}" "$@"
