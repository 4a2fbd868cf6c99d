"""Models in Equinox, differential equations by diffrax, and solvers of optimistix and lineax."""
import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import lineax
import optax
import optimistix

from .steps import FLOAT, adam, cross_entropy, in_float, normal, real, tokens, trained, trained_with_key

BATCH = 16


def split(model):
    """The arrays of a model, and what it is without them."""
    return eqx.partition(in_float(model), eqx.is_inexact_array)


class Mixer(eqx.Module):
    patch: eqx.nn.Conv2d
    tokens: eqx.nn.MLP
    channels: eqx.nn.MLP
    norm: eqx.nn.LayerNorm
    dropout: eqx.nn.Dropout
    head: eqx.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, 4)
        self.patch = eqx.nn.Conv2d(3, 16, 4, 4, key=keys[0])
        self.tokens = eqx.nn.MLP(16, 16, 32, 1, jax.nn.gelu, key=keys[1])
        self.channels = eqx.nn.MLP(16, 16, 32, 1, jax.nn.gelu, key=keys[2])
        self.norm, self.dropout = eqx.nn.LayerNorm(16), eqx.nn.Dropout(0.2)
        self.head = eqx.nn.Linear(16, 4, key=keys[3])

    def __call__(self, image, key):
        x = self.patch(image).reshape(16, -1)
        x = x + jax.vmap(self.tokens)(x)
        x = x + self.dropout(jax.vmap(self.channels, 1, 1)(x), key=key)
        return self.head(self.norm(x.mean(1)))


@real(curve=True)
def mixer():
    """One image at a time, a batch by `vmap`, with a key for each image."""
    params, rest = split(Mixer(jax.random.key(0)))

    def loss(params, key, images, labels):
        logits = jax.vmap(eqx.combine(params, rest))(images, jax.random.split(key, len(images)))
        return cross_entropy(logits, labels)

    return *trained_with_key(loss, params), (normal(BATCH, 3, 16, 16), tokens(BATCH, below=4))


@real
def neural_ode():
    """A trajectory by an adaptive solver, its gradient through checkpoints of the loop."""
    params, rest = split(eqx.nn.MLP(2, 2, 16, 2, jnp.tanh, key=jax.random.key(0)))
    times = jnp.linspace(0, 1, 5, dtype=FLOAT)

    def loss(params, paths):
        field = eqx.combine(params, rest)

        def solve(start):
            term = diffrax.ODETerm(lambda t, y, args: field(y))
            controller = diffrax.PIDController(rtol=1e-3, atol=1e-5)
            return diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, start, throw=False, max_steps=16,
                                       saveat=diffrax.SaveAt(ts=times), stepsize_controller=controller).ys

        return jnp.mean((jax.vmap(solve)(paths[:, 0]) - paths) ** 2)

    return *trained(loss, params), (normal(8, 5, 2),)


@real(curve=True)
def noisy_equation():
    """A stochastic differential equation with learned drift and diffusion, Brownian paths from a key."""
    one, other = jax.random.split(jax.random.key(0))
    params, rest = split((eqx.nn.MLP(3, 3, 8, 1, jnp.tanh, key=one), eqx.nn.MLP(3, 3, 8, 1, jax.nn.softplus, key=other)))

    def loss(params, key, ends):
        drift, spread = eqx.combine(params, rest)

        def solve(key, start):
            path = diffrax.VirtualBrownianTree(0.0, 1.0, 0.1, (3,), key)
            spreads = lambda t, y, args: lineax.DiagonalLinearOperator(0.1 * jnp.abs(spread(y)))
            terms = diffrax.MultiTerm(diffrax.ODETerm(lambda t, y, args: drift(y)), diffrax.ControlTerm(spreads, path))
            solution = diffrax.diffeqsolve(terms, diffrax.Euler(), 0, 1, 0.125, start, throw=False, max_steps=8,
                                           adjoint=diffrax.DirectAdjoint())
            return solution.ys[-1]

        made = jax.vmap(solve)(jax.random.split(key, len(ends)), jnp.zeros_like(ends))
        return jnp.mean((made.mean(0) - ends.mean(0)) ** 2) + jnp.mean((made.std(0) - ends.std(0)) ** 2)

    return *trained_with_key(loss, params, optax.sgd(0.05)), (normal(BATCH, 3),)


@real
def least_squares():
    """Curves fitted by Levenberg and Marquardt's method, one for each series."""
    def fit(start, times, values):
        def residual(y, args):
            times, values = args
            return y[0] * jnp.exp(-jnp.abs(y[1]) * times) + y[2] - values
        solver = optimistix.LevenbergMarquardt(rtol=1e-4, atol=1e-4)
        return optimistix.least_squares(residual, solver, start, (times, values), max_steps=8, throw=False).value

    def step(starts, times, series):
        starts = jax.vmap(fit, (0, None, 0))(starts, times, series)
        return starts, jnp.mean(starts**2)

    times = jnp.linspace(0, 2, 16, dtype=FLOAT)
    return step, jnp.ones((BATCH, 3), FLOAT), (times, 0.3 * normal(BATCH, 16) + 1)


@real
def conjugate_gradients():
    """Newton steps for logistic regression, each solved by conjugate gradients with Hessian products."""
    def loss(weights, x, y):
        return jnp.mean(optax.sigmoid_binary_cross_entropy(x @ weights, y)) + 0.05 * jnp.sum(weights**2)

    def step(weights, x, y):
        gradient = jax.grad(loss)(weights, x, y)
        product = lambda v: jax.jvp(lambda w: jax.grad(loss)(w, x, y), (weights,), (v,))[1]
        operator = lineax.FunctionLinearOperator(product, jax.eval_shape(lambda: weights),
                                                 lineax.positive_semidefinite_tag)
        solver = lineax.CG(rtol=1e-5, atol=1e-5, max_steps=16)
        weights = weights - lineax.linear_solve(operator, gradient, solver, throw=False).value
        return weights, loss(weights, x, y)

    return step, jnp.zeros(16, FLOAT), (normal(64, 16), (normal(64, seed=1) > 0).astype(FLOAT))
