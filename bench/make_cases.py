#!/usr/bin/env python3
"""Writes annotated training steps to compare partitioners on, and how little each must send.

    .venv/bin/python bench/make_cases.py OUT [CASE ...]

Input: names of cases below (default: all). Output: OUT/CASE.mlir, whole training steps (loss, gradients, Adam) for
eight devices, lowered by JAX with `sdy.sharding` on arguments and results; and OUT/bounds.json, ring bytes per device
and step that a case's way of sharding cannot do without (see `floor.py`). The files are for `versus_xla.py`.
"""
import argparse
import dataclasses
import functools
import json
import math
import os
import pathlib

DEVICES = 8
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

from floor import Floor, spec_axes

FLOAT, INT = jnp.float32, jnp.int32
BATCH, TOKENS, WIDTH, HEADS, FFN, VOCAB, LAYERS = 8, 32, 64, 8, 256, 128, 2


@dataclasses.dataclass
class Case:
    """A model and how it is sharded."""

    mesh: dict
    params: dict  # name: shape
    specs: dict  # name: PartitionSpec
    batch: dict  # name: (shape, dtype, PartitionSpec)
    loss: object  # (params, batch, on) -> scalar; `on(x, *spec)` constrains a value
    floor: float
    moments: dict = dataclasses.field(default_factory=dict)  # specs of moments that differ from their parameter's


CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


# ---- parts of models ------------------------------------------------------------------------------------------


def norm(x, gain):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * gain


def attention(w, prefix, x, y, causal):
    """Queries from `x`, keys and values from `y`."""
    q = jnp.einsum("btd,dhk->bthk", x, w[prefix + "q"])
    k = jnp.einsum("bsd,dhk->bshk", y, w[prefix + "k"])
    v = jnp.einsum("bsd,dhk->bshk", y, w[prefix + "v"])
    scores = jnp.einsum("bthk,bshk->bhts", q, k) / math.sqrt(q.shape[-1])
    if causal:
        t = scores.shape[-1]
        scores = jnp.where(jnp.tril(jnp.ones((t, t), bool)), scores, -1e9)
    mixed = jnp.einsum("bhts,bshk->bthk", jax.nn.softmax(scores, -1), v)
    return jnp.einsum("bthk,hkd->btd", mixed, w[prefix + "o"])


def ffn(w, prefix, x):
    return jax.nn.gelu(x @ w[prefix + "1"] + w[prefix + "b"]) @ w[prefix + "2"]


def attention_params(prefix):
    head = WIDTH // HEADS
    shapes = {prefix + name: (WIDTH, HEADS, head) for name in "qkv"}
    return shapes | {prefix + "o": (HEADS, head, WIDTH), prefix + "n": (WIDTH,)}


def ffn_params(prefix):
    return {prefix + "1": (WIDTH, FFN), prefix + "b": (FFN,), prefix + "2": (FFN, WIDTH), prefix + "n": (WIDTH,)}


def cross_entropy(logits, labels):
    picked = (logits * jax.nn.one_hot(labels, logits.shape[-1], dtype=FLOAT)).sum(-1)
    return (jax.nn.logsumexp(logits, -1) - picked).mean()


def tokens(name, spec, length=TOKENS):
    return {name: ((BATCH, length), INT, spec)}


def decoder(on=None):
    """Parameters and loss of a decoder-only transformer; `on` is the spec of its residual stream."""
    params = {"emb": (VOCAB, WIDTH), "out": (WIDTH, VOCAB), "nf": (WIDTH,)}
    for layer in range(LAYERS):
        params |= attention_params(f"a{layer}") | ffn_params(f"f{layer}")

    def loss(w, batch, constrain):
        keep = (lambda x: constrain(x, *on)) if on else (lambda x: x)
        x = keep(w["emb"][batch["tokens"]])
        for layer in range(LAYERS):
            a, f = f"a{layer}", f"f{layer}"
            h = norm(x, w[a + "n"])
            x = keep(x + attention(w, a, h, h, True))
            x = keep(x + ffn(w, f, norm(x, w[f + "n"])))
        return cross_entropy(norm(x, w["nf"]) @ w["out"], batch["labels"])

    return params, loss


