"""Training steps of small models in plain JAX, sharded over a mesh by `jax.sharding` in the ways that have a name.

`STEPS` maps `model/style` to a function that returns StableHLO text with sharding annotations and the name that a
plan which follows them should have. Shapes: B batch, T tokens, D model width, H heads, K head width, F hidden width,
V vocabulary, E experts, L layers, N examples without tokens.
"""
import math
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

F32, I32 = jnp.float32, jnp.int32
B, T, D, H, K, F, V, E, L, N = 32, 64, 32, 8, 4, 64, 96, 8, 2, 512
# Fewer tokens and larger weights, so that activations are cheaper to move than weights.
HEAVY = dict(B=4, T=16, D=64, H=8, K=8, F=256, V=96)
STEPS = {}


def tensor(*shape, dtype=F32):
    """The type of an argument."""
    return jax.ShapeDtypeStruct(shape, dtype)


# Optimizers: each makes a step (state, batch) -> (state, loss) of a loss, and its state of parameters.

def sgd(loss):
    def step(params, *batch):
        value, grads = jax.value_and_grad(loss)(params, *batch)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value
    return step, lambda params: params


def momentum(loss):
    def step(state, *batch):
        params, moments = state
        value, grads = jax.value_and_grad(loss)(params, *batch)
        moments = jax.tree.map(lambda m, g: 0.9 * m + g, moments, grads)
        return (jax.tree.map(lambda p, m: p - 0.1 * m, params, moments), moments), value
    return step, lambda params: (params, params)


def adam(loss):
    def step(state, *batch):
        params, first, second, count = state
        value, grads = jax.value_and_grad(loss)(params, *batch)
        count = count + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, second, grads)
        unbiased = jnp.sqrt(1 - 0.99 ** count.astype(F32)) / (1 - 0.9 ** count.astype(F32))
        new = jax.tree.map(lambda p, m, v: p - 1e-3 * unbiased * m / (jnp.sqrt(v) + 1e-8), params, first, second)
        return (new, first, second, count), value
    return step, lambda params: (params, params, params, tensor(dtype=I32))


def clipped(loss):
    """Momentum with gradients clipped by their global norm."""
    def step(state, *batch):
        params, moments = state
        value, grads = jax.value_and_grad(loss)(params, *batch)
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
        scale = jnp.minimum(1.0, 1.0 / norm)
        moments = jax.tree.map(lambda m, g: 0.9 * m + scale * g, moments, grads)
        return (jax.tree.map(lambda p, m: p - 0.1 * m, params, moments), moments), value
    return step, lambda params: (params, params)


def forward_only(loss):
    return loss, lambda params: params


def gradients_only(loss):
    return jax.grad(loss), lambda params: params


# Ways to shard parameters: from a path and a shape to a PartitionSpec.

def replicated(path, shape):
    return P()


def over(axis, size, table=None):
    """The first dim that divides is sharded over `axis`, besides what `table` says."""
    def spec(path, shape):
        dims = list((table or {}).get(path[-1], P()))
        dims += [None] * (len(shape) - len(dims))
        for dim, length in enumerate(shape):
            if dims[dim] is None and length % size == 0 and length > size:
                dims[dim] = axis
                break
        return P(*dims)
    return spec


def by_name(table):
    return lambda path, shape: table.get(path[-1], P())


def stacked(spec):
    """For layers in one array: the first dim of what lies below `layers` counts them."""
    def shifted(path, shape):
        return P(None, *spec(path, shape[1:])) if "layers" in path else spec(path, shape)
    return shifted


def names_of(path):
    return [str(getattr(key, "key", getattr(key, "idx", ""))) for key in path]


