"""Models in Flax NNX, with dropout whose keys are part of the state."""
import jax
import jax.numpy as jnp
import optax
from flax import nnx

from .steps import FLOAT, adam, cross_entropy, in_float, normal, real, tokens

BATCH = 16


def trained(model, loss, optimizer=None):
    """A step of the model with its optimizer and random streams, as NNX's documentation makes it."""
    kind, state = nnx.split((model, nnx.Optimizer(model, optimizer or adam(), wrt=nnx.Param)))

    def step(state, *batch):
        model, optimizer = nnx.merge(kind, state)
        value, gradients = nnx.value_and_grad(loss)(model, *batch)
        optimizer.update(model, gradients)
        return nnx.state((model, optimizer)), value

    return step, in_float(state)


class Block(nnx.Module):
    def __init__(self, width, rngs):
        options = dict(dtype=FLOAT, param_dtype=FLOAT, rngs=rngs)
        self.before, self.between = nnx.LayerNorm(width, **options), nnx.LayerNorm(width, **options)
        self.attention = nnx.MultiHeadAttention(4, width, dropout_rate=0.1, deterministic=False, decode=False, **options)
        self.up, self.down = nnx.Linear(width, 2 * width, **options), nnx.Linear(2 * width, width, **options)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x):
        mask = nnx.make_causal_mask(x[..., 0])
        x = x + self.attention(self.before(x), mask=mask)
        return x + self.dropout(self.down(nnx.gelu(self.up(self.between(x)))))


class Decoder(nnx.Module):
    def __init__(self, rngs):
        self.embed = nnx.Embed(64, 32, dtype=FLOAT, param_dtype=FLOAT, rngs=rngs)
        self.blocks = nnx.List([Block(32, rngs) for _ in range(2)])

    def __call__(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return self.embed.attend(x)


@real(curve=True)
def decoder():
    loss = lambda model, ids: cross_entropy(model(ids)[:, :-1], ids[:, 1:])
    return *trained(Decoder(nnx.Rngs(0)), loss), (tokens(BATCH, 16),)


class Recurrent(nnx.Module):
    def __init__(self, rngs):
        cell = nnx.GRUCell(8, 16, dtype=FLOAT, param_dtype=FLOAT, rngs=rngs)
        self.loop = nnx.RNN(cell)
        self.norm = nnx.BatchNorm(16, dtype=FLOAT, rngs=rngs)
        self.dropout, self.head = nnx.Dropout(0.3, rngs=rngs), nnx.Linear(16, 1, param_dtype=FLOAT, rngs=rngs)

    def __call__(self, x):
        return self.head(self.dropout(self.norm(self.loop(x)[:, -1])))[:, 0]


@real(curve=True)
def recurrent():
    """A recurrent network with batch normalization and dropout."""
    loss = lambda model, x, y: jnp.mean(optax.huber_loss(model(x), y))
    return *trained(Recurrent(nnx.Rngs(0)), loss, optax.nadam(1e-3)), (normal(BATCH, 12, 8), normal(BATCH))


@real
def adapters():
    """Only the matrices of low rank are trained (LoRA)."""
    rngs = nnx.Rngs(0)
    model = nnx.Sequential(nnx.LoRALinear(16, 32, lora_rank=4, rngs=rngs), nnx.relu,
                           nnx.LoRALinear(32, 4, lora_rank=4, rngs=rngs))
    optimizer = nnx.Optimizer(model, optax.adamw(1e-3), wrt=nnx.LoRAParam)
    kind, state = nnx.split((model, optimizer))

    def step(state, x, labels):
        model, optimizer = nnx.merge(kind, state)
        wanted = nnx.DiffState(0, nnx.LoRAParam)
        value, gradients = nnx.value_and_grad(lambda m: cross_entropy(m(x), labels), argnums=wanted)(model)
        optimizer.update(model, gradients)
        return nnx.state((model, optimizer)), value

    return step, in_float(state), (normal(BATCH, 16), tokens(BATCH, below=4))


def attention(query, key, value, **_):
    """As `nnx.dot_product_attention`, but for the softmax, which that takes in f32 whatever it is given."""
    weights = nnx.dot_product_attention_weights(query, key, dtype=FLOAT)
    return jnp.einsum("...hqk,...khd->...qhd", weights, value)


class Diffuser(nnx.Module):
    """A transformer of patches whose scales come from the time (DiT)."""

    def __init__(self, rngs):
        options = dict(param_dtype=FLOAT, dtype=FLOAT, rngs=rngs)
        self.patch, self.out = nnx.Conv(3, 16, (2, 2), strides=2, **options), nnx.Linear(16, 12, **options)
        self.time, self.shift = nnx.Linear(16, 16, **options), nnx.Linear(16, 64, **options)
        self.place = nnx.Param(0.02 * rngs.params.normal((16, 16), FLOAT))
        self.attention = nnx.MultiHeadAttention(2, 16, decode=False, attention_fn=attention, **options)
        self.up, self.down = nnx.Linear(16, 32, **options), nnx.Linear(32, 16, **options)
        self.norm = nnx.LayerNorm(16, use_bias=False, use_scale=False, dtype=FLOAT, rngs=rngs)

    def __call__(self, x, time):
        angles = time[:, None] * jnp.exp(-jnp.arange(8, dtype=FLOAT))
        about = nnx.silu(self.time(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1)))
        shift, scale, other, more = jnp.split(self.shift(about)[:, None], 4, -1)
        count, height, width, _ = x.shape
        y = self.patch(x).reshape(count, -1, 16) + self.place
        y = y + self.attention(self.norm(y) * (1 + scale) + shift)
        y = y + self.down(nnx.gelu(self.up(self.norm(y) * (1 + more) + other)))
        y = self.out(y).reshape(count, height // 2, width // 2, 2, 2, 3)
        return y.transpose(0, 1, 3, 2, 4, 5).reshape(x.shape)


@real(curve=True)
def diffuser():
    """Flow matching: noise and times from a key that is given beside the model."""
    kind, state = nnx.split((Diffuser(nnx.Rngs(0)),))
    params = in_float(state)
    optimizer = adam()

    def step(state, images):
        params, moments, average, key = state
        key, one, other = jax.random.split(key, 3)
        noise = jax.random.normal(one, images.shape, FLOAT)
        time = jax.nn.sigmoid(jax.random.normal(other, images.shape[:1], FLOAT))
        mixed = images * time[:, None, None, None] + noise * (1 - time[:, None, None, None])

        def loss(params):
            [model] = nnx.merge(kind, params)
            return jnp.mean((model(mixed, time) - (images - noise)) ** 2)

        value, gradients = jax.value_and_grad(loss)(params)
        updates, moments = optimizer.update(gradients, moments, params)
        params = optax.apply_updates(params, updates)
        return (params, moments, optax.incremental_update(params, average, 0.01), key), value

    average = jax.tree.map(jnp.array, params)
    return step, (params, optimizer.init(params), average, jax.random.key(5)), (normal(BATCH, 8, 8, 3),)