def megatron(params, model, data=None):
    """Columns, then rows over `model`; with `data`, the first dim left is sharded by it too."""

    def spec(name, shape):
        if name in ("emb",):
            dims = [model, None]
        elif name == "out":
            dims = [None, model]
        elif name[-1] in "qkv":
            dims = [None, model, None]
        elif name[-1] == "o":
            dims = [model, None, None]
        elif name[-1] == "1":
            dims = [None, model]
        elif name[-1] == "b":
            dims = [model]
        elif name[-1] == "2":
            dims = [model, None]
        else:
            dims = [None] * len(shape)
        if data and None in dims:
            dims[dims.index(None)] = data
        return P(*dims)

    return {name: spec(name, shape) for name, shape in params.items()}


def first_dim(params, axes):
    """Every parameter's first dim that divides, over `axes`."""

    def spec(shape):
        for dim, size in enumerate(shape):
            if size % DEVICES == 0:
                return P(*[None] * dim, axes)
        return P()

    return {name: spec(shape) for name, shape in params.items()}


def replicated(params):
    return {name: P() for name in params}


def decoder_floor(mesh, params, specs, data, model=()):
    """Gradients; each block's contributions over `model`, forward and backward; the logits' backward."""
    floor = Floor(mesh)
    floor.parameters(params, specs, data, looked_up=["emb"])
    local = BATCH // floor.size(data) * TOKENS * WIDTH
    floor.looked_up(VOCAB * WIDTH, local, spec_axes(specs["emb"]))
    if model:
        floor.reduced(local, model, times=2 * 2 * LAYERS + 1)
    return floor


# ---- cases -----------------------------------------------------------------------------------------------------


@case
def decoder_three_axes():
    """Batch over two axes, parameters over one of them, columns and rows over the third."""
    mesh = dict(replica=2, data=2, model=2)
    params, loss = decoder()
    specs = megatron(params, "model", "data")
    floor = decoder_floor(mesh, params, specs, ["replica", "data"], ["model"])
    spec = P(("replica", "data"))
    return Case(mesh, params, specs, tokens("tokens", spec) | tokens("labels", spec), loss, floor.total)


@case
def decoder_zero1():
    """Parameters everywhere, moments shared out."""
    mesh = dict(data=8)
    params, loss = decoder()
    floor = Floor(mesh)
    floor.parameters(params, replicated(params), ["data"])
    batch = tokens("tokens", P("data")) | tokens("labels", P("data"))
    return Case(mesh, params, replicated(params), batch, loss, floor.total, first_dim(params, "data"))


@case
def decoder_hybrid_fsdp():
    """Parameters shared out inside a replica of four devices."""
    mesh = dict(replica=2, data=4)
    params, loss = decoder()
    specs = first_dim(params, "data")
    floor = decoder_floor(mesh, params, specs, ["replica", "data"])
    spec = P(("replica", "data"))
    return Case(mesh, params, specs, tokens("tokens", spec) | tokens("labels", spec), loss, floor.total)


@case
def decoder_sequence_three_axes():
    """Sequence parallel between the blocks, parameters shared out too."""
    mesh = dict(data=2, fsdp=2, model=2)
    params, loss = decoder(on=(("data", "fsdp"), "model", None))
    specs = megatron(params, "model", "fsdp")
    floor = decoder_floor(mesh, params, specs, ["data", "fsdp"], ["model"])
    spec = P(("data", "fsdp"))
    return Case(mesh, params, specs, tokens("tokens", spec) | tokens("labels", spec), loss, floor.total)


