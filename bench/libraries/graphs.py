"""Graphs, point clouds and particles: jraph, e3nn, JAX MD; optimal transport (OTT), JAXopt, and optimizers of optax."""
import e3nn_jax as e3nn
import jax
import jax.numpy as jnp
import jax_md
import jaxopt
import jraph
import numpy as np
import optax
from ott.geometry import pointcloud
from ott.problems.linear import linear_problem
from ott.solvers.linear import sinkhorn

from .steps import FLOAT, cross_entropy, in_float, normal, real, tokens, trained

NODES, EDGES = 32, 64


def edges():
    return tokens(EDGES, below=NODES), tokens(EDGES, below=NODES, seed=1)


def dense(x, layer):
    return jnp.tanh(x @ layer["w"] + layer["b"])


def layer(inner, outer, seed):
    return {"w": normal(inner, outer, seed=seed) / np.sqrt(inner).astype(FLOAT), "b": np.zeros(outer, FLOAT)}


def graph_of(nodes, senders, receivers, **more):
    count = jnp.array([len(nodes)]), jnp.array([len(senders)])
    return jraph.GraphsTuple(nodes=nodes, senders=senders, receivers=receivers, n_node=count[0], n_edge=count[1], **more)


@real
def graph_convolutions():
    """jraph's graph convolutions over a random graph, degrees normalized."""
    def loss(params, nodes, senders, receivers, labels):
        graph = graph_of(nodes, senders, receivers, edges=None, globals=None)
        for index, part in enumerate(params):
            update = lambda x, part=part, last=index: x @ part["w"] + part["b"] if last else dense(x, part)
            graph = jraph.GraphConvolution(update, add_self_edges=True)(graph)
        return cross_entropy(graph.nodes, labels)

    params = [layer(16, 32, 0), layer(32, 4, 1)]
    return *trained(loss, params), (normal(NODES, 16), *edges(), tokens(NODES, below=4))


@real
def message_passing():
    """jraph's graph network with edges, nodes and a global state, and attention over edges."""
    def loss(params, nodes, links, senders, receivers, wanted):
        graph = graph_of(nodes, senders, receivers, edges=links, globals=jnp.zeros((1, 8), FLOAT))
        of_edge = lambda edge, sent, received, about: dense(jnp.concatenate([edge, sent, received, about], -1), params["edge"])
        of_node = lambda node, sent, received, about: dense(jnp.concatenate([node, sent, received, about], -1), params["node"])
        of_all = lambda nodes, edges, about: dense(jnp.concatenate([nodes, edges, about], -1), params["all"])
        attend = lambda edge, sent, received, about: edge @ params["score"]
        scale = lambda edge, weight: edge * weight
        network = jraph.GraphNetwork(of_edge, of_node, of_all, attention_logit_fn=attend, attention_reduce_fn=scale)
        for _ in range(2):
            graph = network(graph)
        return jnp.mean((graph.nodes - wanted) ** 2) + jnp.mean(graph.globals**2)

    params = {"edge": layer(32, 8, 0), "node": layer(32, 8, 1), "all": layer(24, 8, 2), "score": normal(8, 1)}
    return *trained(loss, params), (normal(NODES, 8), normal(EDGES, 8), *edges(), normal(NODES, 8, seed=2))


@real
def equivariant():
    """e3nn: tensor products of features with spherical harmonics, gathered along edges."""
    kinds = e3nn.Irreps("4x0e + 4x1o")

    def loss(params, places, features, senders, receivers, wanted):
        harmonics = e3nn.spherical_harmonics("0e + 1o", e3nn.IrrepsArray("1o", places[receivers] - places[senders] + 1e-2), True)
        x = e3nn.IrrepsArray(kinds, features)
        sent = e3nn.tensor_product(x[senders], harmonics).filter(["0e", "1o"]).regroup()
        weights = iter(params)
        sent = e3nn.concatenate([e3nn.IrrepsArray(f"4x{ir}", jnp.einsum("emi,mn->eni", part, next(weights)).reshape(len(senders), -1))
                                 for (_, ir), part in zip(sent.irreps, sent.chunks)])
        x = x + e3nn.scatter_sum(sent, dst=receivers, output_size=NODES)
        return jnp.mean((e3nn.norm(x).array.sum(-1) - wanted) ** 2)

    features = normal(NODES, kinds.dim)
    found = e3nn.tensor_product(e3nn.IrrepsArray(kinds, features[:1]), e3nn.IrrepsArray("0e + 1o", normal(1, 4)))
    sizes = [of.mul for of in found.filter(["0e", "1o"]).regroup().irreps]
    params = [0.3 * normal(size, 4, seed=index) for index, size in enumerate(sizes)]
    return *trained(loss, params), (normal(NODES, 3), features, *edges(), normal(NODES))


