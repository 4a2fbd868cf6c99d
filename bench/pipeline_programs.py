#!/usr/bin/env python3
"""Writes small training steps of forms that make cutting them into stages hard.

    .venv/bin/python bench/pipeline_programs.py OUT [NAME ...]

Input: names of programs below (default: all). Output: OUT/NAME.mlir, whole training steps (loss, gradients, momentum),
lowered by JAX without annotations, for a batch of eight. `tests/suite/pipeline` holds them, each with what becomes of it.
"""
import argparse
import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
from jax import lax

BATCH, TOKENS, WIDTH, LAYERS, CLASSES = 8, 4, 8, 4, 10
FLOAT, INT = jnp.float32, jnp.int32
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def shape(*dims, of=FLOAT):
    return jax.ShapeDtypeStruct(dims, of)


def momentum(loss, of=lambda value, parts: value):
    """A step that updates all parameters; `of` makes what it reports of the loss and of what it is made of."""

    def step(params, moments, batch):
        (value, parts), gradients = jax.value_and_grad(loss, has_aux=True)(params, batch)
        return updated(params, moments, gradients) + (of(value, parts),)

    return step


def updated(params, moments, gradients):
    moments = jax.tree.map(lambda moment, gradient: 0.9 * moment + gradient, moments, gradients)
    return jax.tree.map(lambda param, moment: param - 0.1 * moment, params, moments), moments


# ---- parts of models ------------------------------------------------------------------------------------------


def norm(x):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)


def mlp(w, x):
    return x + jnp.tanh(x @ w["in"]) @ w["out"]


def mlp_params():
    return {"in": shape(WIDTH, 2 * WIDTH), "out": shape(2 * WIDTH, WIDTH)}


def attention(w, x, y):
    """Queries of `x`, keys and values of `y`."""
    scores = jax.nn.softmax(x @ w["q"] @ (y @ w["k"]).swapaxes(1, 2), -1)
    return x + scores @ (y @ w["v"])


def attention_params():
    return {name: shape(WIDTH, WIDTH) for name in "qkv"}


def cross_entropy(logits, labels):
    return (jax.nn.logsumexp(logits, -1) - (logits * jax.nn.one_hot(labels, CLASSES, dtype=FLOAT)).sum(-1)).mean()


def rows():
    """Examples and their classes."""
    return {"x": shape(BATCH, WIDTH), "y": shape(BATCH, of=INT)}


# ---- programs: parameters, what else the step holds, batch, and the step ----------------------------------------


@program
def skip_connections():
    """Each layer of the second half also reads what the layer opposite to it made, as in a U-Net."""
    params = {"layers": [mlp_params() for _ in range(6)], "join": [shape(2 * WIDTH, WIDTH) for _ in range(3)],
              "head": shape(WIDTH, CLASSES)}

    def loss(w, batch):
        x, made = batch["x"], []
        for layer in w["layers"][:3]:
            x = mlp(layer, x)
            made.append(x)
        for layer, join in zip(w["layers"][3:], w["join"]):
            x = mlp(layer, jnp.concatenate([x, made.pop()], -1) @ join)
        return cross_entropy(x @ w["head"], batch["y"]), ()

    return params, rows(), momentum(loss)


@program
def encoder_decoder():
    """Every layer of the decoder reads the last one of the encoder."""
    def layer():
        return {"own": attention_params(), "mlp": mlp_params()}

    params = {"encoder": [layer() for _ in range(2)], "decoder": [layer() | {"cross": attention_params()} for _ in range(2)],
              "source": shape(CLASSES, WIDTH), "target": shape(CLASSES, WIDTH), "head": shape(WIDTH, CLASSES)}
    batch = {name: shape(BATCH, TOKENS, of=INT) for name in ("source", "target", "labels")}

    def loss(w, batch):
        memory = w["source"][batch["source"]]
        for one in w["encoder"]:
            memory = mlp(one["mlp"], attention(one["own"], memory, memory))
        x = w["target"][batch["target"]]
        for one in w["decoder"]:
            x = mlp(one["mlp"], attention(one["cross"], attention(one["own"], x, x), memory))
        return cross_entropy(x @ w["head"], batch["labels"]), ()

    return params, batch, momentum(loss)


