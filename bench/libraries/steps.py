"""What a step is here, and the ways of training that several libraries share.

A step is a function without arguments in the file of its library, marked by `@real`; it returns `step`, `state` and
`batch`, where `step(state, *batch)` gives the next state and a number to look at. Initial values are random, sizes tiny.
Where JAX computes with 64 bits, models are made in f64.
"""
import jax
import jax.numpy as jnp
import numpy as np
import optax

FLOAT = jnp.float64 if jax.config.jax_enable_x64 else jnp.float32


def real(make=None, *, curve=False):
    """Marks a function as one that makes a step; `curve`: its loss curve is compared too."""
    def mark(make):
        make.is_real = True
        make.has_curve = curve
        return make
    return mark(make) if make else mark


def in_float(tree):
    """The same tree with its floats in the precision of this run."""
    def convert(leaf):
        is_float = hasattr(leaf, "dtype") and jnp.issubdtype(leaf.dtype, jnp.floating)
        return jnp.asarray(leaf, FLOAT) if is_float else leaf
    return jax.tree.map(convert, tree)


def tokens(*shape, below=64, seed=0):
    return np.random.default_rng(seed).integers(1, below, shape).astype(np.int32)


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(FLOAT)


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def adam(rate=1e-3):
    """Adam as most people configure it, with an epsilon under which gradients that are only rounding stay small."""
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rate, eps=1e-6))


def trained(loss, params, optimizer=None):
    """A step that trains by `loss(params, *batch)`, with its first state."""
    optimizer = optimizer or adam()
    params = in_float(params)

    def step(state, *batch):
        params, moments = state
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        updates, moments = optimizer.update(gradients, moments, params)
        return (optax.apply_updates(params, updates), moments), value

    return step, (params, optimizer.init(params))


def trained_with_key(loss, params, optimizer=None, key=None):
    """A step that trains by `loss(params, key, *batch)` with a new key in every step, with its first state."""
    optimizer = optimizer or adam()
    params = in_float(params)

    def step(state, *batch):
        params, moments, key = state
        key, now = jax.random.split(key)
        value, gradients = jax.value_and_grad(loss)(params, now, *batch)
        updates, moments = optimizer.update(gradients, moments, params)
        return (optax.apply_updates(params, updates), moments, key), value

    return step, (params, optimizer.init(params), jax.random.key(1) if key is None else key)
