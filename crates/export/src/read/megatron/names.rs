//! Names of the arguments of Megatron-LM core_v0.15.0 (`megatron/training/arguments.py`) and of `torchrun`, but for those of
//! inference, retrieval, vision and reinforcement learning.
//!
//! Input: none. Output: lists of names, by which `arguments` tells arguments with a value from others.

/// Arguments without a value.
pub(super) const FLAGS: &str = "\
    accumulate-allreduce-grads-in-fp32 add-qkv-bias adlr-autoresume apply-layernorm-1p \
    apply-query-key-layer-scaling apply-residual-connection-post-layernorm async-save \
    attention-softmax-in-fp32 auto-detect-ckpt-format bf16 cache-mla-latents calc-ft-timeouts \
    calculate-per-token-loss check-for-large-grads check-for-spiky-loss ckpt-assume-constant-structure \
    ckpt-convert-update-legacy-dist-opt-format ckpt-fully-parallel-load ckpt-fully-parallel-save \
    cross-entropy-loss-fusion data-parallel-random-init ddp-average-in-collective \
    ddp-pad-buckets-for-high-nccl-busbw decode-only-cuda-graphs decrease-batch-size-if-needed \
    defer-embedding-wgrad-compute delay-wgrad-compute deterministic-mode \
    disable-bf16-reduced-precision-matmul disable-bias-linear disable-chunked-prefill \
    disable-gloo-process-groups disable-mamba-mem-eff-path disable-msc disable-straggler-on-startup \
    disable-symmetric-registration disable-tp-comm-bulk-dgrad disable-tp-comm-bulk-wgrad \
    disable-tp-comm-overlap-ag disable-tp-comm-overlap-rs disable-tp-comm-split-ag disable-tp-comm-split-rs \
    dist-ckpt-optim-fully-reshardable dist-ckpt-save-pre-mcore-014 \
    distrib-optim-fully-reshardable-mem-efficient enable-cuda-graph enable-experimental enable-ft-package \
    eod-mask-loss exit-on-missing-checkpoint exit-signal-handler external-cuda-graph finetune \
    first-last-layers-bf16 flash-decode fp16 fp8-param-gather fsdp-double-buffer full-validation group-query-attention \
    init-method-xavier-uniform init-model-with-meta-device is-hybrid-model keep-fp8-transpose-cache \
    legacy-tokenizer load-main-params-from-ckpt log-energy log-memory-to-tensorboard log-num-zeros-in-grad \
    log-params-norm log-progress log-straggler log-throughput log-timers-to-tensorboard \
    log-validation-ppl-to-tensorboard log-world-size-to-tensorboard manual-gc mock-data \
    moe-apply-probs-on-input moe-enable-deepep moe-grouped-gemm moe-pad-experts-for-cuda-graph-inference \
    moe-per-layer-logging moe-permute-fusion moe-router-enable-expert-bias moe-router-force-load-balancing \
    moe-router-fusion moe-router-padding-for-fp8 moe-router-pre-softmax moe-shared-expert-overlap \
    moe-use-legacy-grouped-gemm moe-use-upcycling multi-latent-attention multiple-validation-sets \
    nccl-all-reduce-for-prefill no-align-grad-reduce no-align-param-gather \
    no-async-tensor-model-parallel-allreduce no-barrier-with-level-1-timing no-bias-dropout-fusion \
    no-bias-gelu-fusion no-bias-swiglu-fusion no-check-for-nan-in-loss-and-grad no-ckpt-fully-parallel-save \
    no-clone-scatter-output-in-embedding no-create-attention-mask-in-dataloader no-data-sharding \
    no-fp8-wgrad no-gradient-accumulation-fusion no-gradient-reduce-div-fusion no-initialization \
    no-load-optim no-load-rng no-log-loss-scale-to-tensorboard no-manual-gc-eval no-masked-softmax-fusion \
    no-mmap-bin-files no-one-logger no-overlap-p2p-communication no-persist-layer-norm no-pin-cpu-grads \
    no-pin-cpu-params no-position-embedding no-rope-fusion no-save-optim no-save-rng \
    no-scatter-gather-tensors-in-pipeline no-strict-fsdp-dtensor-load \
    no-use-tokenizer-model-from-checkpoint-args openai-gelu output-bert-embeddings \
    overlap-cpu-optimizer-d2h-h2d overlap-grad-reduce overlap-moe-expert-parallel-comm \
    overlap-p2p-communication-warmup-flush overlap-param-gather overlap-param-gather-with-optimizer-step \
    override-opt-param-scheduler override-opt_param-scheduler profile qk-l2-norm qk-layernorm quick-geglu \
    recompute-activations record-memory-history reset-attention-mask reset-position-ids \
    reuse-grad-buf-for-mxfp8-param-ag rotary-interleaved run-workload-inspector-server sequence-parallel sft \
    skip-train squared-relu standalone swiglu te-rng-tracker test-mode torch-fsdp2-no-reshard-after-forward \
    tp-comm-overlap tp-comm-overlap-rs-dgrad trust-remote-code untie-embeddings-and-output-weights \
    use-checkpoint-opt-param-scheduler use-checkpoint-opt_param-scheduler use-cpu-initialization \
    use-dist-ckpt use-distributed-optimizer use-flash-attn use-fused-weighted-squared-relu use-legacy-models \
    use-mcore-models use-megatron-fsdp use-nccl-ub use-one-sent-docs use-persistent-ckpt-worker \
    use-precision-aware-optimizer use-pytorch-profiler use-ring-exchange-p2p use-rope-scaling \
    use-rotary-position-embeddings use-sharp use-te-activation-func use-torch-fsdp2 \
    use-torch-optimizer-for-cpu-offload";