class Axes:
    """A mesh of eight devices and what constraints in the model mean on it."""

    def __init__(self, mesh, constraints=None):
        names, sizes = zip(*(part.split("=") for part in mesh.split(",")))
        kinds = (jax.sharding.AxisType.Auto,) * len(names)
        self.mesh = jax.make_mesh(tuple(map(int, sizes)), names, axis_types=kinds)
        self.constraints = constraints or {}

    def __call__(self, what, value):
        """`value` as the style wants what it calls `what`."""
        spec = self.constraints.get(what)
        return value if spec is None else lax.with_sharding_constraint(value, NamedSharding(self.mesh, spec))


def lower(model, axes, optimizer, params_spec, batch_spec, moments_spec=None, donate=True):
    """The text of a training step. `batch_spec` is one PartitionSpec or one for each batch argument."""
    loss, params, batch = model(axes)
    step, state_of = optimizer(loss)
    on = lambda spec: NamedSharding(axes.mesh, spec)
    spread = lambda spec: jax.tree_util.tree_map_with_path(lambda path, a: on(spec(names_of(path), a.shape)), params)
    of_params, state = spread(params_spec), state_of(params)
    of_moments = spread(moments_spec or params_spec)
    if state is params:
        of_state = of_params
    else:
        of_state = (of_params,) + (of_moments,) * (len([s for s in state if s is params]) - 1)
        of_state += (on(P()),) * (len(state) - len(of_state))
    specs = batch_spec if isinstance(batch_spec, list) else [batch_spec] * len(batch)
    ins = (of_state, *map(on, specs))
    outs = {sgd: (of_state, on(P())), forward_only: None, gradients_only: of_params}.get(optimizer, (of_state, on(P())))
    jitted = jax.jit(step, in_shardings=ins, out_shardings=outs, donate_argnums=(0,) if donate else ())
    return jitted.lower(state, *batch).as_text()


# Models: each returns the loss, the types of its parameters and of its batch.

def cross_entropy(logits, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1).mean()


def norm(x, scale):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale


def attention_weights():
    return dict(norm_a=tensor(D), query=tensor(D, H, K), key=tensor(D, H, K), value=tensor(D, H, K), out=tensor(H, K, D))


def hidden_weights():
    return dict(norm_h=tensor(D), up=tensor(D, F), up_bias=tensor(F), down=tensor(F, D), down_bias=tensor(D))


def attend(w, x, memory, axes, causal):
    """Heads read `memory` (the tokens themselves, or another sequence)."""
    q = axes("heads", jnp.einsum("btd,dhk->bthk", x, w["query"]))
    k = axes("heads", jnp.einsum("bsd,dhk->bshk", memory, w["key"]))
    v = axes("heads", jnp.einsum("bsd,dhk->bshk", memory, w["value"]))
    scores = jnp.einsum("bthk,bshk->bhts", q, k) / math.sqrt(K)
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    mixed = axes("heads", jnp.einsum("bhts,bshk->bthk", jax.nn.softmax(scores), v))
    return jnp.einsum("bthk,hkd->btd", mixed, w["out"])


def hidden(w, x):
    return jax.nn.gelu(x @ w["up"] + w["up_bias"]) @ w["down"] + w["down_bias"]


def block(w, x, axes, causal):
    x = axes("residual", x)
    h = norm(x, w["norm_a"])
    x = axes("residual", x + attend(w, h, h, axes, causal))
    return axes("residual", x + hidden(w, norm(x, w["norm_h"])))


def gpt(axes, scan=False, remat=False):
    layer = attention_weights() | hidden_weights()
    layers = {name: tensor(L, *a.shape) for name, a in layer.items()} if scan else [layer] * L
    params = dict(embedding=tensor(V, D), position=tensor(T, D), layers=layers, scale=tensor(D))

    def loss(p, tokens, labels):
        x = p["embedding"][tokens] + p["position"]
        body = lambda w, x: block(w, x, axes, True)
        body = jax.checkpoint(body) if remat else body
        if scan:
            x = lax.scan(lambda x, w: (body(w, x), None), x, p["layers"])[0]
        else:
            for w in p["layers"]:
                x = body(w, x)
        return cross_entropy(norm(x, p["scale"]) @ p["embedding"].T, labels)

    return loss, params, (tensor(B, T, dtype=I32), tensor(B, T, dtype=I32))


