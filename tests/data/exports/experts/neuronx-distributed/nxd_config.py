"""The planned degrees: `nxd_config` is for `initialize_parallel_model` and `initialize_parallel_optimizer`.

A replica takes 1 microbatches of 2 sequences of 16 tokens in each step.

For NeuronX Distributed 2.28.0: dp=2, tp=2, ep=2 on h100:1x8, a host of 8 devices.
By `meshwright export` from a plan of the program 80e2333b848915a9.
"""

import neuronx_distributed as nxd

nxd_config = nxd.neuronx_distributed_config(
    tensor_parallel_size=2,
    pipeline_parallel_size=1,
    expert_parallel_size=2,
    context_parallel_size=1,
    sequence_parallel=False,
    optimizer_config={
        "zero_one_enabled": False,
        "grad_clipping": True
    },
    activation_checkpoint_config=None,
    mixed_precision_config={
        "use_master_weights": False,
        "use_fp32_grad_acc": False
    },
)
