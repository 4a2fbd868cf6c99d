"""The planned degrees: `nxd_config` is for `initialize_parallel_model` and `initialize_parallel_optimizer`.

A replica takes 2 microbatches of 4 sequences of 8192 tokens in each step.

For NeuronX Distributed 2.28.0: dp=16, tp=4, sp=4, zero=1 on h100:8x8, 8 hosts of 8 devices.
By `meshwright export` from a plan of the program 4663312a257ad29e.
"""

import neuronx_distributed as nxd

nxd_config = nxd.neuronx_distributed_config(
    tensor_parallel_size=4,
    pipeline_parallel_size=1,
    expert_parallel_size=1,
    context_parallel_size=1,
    sequence_parallel=True,
    optimizer_config={
        "zero_one_enabled": True,
        "grad_clipping": True
    },
    activation_checkpoint_config="full",
    mixed_precision_config={
        "use_master_weights": True,
        "use_fp32_grad_acc": True
    },
)
