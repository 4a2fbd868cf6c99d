"""Models of Hugging Face's transformers in Flax (4.57 is the last release that has them), trained with dropout."""
import jax
import jax.numpy as jnp
import transformers as hf
from transformers.models.bloom import modeling_flax_bloom
from transformers.models.gptj import modeling_flax_gptj
from transformers.models.llama import modeling_flax_llama
from transformers.models.t5 import modeling_flax_t5

from .steps import FLOAT, cross_entropy, in_float, normal, real, tokens, trained, trained_with_key

BATCH, LENGTH, VOCABULARY = 8, 16, 64


def clip(array, minimum=None, maximum=None, a_min=None, a_max=None):
    """`jnp.clip` with the names of arguments that it had when these models were written."""
    return _clip(array, a_min if minimum is None else minimum, a_max if maximum is None else maximum)


_clip, jnp.clip = jnp.clip, clip


def t5_norm(self, hidden):
    """T5's normalization, in the type of what it is given."""
    return self.weight * (hidden / jnp.sqrt(jnp.power(hidden, 2).mean(axis=-1, keepdims=True) + self.eps))


class Numpy:
    """`jnp` in which f32 is the type of this run."""
    float32 = FLOAT

    def __getattr__(self, name):
        return getattr(jnp, name)


# These normalize in f32, or take a softmax in it, whatever type they are asked for. In f64 they do so in f64: one element that
# is rounded to f32 the other way would show in the loss.
if FLOAT == jnp.float64:
    modeling_flax_t5.FlaxT5LayerNorm.__call__ = t5_norm
    for module in (modeling_flax_bloom, modeling_flax_gptj, modeling_flax_llama):
        module.jnp = Numpy()


def model_of(kind, config, **options):
    return kind(config, seed=0, dtype=FLOAT, **options)


def language_model(kind, config):
    """Next-token training with dropout."""
    model = model_of(kind, config, input_shape=(1, LENGTH))

    def loss(params, key, ids):
        logits = model(ids, params=params, dropout_rng=key, train=True).logits
        return cross_entropy(logits[:, :-1], ids[:, 1:])

    return *trained_with_key(loss, model.params), (tokens(BATCH, LENGTH),)


