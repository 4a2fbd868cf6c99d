"""The planned degrees: `nxd_config` is for `initialize_parallel_model` and `initialize_parallel_optimizer`.

A replica takes 1 microbatches of 2 sequences of 16 tokens in each step.

For NeuronX Distributed 2.28.0: dp=4, tp=2, zero=1 on h100:2x4, 2 hosts of 4 devices.
By `meshwright export` from a plan of the program 35ef45d598e1affc.
"""

import neuronx_distributed as nxd

nxd_config = nxd.neuronx_distributed_config(
    tensor_parallel_size=2,
    pipeline_parallel_size=1,
    expert_parallel_size=1,
    context_parallel_size=1,
    sequence_parallel=False,
    optimizer_config={
        "zero_one_enabled": True,
        "grad_clipping": True
    },
    activation_checkpoint_config=None,
    mixed_precision_config={
        "use_master_weights": False,
        "use_fp32_grad_acc": False
    },
)
