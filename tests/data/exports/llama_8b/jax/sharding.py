"""The planned mesh, and the sharding of each argument of the step, in order.

For JAX 0.4.31 or newer: dp=16, fsdp=16, tp=4, sp=4, zero=3 on h100:8x8, 8 hosts of 8 devices.
By `meshwright export` from a plan of the program 4663312a257ad29e.
What the plan makes again (105 values) is for `jax.checkpoint` in the program: no sharding says it.
"""

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

AXES = ("data", "data2", "model",)
SIZES = (8, 2, 4,)

# Name, shape and sharding of each argument.
ARGUMENTS = (
    ("model.embed_tokens.weight", (128256, 4096), P("model", ("data", "data2"))),
    ("model.layers.{0..31}.input_layernorm.weight", (32, 4096), P(None, ("data", "data2"))),
    ("model.layers.{0..31}.self_attn.q_proj.weight", (32, 4096, 4096), P(None, "model", ("data", "data2"))),
    ("model.layers.{0..31}.self_attn.k_proj.weight", (32, 1024, 4096), P(None, "model", ("data", "data2"))),
    ("model.layers.{0..31}.self_attn.v_proj.weight", (32, 1024, 4096), P(None, "model", ("data", "data2"))),
    ("model.layers.{0..31}.self_attn.o_proj.weight", (32, 4096, 4096), P(None, ("data", "data2"), "model")),
    ("model.layers.{0..31}.post_attention_layernorm.weight", (32, 4096), P(None, ("data", "data2"))),
    ("model.layers.{0..31}.mlp.gate_proj.weight", (32, 14336, 4096), P(None, "model", ("data", "data2"))),
    ("model.layers.{0..31}.mlp.up_proj.weight", (32, 14336, 4096), P(None, "model", ("data", "data2"))),
    ("model.layers.{0..31}.mlp.down_proj.weight", (32, 4096, 14336), P(None, ("data", "data2"), "model")),
    ("model.norm.weight", (4096,), P(("data", "data2"))),
    ("lm_head.weight", (128256, 4096), P("model", ("data", "data2"))),
    ("m.model.embed_tokens.weight", (128256, 4096), P("model", ("data", "data2"))),
    ("m.model.layers.{0..31}.input_layernorm.weight", (32, 4096), P(None, ("data", "data2"))),
    ("m.model.layers.{0..31}.self_attn.q_proj.weight", (32, 4096, 4096), P(None, "model", ("data", "data2"))),
    ("m.model.layers.{0..31}.self_attn.k_proj.weight", (32, 1024, 4096), P(None, "model", ("data", "data2"))),
    ("m.model.layers.{0..31}.self_attn.v_proj.weight", (32, 1024, 4096), P(None, "model", ("data", "data2"))),
    ("m.model.layers.{0..31}.self_attn.o_proj.weight", (32, 4096, 4096), P(None, ("data", "data2"), "model")),
    ("m.model.layers.{0..31}.post_attention_layernorm.weight", (32, 4096), P(None, ("data", "data2"))),
    ("m.model.layers.{0..31}.mlp.gate_proj.weight", (32, 14336, 4096), P(None, "model", ("data", "data2"))),
    ("m.model.layers.{0..31}.mlp.up_proj.weight", (32, 14336, 4096), P(None, "model", ("data", "data2"))),
    ("m.model.layers.{0..31}.mlp.down_proj.weight", (32, 4096, 14336), P(None, ("data", "data2"), "model")),
    ("m.model.norm.weight", (4096,), P(("data", "data2"))),
    ("m.lm_head.weight", (128256, 4096), P("model", ("data", "data2"))),
    ("v.model.embed_tokens.weight", (128256, 4096), P("model", ("data", "data2"))),
    ("v.model.layers.{0..31}.input_layernorm.weight", (32, 4096), P(None, ("data", "data2"))),
    ("v.model.layers.{0..31}.self_attn.q_proj.weight", (32, 4096, 4096), P(None, "model", ("data", "data2"))),
    ("v.model.layers.{0..31}.self_attn.k_proj.weight", (32, 1024, 4096), P(None, "model", ("data", "data2"))),
    ("v.model.layers.{0..31}.self_attn.v_proj.weight", (32, 1024, 4096), P(None, "model", ("data", "data2"))),
    ("v.model.layers.{0..31}.self_attn.o_proj.weight", (32, 4096, 4096), P(None, ("data", "data2"), "model")),
    ("v.model.layers.{0..31}.post_attention_layernorm.weight", (32, 4096), P(None, ("data", "data2"))),
    ("v.model.layers.{0..31}.mlp.gate_proj.weight", (32, 14336, 4096), P(None, "model", ("data", "data2"))),
    ("v.model.layers.{0..31}.mlp.up_proj.weight", (32, 14336, 4096), P(None, "model", ("data", "data2"))),
    ("v.model.layers.{0..31}.mlp.down_proj.weight", (32, 4096, 14336), P(None, ("data", "data2"), "model")),
    ("v.model.norm.weight", (4096,), P(("data", "data2"))),
    ("v.lm_head.weight", (128256, 4096), P("model", ("data", "data2"))),
    ("step", (), P()),
    ("arg37", (128, 8192), P(("data", "data2"), None)),
    ("arg38", (128, 8192), P(("data", "data2"), None)),
)

SPECS = {name: spec for name, _, spec in ARGUMENTS}


def mesh(devices=None):
    """The mesh over `devices`, which are numbered as in the plan: by default all that JAX has."""
    devices = np.asarray(jax.devices() if devices is None else devices)
    return Mesh(devices.reshape(SIZES), AXES)


def shardings(on):
    """The sharding of each argument on a mesh, by name."""
    return {name: NamedSharding(on, spec) for name, spec in SPECS.items()}
