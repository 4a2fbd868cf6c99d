#!/usr/bin/env python3
"""Llamas in the shapes in which people write them: `--as` beside the same shardings as pins.

    .venv/bin/python bench/llamas.py [CASE ...] [--size 7b] [--as tp=8] [--search] [--meshwright BINARY] [--out FOLDER]

Input: names of cases below (default: all) and a size, of which `--set batch=4` changes parts. Each case is a training step
(loss, gradients, Adam) or a step of inference with a KV cache, without annotations. Output: a table of what the plan of
`--as` takes on `h100:1x8`, and what it takes if weights, moments and caches are pinned over `model=8` as Megatron shards
them; with `--search` also if what the pins leave open is searched. With `--out`, the programs.
"""
import argparse
import dataclasses
import itertools
import json
import math
import os
import pathlib
import subprocess
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
from jax import lax

FLOAT, INT = jnp.float32, jnp.int32


@dataclasses.dataclass(frozen=True)
class Size:
    """Batch, tokens, model width, heads, key/value heads, hidden width, vocabulary, layers; tokens in a cache."""

    batch: int
    tokens: int
    width: int
    heads: int
    kv_heads: int
    hidden: int
    vocabulary: int
    layers: int
    cached: int
    compute: object = FLOAT


SIZES = {
    "tiny": Size(8, 16, 32, 8, 8, 64, 128, 2, 32),
    "7b": Size(4, 2048, 4096, 32, 32, 11008, 32000, 32, 4096, jnp.bfloat16),
}


@dataclasses.dataclass(frozen=True)
class Shape:
    """How a model is written."""

    is_stacked: bool  # layers in one array and a loop, or a list of them
    is_fused: bool  # queries, keys and values from one weight
    has_heads: bool  # weights with a dim of heads, or square ones
    has_cache: bool  # inference of one token beside a cache, or training

    @property
    def name(self):
        return "_".join([
            "decode" if self.has_cache else "train",
            "stacked" if self.is_stacked else "listed",
            "fused" if self.is_fused else "separate",
            "heads" if self.has_heads else "square",
        ])


SHAPES = {shape.name: shape for shape in (
    Shape(*flags) for flags in itertools.product([False, True], repeat=4)
)}


def tensor(*shape, dtype=FLOAT):
    """The type of an argument."""
    return jax.ShapeDtypeStruct(shape, dtype)


def norm(x, gain):
    """Root-mean-square normalization over the last dim."""
    x32 = x.astype(FLOAT)
    return (x32 * lax.rsqrt((x32 * x32).mean(-1, keepdims=True) + 1e-5)).astype(x.dtype) * gain


def rotate(x, position):
    """Rotary embedding of `[batch, tokens, heads, head]`."""
    half = x.shape[-1] // 2
    angle = position[:, None].astype(FLOAT) * 10000.0 ** (-jnp.arange(half, dtype=FLOAT) / half)
    cos, sin = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
    a, b = jnp.split(x.astype(FLOAT), 2, -1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1).astype(x.dtype)


def is_weight(leaf):
    """Whether a leaf of `Llama.weights` is reached."""
    return isinstance(leaf, tuple)


