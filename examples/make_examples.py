#!/usr/bin/env python3
"""Writes the example programs of this folder: NAME.mlir with recorded inputs and results.

    .venv/bin/python examples/make_examples.py [FOLDER]        # default: this folder

Input: nothing; output, for each example: the StableHLO text that JAX lowers it to, `NAME.in.npz` with `arg0..` and
`NAME.out.npz` with `out0..`, the results that JAX computed on one device, in the order of the program's arguments
and results. The same versions of JAX and numpy write the same programs.
"""
import math
import os
import pathlib
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

# The GPT: 2 layers, small enough that its text and its arrays can be kept with the sources.
BATCH, TOKENS, WIDTH, HEADS, HIDDEN, VOCABULARY, LAYERS = 8, 16, 32, 4, 128, 96, 2

# The multilayer perceptron: widths of its input, hidden layer and output.
INPUT_WIDTH, HIDDEN_WIDTH, OUTPUT_WIDTH = 32, 64, 16


def normalize(x, scale, shift):
    """Layer normalization over the last dim: [batch, tokens, width] to the same."""
    centered = x - jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(centered * centered, axis=-1, keepdims=True)
    return centered / jnp.sqrt(variance + 1e-5) * scale + shift


def attend(x, weights):
    """Causal self-attention: [batch, tokens, width] to the same."""
    query, key, value = (jnp.einsum("btd,dhk->bhtk", x, weights[name]) for name in ("query", "key", "value"))
    scores = jnp.einsum("bhqk,bhtk->bhqt", query, key) / math.sqrt(WIDTH // HEADS)
    position = jnp.arange(TOKENS)
    scores = jnp.where(position[:, None] >= position[None, :], scores, -1e9)
    mixed = jnp.einsum("bhqt,bhtk->bhqk", jax.nn.softmax(scores, axis=-1), value)
    return jnp.einsum("bhtk,hkd->btd", mixed, weights["output"])


def gpt_loss(parameters, tokens):
    """Mean cross entropy of predicting each token from those before it; `tokens` is i32[batch, tokens + 1]."""
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    x = parameters["embedding"][inputs] + parameters["position"]
    for layer in parameters["layers"]:
        x = x + attend(normalize(x, layer["scale_1"], layer["shift_1"]), layer)
        hidden = jax.nn.gelu(normalize(x, layer["scale_2"], layer["shift_2"]) @ layer["up"] + layer["up_bias"])
        x = x + hidden @ layer["down"] + layer["down_bias"]
    logits = normalize(x, parameters["scale"], parameters["shift"]) @ parameters["head"]
    # The target's logit is picked by comparing, not by gathering: so every part of the vocabulary can pick its own.
    is_target = targets[..., None] == jnp.arange(VOCABULARY)
    picked = jnp.sum(jnp.where(is_target, logits, 0.0), axis=-1)
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)


def gpt_shapes():
    """The shape of every parameter of the GPT."""
    narrow = WIDTH // HEADS
    layer = dict(
        query=(WIDTH, HEADS, narrow), key=(WIDTH, HEADS, narrow), value=(WIDTH, HEADS, narrow),
        output=(HEADS, narrow, WIDTH), up=(WIDTH, HIDDEN), up_bias=(HIDDEN,), down=(HIDDEN, WIDTH),
        down_bias=(WIDTH,), scale_1=(WIDTH,), shift_1=(WIDTH,), scale_2=(WIDTH,), shift_2=(WIDTH,),
    )
    return dict(
        embedding=(VOCABULARY, WIDTH), position=(TOKENS, WIDTH), layers=[layer] * LAYERS,
        scale=(WIDTH,), shift=(WIDTH,), head=(WIDTH, VOCABULARY),
    )