/// Arguments with a value, or with several.
pub(super) const VALUES: &str = "\
    activation-func-clamp-value adam-beta1 adam-beta2 adam-eps adlr-autoresume-interval app-tag-run-name \
    app-tag-run-version attention-backend attention-dropout block-data-path \
    check-weight-hash-across-dp-replicas-interval ckpt-convert-format ckpt-convert-save ckpt-format ckpt-step \
    classes-fraction clip-grad config-logger-dir context-parallel-size cp-comm-type cross-entropy-fusion-impl \
    cuda-graph-impl cuda-graph-scope cuda-graph-warmup-steps data-args-path data-cache-path \
    data-parallel-sharding-strategy data-path data-per-class-fraction dataloader-type ddp-bucket-size \
    ddp-num-buckets decoder-first-pipeline-num-layers decoder-last-pipeline-num-layers decoder-num-layers \
    decoder-seq-length decoupled-lr decoupled-min-lr dist-ckpt-format dist-ckpt-strictness distributed-backend \
    distributed-timeout-minutes distributed-timeout-seconds-after-init embedding-init-method-std \
    embedding-path empty-unused-memory-level encoder-num-layers encoder-seq-length end-weight-decay \
    error-injection-rate error-injection-type eval-interval eval-iters evidence-data-path \
    exit-duration-in-mins exit-interval exp-avg-dtype exp-avg-sq-dtype expert-model-parallel-size \
    expert-tensor-parallel-size ffn-hidden-size fp4-recipe fp8-amax-compute-algo fp8-amax-history-len fp8-format \
    fp8-interval fp8-margin fp8-recipe global-batch-size glu-linear-offset head-lr-mult hidden-dropout \
    hidden-size high-priority-stream-groups hybrid-attention-ratio hybrid-mlp-ratio hybrid-override-pattern \
    hysteresis img-h img-w indexer-batch-size indexer-log-interval init-method-std initial-loss-scale \
    iter-per-epoch iterations-to-skip kitchen-config-file kitchen-recipe-number kv-channels kv-lora-rank \
    lazy-mpu-init load local-rank log-interval logging-level loss-scale loss-scale-window lr lr-decay-iters \
    lr-decay-samples lr-decay-style lr-warmup-fraction lr-warmup-init lr-warmup-iters lr-warmup-samples \
    lr-wsd-decay-iters lr-wsd-decay-samples lr-wsd-decay-style main-grads-dtype main-params-dtype \
    make-vocab-size-divisible-by mamba-head-dim mamba-num-groups mamba-num-heads mamba-state-dim \
    manual-gc-interval mask-factor mask-prob mask-type master-addr master-port master_addr master_port \
    max-position-embeddings max-restarts max-tokens-to-oom max_restarts memory-snapshot-path merge-file \
    micro-batch-size microbatch-group-size-per-virtual-pipeline-stage mid-level-dataset-surplus min-loss-scale \
    min-lr mlp-chunks-for-prefill moe-aux-loss-coeff moe-deepep-num-sms moe-ffn-hidden-size \
    moe-input-jitter-eps moe-layer-freq moe-router-bias-update-rate moe-router-dtype moe-router-group-topk \
    moe-router-load-balancing-type moe-router-num-groups moe-router-score-function moe-router-topk \
    moe-router-topk-scaling-factor moe-shared-expert-intermediate-size moe-token-dispatcher-type \
    moe-upcycling-granularity moe-z-loss-coeff mrope-section mscale mscale-all-dim mtp-loss-scaling-factor \
    mtp-num-layers nccl-communicator-config-path nnodes no-rope-freq node-rank node_rank \
    non-persistent-ckpt-type non-persistent-global-ckpt-dir non-persistent-local-ckpt-algo \
    non-persistent-local-ckpt-dir non-persistent-save-interval norm-epsilon normalization nproc-per-node \
    nproc_per_node num-attention-heads num-channels num-classes num-dataset-builder-threads \
    num-distributed-optimizer-instances num-experts num-layers num-layers-at-end-in-bf16 \
    num-layers-at-start-in-bf16 num-layers-per-virtual-pipeline-stage num-query-groups \
    num-virtual-stages-per-pipeline-rank num-workers object-storage-cache-path onnx-safe optimizer \
    optimizer-offload-fraction padded-vocab-size patch-dim per-split-data-args-path persistent-save-interval \
    pipeline-model-parallel-comm-backend pipeline-model-parallel-layout pipeline-model-parallel-size \
    position-embedding-type pretrained-checkpoint profile-ranks profile-step-end profile-step-start \
    q-lora-rank qk-head-dim qk-pos-emb-head-dim query-in-block-prob rampup-batch-size rdzv-backend rdzv-endpoint rdzv-id \
    rdzv_backend rdzv_endpoint rdzv_id recompute-granularity recompute-method recompute-modules \
    recompute-num-layers relative-attention-max-distance relative-attention-num-buckets replication-factor \
    replication-jump rerun-mode result-rejected-tracker-filename rope-scaling-factor rope-type rotary-base \
    rotary-percent rotary-scaling-factor rotary-seq-len-interpolation-factor sample-rate save save-interval \
    save-retain-interval seed seq-length sft-tokenizer-prompt-format sgd-momentum sharp-enabled-group \
    short-seq-prob softmax-type split start-weight-decay straggler-ctrlr-port straggler-minmax-count \
    suggested-communication-unit-size symmetric-ar-type tensor-model-parallel-size tensorboard-dir \
    tensorboard-log-interval tensorboard-queue-size test-data-path tiktoken-num-special-tokens \
    tiktoken-pattern tiktoken-special-tokens timing-log-level timing-log-option titles-data-path \
    tokenizer-metadata tokenizer-model tokenizer-type tp-comm-bootstrap-backend tp-comm-overlap-cfg \
    train-data-path train-iters train-samples train-sync-interval transformer-impl v-head-dim valid-data-path \
    vocab-extra-ids vocab-file vocab-size wandb-entity wandb-exp-name wandb-project wandb-save-dir warmup \
    weight-decay weight-decay-incr-style wgrad-deferral-limit window-attn-skip-freq window-size";

/// Arguments that change what a step does or how devices share it, in ways that are not read.
pub(super) const NOT_READ: &str = "\
    account-for-embedding-in-pipeline-split account-for-loss-in-pipeline-split batch-size \
    checkpoint-activations distribute-saved-activations enable-full-sharding-in-hsdp fp16-lm-cross-entropy \
    fp32-residual-connection fp4-format fp4-param-gather grad-reduce-in-bf16 \
    heterogeneous-layers-config-encoded-json heterogeneous-layers-config-path \
    hierarchical-context-parallel-sizes model-parallel-size moe-expert-capacity-factor moe-extended-tp \
    moe-layer-recompute moe-pad-expert-input-to-capacity moe-token-drop-policy optimizer-cpu-offload \
    perform-rl-step replication spec use-checkpoint-args use-mp-args-from-checkpoint-args \
    use-tp-pp-dp-mapping yaml-cfg";