@program
def shared_layers():
    """All layers have the same weights, as in ALBERT."""
    params = {"layer": mlp_params(), "head": shape(WIDTH, CLASSES)}

    def loss(w, batch):
        x = batch["x"]
        for _ in range(LAYERS):
            x = mlp(w["layer"], x)
        return cross_entropy(x @ w["head"], batch["y"]), ()

    return params, rows(), momentum(loss)


@program
def two_losses():
    """A second head in the middle, with a loss of its own; both are reported."""
    params = {"layers": [mlp_params() for _ in range(LAYERS)], "early": shape(WIDTH, CLASSES), "head": shape(WIDTH, CLASSES)}

    def loss(w, batch):
        x, early = batch["x"], 0.0
        for number, layer in enumerate(w["layers"]):
            x = mlp(layer, x)
            if number == 1:
                early = cross_entropy(x @ w["early"], batch["y"])
        late = cross_entropy(x @ w["head"], batch["y"])
        return late + 0.3 * early, (early, late)

    return params, rows(), momentum(loss, lambda value, parts: parts)


@program
def frozen_layers():
    """The first half of the layers is not trained."""
    params = {"layers": [mlp_params() for _ in range(2)], "head": shape(WIDTH, CLASSES)}
    frozen = [mlp_params() for _ in range(2)]

    def loss(w, batch):
        x = batch["x"]
        for layer in batch["frozen"] + w["layers"]:
            x = mlp(layer, x)
        return cross_entropy(x @ w["head"], batch["y"]), ()

    return params, {"frozen": frozen} | rows(), momentum(loss)


@program
def lora():
    """Weights are fixed, and small matrices beside them trained."""
    def small():
        return {"a": shape(WIDTH, 2), "b": shape(2, WIDTH)}

    params = [small() for _ in range(LAYERS)]
    fixed = {"layers": [shape(WIDTH, WIDTH) for _ in range(LAYERS)], "head": shape(WIDTH, CLASSES)}

    def loss(w, batch):
        x = batch["x"]
        for weight, own in zip(batch["fixed"]["layers"], w):
            h = norm(x)
            x = x + jnp.tanh(h @ weight + h @ own["a"] @ own["b"])
        return cross_entropy(x @ batch["fixed"]["head"], batch["y"]), ()

    return params, {"fixed": fixed} | rows(), momentum(loss)


@program
def no_loss():
    """The step does not return its loss."""
    params = {"layers": [mlp_params() for _ in range(LAYERS)], "head": shape(WIDTH, CLASSES)}

    def loss(w, batch):
        x = batch["x"]
        for layer in w["layers"]:
            x = mlp(layer, x)
        return cross_entropy(x @ w["head"], batch["y"]), ()

    return params, rows(), momentum(loss, lambda value, parts: ())


@program
def convolution_net():
    """Blocks of convolutions, of which one halves the image, and a mean over it."""
    def kernel(size, taken, made):
        return shape(size, size, taken, made)

    params = {"stem": kernel(3, 3, 4), "one": [kernel(3, 4, 4) for _ in range(2)], "down": kernel(2, 4, 8),
              "two": [kernel(3, 8, 8) for _ in range(2)], "head": shape(8, CLASSES)}
    batch = {"x": shape(BATCH, 8, 8, 3), "y": shape(BATCH, of=INT)}

    def convolution(x, kernel, stride=1):
        return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def loss(w, batch):
        x = convolution(batch["x"], w["stem"])
        for kernel in w["one"]:
            x = x + jax.nn.relu(convolution(x, kernel))
        x = convolution(x, w["down"], 2)
        for kernel in w["two"]:
            x = x + jax.nn.relu(convolution(x, kernel))
        return cross_entropy(x.mean((1, 2)) @ w["head"], batch["y"]), ()

    return params, batch, momentum(loss)


@program
def recurrent_net():
    """Four recurrent layers, each a loop over the sequence."""
    params = {"layers": [{"x": shape(WIDTH, WIDTH), "h": shape(WIDTH, WIDTH)} for _ in range(LAYERS)],
              "table": shape(CLASSES, WIDTH), "head": shape(WIDTH, CLASSES)}
    batch = {"tokens": shape(BATCH, TOKENS, of=INT), "labels": shape(BATCH, TOKENS, of=INT)}

    def loss(w, batch):
        x = w["table"][batch["tokens"]]
        for layer in w["layers"]:
            def turn(state, taken, layer=layer):
                state = jnp.tanh(taken @ layer["x"] + state @ layer["h"])
                return state, state

            _, states = lax.scan(turn, jnp.zeros((BATCH, WIDTH)), x.swapaxes(0, 1))
            x = x + states.swapaxes(0, 1)
        return cross_entropy(x @ w["head"], batch["labels"]), ()

    return params, batch, momentum(loss)