@real
def molecular_dynamics():
    """JAX MD: Langevin dynamics of a Lennard-Jones fluid in a periodic box, several steps in a loop."""
    move, shift = jax_md.space.periodic(6.0)
    energy = jax_md.energy.lennard_jones_pair(move, sigma=1.0, epsilon=0.5)
    start, run = jax_md.simulate.nvt_langevin(energy, shift, dt=1e-3, kT=0.5)

    def step(state):
        state = jax.lax.fori_loop(0, 4, lambda _, s: run(s), state)
        return state, energy(state.position)

    grid = jnp.stack(jnp.meshgrid(*[jnp.arange(3.0)] * 3), -1).reshape(-1, 3)[:24] * 1.8
    state = start(jax.random.PRNGKey(0), in_float(grid), mass=1.0)
    return step, in_float(state), ()


@real
def sinkhorn_loss():
    """OTT: points moved by the gradient of an entropic transport cost."""
    def cost(x, y):
        geometry = pointcloud.PointCloud(x, y, epsilon=0.5)
        return sinkhorn.Sinkhorn(max_iterations=20, inner_iterations=5)(linear_problem.LinearProblem(geometry)).reg_ot_cost

    def step(x, y):
        value, gradient = jax.value_and_grad(cost)(x, y)
        return x - 0.5 * gradient, value

    return step, normal(32, 2), (normal(48, 2, seed=1) + 1,)


@real
def hyperparameters():
    """JAXopt: the gradient of a validation loss through a ridge regression solved to its optimum."""
    def inner(w, penalty, x, y):
        return jnp.mean((x @ w - y) ** 2) + jnp.exp(penalty) * jnp.sum(w**2)

    def outer(penalty, x, y, others, wanted):
        solver = jaxopt.GradientDescent(inner, maxiter=20, implicit_diff=True, stepsize=0.1, acceleration=True)
        w = solver.run(jnp.zeros(8, FLOAT), penalty, x, y).params
        return jnp.mean((others @ w - wanted) ** 2)

    batch = normal(64, 8), normal(64), normal(32, 8, seed=1), normal(32, seed=1)
    return *trained(outer, jnp.zeros((), FLOAT), optax.sgd(0.1)), batch


def perceptron():
    """What the optimizers below train."""
    def loss(params, x, y):
        for part in params[:-1]:
            x = dense(x, part)
        return jnp.mean((x @ params[-1]["w"] - y) ** 2)
    return loss, [layer(8, 16, 0), layer(16, 16, 1), layer(16, 8, 2)], (normal(32, 8), normal(32, 8, seed=1))


@real
def line_search():
    """optax' L-BFGS with a line search of zoom."""
    loss, params, batch = perceptron()
    optimizer = optax.lbfgs(memory_size=4)

    def step(state, x, y):
        params, moments = state
        of = lambda params: loss(params, x, y)
        value, gradient = optax.value_and_grad_from_state(of)(params, state=moments)
        updates, moments = optimizer.update(gradient, moments, params, value=value, grad=gradient, value_fn=of)
        return (optax.apply_updates(params, updates), moments), value

    return step, (params, optimizer.init(params)), batch


@real
def muon():
    """Updates made orthogonal by Newton and Schulz' iteration (optax.contrib), accumulated over two batches."""
    loss, params, batch = perceptron()
    return *trained(loss, params, optax.MultiSteps(optax.contrib.muon(1e-2), 2)), batch


@real
def schedule_free():
    loss, params, batch = perceptron()
    return *trained(loss, params, optax.contrib.schedule_free_adamw(1e-2)), batch


@real
def sharpness_aware():
    """SAM, with its inner steps hidden in one update."""
    loss, params, batch = perceptron()
    optimizer = optax.contrib.sam(optax.sgd(0.05), optax.chain(optax.contrib.normalize(), optax.sgd(0.1)), opaque_mode=True)

    def step(state, x, y):
        params, moments = state
        value, gradient = jax.value_and_grad(loss)(params, x, y)
        again = lambda params, _: jax.grad(loss)(params, x, y)
        updates, moments = optimizer.update(gradient, moments, params, grad_fn=again)
        return (optax.apply_updates(params, updates), moments), value

    return step, (params, optimizer.init(params)), batch
