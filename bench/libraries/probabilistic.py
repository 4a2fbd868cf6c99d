"""Inference by NumPyro and BlackJAX, Gaussian processes of tinygp, flows of FlowJAX, and evolution by evosax."""
import blackjax
import equinox as eqx
import evosax.algorithms as evosax
import flowjax.distributions
import flowjax.flows
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
import optax
import tinygp
from numpyro.infer import HMC, NUTS, SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal

from .steps import FLOAT, in_float, normal, real, trained

EXAMPLES = 64


def regression(x, y=None):
    weights = numpyro.sample("weights", dist.Normal(jnp.zeros(x.shape[1], FLOAT), 1).to_event(1))
    scale = numpyro.sample("scale", dist.Exponential(jnp.ones((), FLOAT)))
    with numpyro.plate("examples", x.shape[0]):
        numpyro.sample("y", dist.StudentT(4.0, x @ weights, scale + 0.1), obs=y)


@real(curve=True)
def variational():
    """NumPyro's stochastic variational inference of a regression with heavy tails."""
    svi = SVI(regression, AutoNormal(regression), numpyro.optim.Adam(1e-2), Trace_ELBO(num_particles=4))
    x, y = normal(EXAMPLES, 8), normal(EXAMPLES)
    state = in_float(svi.init(jax.random.PRNGKey(0), x, y))
    return svi.update, state, (x, y)


@real
def no_u_turns():
    """One draw of NumPyro's NUTS: trees of a length that nobody knows before."""
    x, y = normal(EXAMPLES, 8), normal(EXAMPLES)
    kernel = NUTS(regression, max_tree_depth=4, step_size=0.1, adapt_step_size=False)
    state = in_float(kernel.init(jax.random.PRNGKey(0), 0, None, (x, y), {}))

    def step(state, x, y):
        state = kernel.sample(state, (x, y), {})
        return state, state.potential_energy

    return step, state, (x, y)


@real
def hidden_markov():
    """A hidden Markov model whose states are summed out in a loop, one draw of NumPyro's HMC."""
    def model(series):
        rows = numpyro.sample("rows", dist.Dirichlet(jnp.ones((4, 4), FLOAT)).to_event(1))
        means = numpyro.sample("means", dist.Normal(jnp.zeros(4, FLOAT), 2).to_event(1))

        def move(log, value):
            log = jax.nn.logsumexp(log[:, None] + jnp.log(rows), 0) + dist.Normal(means, 1.0).log_prob(value)
            return log, None

        log, _ = jax.lax.scan(move, jnp.zeros(4, FLOAT), series)
        numpyro.factor("series", jax.nn.logsumexp(log))

    series = normal(24)
    kernel = HMC(model, num_steps=3, step_size=0.05, adapt_step_size=False)

    def step(state, series):
        state = kernel.sample(state, (series,), {})
        return state, state.potential_energy

    return step, in_float(kernel.init(jax.random.PRNGKey(0), 0, None, (series,), {})), (series,)


def logistic(x, y):
    return lambda w: -jnp.sum(optax.sigmoid_binary_cross_entropy(x @ w, y)) - 0.5 * jnp.sum(w**2)


def chains(algorithm_of):
    """A step of sixteen chains of a BlackJAX algorithm."""
    x, y = normal(EXAMPLES, 8), (normal(EXAMPLES, seed=1) > 0).astype(FLOAT)

    def step(state, x, y):
        states, key = state
        key, now = jax.random.split(key)
        algorithm = algorithm_of(logistic(x, y))
        states, _ = jax.vmap(algorithm.step)(jax.random.split(now, 16), states)
        return (states, key), jnp.mean(states.logdensity)

    states = jax.vmap(algorithm_of(logistic(x, y)).init)(0.1 * normal(16, 8))
    return step, (states, jax.random.key(0)), (x, y)


@real(curve=True)
def langevin_chains():
    return chains(lambda density: blackjax.mala(density, 1e-3))


@real(curve=True)
def hamiltonian_chains():
    inverse = jnp.ones(8, FLOAT)
    return chains(lambda density: blackjax.hmc(density, 1e-2, inverse, 5))


@real
def nuts_chains():
    inverse = jnp.ones(8, FLOAT)
    return chains(lambda density: blackjax.nuts(density, 1e-1, inverse, max_num_doublings=3))


@real
def particles():
    """Sequential Monte Carlo between two densities, with BlackJAX's resampling and moves."""
    prior = lambda x: -0.5 * jnp.sum(x**2)
    likelihood = lambda x: -jnp.sum((x[0] * x[1] - 1) ** 2)
    move = blackjax.rmh.build_kernel()

    def step(state):
        places, weight, key = state
        key, one, two = jax.random.split(key, 3)
        logs = 0.1 * jax.vmap(likelihood)(places)
        chosen = blackjax.smc.resampling.systematic(one, jax.nn.softmax(logs), len(places))
        weight = weight + 0.1
        density = lambda x: prior(x) + weight * likelihood(x)
        begin = jax.vmap(lambda x: blackjax.rmh.init(x, density))(places[chosen])
        shake = lambda key, x: x + 0.3 * jax.random.normal(key, x.shape, FLOAT)
        moved, _ = jax.vmap(lambda key, s: move(key, s, density, shake))(jax.random.split(two, len(places)), begin)
        return (moved.position, weight, key), jax.nn.logsumexp(logs)

    return step, (normal(128, 2), jnp.zeros((), FLOAT), jax.random.key(1)), ()


@real
def gaussian_process():
    """Scales of a kernel fitted by the marginal likelihood: Cholesky factors and triangular solves."""
    def loss(params, x, y):
        kernel = jnp.exp(params["size"]) * tinygp.kernels.Matern32(jnp.exp(params["scale"]))
        kernel += tinygp.kernels.ExpSquared(jnp.exp(params["other"]))
        return -tinygp.GaussianProcess(kernel, x, diag=jnp.exp(params["noise"]) + 1e-3).log_probability(y)

    params = {name: jnp.zeros((), FLOAT) for name in ("size", "scale", "other", "noise")}
    return *trained(loss, params, optax.adam(1e-2)), (jnp.sort(3 * normal(32)), normal(32))


@real
def autoregressive_flow():
    """FlowJAX's masked autoregressive flow."""
    base = flowjax.distributions.Normal(jnp.zeros(4))
    flow = flowjax.flows.masked_autoregressive_flow(jax.random.key(0), base_dist=base, flow_layers=2, nn_width=16)
    params, rest = eqx.partition(in_float(flow), eqx.is_inexact_array)

    def loss(params, x):
        return -eqx.combine(params, rest).log_prob(x).mean()

    return *trained(loss, params), (normal(EXAMPLES, 4),)


@real
def evolution():
    """A generation of evosax' evolution strategy on Rosenbrock's function."""
    strategy = evosax.Open_ES(population_size=32, solution=jnp.zeros(8, FLOAT))
    params = strategy.default_params

    def cost(x):
        return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    def step(state):
        inner, key = state
        key, ask, tell = jax.random.split(key, 3)
        asked, inner = strategy.ask(ask, inner, params)
        inner, _ = strategy.tell(tell, asked, jax.vmap(cost)(asked), inner, params)
        return (inner, key), inner.best_fitness

    state = in_float(strategy.init(jax.random.key(0), jnp.zeros(8, FLOAT), params))
    return step, (state, jax.random.key(1)), ()
