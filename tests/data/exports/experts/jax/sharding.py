"""The planned mesh, and the sharding of each argument of the step, in order.

For JAX 0.4.31 or newer: dp=2, tp=2, ep=2 on h100:1x8, a host of 8 devices.
By `meshwright export` from a plan of the program 80e2333b848915a9.
"""

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

AXES = ("data", "expert", "model",)
SIZES = (2, 2, 2,)

# Name, shape and sharding of each argument.
ARGUMENTS = (
    ("model.embed_tokens.weight", (96, 32), P("model", None)),
    ("model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, None)),
    ("model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", None)),
    ("model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", None)),
    ("model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", None)),
    ("model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, None, "model")),
    ("model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, None)),
    ("model.layers.{0..2}.block_sparse_moe.gate.weight", (3, 4, 32), P(None, "model", None)),
    ("model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w1.weight", (3, 4, 48, 32), P(None, "expert", "model", None)),
    ("model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w3.weight", (3, 4, 48, 32), P(None, "expert", "model", None)),
    ("model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w2.weight", (3, 4, 32, 48), P(None, "expert", None, "model")),
    ("model.norm.weight", (32,), P(None)),
    ("lm_head.weight", (96, 32), P("model", None)),
    ("m.model.embed_tokens.weight", (96, 32), P("model", None)),
    ("m.model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, None)),
    ("m.model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", None)),
    ("m.model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", None)),
    ("m.model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", None)),
    ("m.model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, None, "model")),
    ("m.model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, None)),
    ("m.model.layers.{0..2}.block_sparse_moe.gate.weight", (3, 4, 32), P(None, "model", None)),
    ("m.model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w1.weight", (3, 4, 48, 32), P(None, "expert", "model", None)),
    ("m.model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w3.weight", (3, 4, 48, 32), P(None, "expert", "model", None)),
    ("m.model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w2.weight", (3, 4, 32, 48), P(None, "expert", None, "model")),
    ("m.model.norm.weight", (32,), P(None)),
    ("m.lm_head.weight", (96, 32), P("model", None)),
    ("v.model.embed_tokens.weight", (96, 32), P("model", None)),
    ("v.model.layers.{0..2}.input_layernorm.weight", (3, 32), P(None, None)),
    ("v.model.layers.{0..2}.self_attn.q_proj.weight", (3, 32, 32), P(None, "model", None)),
    ("v.model.layers.{0..2}.self_attn.k_proj.weight", (3, 16, 32), P(None, "model", None)),
    ("v.model.layers.{0..2}.self_attn.v_proj.weight", (3, 16, 32), P(None, "model", None)),
    ("v.model.layers.{0..2}.self_attn.o_proj.weight", (3, 32, 32), P(None, None, "model")),
    ("v.model.layers.{0..2}.post_attention_layernorm.weight", (3, 32), P(None, None)),
    ("v.model.layers.{0..2}.block_sparse_moe.gate.weight", (3, 4, 32), P(None, "model", None)),
    ("v.model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w1.weight", (3, 4, 48, 32), P(None, "expert", "model", None)),
    ("v.model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w3.weight", (3, 4, 48, 32), P(None, "expert", "model", None)),
    ("v.model.layers.{0..2}.block_sparse_moe.experts.{0..3}.w2.weight", (3, 4, 32, 48), P(None, "expert", None, "model")),
    ("v.model.norm.weight", (32,), P(None)),
    ("v.lm_head.weight", (96, 32), P("model", None)),
    ("step", (), P()),
    ("arg40", (8, 16), P(("data", "expert"), None)),
    ("arg41", (8, 16), P(("data", "expert"), None)),
)

SPECS = {name: spec for name, _, spec in ARGUMENTS}


def mesh(devices=None):
    """The mesh over `devices`, which are numbered as in the plan: by default all that JAX has."""
    devices = np.asarray(jax.devices() if devices is None else devices)
    return Mesh(devices.reshape(SIZES), AXES)


def shardings(on):
    """The sharding of each argument on a mesh, by name."""
    return {name: NamedSharding(on, spec) for name, spec in SPECS.items()}