@dataclasses.dataclass(frozen=True)
class Llama:
    """A model of a size in a shape."""

    shape: Shape
    size: Size

    def weights(self):
        """Types of all parameters, and the dim of each that Megatron shards over `model`, if any."""
        s, head = self.size, self.size.width // self.size.heads
        q, kv = s.heads * head, s.kv_heads * head
        layer = {
            "norm1": ((s.width,), None), "norm2": ((s.width,), None),
            "gate": ((s.width, s.hidden), 1), "up": ((s.width, s.hidden), 1), "down": ((s.hidden, s.width), 0),
        }
        if self.shape.has_heads:
            layer["o"] = ((s.heads, head, s.width), 0)
            if self.shape.is_fused:
                layer["qkv"] = ((s.width, 3, s.heads, head), 2)
            else:
                layer |= {name: ((s.width, heads, head), 1) for name, heads in
                          [("q", s.heads), ("k", s.kv_heads), ("v", s.kv_heads)]}
        else:
            layer["o"] = ((q, s.width), 0)
            if self.shape.is_fused:
                layer["qkv"] = ((s.width, q + 2 * kv), 1)
            else:
                layer |= {name: ((s.width, width), 1) for name, width in [("q", q), ("k", kv), ("v", kv)]}
        whole = {"embed": ((s.vocabulary, s.width), 0), "norm": ((s.width,), None), "head": ((s.width, s.vocabulary), 1)}
        if self.shape.is_stacked:
            stacked = {name: ((s.layers, *dims), None if dim is None else dim + 1) for name, (dims, dim) in layer.items()}
            whole["layers"] = stacked
        else:
            whole["layers"] = [layer] * s.layers
        return whole

    def attend(self, w, x, position, cache):
        """Attention, and the cache with the new keys and values in it."""
        s, head = self.size, self.size.width // self.size.heads
        batch, tokens = x.shape[:2]
        q_width, kv_width = s.heads * head, s.kv_heads * head
        if self.shape.has_heads and self.shape.is_fused:
            qkv = jnp.einsum("btd,dchk->btchk", x, w["qkv"])
            q, k, v = (qkv[:, :, index] for index in range(3))
        elif self.shape.has_heads:
            q, k, v = (jnp.einsum("btd,dhk->bthk", x, w[name]) for name in "qkv")
        elif self.shape.is_fused:
            q, k, v = jnp.split(x @ w["qkv"], [q_width, q_width + kv_width], -1)
        else:
            q, k, v = x @ w["q"], x @ w["k"], x @ w["v"]
        q = rotate(q.reshape(batch, tokens, s.heads, head), position)
        k = rotate(k.reshape(batch, tokens, s.kv_heads, head), position)
        v = v.reshape(batch, tokens, s.kv_heads, head)
        if cache is not None:
            k, v = (lax.dynamic_update_slice(old, new, (0, position[0], 0, 0)) for old, new in zip(cache, (k, v)))
            cache = (k, v)
        if s.kv_heads != s.heads:
            repeat = s.heads // s.kv_heads
            q = q.reshape(batch, tokens, s.kv_heads, repeat, head)
            scores = jnp.einsum("btgik,bsgk->bgits", q, k)
        else:
            scores = jnp.einsum("bthk,bshk->bhts", q, k)
        is_seen = jnp.arange(k.shape[1])[None] <= position[:, None]
        scores = jnp.where(is_seen, scores.astype(FLOAT) / math.sqrt(head), -1e9)
        weights = jax.nn.softmax(scores, -1).astype(x.dtype)
        if s.kv_heads != s.heads:
            mixed = jnp.einsum("bgits,bsgk->btgik", weights, v)
        else:
            mixed = jnp.einsum("bhts,bshk->bthk", weights, v)
        if self.shape.has_heads:
            out = jnp.einsum("bthk,hkd->btd", mixed.reshape(batch, tokens, s.heads, head), w["o"])
        else:
            out = mixed.reshape(batch, tokens, q_width) @ w["o"]
        return out, cache

    def block(self, w, x, position, cache):
        """One layer."""
        w = jax.tree.map(lambda weight: weight.astype(x.dtype), w)
        mixed, cache = self.attend(w, norm(x, w["norm1"]), position, cache)
        x = x + mixed
        h = norm(x, w["norm2"])
        return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"], cache

    def logits(self, p, tokens, position, caches):
        """Logits of all tokens, and the caches."""
        x = p["embed"].astype(self.size.compute)[tokens]
        if self.shape.is_stacked:
            def step(x, layer):
                return self.block(layer[0], x, position, layer[1])
            x, caches = lax.scan(step, x, (p["layers"], caches))
        else:
            new = []
            for index, w in enumerate(p["layers"]):
                x, cache = self.block(w, x, position, None if caches is None else caches[index])
                new.append(cache)
            caches = new
        return (norm(x, p["norm"].astype(x.dtype)) @ p["head"].astype(x.dtype)).astype(FLOAT), caches

    def loss(self, p, tokens, labels):
        """Mean cross entropy."""
        logits, _ = self.logits(p, tokens, jnp.arange(tokens.shape[1]), None)
        is_label = jax.nn.one_hot(labels, self.size.vocabulary, dtype=FLOAT)
        return (jax.nn.logsumexp(logits, -1) - (logits * is_label).sum(-1)).mean()

    def step(self):
        """The function, the types of its arguments, and which are donated."""
        s = self.size
        dtype = s.compute if self.shape.has_cache else FLOAT
        params = jax.tree.map(lambda leaf: tensor(*leaf[0], dtype=dtype), self.weights(), is_leaf=is_weight)
        tokens = tensor(s.batch, s.tokens, dtype=INT)
        if not self.shape.has_cache:
            return adam(self.loss), (params, params, params, tensor(dtype=INT), tokens, tokens), (0, 1, 2, 3)
        head = s.width // s.heads
        one = tensor(s.batch, s.cached, s.kv_heads, head, dtype=dtype)
        if self.shape.is_stacked:
            cache = (tensor(s.layers, *one.shape, dtype=dtype),) * 2
        else:
            cache = [(one, one)] * s.layers

        def decode(p, cache, token, position):
            logits, cache = self.logits(p, token, position[None], cache)
            return cache, logits[:, 0].argmax(-1).astype(INT)[:, None]

        return decode, (params, cache, tensor(s.batch, 1, dtype=INT), tensor(dtype=INT)), (1,)

    def pins(self):
        """`--pin` of every weight, moment and cache: over `model` as Megatron does, or whole."""
        types = self.step()[1]
        dims = jax.tree.leaves(jax.tree.map(
            lambda leaf: -1 if leaf[1] is None else leaf[1], self.weights(), is_leaf=is_weight))
        copies = 1 if self.shape.has_cache else 3
        places = dims * copies
        if self.shape.has_cache:
            rank = 5 if self.shape.is_stacked else 4
            places += [rank - 2] * len(jax.tree.leaves(types[1]))
        lines = []
        for number, (leaf, place) in enumerate(zip(jax.tree.leaves(types), places)):
            parts = ["{model}" if dim == place else "{}" for dim in range(len(leaf.shape))]
            lines.append(f"--pin=arg{number}=[{','.join(parts)}]")
        return lines

    def text(self):
        """The program."""
        function, types, donated = self.step()
        return jax.jit(function, donate_argnums=donated, keep_unused=True).lower(*types).as_text()


