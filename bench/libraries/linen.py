"""Models in Flax Linen: residual networks, recurrent ones, experts, and policies."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

from .steps import FLOAT, adam, cross_entropy, in_float, normal, real, tokens, trained, trained_with_key

BATCH = 16
Dense = functools.partial(nn.Dense, dtype=FLOAT, param_dtype=FLOAT)
Conv = functools.partial(nn.Conv, dtype=FLOAT, param_dtype=FLOAT)


class Residual(nn.Module):
    """A residual block with batch normalization."""
    features: int
    stride: int

    @nn.compact
    def __call__(self, x, train):
        norm = functools.partial(nn.BatchNorm, use_running_average=not train, momentum=0.9, dtype=FLOAT)
        y = nn.relu(norm()(Conv(self.features, (3, 3), self.stride, use_bias=False)(x)))
        y = norm(scale_init=nn.initializers.constant(0.5))(Conv(self.features, (3, 3), use_bias=False)(y))
        if x.shape != y.shape:
            x = norm()(Conv(self.features, (1, 1), self.stride, use_bias=False)(x))
        return nn.relu(x + y)


class ResNet(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.max_pool(nn.relu(Conv(8, (3, 3))(x)), (3, 3), (2, 2), "SAME")
        for features, stride in ((8, 1), (16, 2)):
            x = Residual(features, stride)(x, train)
        return Dense(4)(x.mean((1, 2)))


@real
def resnet():
    model, images = ResNet(), normal(BATCH, 16, 16, 3)
    variables = in_float(model.init(jax.random.key(0), images))
    optimizer = optax.sgd(0.05, momentum=0.9, nesterov=True)

    def step(state, images, labels):
        params, means, moments = state

        def loss(params):
            logits, new = model.apply({"params": params, "batch_stats": means}, images, mutable=["batch_stats"])
            decay = 1e-4 * sum(jnp.sum(p * p) for p in jax.tree.leaves(params) if p.ndim > 1)
            return cross_entropy(logits, labels) + decay, new["batch_stats"]

        (value, means), gradients = jax.value_and_grad(loss, has_aux=True)(params)
        updates, moments = optimizer.update(gradients, moments, params)
        return (optax.apply_updates(params, updates), means, moments), value

    params = variables["params"]
    return step, (params, variables["batch_stats"], optimizer.init(params)), (images, tokens(BATCH, below=4))


class ConvNeXt(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.LayerNorm(dtype=FLOAT)(Conv(16, (4, 4), 4)(x))
        for rate in (0.0, 0.2):
            y = nn.LayerNorm(dtype=FLOAT)(Conv(16, (7, 7), feature_group_count=16)(x))
            y = Dense(16)(nn.gelu(Dense(64)(y))) * self.param(f"scale_{rate}", nn.initializers.constant(0.5), (16,))
            x = x + nn.Dropout(rate, broadcast_dims=(1, 2, 3), deterministic=not train)(y)
        return Dense(4)(nn.LayerNorm(dtype=FLOAT)(x.mean((1, 2))))


@real(curve=True)
def convnext():
    """Depthwise convolutions and residual blocks that are dropped at random."""
    model, images = ConvNeXt(), normal(BATCH, 32, 32, 3)
    params = model.init(jax.random.key(0), images, False)["params"]

    def loss(params, key, images, labels):
        return cross_entropy(model.apply({"params": params}, images, True, rngs={"dropout": key}), labels)

    return *trained_with_key(loss, params), (images, tokens(BATCH, below=4))


class MobileBlock(nn.Module):
    """EfficientNet's: wider, depthwise, squeezed and excited, narrow again."""

    @nn.compact
    def __call__(self, x):
        y = nn.silu(nn.GroupNorm(4, dtype=FLOAT)(Conv(32, (1, 1))(x)))
        y = nn.silu(nn.GroupNorm(4, dtype=FLOAT)(Conv(32, (3, 3), feature_group_count=32)(y)))
        gate = nn.sigmoid(Dense(32)(nn.silu(Dense(4)(y.mean((1, 2), keepdims=True)))))
        return x + Conv(8, (1, 1))(y * gate)


