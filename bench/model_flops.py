#!/usr/bin/env python3
"""Model flops of plans beside counts by hand and by JAX.

    .venv/bin/python bench/model_flops.py [--meshwright target/release/meshwright]

Input: none; small training steps are made with JAX: a GPT (written out, rematerialised, scanned, both), a Llama with
grouped heads, a mixture of experts, and a convolution net. Output: a table of the model flops that `meshwright plan` says, a
count of all `dot_general` and convolutions of the step without rematerialisation as JAX traces it, and for the transformers a
formula. Exit code 1 if two of a line differ.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.extend
import jax.numpy as jnp
from jax import lax

BATCH, TOKENS, WIDTH, HEADS, HEAD, FFN, VOCAB, LAYERS = 4, 16, 32, 4, 8, 96, 64, 3


def count(jaxpr):
    """Multiply-adds of all products of a traced function, as two operations each."""
    flops = 0
    for equation in jaxpr.eqns:
        if equation.primitive.name == "dot_general":
            (contracted, _), _ = equation.params["dimension_numbers"]
            left, result = equation.invars[0].aval, equation.outvars[0].aval
            # A product that sums nothing up is an element-wise one.
            if contracted:
                flops += 2 * math.prod(result.shape) * math.prod(left.shape[dim] for dim in contracted)
        elif equation.primitive.name == "conv_general_dilated":
            kernel, result = equation.invars[1].aval, equation.outvars[0].aval
            out_feature = equation.params["dimension_numbers"].rhs_spec[0]
            flops += 2 * math.prod(result.shape) * math.prod(kernel.shape) // kernel.shape[out_feature]
        times = equation.params.get("length", 1) if equation.primitive.name == "scan" else 1
        for inner in jax.extend.core.jaxprs_in_params(equation.params):
            flops += times * count(inner)
    return flops


def norm(x):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)


def attention(w, x, kv_heads):
    q = jnp.einsum("btd,dhk->bthk", norm(x), w["q"]).reshape(BATCH, TOKENS, kv_heads, HEADS // kv_heads, HEAD)
    k, v = (jnp.einsum("btd,dhk->bthk", norm(x), w[name]) for name in "kv")
    scores = jnp.einsum("btgik,bsgk->bgits", q, k)
    scores = jnp.where(jnp.tril(jnp.ones((TOKENS, TOKENS), bool)), scores, -1e9)
    mixed = jnp.einsum("bgits,bsgk->btgik", jax.nn.softmax(scores, -1), v)
    return x + jnp.einsum("bthk,hkd->btd", mixed.reshape(BATCH, TOKENS, HEADS, HEAD), w["o"])


def gpt_block(w, x):
    x = attention(w, x, HEADS)
    return x + jax.nn.gelu(norm(x) @ w["up"]) @ w["down"]


def llama_block(w, x):
    x = attention(w, x, HEADS // 2)
    return x + (jax.nn.silu(norm(x) @ w["gate"]) * (norm(x) @ w["up"])) @ w["down"]


def moe_block(w, x):
    gate = jax.nn.softmax(norm(x) @ w["router"], -1)
    hidden = jax.nn.relu(jnp.einsum("btd,edf->btef", norm(x), w["up"]))
    return x + jnp.einsum("bte,btef,efd->btd", gate, hidden, w["down"])


def transformer(block, shapes, remat=False, scan=False):
    """A training step, plain gradient descent, and the shapes of its arguments."""
    layer = {name: jax.ShapeDtypeStruct(shape, jnp.float32) for name, shape in shapes.items()}
    stacked = {name: jax.ShapeDtypeStruct((LAYERS, *one.shape), one.dtype) for name, one in layer.items()}
    params = dict(embedding=jax.ShapeDtypeStruct((VOCAB, WIDTH), jnp.float32), layers=stacked if scan else [layer] * LAYERS,
                  head=jax.ShapeDtypeStruct((WIDTH, VOCAB), jnp.float32))
    tokens = jax.ShapeDtypeStruct((BATCH, TOKENS), jnp.int32)
    body = jax.checkpoint(block) if remat else block

    def loss(params, tokens, labels):
        x = params["embedding"][tokens]
        if scan:
            x = lax.scan(lambda x, w: (body(w, x), None), x, params["layers"])[0]
        else:
            for w in params["layers"]:
                x = body(w, x)
        logits = norm(x) @ params["head"]
        return (jax.nn.logsumexp(logits, -1) - (logits * jax.nn.one_hot(labels, VOCAB)).sum(-1)).mean()

    def step(params, tokens, labels):
        value, gradients = jax.value_and_grad(loss)(params, tokens, labels)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients), value

    return step, (params, tokens, tokens)


def convolutions():
    shape = jax.ShapeDtypeStruct
    params = dict(first=shape((3, 3, 3, 16), jnp.float32), second=shape((3, 3, 16, 32), jnp.float32), head=shape((32, 10), jnp.float32))

    def loss(params, images, labels):
        x = images
        for name in ("first", "second"):
            x = jax.nn.relu(lax.conv_general_dilated(x, params[name], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        return ((x.mean((1, 2)) @ params["head"] - labels) ** 2).mean()

    def step(params, images, labels):
        gradients = jax.grad(loss)(params, images, labels)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)

    return step, (params, shape((8, 16, 16, 3), jnp.float32), shape((8, 10), jnp.float32))


QKVO = dict(q=(WIDTH, HEADS, HEAD), k=(WIDTH, HEADS, HEAD), v=(WIDTH, HEADS, HEAD), o=(HEADS, HEAD, WIDTH))
GPT = dict(QKVO, up=(WIDTH, FFN), down=(FFN, WIDTH))
LLAMA = dict(QKVO, k=(WIDTH, HEADS // 2, HEAD), v=(WIDTH, HEADS // 2, HEAD), up=(WIDTH, FFN), gate=(WIDTH, FFN), down=(FFN, WIDTH))
MOE = dict(router=(WIDTH, 4), up=(4, WIDTH, FFN), down=(4, FFN, WIDTH))


def formula(shapes):
    """6 N D + 12 L d s, N being the weights of products, D the tokens and d the width of all heads."""
    weights = LAYERS * sum(math.prod(shape) for shape in shapes.values()) + WIDTH * VOCAB
    return BATCH * TOKENS * (6 * weights + 12 * LAYERS * HEADS * HEAD * TOKENS)


def models():
    """Name, step and arguments, the same without rematerialisation, formula or none."""
    for remat in (False, True):
        for scan in (False, True):
            name = "gpt" + ("_scan" if scan else "") + ("_remat" if remat else "")
            yield name, transformer(gpt_block, GPT, remat, scan), transformer(gpt_block, GPT), formula(GPT)
    llama = transformer(llama_block, LLAMA)
    yield "llama", llama, llama, formula(LLAMA)
    moe = transformer(moe_block, MOE)
    yield "moe", moe, moe, None
    yield "convolutions", convolutions(), convolutions(), None


def planned(meshwright, step, arguments):
    text = jax.jit(step, donate_argnums=0).lower(*arguments).as_text()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.mlir"
        path.write_text(text)
        command = [meshwright, "plan", path, "--machine", "cpu8", "--as", "dp=4,tp=2", "--search", "none", "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout)["figures"]["model_flops"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meshwright", default="target/release/meshwright")
    arguments = parser.parse_args()
    print("| model | plan | JAX | formula |")
    print("| --- | ---: | ---: | ---: |")
    differ = False
    for name, (step, shapes), (plain, plain_shapes), by_formula in models():
        found = planned(arguments.meshwright, step, shapes)
        counted = count(jax.make_jaxpr(plain)(*plain_shapes).jaxpr)
        print(f"| `{name}` | {found:.0f} | {counted} | {'' if by_formula is None else by_formula} |", flush=True)
        differ |= found != counted or by_formula not in (None, found)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
