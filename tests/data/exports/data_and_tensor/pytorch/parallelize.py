"""Makes a module of `transformers` the planned one.

    on = mesh()
    model = parallelize(model, on)

A replica takes 1 microbatches of 2 sequences of 16 tokens in each step.

For PyTorch 2.6 or newer: dp=4, tp=2, zero=2 on h100:1x8, a host of 8 devices.
By `meshwright export` from a plan of the program 35ef45d598e1affc.
"""

import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import Replicate
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.nn.parallel import DistributedDataParallel

# Devices, outermost first.
MESH = {"dp_replicate": 1, "dp_shard": 4, "tp": 2}

# How each module's weights are sharded over "tp".
TENSOR_PARALLEL = {
    "model.embed_tokens": RowwiseParallel(input_layouts=Replicate()),
    "model.layers.*.self_attn.q_proj": ColwiseParallel(),
    "model.layers.*.self_attn.k_proj": ColwiseParallel(),
    "model.layers.*.self_attn.v_proj": ColwiseParallel(),
    "model.layers.*.self_attn.o_proj": RowwiseParallel(),
    "model.layers.*.mlp.gate_proj": ColwiseParallel(),
    "model.layers.*.mlp.up_proj": ColwiseParallel(),
    "model.layers.*.mlp.down_proj": RowwiseParallel(),
    "lm_head": ColwiseParallel(output_layouts=Replicate()),
}

# Types of what is computed and of what is reduced; parameters are kept in float32.
PRECISION = MixedPrecisionPolicy(param_dtype=torch.float32, reduce_dtype=torch.float32)


def mesh(device_type="cuda"):
    """The planned mesh over all processes."""
    return init_device_mesh(device_type, tuple(MESH.values()), mesh_dim_names=tuple(MESH))


def parallelize(model, on):
    """Shards a module over a mesh, in place, and returns what is to be called."""
    if MESH["tp"] > 1:
        parallelize_module(model, on["tp"], TENSOR_PARALLEL)
    shards = on["dp_replicate", "dp_shard"] if MESH["dp_replicate"] > 1 else on["dp_shard"]
    for layer in model.model.layers:
        fully_shard(layer, mesh=shards, mp_policy=PRECISION, reshard_after_forward=False)
    return fully_shard(model, mesh=shards, mp_policy=PRECISION, reshard_after_forward=False)