class EfficientNet(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = Conv(8, (3, 3), 2)(x)
        for _ in range(2):
            x = MobileBlock()(x)
        return Dense(4)(x.mean((1, 2)))


@real
def efficientnet():
    model, images = EfficientNet(), normal(BATCH, 16, 16, 3)
    params = model.init(jax.random.key(0), images)["params"]

    def loss(params, images, labels):
        smooth = optax.smooth_labels(jax.nn.one_hot(labels, 4), 0.1)
        return optax.softmax_cross_entropy(model.apply({"params": params}, images), smooth).mean()

    return *trained(loss, params, optax.rmsprop(1e-3, momentum=0.9)), (images, tokens(BATCH, below=4))


class Translator(nn.Module):
    """A bidirectional LSTM, and one that attends to it."""

    @nn.compact
    def __call__(self, source, target, lengths, train):
        cell = functools.partial(nn.OptimizedLSTMCell, 16, dtype=FLOAT, param_dtype=FLOAT)
        embed = nn.Embed(32, 16, dtype=FLOAT)
        both = nn.Bidirectional(nn.RNN(cell()), nn.RNN(cell()))
        memory = both(embed(source), seq_lengths=lengths)
        y = nn.RNN(cell())(embed(target))
        y = nn.Dropout(0.2, deterministic=not train)(y)
        mask = (jnp.arange(source.shape[1]) < lengths[:, None])[:, None, None]
        y = y + nn.MultiHeadDotProductAttention(2, qkv_features=16, out_features=16, dtype=FLOAT)(y, memory, mask=mask)
        return Dense(32)(y)


@real(curve=True)
def lstm_translator():
    """Sequences of different lengths through `nn.RNN`, which loops."""
    model, lengths = Translator(), tokens(BATCH, below=8) + 2
    source, target = tokens(BATCH, 10, below=32), tokens(BATCH, 8, below=32, seed=1)
    params = model.init(jax.random.key(0), source, target, lengths, False)["params"]

    def loss(params, key, source, target, lengths):
        logits = model.apply({"params": params}, source, target, lengths, True, rngs={"dropout": key})
        return cross_entropy(logits[:, :-1], target[:, 1:])

    return *trained_with_key(loss, params), (source, target, lengths)


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        norm = functools.partial(nn.LayerNorm, dtype=FLOAT)
        attention = nn.SelfAttention(4, dropout_rate=0.1, deterministic=not train, dtype=FLOAT, param_dtype=FLOAT)
        x = x + attention(norm()(x), mask=nn.make_causal_mask(x[..., 0]))
        y = nn.Dropout(0.1, deterministic=not train)(nn.gelu(Dense(64)(norm()(x))))
        return x + Dense(32)(y), None


class Scanned(nn.Module):
    """Equal layers as one loop over stacked parameters, computed again in the backward pass."""

    @nn.compact
    def __call__(self, ids, train):
        x = nn.Embed(64, 32, dtype=FLOAT)(ids)
        layers = nn.scan(nn.remat(Layer, static_argnums=2), variable_axes={"params": 0}, in_axes=nn.broadcast,
                         split_rngs={"params": True, "dropout": True}, length=3)
        return Dense(64)(layers()(x, train)[0])


@real(curve=True)
def scanned_transformer():
    model, ids = Scanned(), tokens(BATCH, 16)
    params = model.init(jax.random.key(0), ids, False)["params"]

    def loss(params, key, ids):
        logits = model.apply({"params": params}, ids, True, rngs={"dropout": key})
        return cross_entropy(logits[:, :-1], ids[:, 1:])

    return *trained_with_key(loss, params), (ids,)


class Experts(nn.Module):
    """Two of four experts for each token, with room for so many tokens and noise in the router."""

    @nn.compact
    def __call__(self, x, train):
        logits = Dense(4, use_bias=False)(x)
        if train:
            logits = logits + 0.1 * jax.random.normal(self.make_rng("router"), logits.shape, FLOAT)
        gates, chosen = jax.lax.top_k(jax.nn.softmax(logits), 2)
        room = x.shape[0] * 2 // 4
        flat = jax.nn.one_hot(chosen.T.reshape(-1), 4, dtype=jnp.int32)
        place = (jnp.cumsum(flat, axis=0) - 1)[jnp.arange(len(flat)), chosen.T.reshape(-1)].reshape(2, -1).T
        kept = place < room
        send = jax.nn.one_hot(chosen, 4, dtype=FLOAT)[..., None] * jax.nn.one_hot(place, room, dtype=FLOAT)[:, :, None]
        send = send * kept[..., None, None]
        up = self.param("up", nn.initializers.lecun_normal(), (4, x.shape[1], 32), FLOAT)
        down = self.param("down", nn.initializers.lecun_normal(), (4, 32, x.shape[1]), FLOAT)
        each = jnp.einsum("tkec,td->ecd", send, x)
        each = jnp.einsum("ech,ehd->ecd", nn.silu(jnp.einsum("ecd,edh->ech", each, up)), down)
        mean = jax.nn.softmax(logits).mean(0)
        return jnp.einsum("tkec,tk,ecd->td", send, gates, each), 4 * jnp.sum(mean * flat.mean(0))


@real(curve=True)
def experts():
    model, x = Experts(), normal(64, 16)
    params = model.init({"params": jax.random.key(0), "router": jax.random.key(1)}, x, True)["params"]

    def loss(params, key, x):
        y, balance = model.apply({"params": params}, x, True, rngs={"router": key})
        return jnp.mean((y - jnp.roll(x, 1, axis=1)) ** 2) + 0.01 * balance

    return *trained_with_key(loss, params), (x,)


class MixtralLayer(nn.Module):
    """Attention with fewer heads of keys and values, then two of four experts for each token, as transformers has it: all
    experts see all tokens, and a token's weights of those that were not chosen are zero."""

    @nn.compact
    def __call__(self, x):
        norm, dense = functools.partial(nn.RMSNorm, dtype=FLOAT), functools.partial(Dense, use_bias=False)
        y = norm()(x)
        query, key, value = (dense(8 * heads)(y).reshape(*y.shape[:2], heads, 8) for heads in (4, 2, 2))
        query, key = turned(query), turned(key)
        x = x + dense(32)(jax.nn.dot_product_attention(query, key, value, is_causal=True).reshape(x.shape))
        y = norm()(x)
        gates = jax.nn.softmax(dense(4)(y))
        top, chosen = jax.lax.top_k(gates, 2)
        weights = (top / top.sum(-1, keepdims=True))[..., None] * jax.nn.one_hot(chosen, 4, dtype=FLOAT)
        for expert in range(4):
            made = dense(32)(nn.silu(dense(64)(y)) * dense(64)(y))
            x = x + made * weights.sum(-2)[..., expert, None]
        return x, 4 * jnp.sum(gates.mean((0, 1)) * jax.nn.one_hot(chosen, 4, dtype=FLOAT).sum(-2).mean((0, 1)))


def turned(x):
    """Rotary positions."""
    half = x.shape[-1] // 2
    angles = jnp.arange(x.shape[1], dtype=FLOAT)[:, None, None] * 1e4 ** (-jnp.arange(half, dtype=FLOAT) / half)
    first, second = x[..., :half], x[..., half:]
    return jnp.concatenate([first * jnp.cos(angles) - second * jnp.sin(angles),
                            second * jnp.cos(angles) + first * jnp.sin(angles)], -1)


class Mixtral(nn.Module):
    @nn.compact
    def __call__(self, ids):
        x, balance = nn.Embed(64, 32, dtype=FLOAT)(ids), 0.0
        for _ in range(2):
            x, more = MixtralLayer()(x)
            balance = balance + more
        return Dense(64, use_bias=False)(nn.RMSNorm(dtype=FLOAT)(x)), balance


@real
def mixtral():
    model, ids = Mixtral(), tokens(BATCH, 16)

    def loss(params, ids):
        logits, balance = model.apply({"params": params}, ids)
        return cross_entropy(logits[:, :-1], ids[:, 1:]) + 0.02 * balance

    return *trained(loss, model.init(jax.random.key(0), ids)["params"]), (ids,)


class Mamba(nn.Module):
    """A selective state space by an associative scan."""

    @nn.compact
    def __call__(self, ids):
        x = nn.Embed(32, 16, dtype=FLOAT)(ids)
        inner, gate = jnp.split(Dense(64)(x), 2, -1)
        inner = nn.silu(Conv(32, (4,), padding="CAUSAL", feature_group_count=32)(inner))
        rate = nn.softplus(Dense(32)(inner))
        read, write = jnp.split(Dense(16)(inner), 2, -1)
        decay = -jnp.exp(self.param("decay", nn.initializers.normal(0.1), (32, 8), FLOAT))
        kept = jnp.exp(rate[..., None] * decay)
        added = (rate * inner)[..., None] * write[:, :, None]
        combine = lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1])
        states = jax.lax.associative_scan(combine, (kept, added), axis=1)[1]
        y = jnp.einsum("btds,bts->btd", states, read) + inner * self.param("skip", nn.initializers.ones, (32,), FLOAT)
        return Dense(32)(x + Dense(16)(y * nn.silu(gate)))


