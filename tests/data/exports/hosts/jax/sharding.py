"""The planned mesh, and the sharding of each argument of the step, in order.

For JAX 0.4.31 or newer: dp=4, fsdp=2, tp=2, zero=3 on h100:2x4, 2 hosts of 4 devices.
By `meshwright export` from a plan of the program 35ef45d598e1affc.
"""

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

AXES = ("data", "data2", "model",)
SIZES = (2, 2, 2,)

# Name, shape and sharding of each argument.
ARGUMENTS = (
    ("model.embed_tokens.weight", (96, 32), P("model", "data2")),
    ("model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, "data2")),
    ("model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", "data2")),
    ("model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", "data2")),
    ("model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", "data2")),
    ("model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, "data2", "model")),
    ("model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, "data2")),
    ("model.layers.{0..2}.mlp.gate_proj.weight", (3, 48, 32), P(None, "model", "data2")),
    ("model.layers.{0..2}.mlp.up_proj.weight", (3, 48, 32), P(None, "model", "data2")),
    ("model.layers.{0..2}.mlp.down_proj.weight", (3, 32, 48), P(None, "data2", "model")),
    ("model.norm.weight", (32,), P("data2")),
    ("lm_head.weight", (96, 32), P("model", "data2")),
    ("m.model.embed_tokens.weight", (96, 32), P("model", "data2")),
    ("m.model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, "data2")),
    ("m.model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", "data2")),
    ("m.model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", "data2")),
    ("m.model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", "data2")),
    ("m.model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, "data2", "model")),
    ("m.model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, "data2")),
    ("m.model.layers.{0..2}.mlp.gate_proj.weight", (3, 48, 32), P(None, "model", "data2")),
    ("m.model.layers.{0..2}.mlp.up_proj.weight", (3, 48, 32), P(None, "model", "data2")),
    ("m.model.layers.{0..2}.mlp.down_proj.weight", (3, 32, 48), P(None, "data2", "model")),
    ("m.model.norm.weight", (32,), P("data2")),
    ("m.lm_head.weight", (96, 32), P("model", "data2")),
    ("v.model.embed_tokens.weight", (96, 32), P("model", "data2")),
    ("v.model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, "data2")),
    ("v.model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", "data2")),
    ("v.model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", "data2")),
    ("v.model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", "data2")),
    ("v.model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, "data2", "model")),
    ("v.model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, "data2")),
    ("v.model.layers.{0..2}.mlp.gate_proj.weight", (3, 48, 32), P(None, "model", "data2")),
    ("v.model.layers.{0..2}.mlp.up_proj.weight", (3, 48, 32), P(None, "model", "data2")),
    ("v.model.layers.{0..2}.mlp.down_proj.weight", (3, 32, 48), P(None, "data2", "model")),
    ("v.model.norm.weight", (32,), P("data2")),
    ("v.lm_head.weight", (96, 32), P("model", "data2")),
    ("step", (), P()),
    ("arg37", (8, 16), P(("data", "data2"), None)),
    ("arg38", (8, 16), P(("data", "data2"), None)),
)

SPECS = {name: spec for name, _, spec in ARGUMENTS}


def mesh(devices=None):
    """The mesh over `devices`, which are numbered as in the plan: by default all that JAX has."""
    devices = np.asarray(jax.devices() if devices is None else devices)
    return Mesh(devices.reshape(SIZES), AXES)


def shardings(on):
    """The sharding of each argument on a mesh, by name."""
    return {name: NamedSharding(on, spec) for name, spec in SPECS.items()}
