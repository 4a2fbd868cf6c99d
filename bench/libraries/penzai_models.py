"""Penzai's Llama-like transformer, whose arrays have named axes."""
import jax
import jax.numpy as jnp
from penzai import pz
from penzai.models.transformer.variants import llamalike_common

from .steps import FLOAT, cross_entropy, in_float, real, tokens, trained

BATCH = 8


@real
def transformer():
    config = llamalike_common.LlamalikeTransformerConfig(
        num_kv_heads=2, query_head_multiplier=2, embedding_dim=32, projection_dim=8, mlp_hidden_dim=64,
        num_decoder_blocks=2, vocab_size=64, mlp_variant="swiglu", rope_wavelength=10_000, tie_embedder_and_logits=False,
        parameter_dtype=FLOAT, activation_dtype=FLOAT, use_layer_stack=True)
    model = llamalike_common.build_llamalike_transformer(config, init_base_rng=jax.random.key(0))
    bound, params = pz.unbind_params(model, freeze=True)

    def loss(params, ids):
        model = pz.bind_variables(bound, params)
        named = pz.nx.wrap(ids).tag("batch", "seq")
        at = pz.nx.arange("seq", ids.shape[1])
        logits = model(named, token_positions=at).unwrap("batch", "seq", "vocabulary")
        return cross_entropy(logits[:, :-1], ids[:, 1:])

    return *trained(loss, params), (tokens(BATCH, 16),)