@real
def mamba():
    model, ids = Mamba(), tokens(BATCH, 16, below=32)

    def loss(params, ids):
        return cross_entropy(model.apply({"params": params}, ids)[:, :-1], ids[:, 1:])

    return *trained(loss, model.init(jax.random.key(0), ids)["params"], optax.lion(1e-4)), (ids,)


class RWKV(nn.Module):
    """Time mixing of RWKV by a loop over tokens, stable by running maxima."""

    @nn.compact
    def __call__(self, ids):
        x = nn.Embed(32, 16, dtype=FLOAT)(ids)
        before = jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1]
        mix = self.param("mix", nn.initializers.constant(0.4), (3, 16), FLOAT)
        keys, values, gates = (Dense(16, use_bias=False)(x * m + before * (1 - m)) for m in mix)
        decay = -jnp.exp(self.param("decay", nn.initializers.normal(0.3), (16,), FLOAT))
        bonus = self.param("bonus", nn.initializers.normal(0.3), (16,), FLOAT)

        def token(state, now):
            top, bottom, largest = state
            key, value = now
            most = jnp.maximum(largest, key + bonus)
            old, new = jnp.exp(largest - most), jnp.exp(key + bonus - most)
            out = (old * top + new * value) / (old * bottom + new)
            most = jnp.maximum(largest + decay, key)
            old, new = jnp.exp(largest + decay - most), jnp.exp(key - most)
            return (old * top + new * value, old * bottom + new, most), out

        zeros = jnp.zeros((ids.shape[0], 16), FLOAT)
        _, out = jax.lax.scan(token, (zeros, zeros, zeros - 1e30), (keys.swapaxes(0, 1), values.swapaxes(0, 1)))
        x = x + Dense(16, use_bias=False)(nn.sigmoid(gates) * out.swapaxes(0, 1))
        return Dense(32)(nn.LayerNorm(dtype=FLOAT)(x))


