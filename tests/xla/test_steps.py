"""Training steps as people write them, through `parallelize`: every one beside `jax.jit`, step after step."""
import unittest

from package import Program

# What the steps share: `same` runs a step three times beside `jax.jit`, the state fed back.
BESIDE = """
def same(step, state, *rest, **options):
    one = state
    fast = mw.parallelize(step, **options)
    for _ in range(3):
        one, value = jax.jit(step)(one, *rest)
        state, loss = fast(state, *rest)
        assert jax.tree.structure(one) == jax.tree.structure(state), jax.tree.structure(state)
        assert close((one, value), (state, loss)), (value, loss)
    return fast
"""


class Steps(Program):
    sees_all = True

    def beside(self, text):
        return self.program(BESIDE, text)

    def test_optimizers_loops_and_checkpoints_work(self):
        self.program("""
            import optax
            random = np.random.default_rng(0)
            params = {"w": 0.2 * random.standard_normal((4, 16, 16)).astype(np.float32), "b": np.zeros((4, 16), np.float32)}
            optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(1e-2, 100)))
            x = random.standard_normal((32, 16)).astype(np.float32)

            def train(params, state, x):
                @jax.checkpoint
                def layer(y, part):
                    return jnp.tanh(y @ part["w"] + part["b"]) + y, None
                loss = lambda params: jnp.mean(jax.lax.scan(layer, x, params)[0] ** 2)
                value, gradients = jax.value_and_grad(loss)(params)
                updates, state = optimizer.update(gradients, state, params)
                return optax.apply_updates(params, updates), state, value

            one = state = (params, optimizer.init(params))
            fast = mw.parallelize(train, donate=(0, 1))
            for _ in range(3):
                *one, value = jax.jit(train)(*one, x)
                *state, loss = fast(*state, x)
                assert close((one, value), (state, loss))
            roles = {entry["name"]: entry["role"] for entry in fast.plan.json["arguments"]}
            assert roles["params['w']"] == "parameter" and "moment" in roles.values(), roles
            print(json.dumps(True))
        """)

    def test_random_keys_dropout_and_small_loops_work(self):
        """Keys are hashed in loops on few bytes, and `jax.checkpoint` puts barriers into those of scans."""
        self.beside("""
            def drawn(state, x):
                key, y = state
                key, new, order = jax.random.split(key, 3)
                noise = jax.random.normal(new, x.shape) * jax.random.bernoulli(new, 0.9, x.shape)
                return (key, y + noise), x[jax.random.permutation(order, x.shape[0])]

            def train(state, x, rate=0.1):
                params, key = state
                key, new = jax.random.split(key)
                def loss(params):
                    @jax.checkpoint
                    def layer(y, part):
                        layer, key = part
                        y = jnp.tanh(y @ layer["w1"]) @ layer["w2"] + y
                        return jnp.where(jax.random.bernoulli(key, 0.8, y.shape), y / 0.8, 0), None
                    stacked = jax.tree.map(lambda *all: jnp.stack(all), *params["layers"])
                    return jnp.mean((jax.lax.scan(layer, x, (stacked, jax.random.split(new)))[0] - 1) ** 2)
                value, gradients = jax.value_and_grad(loss)(params)
                return (jax.tree.map(lambda p, g: p - rate * g, params, gradients), key), value

            params, x = mlp()
            for rows in (8, 32, 512):
                x = np.linspace(-1, 1, rows * 8, dtype=np.float32).reshape(rows, 8)
                for mesh in ("8", "data=2,model=4"):
                    same(drawn, (jax.random.PRNGKey(1), jnp.zeros(x.shape)), x, mesh=mesh)
                same(train, (params, jax.random.PRNGKey(2)), x, mesh="8")
            print(json.dumps(True))
        """)

    def test_flax_modules_train(self):
        roles = self.beside("""
            import optax
            import flax.linen as nn
            from flax import nnx
            from flax.training.train_state import TrainState

            # With a larger epsilon than usual, since gradients that are only rounding must not become steps.
            x = np.random.default_rng(0).integers(0, 50, (16, 12))

            class Block(nn.Module):
                @nn.compact
                def __call__(self, y):
                    y = y + nn.SelfAttention(num_heads=4)(nn.LayerNorm()(y), mask=nn.make_causal_mask(y[..., 0]))
                    return y + nn.Dense(32)(nn.gelu(nn.Dense(128)(nn.LayerNorm()(y))))

            class Linen(nn.Module):
                @nn.compact
                def __call__(self, tokens):
                    y = nn.Embed(50, 32)(tokens)
                    for _ in range(2):
                        y = nn.remat(Block)()(y)
                    return nn.Dense(50)(nn.LayerNorm()(y))

            def loss_of(logits, x):
                return optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], x[:, 1:]).mean()

            def linen(state, x):
                value, gradients = jax.value_and_grad(lambda p: loss_of(state.apply_fn({"params": p}, x), x))(state.params)
                return state.apply_gradients(grads=gradients), value

            model = Linen()
            params = model.init(jax.random.key(0), x)["params"]
            state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adamw(1e-2, eps=1e-3))
            fast = same(linen, state, x, donate=0)
            roles = [fast.plan.json["arguments"]]

            class Nnx(nnx.Module):
                def __init__(self, rngs):
                    self.embed = nnx.Embed(50, 32, rngs=rngs)
                    self.inner = nnx.Linear(32, 128, rngs=rngs)
                    self.norm = nnx.BatchNorm(128, rngs=rngs)
                    self.outer = nnx.Linear(128, 50, rngs=rngs)
                def __call__(self, tokens):
                    return self.outer(nnx.gelu(self.norm(self.inner(self.embed(tokens)))))

            model = Nnx(nnx.Rngs(0))
            kind, state = nnx.split((model, nnx.Optimizer(model, optax.adam(1e-2, eps=1e-3), wrt=nnx.Param)))

            def by_nnx(state, x):
                model, optimizer = nnx.merge(kind, state)
                value, gradients = nnx.value_and_grad(lambda model: loss_of(model(x), x))(model)
                optimizer.update(model, gradients)
                return nnx.state((model, optimizer)), value

            roles.append(same(by_nnx, state, x, donate=0).plan.json["arguments"])
            print(json.dumps([{one["name"]: one["role"] for one in each} for each in roles]))
        """)
        for each in roles:
            self.assertLessEqual({"parameter", "moment"}, set(each.values()), each)
        self.assertEqual(roles[0]["state.params['Dense_0']['kernel']"], "parameter")
        self.assertEqual({roles[1][name] for name in roles[1] if "mean" in name}, {"state"}, roles[1])

    def test_steps_in_64_bits_give_what_jax_gives(self):
        self.program("""
            jax.config.update("jax_enable_x64", True)
            params, x = jax.tree.map(lambda leaf: leaf.astype(np.float64), mlp())
            one, state = params, params
            fast = mw.parallelize(step)
            for _ in range(10):
                one, value = jax.jit(step)(one, x)
                state, loss = fast(state, x)
                assert loss.dtype == np.float64 and abs(value - loss) <= 1e-12 * abs(value), (value, loss)
            print(json.dumps(True))
        """)

    def test_state_may_be_any_tree(self):
        names = self.beside("""
            import dataclasses, typing

            @functools.partial(jax.tree_util.register_dataclass, data_fields=("layers", "scale"), meta_fields=("kind",))
            @dataclasses.dataclass
            class Model:
                layers: list
                scale: jax.Array
                kind: str

            class Moments(typing.NamedTuple):
                first: Model
                count: jax.Array

            class State(typing.NamedTuple):
                model: Model
                moments: Moments
                nothing: None = None

            def train(state, x):
                def loss(model):
                    y = x
                    for w in model.layers:
                        y = (jnp.tanh if model.kind == "tanh" else jax.nn.relu)(y @ w)
                    return jnp.mean((model.scale * y - 1) ** 2)
                value, gradients = jax.value_and_grad(loss)(state.model)
                first = jax.tree.map(lambda m, g: 0.9 * m + g, state.moments.first, gradients)
                model = jax.tree.map(lambda w, m: w - 0.1 * m, state.model, first)
                return State(model, Moments(first, state.moments.count + 1)), value

            names = []
            for kind in ("tanh", "relu"):
                params, x = mlp()
                model = Model([w for layer in params["layers"] for w in layer.values()], np.float32(2), kind)
                state = State(model, Moments(jax.tree.map(jnp.zeros_like, model), np.int32(0)))
                fast = same(train, state, x, donate=0)
                assert fast.check()
                names.append([one["name"] for one in fast.plan.json["arguments"]])
            # One step for both kinds: the kind is a part of the tree.
            both = mw.parallelize(train, donate=0)
            for kind in ("tanh", "relu", "tanh"):
                other = dataclasses.replace(state.model, kind=kind)
                given = State(other, Moments(jax.tree.map(jnp.zeros_like, other), np.int32(0)))
                wanted = jax.jit(train)(given, x)
                assert close(both(given, x), wanted), kind
            print(json.dumps(names))
        """)
        self.assertEqual(names[0], names[1])
        self.assertIn("state.model.layers[1]", names[0])
        self.assertIn("state.moments.first.scale", names[0])


if __name__ == "__main__":
    unittest.main()