def sequences(kind, config, **options):
    """Training of an encoder with a decoder, with dropout and a mask of the encoder's padding."""
    model = model_of(kind, config, **options)

    def loss(params, key, ids, mask, targets):
        logits = model(ids, attention_mask=mask, decoder_input_ids=targets, params=params, dropout_rng=key,
                       train=True).logits
        return cross_entropy(logits[:, :-1], targets[:, 1:])

    mask = (tokens(BATCH, 1, below=LENGTH) + LENGTH // 2 > jnp.arange(LENGTH)).astype(jnp.int32)
    return *trained_with_key(loss, model.params), (tokens(BATCH, LENGTH), mask, tokens(BATCH, LENGTH // 2, seed=1))


def classifier(kind, config, size, **options):
    """Training on images with dropout."""
    model = model_of(kind, config, **options)

    def loss(params, key, pixels, labels):
        logits = model(pixels, params=params, dropout_rng=key, train=True).logits
        return cross_entropy(logits, labels)

    return *trained_with_key(loss, model.params), (normal(BATCH, 3, size, size), tokens(BATCH, below=4))


@real(curve=True)
def gpt2():
    config = hf.GPT2Config(vocab_size=VOCABULARY, n_positions=LENGTH, n_embd=32, n_layer=2, n_head=4)
    return language_model(hf.FlaxGPT2LMHeadModel, config)


@real(curve=True)
def llama():
    """Without dropout, which it has none of; tokens are drawn anew from a key in every step."""
    config = hf.LlamaConfig(vocab_size=VOCABULARY, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                            num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=LENGTH)
    model = model_of(hf.FlaxLlamaForCausalLM, config, input_shape=(1, LENGTH))

    def loss(params, key, ids):
        noise = jax.random.randint(key, ids.shape, 0, VOCABULARY)
        ids = jnp.where(jax.random.bernoulli(key, 0.1, ids.shape), noise, ids)
        return cross_entropy(model(ids, params=params).logits[:, :-1], ids[:, 1:])

    return *trained_with_key(loss, model.params), (tokens(BATCH, LENGTH),)


@real(curve=True)
def bloom():
    config = hf.BloomConfig(vocab_size=VOCABULARY, hidden_size=32, n_layer=2, n_head=4, hidden_dropout=0.1,
                            attention_dropout=0.1)
    return language_model(hf.FlaxBloomForCausalLM, config)


@real(curve=True)
def gptj():
    config = hf.GPTJConfig(vocab_size=VOCABULARY, n_positions=LENGTH, n_embd=32, n_layer=2, n_head=4, rotary_dim=4)
    return language_model(hf.FlaxGPTJForCausalLM, config)


@real(curve=True)
def bert():
    """Masked tokens are predicted; which ones are masked follows from a key."""
    config = hf.BertConfig(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
                           intermediate_size=64, max_position_embeddings=LENGTH)
    model = model_of(hf.FlaxBertForMaskedLM, config, input_shape=(1, LENGTH))

    def loss(params, key, ids):
        choose, drop = jax.random.split(key)
        chosen = jax.random.bernoulli(choose, 0.2, ids.shape)
        logits = model(jnp.where(chosen, 0, ids), params=params, dropout_rng=drop, train=True).logits
        picked = jnp.take_along_axis(jax.nn.log_softmax(logits), ids[..., None], -1)[..., 0]
        return -(picked * chosen).sum() / jnp.maximum(chosen.sum(), 1)

    return *trained_with_key(loss, model.params, key=jax.random.PRNGKey(2)), (tokens(BATCH, LENGTH),)


@real
def big_bird():
    """Attention in blocks, some of them random."""
    config = hf.BigBirdConfig(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
                              intermediate_size=64, max_position_embeddings=64, block_size=8, num_random_blocks=1)
    model = model_of(hf.FlaxBigBirdForMaskedLM, config, input_shape=(1, 64))

    def loss(params, key, ids):
        drop, blocks = jax.random.split(key)
        logits = model(ids, params=params, dropout_rng=drop, indices_rng=blocks, train=True).logits
        return cross_entropy(logits, ids)

    return *trained_with_key(loss, model.params), (tokens(4, 64),)


@real(curve=True)
def t5():
    config = hf.T5Config(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4)
    return sequences(hf.FlaxT5ForConditionalGeneration, config)


@real(curve=True)
def bart():
    config = hf.BartConfig(vocab_size=VOCABULARY, d_model=32, encoder_layers=1, decoder_layers=1,
                           encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64,
                           decoder_ffn_dim=64, max_position_embeddings=LENGTH)
    return sequences(hf.FlaxBartForConditionalGeneration, config)


@real(curve=True)
def whisper():
    config = hf.WhisperConfig(vocab_size=VOCABULARY, d_model=32, encoder_layers=1, decoder_layers=1,
                              encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64,
                              decoder_ffn_dim=64, num_mel_bins=16, max_source_positions=16, max_target_positions=LENGTH,
                              dropout=0.1, decoder_start_token_id=1, pad_token_id=0, bos_token_id=1, eos_token_id=2)
    model = model_of(hf.FlaxWhisperForConditionalGeneration, config, input_shape=(1, 16, 32))

    def loss(params, key, features, targets):
        logits = model(features, targets, params=params, dropout_rng=key, train=True).logits
        return cross_entropy(logits[:, :-1], targets[:, 1:])

    return *trained_with_key(loss, model.params), (normal(BATCH, 16, 32), tokens(BATCH, LENGTH))


@real(curve=True)
def vit():
    config = hf.ViTConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                          image_size=16, patch_size=4, num_labels=4, hidden_dropout_prob=0.1)
    return classifier(hf.FlaxViTForImageClassification, config, 16)


@real
def beit():
    """With a relative position bias, and layers that are dropped at random."""
    config = hf.BeitConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                           image_size=16, patch_size=4, num_labels=4, use_relative_position_bias=True)
    return classifier(hf.FlaxBeitForImageClassification, config, 16)


@real
def contrastive():
    """CLIP."""
    config = hf.CLIPConfig(
        text_config=dict(vocab_size=VOCABULARY, hidden_size=32, intermediate_size=64, num_hidden_layers=1,
                         num_attention_heads=4, max_position_embeddings=LENGTH, eos_token_id=63),
        vision_config=dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4,
                           image_size=16, patch_size=4), projection_dim=16)
    model = model_of(hf.FlaxCLIPModel, config)

    def loss(params, ids, pixels):
        logits = model(ids, pixels, params=params).logits_per_text
        labels = jnp.arange(len(logits))
        return (cross_entropy(logits, labels) + cross_entropy(logits.T, labels)) / 2

    return *trained(loss, model.params), (tokens(BATCH, LENGTH), normal(BATCH, 3, 16, 16))