@real
def rwkv():
    model, ids = RWKV(), tokens(BATCH, 12, below=32)

    def loss(params, ids):
        return cross_entropy(model.apply({"params": params}, ids)[:, :-1], ids[:, 1:])

    return *trained(loss, model.init(jax.random.key(0), ids)["params"], optax.adafactor(1e-3)), (ids,)


class ActorCritic(nn.Module):
    @nn.compact
    def __call__(self, x):
        for _ in range(2):
            x = nn.tanh(Dense(32, kernel_init=nn.initializers.orthogonal(2**0.5))(x))
        return Dense(4)(x), Dense(1)(x)[..., 0]


@real(curve=True)
def ppo():
    """A rollout in an environment of its own, advantages, and epochs of shuffled minibatches, all in one step."""
    model, count, length = ActorCritic(), 8, 16
    params = in_float(model.init(jax.random.key(0), jnp.zeros((1, 6), FLOAT))["params"])
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(3e-4, eps=1e-5))
    drift = 0.3 * normal(6, 6)

    def rollout(params, carry, key):
        where, steps = carry
        logits, value = model.apply({"params": params}, where)
        choose, shake, anew = jax.random.split(key, 3)
        action = jax.random.categorical(choose, logits)
        log = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0]
        push = jnp.pad(jax.nn.one_hot(action, 4, dtype=FLOAT), ((0, 0), (0, 2)))
        next_ = jnp.tanh(where @ drift + push + 0.1 * jax.random.normal(shake, where.shape, FLOAT))
        reward, done = -jnp.sum(next_**2, -1), steps >= 9
        fresh = jax.random.uniform(anew, where.shape, FLOAT, -1, 1)
        carry = jnp.where(done[:, None], fresh, next_), jnp.where(done, 0, steps + 1)
        return carry, (where, action, log, value, reward, done)

    def loss(params, batch):
        seen, action, old, _, advantage, target = batch
        logits, value = model.apply({"params": params}, seen)
        logs = jax.nn.log_softmax(logits)
        ratio = jnp.exp(jnp.take_along_axis(logs, action[:, None], 1)[:, 0] - old)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 0.8, 1.2) * advantage).mean()
        entropy = -(jnp.exp(logs) * logs).sum(-1).mean()
        return -gain + 0.5 * jnp.mean((value - target) ** 2) - 0.01 * entropy

    def step(state):
        params, moments, carry, key = state
        key, play, shuffle = jax.random.split(key, 3)
        carry, path = jax.lax.scan(lambda c, k: rollout(params, c, k), carry, jax.random.split(play, length))
        seen, action, log, value, reward, done = path
        last = model.apply({"params": params}, carry[0])[1]

        def back(carry, now):
            gained, following = carry
            value, reward, done = now
            delta = reward + 0.99 * following * (1 - done) - value
            gained = delta + 0.99 * 0.95 * (1 - done) * gained
            return (gained, value), gained

        _, advantage = jax.lax.scan(back, (jnp.zeros_like(last), last), (value, reward, done.astype(FLOAT)), reverse=True)
        flat = jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:]), (seen, action, log, value, advantage, advantage + value))

        def epoch(carry, key):
            order = jax.random.permutation(key, count * length)
            parts = jax.tree.map(lambda a: a[order].reshape(4, -1, *a.shape[1:]), flat)

            def update(carry, batch):
                params, moments = carry
                value, gradients = jax.value_and_grad(loss)(params, batch)
                updates, moments = optimizer.update(gradients, moments, params)
                return (optax.apply_updates(params, updates), moments), value

            return jax.lax.scan(update, carry, parts)

        (params, moments), values = jax.lax.scan(epoch, (params, moments), jax.random.split(shuffle, 2))
        return (params, moments, carry, key), values.mean()

    start = 0.5 * normal(count, 6), jnp.zeros(count, jnp.int32)
    return step, (params, optimizer.init(params), start, jax.random.key(3)), ()


