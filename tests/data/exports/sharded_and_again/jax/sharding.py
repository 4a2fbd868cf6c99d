"""The planned mesh, and the sharding of each argument of the step, in order.

For JAX 0.4.31 or newer: dp=4, fsdp=4, tp=2, zero=3 on h100:1x8, a host of 8 devices.
By `meshwright export` from a plan of the program 35ef45d598e1affc.
What the plan makes again (84 values) is for `jax.checkpoint` in the program: no sharding says it.
"""

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

AXES = ("model", "data",)
SIZES = (2, 4,)

# Name, shape and sharding of each argument.
ARGUMENTS = (
    ("model.embed_tokens.weight", (96, 32), P(("model", "data"), None)),
    ("model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, "data")),
    ("model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", "data")),
    ("model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", "data")),
    ("model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", "data")),
    ("model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, "data", "model")),
    ("model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, "data")),
    ("model.layers.{0..2}.mlp.gate_proj.weight", (3, 48, 32), P(None, "model", "data")),
    ("model.layers.{0..2}.mlp.up_proj.weight", (3, 48, 32), P(None, "model", "data")),
    ("model.layers.{0..2}.mlp.down_proj.weight", (3, 32, 48), P(None, "data", "model")),
    ("model.norm.weight", (32,), P("data")),
    ("lm_head.weight", (96, 32), P(("model", "data"), None)),
    ("m.model.embed_tokens.weight", (96, 32), P(("model", "data"), None)),
    ("m.model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, "data")),
    ("m.model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", "data")),
    ("m.model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", "data")),
    ("m.model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", "data")),
    ("m.model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, "data", "model")),
    ("m.model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, "data")),
    ("m.model.layers.{0..2}.mlp.gate_proj.weight", (3, 48, 32), P(None, "model", "data")),
    ("m.model.layers.{0..2}.mlp.up_proj.weight", (3, 48, 32), P(None, "model", "data")),
    ("m.model.layers.{0..2}.mlp.down_proj.weight", (3, 32, 48), P(None, "data", "model")),
    ("m.model.norm.weight", (32,), P("data")),
    ("m.lm_head.weight", (96, 32), P(("model", "data"), None)),
    ("v.model.embed_tokens.weight", (96, 32), P(("model", "data"), None)),
    ("v.model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, "data")),
    ("v.model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", "data")),
    ("v.model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", "data")),
    ("v.model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", "data")),
    ("v.model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, "data", "model")),
    ("v.model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, "data")),
    ("v.model.layers.{0..2}.mlp.gate_proj.weight", (3, 48, 32), P(None, "model", "data")),
    ("v.model.layers.{0..2}.mlp.up_proj.weight", (3, 48, 32), P(None, "model", "data")),
    ("v.model.layers.{0..2}.mlp.down_proj.weight", (3, 32, 48), P(None, "data", "model")),
    ("v.model.norm.weight", (32,), P("data")),
    ("v.lm_head.weight", (96, 32), P(("model", "data"), None)),
    ("step", (), P()),
    ("arg37", (8, 16), P("data", None)),
    ("arg38", (8, 16), P("data", None)),
)

SPECS = {name: spec for name, _, spec in ARGUMENTS}


def mesh(devices=None):
    """The mesh over `devices`, which are numbered as in the plan: by default all that JAX has."""
    devices = np.asarray(jax.devices() if devices is None else devices)
    return Mesh(devices.reshape(SIZES), AXES)


def shardings(on):
    """The sharding of each argument on a mesh, by name."""
    return {name: NamedSharding(on, spec) for name, spec in SPECS.items()}