def adam(loss):
    """(params, first, second, count, *batch) -> (params, first, second, count, loss)"""
    def step(p, m, v, count, *batch):
        value, grads = jax.value_and_grad(loss)(p, *batch)
        count = count + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, grads)
        scale = jnp.sqrt(1 - 0.99 ** count.astype(FLOAT)) / (1 - 0.9 ** count.astype(FLOAT))
        p = jax.tree.map(lambda p, m, v: p - 1e-3 * scale * m / (jnp.sqrt(v) + 1e-8), p, m, v)
        return p, m, v, count, value
    return step


def predicted(meshwright, path, *options):
    """Seconds and bytes of a plan, and its degrees."""
    command = [meshwright, "plan", str(path), "--machine", "h100:1x8", "--memory-limit", "1TiB", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    plan = json.loads(done.stdout)
    plan = plan.get("plan", plan)
    return plan["predicted"]["total_seconds"], plan["memory"]["peak_bytes"], plan["degrees"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(SHAPES))
    parser.add_argument("--size", choices=SIZES, default="7b")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--as", dest="asked", default="tp=8")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    changes = {name: int(number) for name, number in (part.split("=") for part in args.set)}
    size = dataclasses.replace(SIZES[args.size], **changes)
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.out or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name in args.cases or SHAPES:
            model, path = Llama(SHAPES[name], size), folder / f"{name}.mlir"
            path.write_text(model.text())
            ways = {f"--as {args.asked}": ["--as", args.asked, "--search", "none"],
                    "pins": ["--mesh", "model=8", "--search", "none", *model.pins()]}
            if args.search:
                ways["pins and search"] = ["--mesh", "model=8", *model.pins()]
            cells = []
            for way, options in ways.items():
                seconds, peak, _ = predicted(args.meshwright, path, *options)
                cells.append(f"{way} {seconds * 1e3:.3f} ms, {peak / 2**30:.2f} GiB")
            print(f"{name}: {'; '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