class Autoencoder(nn.Module):
    """A variational autoencoder with transposed convolutions."""

    @nn.compact
    def __call__(self, x):
        y = nn.relu(Conv(8, (3, 3), 2)(x))
        mean, spread = jnp.split(Dense(8)(y.reshape(len(x), -1)), 2, -1)
        z = mean + jnp.exp(0.5 * spread) * jax.random.normal(self.make_rng("draw"), mean.shape, FLOAT)
        y = nn.relu(Dense(8 * 4 * 4)(z)).reshape(-1, 4, 4, 8)
        y = nn.ConvTranspose(1, (3, 3), (2, 2), dtype=FLOAT, param_dtype=FLOAT)(y)
        return y, -0.5 * jnp.sum(1 + spread - mean**2 - jnp.exp(spread), -1).mean()


@real(curve=True)
def autoencoder():
    model, x = Autoencoder(), jax.nn.sigmoid(normal(BATCH, 8, 8, 1))
    params = model.init({"params": jax.random.key(0), "draw": jax.random.key(1)}, x)["params"]

    def loss(params, key, x):
        logits, divergence = model.apply({"params": params}, x, rngs={"draw": key})
        return optax.sigmoid_binary_cross_entropy(logits, x).sum((1, 2, 3)).mean() + divergence

    return *trained_with_key(loss, params, adam(1e-2)), (x,)


@real
def gan():
    """Both networks in one step, spectral norms kept as state."""
    class Judge(nn.Module):
        @nn.compact
        def __call__(self, x, train):
            for features in (16, 1):
                x = nn.SpectralNorm(Dense(features))(nn.leaky_relu(x), update_stats=train)
            return x

    class Maker(nn.Module):
        @nn.compact
        def __call__(self, z):
            return Dense(8)(nn.relu(nn.WeightNorm(Dense(16))(z)))

    judge, maker, x = Judge(), Maker(), normal(BATCH, 8)
    of_judge = in_float(dict(judge.init(jax.random.key(0), x, True)))
    of_maker = in_float(maker.init(jax.random.key(1), normal(BATCH, 4)))
    optimizer = optax.adam(1e-3, b1=0.5, eps=1e-6)
    params = of_judge.pop("params")

    def step(state, x):
        params, norms, made, first, second, key = state
        key, now = jax.random.split(key)
        z = jax.random.normal(now, (BATCH, 4), FLOAT)

        def judged(params, made):
            fake, new = judge.apply({"params": params, **norms}, maker.apply(made, z), True, mutable=list(norms))
            true = judge.apply({"params": params, **norms}, x, False)
            return jnp.mean(nn.softplus(fake)) + jnp.mean(nn.softplus(-true)), (new, jnp.mean(nn.softplus(-fake)))

        (value, (norms, _)), gradients = jax.value_and_grad(judged, has_aux=True)(params, made)
        against = jax.grad(lambda made: judged(params, made)[1][1])(made)
        updates, first = optimizer.update(gradients, first, params)
        other, second = optimizer.update(against, second, made)
        return (optax.apply_updates(params, updates), norms, optax.apply_updates(made, other), first, second, key), value

    state = params, of_judge, of_maker, optimizer.init(params), optimizer.init(of_maker), jax.random.key(2)
    return step, state, (x,)