def encoder_decoder(axes):
    params = dict(source=tensor(V, D), target=tensor(V, D), encoder=[attention_weights() | hidden_weights()],
                  decoder=[attention_weights() | hidden_weights()], cross=[attention_weights()], scale=tensor(D))

    def loss(p, source, target, labels):
        memory, x = p["source"][source], p["target"][target]
        for w in p["encoder"]:
            memory = block(w, memory, axes, False)
        for w, c in zip(p["decoder"], p["cross"]):
            h = norm(x, w["norm_a"])
            x = x + attend(w, h, h, axes, True)
            x = x + attend(c, norm(x, c["norm_a"]), memory, axes, False)
            x = x + hidden(w, norm(x, w["norm_h"]))
        return cross_entropy(norm(x, p["scale"]) @ p["target"].T, labels)

    return loss, params, (tensor(B, 2 * T, dtype=I32), tensor(B, T, dtype=I32), tensor(B, T, dtype=I32))


def vit(axes):
    params = dict(patch=tensor(4, 4, 3, D), position=tensor(16, D), layers=[attention_weights() | hidden_weights()] * L,
                  scale=tensor(D), head=tensor(D, 16))

    def loss(p, images, labels):
        x = lax.conv_general_dilated(images, p["patch"], (4, 4), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = x.reshape(x.shape[0], -1, D) + p["position"]
        for w in p["layers"]:
            x = block(w, x, axes, False)
        return cross_entropy(norm(x, p["scale"]).mean(1) @ p["head"], labels)

    return loss, params, (tensor(B, 16, 16, 3), tensor(B, dtype=I32))


def mixture(axes, tokens=T):
    """Top-2 routing with a capacity; every example dispatches its own tokens."""
    capacity = tokens // 4
    layer = dict(norm_h=tensor(D), router=tensor(D, E), up=tensor(E, D, F), down=tensor(E, F, D))
    params = dict(layers=[layer] * L)

    def experts(w, x):
        gates, index = lax.top_k(jax.nn.softmax(x @ w["router"]), 2)
        chosen = jax.nn.one_hot(index, E)
        place = (jnp.cumsum(chosen.reshape(x.shape[0], -1, E), 1).reshape(chosen.shape) * chosen - 1).astype(I32)
        combine = jnp.einsum("btk,btke,btkec->btec", gates, chosen, jax.nn.one_hot(place, capacity))
        inputs = axes("experts", jnp.einsum("btec,btd->ebcd", (combine > 0).astype(F32), x))
        made = axes("experts", jnp.einsum("ebcf,efd->ebcd", jax.nn.relu(jnp.einsum("ebcd,edf->ebcf", inputs, w["up"])), w["down"]))
        return jnp.einsum("btec,ebcd->btd", combine, made)

    def loss(p, x, y):
        for w in p["layers"]:
            x = axes("residual", x + experts(w, norm(x, w["norm_h"])))
        return ((x - y) ** 2).mean()

    return loss, params, (tensor(B, tokens, D), tensor(B, tokens, D))


def rnn(axes, time_major=True):
    params = dict(inner=tensor(D, F), outer=tensor(F, F), head=tensor(F, 16))

    def loss(p, x, y):
        def cell(h, x):
            h = jnp.tanh(x @ p["inner"] + h @ p["outer"])
            return h, h
        h, states = lax.scan(cell, jnp.zeros((x.shape[1], F)), x)
        return cross_entropy((states.mean(0) + h) @ p["head"], y)

    return loss, params, (tensor(T, B, D), tensor(B, dtype=I32))


def mlp(axes):
    params = [dict(weight=tensor(D, F), bias=tensor(F)), dict(weight=tensor(F, F), bias=tensor(F)),
              dict(weight=tensor(F, D), bias=tensor(D))]

    def loss(p, x, y):
        for layer in p[:-1]:
            x = jnp.tanh(x @ layer["weight"] + layer["bias"])
        return ((x @ p[-1]["weight"] + p[-1]["bias"] - y) ** 2).mean()

    return loss, params, (tensor(N, D), tensor(N, D))


def regression(axes):
    return (lambda w, x, y: ((x @ w["weight"] - y) ** 2).mean()), dict(weight=tensor(D, 16)), (tensor(N, D), tensor(N, 16))


def pair_mlp(axes):
    """Two layers whose weights are the first one's columns and the second one's rows."""
    params = dict(up=tensor(D, F), up_bias=tensor(F), down=tensor(F, D))
    return (lambda p, x, y: ((jax.nn.relu(x @ p["up"] + p["up_bias"]) @ p["down"] - y) ** 2).mean()), params, (
        tensor(N, D), tensor(N, D))


def towers(axes):
    """An embedding model: queries and documents, each other's negatives."""
    params = dict(table=tensor(512, D), query=tensor(D, F), document=tensor(D, F))

    def loss(p, queries, documents):
        q = p["table"][queries].mean(1) @ p["query"]
        d = p["table"][documents].mean(1) @ p["document"]
        return cross_entropy(q @ d.T, jnp.arange(q.shape[0]))

    return loss, params, (tensor(64, 4, dtype=I32), tensor(64, 4, dtype=I32))


def unet(axes):
    conv = lambda x, w, stride=1: lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    params = dict(enter=tensor(3, 3, 3, 8), down=tensor(3, 3, 8, 16), middle=tensor(3, 3, 16, 16),
                  up=tensor(2, 2, 16, 8), join=tensor(3, 3, 16, 8), leave=tensor(1, 1, 8, 3), bias=tensor(16))

    def loss(p, x, y):
        a = jax.nn.relu(conv(x, p["enter"]))
        b = jax.nn.relu(conv(a, p["down"], 2))
        b = b + jax.nn.relu(conv(b, p["middle"]) + p["bias"])
        c = lax.conv_transpose(b, p["up"], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        c = jax.nn.relu(conv(jnp.concatenate([a, c], -1), p["join"]))
        return ((conv(c, p["leave"]) - y) ** 2).mean()

    return loss, params, (tensor(B, 16, 16, 3), tensor(B, 16, 16, 3))


def classifier(axes):
    """Convolutions with pooling and batch normalization."""
    params = dict(first=tensor(3, 3, 3, 16), second=tensor(3, 3, 16, 32), scale=tensor(16), head=tensor(32, 16))
    conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def loss(p, x, y):
        x = conv(x, p["first"])
        x = (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * p["scale"]
        x = lax.reduce_window(jax.nn.relu(x), 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        return cross_entropy(jax.nn.silu(conv(x, p["second"])).mean((1, 2)) @ p["head"], y)

    return loss, params, (tensor(B, 16, 16, 3), tensor(B, dtype=I32))


def branching(axes):
    """Which of two layers is used is decided at run time."""
    params = dict(first=tensor(D, D), second=tensor(D, D), head=tensor(D, 16))

    def loss(p, x, y, flag):
        h = lax.cond(flag, lambda x: jnp.tanh(x @ p["first"]), lambda x: jnp.sin(x @ p["second"]) + x, x)
        return ((h @ p["head"] - y) ** 2).mean()

    return loss, params, (tensor(N, D), tensor(N, 16), tensor(dtype=jnp.bool_))


def mapped(axes):
    """Written for one example and mapped over the batch."""
    loss, params, _ = mlp(axes)
    one = lambda p, x, y: loss(p, x[None], y[None])
    return (lambda p, x, y: jax.vmap(one, (None, 0, 0))(p, x, y).mean()), params, (tensor(N, D), tensor(N, D))


def accumulating(axes):
    """Gradients of four microbatches are summed in a loop."""
    loss, params, batch = mlp(axes)

    def total(p, x, y):
        parts = [a.reshape(N // 4, 4, D).swapaxes(0, 1) for a in (x, y)]
        return lax.scan(lambda sum, xy: (sum + jax.checkpoint(loss)(p, *xy), None), 0.0, tuple(parts))[0] / 4

    return total, params, batch


# The styles of each model, with the names they should get.

COLUMNS = dict(query=P(None, "model"), key=P(None, "model"), value=P(None, "model"), out=P("model"),
               up=P(None, "model"), up_bias=P("model"), down=P("model"), embedding=P("model"), target=P("model"),
               source=P("model"))
SEQUENCE = dict(residual=P("data", "model", None), heads=P("data", None, "model", None))
ALONE = dict(residual=P(None, "model", None), heads=P(None, None, "model", None))
DP, TP = "data parallel over 8", "data parallel over 2, tensor parallel over 4"
FSDP = "data parallel over 8, ZeRO-3"


def add(name, expected, model, mesh, optimizer, params_spec=replicated, batch_spec=P("data"), constraints=None, sizes=None,
        **how):
    """Registers a step; its text is made when it is asked for. `sizes` are other sizes than the usual ones."""
    def text():
        usual = {size: globals()[size] for size in sizes or {}}
        globals().update(sizes or {})
        try:
            return lower(model, Axes(mesh, constraints), optimizer, params_spec, batch_spec, **how)
        finally:
            globals().update(usual)

    assert name not in STEPS
    STEPS[name] = text, expected


def add_all():
    whole, split = "data=8", "data=2,model=4"
    for model, opt in [(gpt, adam), (encoder_decoder, adam), (vit, adam), (mixture, momentum), (mlp, sgd), (rnn, adam),
                       (unet, sgd), (classifier, momentum), (towers, adam), (branching, sgd), (mapped, clipped),
                       (accumulating, momentum), (regression, momentum)]:
        spec = [P(None, "data"), P("data")] if model is rnn else P("data")
        spec = [P("data"), P("data"), P()] if model is branching else spec
        for donate in (True, False):
            kind = "" if donate else "_not_donated"
            add(f"{model.__name__}/dp{kind}", DP, model, whole, opt, batch_spec=spec, donate=donate)
            if model not in (branching, rnn):
                expected = "data parallel over 8 (besides embedding parallel), ZeRO-3" if model is towers else FSDP
                add(f"{model.__name__}/fsdp{kind}", expected, model, whole, opt, over("data", 8), batch_spec=spec,
                    donate=donate)
    for model in (gpt, encoder_decoder, vit):
        for donate in (True, False):
            kind = "" if donate else "_not_donated"
            add(f"{model.__name__}/megatron{kind}", TP, model, split, adam, by_name(COLUMNS), donate=donate)
        add(f"{model.__name__}/megatron_moments", TP + ", ZeRO-2", model, split, adam, by_name(COLUMNS),
            moments_spec=over("data", 2, COLUMNS))
        add(f"{model.__name__}/megatron_fsdp", TP + ", ZeRO-3", model, split, adam, over("data", 2, COLUMNS))
    for model in (gpt, vit):
        add(f"{model.__name__}/tp_sp", TP + ", sequence parallel over 4", model, split, adam, by_name(COLUMNS),
            constraints=SEQUENCE, sizes=HEAVY)
        add(f"{model.__name__}/ulysses", "data parallel over 2, Ulysses sequence parallel over 4", model, split, adam,
            constraints=SEQUENCE)
        add(f"{model.__name__}/context", "data parallel over 2, context parallel over 4", model, split, adam,
            constraints=dict(residual=P("data", "model", None), heads=P("data", "model", None, None)))
    tokens = P("data", "model")
    add("gpt/ulysses_fsdp", "data parallel over 2, Ulysses sequence parallel over 4, ZeRO-3", gpt, split, adam,
        over("data", 2), batch_spec=tokens, constraints=SEQUENCE)
    add("gpt/ulysses_alone", "Ulysses sequence parallel over 8", gpt, "model=8", adam, batch_spec=P(None, "model"),
        constraints=ALONE)
    one = dict(residual=P(None, "model", None), heads=P(None, "model", None, None))
    for name, model in [("gpt", gpt), ("gpt_scan", lambda axes: gpt(axes, scan=True))]:
        add(f"{name}/context_of_one", "context parallel over 8", model, "model=8", adam, batch_spec=P(None, "model"),
            constraints=one, sizes=dict(B=1))
    add("unet/spatial", "data parallel over 2, spatial parallel over 4", unet, split, sgd,
        batch_spec=P("data", "model"))
    for name, how in [("scan", dict(scan=True)), ("remat", dict(remat=True)), ("scan_remat", dict(scan=True, remat=True))]:
        model = lambda axes, how=how: gpt(axes, **how)
        shift = stacked if "scan" in how else lambda spec: spec
        for donate in (True, False):
            kind = "" if donate else "_not_donated"
            add(f"gpt_{name}/dp{kind}", DP, model, whole, adam, donate=donate)
            add(f"gpt_{name}/fsdp{kind}", FSDP, model, whole, adam, shift(over("data", 8)), donate=donate)
            add(f"gpt_{name}/megatron{kind}", TP, model, split, adam, shift(by_name(COLUMNS)), donate=donate)
        add(f"gpt_{name}/tp_sp", TP + ", sequence parallel over 4", model, split, adam, shift(by_name(COLUMNS)),
            constraints=SEQUENCE, sizes=HEAVY)
        add(f"gpt_{name}/ulysses", "data parallel over 2, Ulysses sequence parallel over 4", model, split, adam,
            constraints=SEQUENCE)
    experts = dict(up=P("expert"), down=P("expert"))
    add("mixture/expert", "data parallel over 2, expert parallel over 4", mixture, "data=2,expert=4", adam,
        by_name(experts))
    own = dict(experts=P("data"), residual=P("data"))
    experts = dict(up=P("data"), down=P("data"))
    add("mixture/expert_over_data", "expert parallel over 8 (besides data parallel)", mixture, whole, adam,
        by_name(experts), constraints=own)
    for optimizer in (adam, momentum, sgd):
        table = dict(up=P(None, "model"), up_bias=P("model"), down=P("model"))
        add(f"pair_mlp/tensor_{optimizer.__name__}", TP, pair_mlp, split, optimizer, by_name(table), donate=False)
    add("mlp/moments", DP + ", ZeRO-2", mlp, whole, adam, moments_spec=over("data", 8))
    add("mlp/moments_not_donated", DP + ", ZeRO-2", mlp, whole, clipped, moments_spec=over("data", 8), donate=False)
    half = lambda path, shape: over("data", 8)(path, shape) if path[0] == "1" else P()
    add("mlp/half", DP + ", ZeRO-3 for 50 % of the parameters", mlp, whole, adam, half)
    add("mlp/forward", DP, mlp, whole, forward_only)
    add("mlp/gradients", DP, mlp, whole, gradients_only)
    add("gpt/forward", DP, gpt, whole, forward_only)
    add("gpt/forward_megatron", TP, gpt, split, forward_only, by_name(COLUMNS))
    add("gpt/gradients", DP, gpt, whole, gradients_only)
    add("classifier/forward", DP, classifier, whole, forward_only)
    table = by_name(dict(table=P("data")))
    add("towers/table", "data parallel over 8 (besides embedding parallel)", towers, whole, adam, table)
    add("rnn/tensor", TP, rnn, split, adam, by_name(dict(inner=P(None, "model"), outer=P("model"))),
        batch_spec=[P(None, "data"), P("data")])
    add("mlp/replicated", "replicated over 8", mlp, whole, adam, batch_spec=P())


add_all()
