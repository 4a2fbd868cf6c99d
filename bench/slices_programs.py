#!/usr/bin/env python3
"""Writes small forward passes that attend in many ways, for cuts along their sequence.

    .venv/bin/python bench/slices_programs.py OUT [NAME ...]

Input: names of attentions below (default: all). Output: OUT/NAME.mlir, a forward pass from tokens to what they attend to,
lowered by JAX. `tests/suite/slices` holds them, each with what slices read of one another, or why there are none.
"""
import argparse
import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp

BATCH, TOKENS, WIDTH, DEPTH, WORDS = 2, 8, 8, 4, 16
LOW = -1e9
ATTENTIONS = {}


def attention(function):
    ATTENTIONS[function.__name__] = function
    return function


def positions():
    """Of queries and keys."""
    return jnp.arange(TOKENS)[:, None], jnp.arange(TOKENS)[None]


def masked(mask):
    """An attention whose scores `mask` changes, who is told the tokens too."""

    def attend(q, k, v, tokens):
        scores = mask(jnp.einsum("btk,bsk->bts", q, k), tokens)
        return jnp.einsum("bts,bsk->btk", jax.nn.softmax(scores, -1), v)

    ATTENTIONS[mask.__name__] = attend
    return attend


@masked
def replaced_scores(scores, tokens):
    query, key = positions()
    return jnp.where(query >= key, scores, LOW)


@masked
def added_mask(scores, tokens):
    query, key = positions()
    return scores + jnp.where(query >= key, 0.0, LOW)


@masked
def window_of_keys(scores, tokens):
    query, key = positions()
    return jnp.where((query >= key) & (query - key < 3), scores, -jnp.inf)


@masked
def documents(scores, tokens):
    query, key = positions()
    return jnp.where((query >= key) & (tokens[:, :, None] == tokens[:, None, :]), scores, LOW)


@masked
def padding(scores, tokens):
    query, key = positions()
    return jnp.where((query >= key) & (tokens != 0)[:, None, :], scores, LOW)


@masked
def padding_to_nothing(scores, tokens):
    query, key = positions()
    return jnp.where((query >= key) & (tokens != 0)[:, None, :], scores, -jnp.inf)


@masked
def no_key_of_its_own(scores, tokens):
    query, key = positions()
    return jnp.where(query > key, scores, LOW)


@masked
def one_ahead(scores, tokens):
    query, key = positions()
    return jnp.where(query + 1 >= key, scores, -jnp.inf)


@masked
def both_directions(scores, tokens):
    return scores


@attention
def keys_first(q, k, v, tokens):
    key, query = positions()
    scores = jnp.where(key <= query, jnp.einsum("bsk,btk->bst", k, q), -jnp.inf)
    return jnp.einsum("bst,bsk->btk", jax.nn.softmax(scores, 1), v)


@attention
def no_softmax(q, k, v, tokens):
    query, key = positions()
    return jnp.einsum("bts,bsk->btk", jnp.einsum("btk,bsk->bts", q, k) * (query >= key), v)


@attention
def convolution(q, k, v, tokens):
    before = jnp.pad(v, ((0, 0), (2, 0), (0, 0)))
    return replaced_scores(q, k, before[:, :-2] + before[:, 1:-1] + v, tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTENTIONS))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    sides = {name: jax.ShapeDtypeStruct((WIDTH, DEPTH), jnp.float32) for name in "qkv"}
    params = sides | {"table": jax.ShapeDtypeStruct((WORDS, WIDTH), jnp.float32),
                      "o": jax.ShapeDtypeStruct((DEPTH, WIDTH), jnp.float32)}
    tokens = jax.ShapeDtypeStruct((BATCH, TOKENS), jnp.int32)
    for name in options.names or ATTENTIONS:
        def forward(w, tokens, attend=ATTENTIONS[name]):
            x = w["table"][tokens]
            return attend(x @ w["q"], x @ w["k"], x @ w["v"], tokens) @ w["o"]

        lowered = jax.jit(forward, keep_unused=True).lower(params, tokens)
        (options.out / f"{name}.mlir").write_text(lowered.as_text())


if __name__ == "__main__":
    main()