@case
def decoder_context():
    """Tokens sharded: every device needs all keys and values of its sequences."""
    mesh = dict(data=2, context=4)
    params, loss = decoder(on=("data", "context", None))
    floor = Floor(mesh)
    floor.parameters(params, replicated(params), ["data", "context"])
    # Keys and values of a layer are gathered, their gradients summed and scattered.
    floor.gathered(BATCH // 2 * TOKENS * WIDTH, ["context"], times=4 * LAYERS)
    batch = tokens("tokens", P("data", "context")) | tokens("labels", P("data", "context"))
    return Case(mesh, params, replicated(params), batch, loss, floor.total)


@case
def decoder_two_dims():
    """Weights sharded in both dims over both axes, activations by width over one."""
    mesh = dict(x=4, y=2)
    params, loss = decoder(on=("x", None, "y"))
    specs = megatron(params, "y", "x")
    floor = decoder_floor(mesh, params, specs, ["x"], ["y"])
    batch = tokens("tokens", P("x")) | tokens("labels", P("x"))
    return Case(mesh, params, specs, batch, loss, floor.total)


def encoder_decoder():
    params = {"emb": (VOCAB, WIDTH), "out": (WIDTH, VOCAB), "ne": (WIDTH,), "nd": (WIDTH,)}
    for layer in range(LAYERS):
        params |= attention_params(f"e{layer}a") | ffn_params(f"e{layer}f")
        params |= attention_params(f"d{layer}a") | attention_params(f"d{layer}x") | ffn_params(f"d{layer}f")

    def loss(w, batch, _):
        x, y = w["emb"][batch["source"]], w["emb"][batch["target"]]
        for layer in range(LAYERS):
            a, f = f"e{layer}a", f"e{layer}f"
            h = norm(x, w[a + "n"])
            x = x + attention(w, a, h, h, False)
            x = x + ffn(w, f, norm(x, w[f + "n"]))
        x = norm(x, w["ne"])
        for layer in range(LAYERS):
            a, c, f = f"d{layer}a", f"d{layer}x", f"d{layer}f"
            h = norm(y, w[a + "n"])
            y = y + attention(w, a, h, h, True)
            y = y + attention(w, c, norm(y, w[c + "n"]), x, False)
            y = y + ffn(w, f, norm(y, w[f + "n"]))
        return cross_entropy(norm(y, w["nd"]) @ w["out"], batch["labels"])

    return params, loss


@case
def encoder_decoder_megatron():
    """Heads and hidden units over `model`; the encoder is read by every layer of the decoder."""
    mesh = dict(data=2, model=4)
    params, loss = encoder_decoder()
    specs = megatron(params, "model")
    floor = Floor(mesh)
    floor.parameters(params, specs, ["data"], looked_up=["emb"])
    local = BATCH // 2 * TOKENS * WIDTH
    floor.looked_up(VOCAB * WIDTH, 2 * local, ["model"])
    # Two blocks a layer in the encoder, three in the decoder, both ways; backward the logits and, for all layers at once,
    # the encoder's result.
    floor.reduced(local, ["model"], times=2 * 2 * LAYERS + 2 * 3 * LAYERS + 2)
    batch = tokens("source", P("data")) | tokens("target", P("data")) | tokens("labels", P("data"))
    return Case(mesh, params, specs, batch, loss, floor.total)


@case
def encoder_decoder_fsdp():
    """All parameters shared out over all devices."""
    mesh = dict(data=8)
    params, loss = encoder_decoder()
    specs = first_dim(params, "data")
    floor = Floor(mesh)
    floor.parameters(params, specs, ["data"], looked_up=["emb"])
    floor.looked_up(VOCAB * WIDTH, 2 * TOKENS * WIDTH, ["data"])
    batch = tokens("source", P("data")) | tokens("target", P("data")) | tokens("labels", P("data"))
    return Case(mesh, params, specs, batch, loss, floor.total)


SIDE, CHANNELS, CLASSES = 32, 16, 16


def conv_net():
    """A small residual net on images: convolutions, a stride of two, a pooled head."""
    params = {"stem": (3, 3, 4, CHANNELS), "down": (3, 3, CHANNELS, 2 * CHANNELS), "head": (2 * CHANNELS, CLASSES)}
    for block, channels in enumerate((CHANNELS, 2 * CHANNELS)):
        params |= {f"c{block}1": (3, 3, channels, channels), f"c{block}2": (3, 3, channels, channels)}
        params |= {f"g{block}": (channels,)}

    def conv(x, kernel, stride=1):
        return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def loss(w, batch, _):
        x = conv(batch["images"], w["stem"])
        for block in range(2):
            h = jax.nn.relu(norm(x, w[f"g{block}"]))
            h = conv(jax.nn.relu(conv(h, w[f"c{block}1"])), w[f"c{block}2"])
            x = x + h
            x = conv(x, w["down"], 2) if block == 0 else x
        return cross_entropy(x.mean((1, 2)) @ w["head"], batch["labels"])

    return params, loss


def images(spec, labels):
    return {"images": ((BATCH, SIDE, SIDE, 4), FLOAT, spec), "labels": ((BATCH,), INT, labels)}


def conv_floor(mesh, params, specs, data, head_data=None):
    """Gradients; of the head's, what is pooled of the images may be gathered instead."""
    floor = Floor(mesh)
    floor.parameters({name: shape for name, shape in params.items() if name != "head"}, specs, data)
    floor.product(math.prod(params["head"]), BATCH * 2 * CHANNELS, BATCH * CLASSES, head_data or data)
    return floor


@case
def conv_net_dp():
    mesh = dict(data=8)
    params, loss = conv_net()
    floor = conv_floor(mesh, params, replicated(params), ["data"])
    return Case(mesh, params, replicated(params), images(P("data"), P("data")), loss, floor.total)


@case
def conv_net_channels():
    """Output channels of one convolution, input channels of the next."""
    mesh = dict(data=2, model=4)
    params, loss = conv_net()
    specs = replicated(params)
    for block in range(2):
        specs |= {f"c{block}1": P(None, None, None, "model"), f"c{block}2": P(None, None, "model", None)}
    floor = conv_floor(mesh, params, specs, ["data"])
    for side, channels in ((SIDE, CHANNELS), (SIDE // 2, 2 * CHANNELS)):
        floor.reduced(BATCH // 2 * side * side * channels, ["model"], times=2)
    return Case(mesh, params, specs, images(P("data"), P("data")), loss, floor.total)


@case
def conv_net_spatial():
    """Images cut into stripes: every convolution needs the rows next to its stripe."""
    mesh = dict(data=2, space=4)
    params, loss = conv_net()
    local = BATCH // 2
    floor = conv_floor(mesh, params, replicated(params), ["data", "space"], ["data"])
    floor.reduced(local * 2 * CHANNELS, ["space"])
    # A row up and a row down, forward and backward: the stem forward only (images have no gradient).
    floor.moved(local * SIDE * 4, times=2)
    floor.moved(local * SIDE * CHANNELS, times=2 * 2 * 2)
    floor.moved(local * SIDE // 2 * 2 * CHANNELS, times=2 * 2 * 2)
    # With a stride of two only one neighbor's row is read.
    floor.moved(local * SIDE * CHANNELS, times=2)
    return Case(mesh, params, replicated(params), images(P("data", "space"), P("data")), loss, floor.total)


EXPERTS, TOP = 8, 2


@case
def moe_sorted():
    """Tokens are sorted by expert and cut into equal shares of the experts, which lie on `expert`."""
    mesh = dict(data=2, expert=4)
    params = {"router": (WIDTH, EXPERTS), "w1": (EXPERTS, WIDTH, FFN), "w2": (EXPERTS, FFN, WIDTH), "n": (WIDTH,)}
    specs = {"router": P(), "w1": P("expert"), "w2": P("expert"), "n": P()}
    capacity = TOP * TOKENS // EXPERTS

    def loss(w, batch, _):
        x = batch["x"]
        examples = x.shape[0]
        h = norm(x, w["n"])
        gates, chosen = lax.top_k(jax.nn.softmax(h @ w["router"], -1), TOP)
        flat = chosen.reshape(examples, TOKENS * TOP)
        order = jnp.argsort(flat, axis=-1)
        token = order // TOP
        sorted_tokens = jnp.take_along_axis(h, token[..., None], 1)
        per_expert = sorted_tokens.reshape(examples, EXPERTS, capacity, WIDTH)
        hidden = jax.nn.silu(jnp.einsum("becd,edf->becf", per_expert, w["w1"]))
        back = jnp.einsum("becf,efd->becd", hidden, w["w2"]).reshape(examples, TOKENS * TOP, WIDTH)
        gate = jnp.take_along_axis(gates.reshape(examples, TOKENS * TOP), order, 1)
        summed = jax.vmap(lambda at, rows: jnp.zeros((TOKENS, WIDTH), FLOAT).at[at].add(rows))(token, back * gate[..., None])
        return ((x + summed - batch["y"]) ** 2).mean()

    floor = Floor(mesh)
    floor.parameters(params, specs, ["data"])
    # Every device of `expert` holds all tokens of its batch: only results (and gradients) of experts are summed.
    floor.reduced(BATCH // 2 * TOKENS * WIDTH, ["expert"], times=2)
    shape = (BATCH, TOKENS, WIDTH)
    batch = {"x": (shape, FLOAT, P("data")), "y": (shape, FLOAT, P("data"))}
    return Case(mesh, params, specs, batch, loss, floor.total)


@case
def mamba2_sequence():
    """A Mamba-2 block (state-space duality, chunks) with its tokens over `context`."""
    mesh = dict(data=2, context=4)
    heads, head, state, chunk = 8, 16, 16, 4
    inner = heads * head
    params = {}
    for layer in range(LAYERS):
        params |= {f"z{layer}": (WIDTH, inner), f"x{layer}": (WIDTH, inner), f"B{layer}": (WIDTH, state),
                   f"C{layer}": (WIDTH, state), f"t{layer}": (WIDTH, heads), f"k{layer}": (4, inner),
                   f"A{layer}": (heads,), f"o{layer}": (inner, WIDTH), f"n{layer}": (WIDTH,)}

    def block(w, layer, x):
        b, t, _ = x.shape
        h = norm(x, w[f"n{layer}"])
        u = lax.conv_general_dilated(h @ w[f"x{layer}"], w[f"k{layer}"][:, None, :], (1,), [(3, 0)],
                                     dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=inner)
        u = jax.nn.silu(u).reshape(b, t // chunk, chunk, heads, head)
        dt = jax.nn.softplus(h @ w[f"t{layer}"]).reshape(b, t // chunk, chunk, heads)
        B, C = ((h @ w[name + str(layer)]).reshape(b, t // chunk, chunk, state) for name in "BC")
        a = jnp.cumsum((-jnp.exp(w[f"A{layer}"]) * dt).transpose(0, 3, 1, 2), -1)
        u = u * dt[..., None]
        decay = jnp.where(jnp.tril(jnp.ones((chunk, chunk), bool)), a[..., :, None] - a[..., None, :], -jnp.inf)
        diagonal = jnp.einsum("bcln,bcsn,bhcls,bcshp->bclhp", C, B, jnp.exp(decay), u)
        states = jnp.einsum("bcln,bhcl,bclhp->bchpn", B, jnp.exp(a[..., -1:] - a), u)
        # What a chunk starts from: all states before it, each decayed by the chunks in between.
        total = jnp.cumsum(a[..., -1], -1)
        between = total[..., :, None] - a[..., -1][..., :, None] - total[..., None, :]
        count = t // chunk
        between = jnp.where(jnp.tril(jnp.ones((count, count), bool), -1), between, -jnp.inf)
        starts = jnp.einsum("bhzc,bchpn->bzhpn", jnp.exp(between), states)
        y = diagonal + jnp.einsum("bcln,bchpn,bhcl->bclhp", C, starts, jnp.exp(a))
        return x + (y.reshape(b, t, inner) * jax.nn.silu(h @ w[f"z{layer}"])) @ w[f"o{layer}"]

    def loss(w, batch, constrain):
        x = batch["x"]
        for layer in range(LAYERS):
            x = constrain(block(w, layer, x), "data", "context", None)
        return ((x - batch["y"]) ** 2).mean()

    floor = Floor(mesh)
    floor.parameters(params, replicated(params), ["data", "context"])
    # Three tokens before a shard for the convolution, and its states for the others; both ways.
    floor.moved(BATCH // 2 * 3 * inner, times=2 * LAYERS)
    floor.gathered(BATCH // 2 * TOKENS // chunk * inner * state, ["context"], times=2 * LAYERS)
    shape = (BATCH, TOKENS, WIDTH)
    batch = {"x": (shape, FLOAT, P("data", "context")), "y": (shape, FLOAT, P("data", "context"))}
    return Case(mesh, params, replicated(params), batch, loss, floor.total)


@case
def tables_and_towers():
    """Large tables over all devices, looked up by a batch over all devices, under a small net."""
    mesh = dict(data=2, model=4)
    rows, fields = 1024, 4
    params = {f"table{field}": (rows, WIDTH) for field in range(fields)}
    params |= {"w1": (fields * WIDTH, FFN), "w2": (FFN, 1)}
    specs = {f"table{field}": P("model") for field in range(fields)} | {"w1": P(), "w2": P()}

    def loss(w, batch, constrain):
        found = [w[f"table{field}"][batch["ids"][:, field]] for field in range(fields)]
        joined = constrain(jnp.concatenate(found, -1), ("data", "model"), None)
        return ((jax.nn.relu(joined @ w["w1"]) @ w["w2"] - batch["y"]) ** 2).mean()

    floor = Floor(mesh)
    floor.parameters({name: params[name] for name in ("w1", "w2")}, specs, ["data", "model"])
    local = 8 * BATCH // 2 * fields * WIDTH
    # What a device finds for the others of its row, and the gradients back; the tables' gradients over `data`.
    floor.gathered(local, ["model"], times=2)
    floor.product(fields * rows * WIDTH // 4, 0, 8 * BATCH * fields * WIDTH, ["data"])
    batch = {"ids": ((8 * BATCH, fields), INT, P(("data", "model"))), "y": ((8 * BATCH, 1), FLOAT, P(("data", "model")))}
    return Case(mesh, params, specs, batch, loss, floor.total)


@case
def recurrent_scan():
    """A gated recurrent net: a loop over tokens whose carried state is sharded by batch and by units."""
    mesh = dict(data=2, model=4)
    params = {"emb": (VOCAB, WIDTH), "wx": (WIDTH, 2, FFN), "wh": (FFN, 2, FFN), "out": (FFN, VOCAB)}
    specs = {"emb": P(), "wx": P(None, None, "model"), "wh": P(None, None, "model"), "out": P("model")}

    def loss(w, batch, constrain):
        inputs = jnp.einsum("btd,dcf->tbcf", w["emb"][batch["tokens"]], w["wx"])

        def step(h, x):
            z = x + jnp.einsum("bf,fcg->bcg", h, w["wh"])
            gate = jax.nn.sigmoid(z[:, 0])
            h = gate * h + (1 - gate) * jnp.tanh(z[:, 1])
            return h, h

        start = constrain(jnp.zeros((BATCH, FFN), FLOAT), "data", "model")
        _, states = lax.scan(step, start, inputs)
        return cross_entropy(jnp.einsum("tbf,fv->btv", states, w["out"]), batch["labels"])

    floor = Floor(mesh)
    floor.parameters(params, specs, ["data"])
    # The state is gathered in every step forward, its gradient summed and scattered in every step backward.
    floor.gathered(BATCH // 2 * FFN, ["model"], times=2 * TOKENS)
    floor.reduced(BATCH // 2 * TOKENS * VOCAB, ["model"])
    floor.reduced(BATCH // 2 * TOKENS * WIDTH, ["model"])
    return Case(mesh, params, specs, tokens("tokens", P("data")) | tokens("labels", P("data")), loss, floor.total)


# ---- lowering --------------------------------------------------------------------------------------------------


def adam(loss):
    return adam_of(jax.value_and_grad(loss))


def adam_of(value_and_gradients):
    """A step of what gives the loss and its gradients."""
    def step(p, m, v, t, batch):
        value, gradients = value_and_gradients(p, batch)
        t = t + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, gradients)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, gradients)
        c1, c2 = 1 - 0.9 ** t.astype(FLOAT), 1 - 0.999 ** t.astype(FLOAT)
        p = jax.tree.map(lambda p, m, v: p - 1e-3 * (m / c1) / (jnp.sqrt(v / c2) + 1e-8), p, m, v)
        return p, m, v, t, value

    return step


def lowered(made):
    """The text of a case's training step."""
    axes = tuple(made.mesh)
    types = (jax.sharding.AxisType.Auto,) * len(axes)
    mesh = jax.make_mesh(tuple(made.mesh.values()), axes, axis_types=types)
    place = lambda spec: NamedSharding(mesh, spec)
    constrain = lambda x, *spec: lax.with_sharding_constraint(x, place(P(*spec)))
    params = {name: jax.ShapeDtypeStruct(shape, FLOAT) for name, shape in made.params.items()}
    batch = {name: jax.ShapeDtypeStruct(shape, dtype) for name, (shape, dtype, _) in made.batch.items()}
    own = {name: place(made.specs[name]) for name in params}
    moments = {name: place(made.moments.get(name, made.specs[name])) for name in params}
    inputs = (own, moments, moments, place(P()), {name: place(spec) for name, (_, _, spec) in made.batch.items()})
    step = adam(functools.partial(lambda p, b: made.loss(p, b, constrain)))
    jitted = jax.jit(step, in_shardings=inputs, out_shardings=(*inputs[:4], place(P())), donate_argnums=(0, 1, 2, 3))
    return jitted.lower(params, params, params, jax.ShapeDtypeStruct((), INT), batch).as_text()


def plain(params, batch, loss):
    """The text of a training step without shardings."""
    jitted = jax.jit(adam(unconstrained(loss)), donate_argnums=(0, 1, 2, 3), keep_unused=True)
    return jitted.lower(*arguments(params, batch)).as_text()


def unconstrained(loss):
    """A case's loss of parameters and batch."""
    return lambda p, b: loss(p, b, lambda x, *spec: x)


def arguments(params, batch):
    """Shapes and types of a step's arguments."""
    params = {name: jax.ShapeDtypeStruct(shape, FLOAT) for name, shape in params.items()}
    batch = {name: jax.ShapeDtypeStruct(shape, dtype) for name, (shape, dtype, _) in batch.items()}
    return params, params, params, jax.ShapeDtypeStruct((), INT), batch


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("case", nargs="*", help=f"one of {', '.join(CASES)}")
    options = parser.parse_args()
    if unknown := [name for name in options.case if name not in CASES]:
        parser.error(f"there is no case {unknown[0]}")
    options.out.mkdir(parents=True, exist_ok=True)
    bounds = {}
    for name in options.case or CASES:
        made = CASES[name]()
        bounds[name] = round(made.floor)
        (options.out / f"{name}.mlir").write_text(lowered(made))
    (options.out / "bounds.json").write_text(json.dumps(bounds, indent=1) + "\n")


if __name__ == "__main__":
    main()
