"""Models in Haiku, and the losses of rlax and distributions of distrax."""
import distrax
import haiku as hk
import jax
import jax.numpy as jnp
import optax
import rlax

from .steps import FLOAT, adam, cross_entropy, in_float, normal, real, tokens, trained, trained_with_key

BATCH = 16


@real(curve=True)
def transformer():
    def forward(ids):
        x = hk.Embed(64, 32)(ids) + hk.get_parameter("place", (16, 32), init=hk.initializers.TruncatedNormal(0.02))
        for _ in range(2):
            norm = lambda y: hk.LayerNorm(-1, True, True)(y)
            mask = jnp.tril(jnp.ones((1, 1, 16, 16)))
            y = norm(x)
            x = x + hk.dropout(hk.next_rng_key(), 0.1, hk.MultiHeadAttention(4, 8, w_init_scale=1.0)(y, y, y, mask=mask))
            y = hk.Linear(32)(jax.nn.gelu(hk.Linear(64)(norm(x))))
            x = x + hk.dropout(hk.next_rng_key(), 0.1, y)
        return hk.Linear(64)(norm(x))

    model, ids = hk.transform(forward), tokens(BATCH, 16)

    def loss(params, key, ids):
        return cross_entropy(model.apply(params, key, ids)[:, :-1], ids[:, 1:])

    return *trained_with_key(loss, model.init(jax.random.PRNGKey(0), ids), key=jax.random.PRNGKey(1)), (ids,)


@real
def resnet():
    """Haiku's own ResNet, its batch statistics as state."""
    def forward(x):
        net = hk.nets.ResNet((1, 1, 1, 1), 4, bottleneck=False, channels_per_group=(8, 8, 16, 16),
                             use_projection=(True, True, True, True))
        return net(x, is_training=True)

    model, images = hk.transform_with_state(forward), normal(8, 32, 32, 3)
    params, means = in_float(model.init(jax.random.PRNGKey(0), images))
    optimizer = optax.lamb(1e-3)

    def step(state, images, labels):
        params, means, moments = state

        def loss(params):
            logits, new = model.apply(params, means, None, images)
            return cross_entropy(logits, labels), new

        (value, means), gradients = jax.value_and_grad(loss, has_aux=True)(params)
        updates, moments = optimizer.update(gradients, moments, params)
        return (optax.apply_updates(params, updates), means, moments), value

    return step, (params, means, optimizer.init(params)), (images, tokens(8, below=4))


@real
def quantized_autoencoder():
    """A VQ-VAE whose codes are moving averages."""
    def forward(x):
        code = hk.nets.VectorQuantizerEMA(8, 16, commitment_cost=0.25, decay=0.9, dtype=FLOAT)
        z = hk.Linear(8)(jax.nn.relu(hk.Linear(32)(x)))
        found = code(z, is_training=True)
        return hk.Linear(16)(jax.nn.relu(hk.Linear(32)(found["quantize"]))), found["loss"]

    model, x = hk.transform_with_state(forward), normal(BATCH, 16)
    params, codes = in_float(model.init(jax.random.PRNGKey(0), x))
    optimizer = adam()

    def step(state, x):
        params, codes, moments = state

        def loss(params):
            (y, extra), new = model.apply(params, codes, None, x)
            return jnp.mean((x - y) ** 2) + extra, new

        (value, codes), gradients = jax.value_and_grad(loss, has_aux=True)(params)
        updates, moments = optimizer.update(gradients, moments, params)
        return (optax.apply_updates(params, updates), codes, moments), value

    return step, (params, codes, optimizer.init(params)), (x,)


@real
def impala():
    """V-trace by rlax over an unrolled LSTM."""
    def forward(seen):
        core = hk.LSTM(16)
        out, _ = hk.dynamic_unroll(core, jax.nn.relu(hk.Linear(16)(seen)), core.initial_state(seen.shape[1]))
        return hk.Linear(4)(out), hk.Linear(1)(out)[..., 0]

    model, seen = hk.without_apply_rng(hk.transform(forward)), normal(10, 8, 6)

    def loss(params, seen, actions, rewards, behavior):
        logits, values = model.apply(params, seen)
        ratio = jnp.exp(rlax.batched_index(jax.nn.log_softmax(logits), actions) - behavior)
        trace = jax.vmap(rlax.vtrace_td_error_and_advantage, 1, 1)
        found = trace(values[:-1], values[1:], rewards[:-1], jnp.full_like(rewards[:-1], 0.9), ratio[:-1])
        weights = jnp.ones_like(found.pg_advantage)
        policy = jax.vmap(rlax.policy_gradient_loss, 1)(logits[:-1], actions[:-1], found.pg_advantage, weights)
        entropy = jax.vmap(rlax.entropy_loss, 1)(logits[:-1], weights)
        return policy.mean() + 0.5 * jnp.mean(found.errors**2) + 0.01 * entropy.mean()

    batch = seen, tokens(10, 8, below=4), normal(10, 8), -jnp.abs(normal(10, 8, seed=1))
    return *trained(loss, model.init(jax.random.PRNGKey(0), seen), optax.rmsprop(1e-3, decay=0.99, eps=0.1)), batch


@real(curve=True)
def flow():
    """Couplings of rational splines, fitted to noisy data (distrax)."""
    def couple(params, mask):
        def conditions(x):
            y = jax.nn.tanh(x @ params["up"]) @ params["down"]
            return y.reshape(*x.shape[:-1], 4, 13)
        def spline(params):
            return distrax.RationalQuadraticSpline(params, -4.0, 4.0)
        return distrax.MaskedCoupling(mask=mask, bijector=spline, conditioner=conditions)

    params = [{"up": 0.3 * normal(4, 16, seed=seed), "down": 0.1 * normal(16, 4 * 13, seed=seed + 9)} for seed in range(2)]

    def loss(params, key, x):
        mask = jnp.arange(4) % 2 == 0
        layers = [couple(part, mask if index % 2 else ~mask) for index, part in enumerate(params)]
        base = distrax.MultivariateNormalDiag(jnp.zeros(4, FLOAT), jnp.ones(4, FLOAT))
        model = distrax.Transformed(base, distrax.Chain(layers))
        return -model.log_prob(x + 0.05 * jax.random.normal(key, x.shape, FLOAT)).mean()

    return *trained_with_key(loss, params), (normal(64, 4),)