@program
def accumulated_gradients():
    """The step itself goes through its batch in two parts, in a loop, and adds up their gradients."""
    params = {"layers": [mlp_params() for _ in range(LAYERS)], "head": shape(WIDTH, CLASSES)}
    batch = {"x": shape(2, BATCH, WIDTH), "y": shape(2, BATCH, of=INT)}

    def loss(w, batch):
        x = batch["x"]
        for layer in w["layers"]:
            x = mlp(layer, x)
        return cross_entropy(x @ w["head"], batch["y"])

    def step(params, moments, batch):
        def turn(sums, part):
            return jax.tree.map(jnp.add, sums, jax.value_and_grad(loss)(params, part)), None

        none = jax.tree.map(lambda one: jnp.zeros(one.shape, one.dtype), params)
        (value, gradients), _ = lax.scan(turn, (jnp.zeros((), FLOAT), none), batch)
        return updated(params, moments, jax.tree.map(lambda one: one / 2, gradients)) + (value / 2,)

    return params, batch, step

@program
def causal_model():
    """Causal attentions with grouped heads and rotary tables, position embeddings, labels one place on, a clipped norm."""
    heads, groups, depth = 4, 2, 4
    layer = {"q": shape(WIDTH, heads, depth), "k": shape(WIDTH, groups, depth), "v": shape(WIDTH, groups, depth),
             "o": shape(heads, depth, WIDTH), "mlp": mlp_params()}
    params = {"layers": [layer] * 2, "table": shape(CLASSES, WIDTH), "places": shape(2 * TOKENS, WIDTH),
              "head": shape(WIDTH, CLASSES)}
    batch = {"tokens": shape(BATCH, 2 * TOKENS + 1, of=INT)}

    def rotated(x):
        angle = jnp.arange(x.shape[1])[:, None] * 0.1 ** (jnp.arange(depth // 2)[None, :] * 2.0 / depth)
        cos, sin = jnp.cos(angle)[None, :, None], jnp.sin(angle)[None, :, None]
        left, right = jnp.split(x, 2, -1)
        return jnp.concatenate([left * cos - right * sin, left * sin + right * cos], -1)

    def attend(w, x):
        q = rotated(jnp.einsum("btd,dnh->btnh", x, w["q"])).reshape(*x.shape[:2], groups, heads // groups, depth)
        k, v = rotated(jnp.einsum("bsd,dkh->bskh", x, w["k"])), jnp.einsum("bsd,dkh->bskh", x, w["v"])
        scores = jnp.einsum("btkgh,bskh->bkgts", q, k) / depth**0.5
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
        found = jnp.einsum("bkgts,bskh->btkgh", jax.nn.softmax(scores, -1), v)
        return jnp.einsum("btnh,nhd->btd", found.reshape(*x.shape[:2], heads, depth), w["o"])

    def loss(w, batch):
        tokens = batch["tokens"]
        x = w["table"][tokens[:, :-1]] + w["places"]
        for layer in w["layers"]:
            x = mlp(layer["mlp"], x + attend(layer, norm(x)))
        return cross_entropy(norm(x) @ w["head"], tokens[:, 1:])

    def step(params, moments, batch):
        value, gradients = jax.value_and_grad(loss)(params, batch)
        length = jnp.sqrt(sum((one * one).sum() for one in jax.tree.leaves(gradients)))
        gradients = jax.tree.map(lambda one: one / jnp.maximum(length, 1.0), gradients)
        return updated(params, moments, gradients) + (value,)

    return params, batch, step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PROGRAMS))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or PROGRAMS:
        params, batch, step = PROGRAMS[name]()
        lowered = jax.jit(step, donate_argnums=(0, 1), keep_unused=True).lower(params, params, batch)
        (options.out / f"{name}.mlir").write_text(lowered.as_text())


if __name__ == "__main__":
    main()