@real
def wav2vec2():
    config = hf.Wav2Vec2Config(vocab_size=32, hidden_size=32, num_hidden_layers=1, num_attention_heads=4,
                               intermediate_size=64, conv_dim=(16, 16), conv_stride=(5, 2), conv_kernel=(10, 3),
                               num_feat_extract_layers=2, num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2,
                               do_stable_layer_norm=True, feat_extract_norm="layer")
    model = model_of(hf.FlaxWav2Vec2ForCTC, config, input_shape=(1, 160))

    def loss(params, key, waves, labels):
        import optax
        logits = model(waves, params=params, dropout_rng=key, train=True, freeze_feature_encoder=True).logits
        return optax.ctc_loss(logits, jnp.zeros(logits.shape[:2]), labels, jnp.zeros(labels.shape)).mean()

    return *trained_with_key(loss, model.params), (normal(BATCH, 160), tokens(BATCH, 4, below=31))


@real
def resnet():
    """Evaluation of a network with batch normalization by its running means."""
    config = hf.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], num_labels=4, layer_type="basic")
    model = model_of(hf.FlaxResNetForImageClassification, config, input_shape=(1, 32, 32, 3))

    def evaluate(params, pixels, labels):
        logits = model(pixels, params=params).logits
        return params, (logits.argmax(-1) == labels).mean()

    return evaluate, in_float(model.params), (normal(BATCH, 3, 32, 32), tokens(BATCH, below=4))


@real
def gemma_decodes():
    """Sampling with a cache of keys and values, in a loop on the device."""
    config = hf.GemmaConfig(vocab_size=VOCABULARY, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                            num_attention_heads=4, num_key_value_heads=1, head_dim=8, max_position_embeddings=32,
                            eos_token_id=2, pad_token_id=0, bos_token_id=1)
    model = model_of(hf.FlaxGemmaForCausalLM, config, input_shape=(1, 4))

    def sample(state, ids):
        params, key = state
        key, now = jax.random.split(key)
        made = model.generate(ids, params=params, prng_key=now, do_sample=True, max_new_tokens=8, top_k=8).sequences
        return (params, key), made

    return sample, (in_float(model.params), jax.random.key(0)), (tokens(BATCH, 4),)


@real
def t5_decodes():
    """A beam search."""
    config = hf.T5Config(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4,
                         decoder_start_token_id=0)
    model = model_of(hf.FlaxT5ForConditionalGeneration, config)

    def search(params, ids):
        return params, model.generate(ids, params=params, num_beams=2, max_length=8).sequences

    return search, in_float(model.params), (tokens(BATCH, LENGTH),)