def gpt_step(parameters, means, variances, step, tokens):
    """One step of Adam; returns the new state and the loss before the step."""
    loss, gradients = jax.value_and_grad(gpt_loss)(parameters, tokens)
    step = step + 1
    decay_1, decay_2, rate = 0.9, 0.95, 1e-3
    means = jax.tree.map(lambda m, g: decay_1 * m + (1 - decay_1) * g, means, gradients)
    variances = jax.tree.map(lambda v, g: decay_2 * v + (1 - decay_2) * g * g, variances, gradients)
    correction_1 = 1 - decay_1 ** step.astype(jnp.float32)
    correction_2 = 1 - decay_2 ** step.astype(jnp.float32)

    def update(parameter, mean, variance):
        return parameter - rate * (mean / correction_1) / (jnp.sqrt(variance / correction_2) + 1e-8)

    return jax.tree.map(update, parameters, means, variances), means, variances, step, loss


def gpt():
    """The GPT's training step without annotations."""
    rng = np.random.default_rng(1)

    def draw(shapes, scale):
        is_shape = lambda node: isinstance(node, tuple)
        return jax.tree.map(
            lambda shape: (scale * rng.standard_normal(shape)).astype(np.float32), shapes, is_leaf=is_shape
        )

    parameters, means = draw(gpt_shapes(), 0.1), draw(gpt_shapes(), 0.01)
    # Adam takes the root of second moments: they must not be negative.
    variances = jax.tree.map(np.abs, draw(gpt_shapes(), 0.01))
    tokens = rng.integers(0, VOCABULARY, (BATCH, TOKENS + 1)).astype(np.int32)
    arguments = (parameters, means, variances, np.int32(3), tokens)
    return jax.jit(gpt_step, donate_argnums=(0, 1, 2, 3), keep_unused=True), gpt_step, arguments


def mlp_step(weights, x, target):
    """One step of gradient descent on the squared error of a two-layer perceptron."""

    def loss(weights):
        hidden = jnp.tanh(x @ weights["up"] + weights["bias"])
        error = hidden @ weights["down"] - target
        return jnp.mean(error * error)

    value, gradients = jax.value_and_grad(loss)(weights)
    return jax.tree.map(lambda weight, gradient: weight - 0.1 * gradient, weights, gradients), value


def mlp_annotated():
    """The perceptron's step, annotated: batch over `data`, the hidden layer over `model`, on a mesh of 2x4."""
    rng = np.random.default_rng(2)
    mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    shapes = dict(up=(INPUT_WIDTH, HIDDEN_WIDTH), bias=(HIDDEN_WIDTH,), down=(HIDDEN_WIDTH, OUTPUT_WIDTH))
    weights = {name: (0.1 * rng.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()}
    x, target = (rng.standard_normal((16, width)).astype(np.float32) for width in (INPUT_WIDTH, OUTPUT_WIDTH))
    sharded = lambda *axes: NamedSharding(mesh, PartitionSpec(*axes))
    weight_shardings = dict(up=sharded(None, "model"), bias=sharded("model"), down=sharded("model", None))
    batch = sharded("data", None)
    step = jax.jit(
        mlp_step, in_shardings=(weight_shardings, batch, batch),
        out_shardings=(weight_shardings, sharded()), donate_argnums=0,
    )
    return step, mlp_step, (weights, x, target)


EXAMPLES = dict(gpt=gpt, mlp_annotated=mlp_annotated)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__)
    folder = folder if len(sys.argv) > 1 else folder.resolve().parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, example in EXAMPLES.items():
        jitted, plain, arguments = example()
        text = jitted.lower(*arguments).as_text()
        (folder / f"{name}.mlir").write_text(text)
        results = jax.tree.leaves(jax.jit(plain)(*arguments))
        inputs = {f"arg{i}": np.asarray(value) for i, value in enumerate(jax.tree.leaves(arguments))}
        outputs = {f"out{i}": np.asarray(value) for i, value in enumerate(results)}
        np.savez_compressed(folder / f"{name}.in.npz", **inputs)
        np.savez_compressed(folder / f"{name}.out.npz", **outputs)
        print(f"{name}: {len(text)} bytes, {len(inputs)} arguments, {len(outputs)} results")


if __name__ == "__main__":
    main()
