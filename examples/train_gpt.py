#!/usr/bin/env python3
"""Trains a small GPT on the bytes of a text, distributed by one line: `mw.parallelize`.

    python examples/train_gpt.py                                  # on 8 CPU devices, in this process
    python examples/train_gpt.py --processes 4                    # 2 devices in each of 4 processes
    python examples/train_gpt.py --platform cuda                  # on the GPUs at hand
    python examples/train_gpt.py --export DIR                     # writes what `meshwright compile` and `run` take

Input: texts (by default the documentation of this repository). Output: the plan, and the loss as it falls. With
`--losses FILE`, the loss of every step as JSON. Needs the package `meshwright` and nothing else beside JAX.
"""
import argparse
import functools
import json
import math
import pathlib
import socket
import subprocess
import sys

import numpy as np

import meshwright as mw

ROOT = pathlib.Path(__file__).resolve().parent.parent
# 2 layers over 32 bytes of text: a step takes some milliseconds.
BATCH, TOKENS, WIDTH, HEADS, LAYERS, VOCABULARY = 16, 32, 64, 4, 2, 256
RATE = 3e-3


def model():
    """The training step and the first state."""
    import jax
    import jax.numpy as jnp

    def normalize(x, scale):
        return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5) * scale

    def attend(x, layer):
        query, key, value = (jnp.einsum("btd,dhk->bhtk", x, layer[name]) for name in ("query", "key", "value"))
        scores = jnp.einsum("bhqk,bhtk->bhqt", query, key) / math.sqrt(WIDTH // HEADS)
        scores = jnp.where(jnp.tril(jnp.ones((TOKENS, TOKENS), bool)), scores, -1e9)
        return jnp.einsum("bhqt,bhtk,hkd->bqd", jax.nn.softmax(scores), value, layer["output"])

    def loss_of(params, tokens):
        x = params["embedding"][tokens[:, :-1]] + params["position"]
        for layer in params["layers"]:
            x = x + attend(normalize(x, layer["scale_1"]), layer)
            x = x + jax.nn.gelu(normalize(x, layer["scale_2"]) @ layer["up"]) @ layer["down"]
        logits = normalize(x, params["scale"]) @ params["head"]
        picked = jnp.sum(jnp.where(tokens[:, 1:, None] == jnp.arange(VOCABULARY), logits, 0.0), axis=-1)
        return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)

    def train_step(params, means, variances, count, tokens):
        """One step of Adam."""
        loss, gradients = jax.value_and_grad(loss_of)(params, tokens)
        count = count + 1
        means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, gradients)
        variances = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, variances, gradients)
        time = count.astype(jnp.float32)

        def update(parameter, mean, variance):
            return parameter - RATE * (mean / (1 - 0.9**time)) / (jnp.sqrt(variance / (1 - 0.99**time)) + 1e-8)

        return jax.tree.map(update, params, means, variances), means, variances, count, loss

    narrow = WIDTH // HEADS
    layer = dict(query=(WIDTH, HEADS, narrow), key=(WIDTH, HEADS, narrow), value=(WIDTH, HEADS, narrow),
                 output=(HEADS, narrow, WIDTH), up=(WIDTH, 4 * WIDTH), down=(4 * WIDTH, WIDTH),
                 scale_1=(WIDTH,), scale_2=(WIDTH,))
    shapes = dict(embedding=(VOCABULARY, WIDTH), position=(TOKENS, WIDTH), layers=[layer] * LAYERS, scale=(WIDTH,),
                  head=(WIDTH, VOCABULARY))
    random = np.random.default_rng(0)

    def draw(path, shape):
        if "scale" in str(path[-1]):
            return np.ones(shape, np.float32)
        return (0.1 * random.standard_normal(shape)).astype(np.float32)

    params = jax.tree_util.tree_map_with_path(draw, shapes, is_leaf=lambda node: isinstance(node, tuple))
    zeros = functools.partial(jax.tree.map, np.zeros_like)
    return train_step, (params, zeros(params), zeros(params), np.int32(0))


def batches(files, steps):
    """For each step, pieces of the texts as i32[BATCH, TOKENS + 1]."""
    text = np.frombuffer(b"".join(file.read_bytes() for file in files), np.uint8).astype(np.int32)
    random = np.random.default_rng(1)
    for _ in range(steps):
        starts = random.integers(0, len(text) - TOKENS, BATCH)
        yield np.stack([text[start:start + TOKENS + 1] for start in starts])


def train(options):
    """Trains; every process of a program does the same."""
    import jax

    train_step, state = model()
    step = mw.parallelize(train_step, donate=(0, 1, 2, 3))
    losses = []
    for index, tokens in enumerate(batches(options.text, options.steps)):
        *state, loss = step(*state, tokens)
        losses.append(loss)
        if jax.process_index() == 0 and (index == 0 or (index + 1) % 20 == 0):
            if index == 0:
                print(step.plan)
            print(f"step {index + 1:4}  loss {float(loss):.4f}", flush=True)
    losses = [float(loss) for loss in losses]
    if jax.process_index() == 0:
        print(f"The loss fell from {losses[0]:.3f} to {losses[-1]:.3f} in {len(losses)} steps on {jax.device_count()} "
              f"devices in {jax.process_count()} process{'es' if jax.process_count() > 1 else ''}.")
        if options.losses:
            options.losses.write_text(json.dumps(losses))


def export(options):
    """Writes the step as StableHLO, the first state and the batches."""
    import jax

    train_step, state = model()
    tokens = list(batches(options.text, options.steps))
    lowered = jax.jit(train_step, donate_argnums=(0, 1, 2, 3), keep_unused=True).lower(*state, tokens[0])
    leaves = jax.tree.leaves((*state, tokens[0]))
    options.export.mkdir(parents=True, exist_ok=True)
    (options.export / "gpt.mlir").write_text(lowered.as_text())
    np.savez(options.export / "inputs.npz", **{f"arg{index}": leaf for index, leaf in enumerate(leaves[:-1])})
    np.savez(options.export / "batches.npz", **{f"arg{len(leaves) - 1}": np.stack(tokens)})
    print(f"{options.export}: gpt.mlir, inputs.npz, batches.npz")


def start_all(options, arguments):
    """Starts the processes of one program and waits for them."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        meeting = f"localhost:{free.getsockname()[1]}"
    command = [sys.executable, __file__, *arguments, "--meet", meeting, "--index"]
    running = [subprocess.Popen([*command, str(index)]) for index in range(options.processes)]
    try:
        codes = [process.wait() for process in running]
        return next((abs(code) for code in codes if code), 0)
    finally:
        for process in running:
            process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", nargs="*", type=pathlib.Path, default=sorted((ROOT / "docs").glob("*.md")))
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--platform", default="cpu", help="what JAX runs on")
    parser.add_argument("--devices", type=int, default=8, help="CPU devices, of all processes together")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--losses", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--export", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--meet", help=argparse.SUPPRESS)
    parser.add_argument("--index", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.processes > 1 and options.meet is None:
        return start_all(options, sys.argv[1:])
    import jax

    jax.config.update("jax_platforms", options.platform)
    if options.platform == "cpu":
        mw.use_cpu_devices(options.devices // options.processes)
    if options.meet:
        jax.distributed.initialize(options.meet, num_processes=options.processes, process_id=options.index)
    export(options) if options.export else train(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
