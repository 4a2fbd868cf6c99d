"""The Python package `meshwright`: pip installs it into an environment of its own, and it is used there.

How such a program is run is in `package.py`; training steps of many forms are in `test_steps.py`, several processes in
`test_processes.py`.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from package import LONG, ROOT, Program, environment, run

EXAMPLE = ROOT / "examples" / "train_gpt.py"
MESHWRIGHT = os.environ["MESHWRIGHT"]


class Package(Program):
    def test_a_step_runs_distributed_and_its_state_stays_where_it_is(self):
        found = self.program("""
            params, x = mlp()
            pins = {"*w1*": (None, "model"), "*w2*": ("model",), "x": ("data", None)}
            fast = mw.parallelize(step, donate=0, mesh={"data": 2, "model": 4}, pins=pins)
            one, state = params, params
            for _ in range(3):
                one, value = jax.jit(step)(one, x)
                state, loss = fast(state, x)
                assert close((one, value), (state, loss))
            leaves = jax.tree.leaves(state)
            assert all(isinstance(leaf, jax.Array) and len(leaf.sharding.device_set) == 8 for leaf in leaves)
            assert jax.tree.map(lambda leaf, wanted: leaf.sharding.is_equivalent_to(wanted, leaf.ndim), state,
                                fast.plan.in_shardings[0]) == jax.tree.map(lambda _: True, state)
            # An array that lies elsewhere is moved.
            moved, _ = fast(jax.device_put(params, jax.devices()[3]), x)
            again, _ = fast(params, jax.device_put(x, jax.devices()[1]))
            assert close(moved, again)
            assert fast.check(params, x) and fast.check()
            # On CPUs XLA keeps what the plan wants computed once.
            assert "opt-barrier" in fast.lower(params, x).compile().as_text()
            text = fast.lower(params, x).as_text()
            names = [one["name"] for one in fast.plan.json["arguments"]]
            print(json.dumps([names, "manual_computation" in text, 
                              fast.explain("params['layers'][1]['w1']"), str(fast.plan), fast.cost_summary()]))
        """)
        names, is_manual, why, table, costs = found
        self.assertEqual(names, [f"params['layers'][{layer}]['{w}']" for layer in (0, 1) for w in ("w1", "w2")] + ["x"])
        self.assertTrue(is_manual)
        self.assertIn("argument 2, params['layers'][1]['w1'], parameter: 8x16 f32, sharded -, model, 128 bytes", why)
        self.assertIn("it is annotated", why)
        self.assertIn("Plan of step on cpu8:8", table)
        self.assertIn("params['layers'][0]['w1']", table)
        self.assertGreater(costs["total_seconds"], 0)

    def test_pip_installs_the_command(self):
        command = environment().parent / "meshwright"
        for words in (["--version"], ["machines"], ["plan", "missing.mlir", "--machine", "cpu8"], ["chekc"]):
            found = run([command, *words])
            binary = run([MESHWRIGHT, *words])
            self.assertEqual((found.returncode, found.stdout, found.stderr), (binary.returncode, binary.stdout, binary.stderr))
        # JAX is read when it is needed; the worker processes that need it run in this environment.
        done = run([environment(), "-c", "import sys, meshwright; print('jax' in sys.modules, meshwright.plan.__name__)"])
        self.assertEqual(done.stdout, "False plan\n", done.stderr)
        with tempfile.TemporaryDirectory() as scratch:
            compiled = run([command, "compile", ROOT / "examples" / "mlp_annotated.mlir", "--machine", "cpu8", "-o",
                            f"{scratch}/mlp"])
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
            done = run([command, "run", f"{scratch}/mlp", "--engine", "xla", "--platform", "cpu", "--inputs",
                        ROOT / "examples" / "mlp_annotated.in.npz"])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_steps_in_microbatches_that_recompute_give_the_same(self):
        self.program("""
            params, x = mlp()
            wanted = jax.jit(step)(params, x)
            for ways in ({"microbatches": 4}, {"recompute": "full"}, {"microbatches": "2", "recompute": ["tanh"]},
                         {"microbatches": "search", "recompute": "search"}, {"microbatch_size": 2}):
                fast = mw.parallelize(step, **ways)
                assert close(fast(params, x), wanted), ways
                assert fast.check(params, x), ways
            planned = mw.plan(step, (params, x), "cpu8:8", microbatches=4)
            assert "microbatches  4 of" in str(planned), str(planned)
            try:
                mw.plan(step, (params, x), "cpu8:8", microbatches=5)
                raise AssertionError("32 examples do not divide into 5")
            except mw.OptionError as error:
                assert "does not divide into 5" in str(error), error
            try:
                mw.plan(step, (params, x), "cpu8:8", microbatchs=4)
                raise AssertionError("there is no such keyword")
            except TypeError as error:
                assert "microbatchs" in str(error), error
            # A batch that is normalized by its own mean.
            def centered(params, x):
                def loss(params):
                    y = x @ params["layers"][0]["w1"]
                    return ((y - y.mean(0)) ** 2).mean()
                return jax.tree.map(lambda w, g: w - g, params, jax.grad(loss)(params))
            local = mw.plan(centered, (params, x), "cpu8:8", microbatches=4, microbatch_statistics="local", donate=0)
            found = local.check(params, x)
            assert found and found.local_statistics["values"], found
            assert "Compared with the step with statistics of each microbatch" in str(found), found
            print(json.dumps(True))
        """)

    def test_arrays_may_come_on_meshes_with_explicit_axes(self):
        self.program("""
            from jax.sharding import NamedSharding
            params, x = mlp()
            wanted = jax.jit(step)(params, x)
            fast = mw.parallelize(step, mesh={"x": 2, "y": 4}, pins={"*w1*": (None, "y"), "x": ("x",)})
            theirs = jax.make_mesh((8,), ("data",))
            assert "Explicit" in str(theirs.axis_types)
            spread = jax.device_put(x, NamedSharding(theirs, jax.P("data")))
            held = jax.device_put(params, NamedSharding(theirs, jax.P()))
            # From host arrays first, as in most programs; then as they come, and the plan's own.
            for call in ((params, x), (params, spread), (held, spread), (params, x), (held, x)):
                assert close(fast(*call), wanted)
            assert close(mw.parallelize(step)(held, spread), wanted)
            # A mesh that is set around the call is the caller's.
            with jax.set_mesh(theirs):
                assert close(fast(held, spread), wanted) and close(fast(params, x), wanted)
                assert close(mw.parallelize(step)(held, spread), wanted)
            print(json.dumps(True))
        """)

    def test_pins_without_a_mesh_take_the_best_that_they_can_mean(self):
        found = self.program("""
            params, x = mlp(4096)
            pins = {"x": ("data", None)}
            plan = mw.plan(step, (params, x), machine="cpu8", pins=pins).json
            sizes = [{"data": 8}, {"data": 2, "x": 4}, {"data": 4, "x": 2}]
            tried = [mw.plan(step, (params, x), machine="cpu8", mesh=mesh, pins=pins).json for mesh in sizes]
            axes = {axis["name"]: axis["size"] for axis in plan["mesh"]}
            seconds = lambda plan: plan["predicted"]["total_seconds"]
            print(json.dumps([axes, seconds(plan), min(map(seconds, tried))]))
        """)
        axes, seconds, least = found
        self.assertIn("data", axes)
        self.assertLessEqual(seconds, least * 1.000001)

    def test_what_the_search_chose_is_not_called_annotated(self):
        why = self.program("""
            params, x = mlp(4096)
            plan = mw.plan(step, (params, x), machine="cpu8", mesh="data=2,model=4", pins={"x": ("data", None)})
            print(json.dumps([plan.explain("x"), plan.explain("params['layers'][0]['w1']")]))
        """)
        self.assertIn("it is annotated", why[0])
        self.assertIn("the search chose it", why[1])
        self.assertNotIn("annotated", why[1])

    def test_inputs_are_drawn_as_the_step_uses_them(self):
        found = self.program("""
            def loss(table, labels):
                return -jnp.take(table, labels, axis=0).mean()
            fast = mw.parallelize(jax.value_and_grad(loss))
            plan = fast.plan_for(jnp.ones((10, 8)), jnp.zeros(16, jnp.int32))
            drawn = fast.check()
            asked = plan.check(int_range=(20, 30))
            print(json.dumps([bool(drawn), drawn.drawn, str(drawn), asked.drawn[0]["from"]]))
        """)
        self.assertTrue(found[0])
        self.assertEqual(found[1], [{"argument": 1, "name": "labels", "from": 0, "below": 10,
                                     "because": "looked up in a table of 10 rows"}])
        self.assertIn("drawn: %arg1 (labels): integers 0..10, looked up in a table of 10 rows", found[2])
        self.assertEqual(found[3], 20)

    def test_what_pytorch_says_is_said_in_a_line(self):
        # PyTorch itself is too large to be here: what is used of it is written down.
        found = self.program("""
            import sys, types
            def refuse(module, inputs, kwargs):
                raise ValueError("\\nvmap: attention masks cannot be exported\\n" + 100 * "a trace\\n")
            torch, xla, converter = (types.ModuleType(name) for name in ("torch", "torch_xla", "torch_xla.stablehlo"))
            torch.export = types.SimpleNamespace(export=refuse)
            kind = lambda value: types.SimpleNamespace(value=value)
            places = [types.SimpleNamespace(type_=kind(one), position=at, name=name) for one, at, name in
                      (("parameter", -1, "w"), ("input_arg", 0, ""), ("constant", 0, ""))]
            function = types.SimpleNamespace(meta=types.SimpleNamespace(input_locations=places))
            bundle = types.SimpleNamespace(stablehlo_funcs=[function], state_dict={"w": np.ones(2)},
                                           additional_constants=[np.arange(3)])
            text = "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<3xi32>) -> tensor<2xf32> {\\n return %a : tensor<2xf32> }"
            converter.exported_program_to_stablehlo = lambda _: types.SimpleNamespace(
                get_stablehlo_text=lambda: text, _bundle=bundle)
            sys.modules.update({"torch": torch, "torch_xla": xla, "torch_xla.stablehlo": converter})
            said = []
            for module in (types.SimpleNamespace(config=types.SimpleNamespace(_attn_implementation="sdpa")), None):
                try:
                    mw.torch.export(module, ())
                except mw.Error as problem:
                    said.append(str(problem))
                    assert problem.__suppress_context__
            torch.export.export = lambda module, inputs, kwargs: None
            exported = mw.torch.export(None, ())
            assert mw.compile(exported, "cpu8").check(*exported.arguments(np.zeros(2, np.float32)))
            print(json.dumps([said, exported.argument_names, [value is None for value in exported.values]]))
        """)
        (attention, other), names, are_inputs = found
        self.assertIn("PyTorch cannot export the module: ValueError: vmap: attention masks cannot be exported\n", attention)
        self.assertIn('attn_implementation="eager"', attention)
        self.assertNotIn("eager", other)
        self.assertEqual((names, are_inputs), (["w", "inputs[0]", "constants[0]"], [False, True, False]))

    def test_other_kinds_of_arguments_have_plans_of_their_own(self):
        self.program("""
            params, x = mlp()
            fast = mw.parallelize(step, mesh="data=8")
            assert close(fast(params, x), step(params, x))
            assert close(fast(params, x[:16]), step(params, x[:16]))          # another shape
            assert close(fast(params, x, 0.5), step(params, x, 0.5))          # one more argument
            assert close(fast(params, x=x, rate=0.2), step(params, x, 0.2))   # by name
            assert close(fast(params, x), step(params, x))                    # the first again
            # A call of a kind that is known is traced no more, whichever came before it.
            from meshwright import parallel
            class Refused(parallel._OtherKind):
                def __init__(self):
                    raise SystemExit("traced again")
            refusal, parallel._OtherKind = parallel._OtherKind, Refused
            for rows in (16, 32, 16):
                assert close(fast(params, x[:rows]), step(params, x[:rows]))
            parallel._OtherKind = refusal
            # Dims that the shards do not divide: 30 rows over 8 devices, a width of 13.
            odd, _ = mlp(13)
            uneven = mw.parallelize(step, mesh={"data": 2, "model": 4}, pins={"*w1*": (None, "model"), "x": ("data",)})
            assert close(uneven(odd, x[:30]), step(odd, x[:30]))
            assert uneven.plan.json["arguments"][0]["sharding"] == [[], ["model"]], uneven.plan.json["arguments"][0]

            # Parts of an axis become axes of their own.
            parts = mw.parallelize(step, mesh={"x": 8}, pins={"*w1*": ("x:(1)2", "x:(2)4")})
            assert close(parts(params, x), step(params, x))
            assert parts.plan.in_specs[0]["layers"][1]["w1"] == jax.P("x_0", "x_1"), parts.plan.in_specs

            def scaled(kind, key, x):
                noise = jax.random.normal(key, x.shape)
                return jax.random.split(key, 2), (x + noise if kind == "add" else x * noise)

            static = mw.parallelize(scaled, static_argnums=0)
            for kind in ("add", "multiply", "add"):
                keys, y = static(kind, jax.random.key(3), x)
                wanted, z = scaled(kind, jax.random.key(3), x)
                assert close(y, z) and (jax.random.key_data(keys) == jax.random.key_data(wanted)).all()
            static(kind, keys[0], x)
            print(json.dumps(True))
        """)

    def test_static_and_donated_arguments_are_those_of_the_signature(self):
        self.program("""
            _, x = mlp()
            def scaled(x, factor=1):
                return x * jnp.asarray(factor).astype("float32"), jnp.asarray(factor)
            for fast in (mw.parallelize(scaled, static_argnums=1), mw.parallelize(scaled, static_argnums=-1)):
                kinds = [fast(x, factor)[1].dtype.name for factor in (1, 1.0, True, 1)]
                assert kinds == ["int32", "float32", "bool", "int32"], kinds
                assert fast(x, factor=2.5)[1].dtype == jnp.float32 and fast(x)[1].dtype == jnp.int32
            by_kind = mw.parallelize(lambda x, kind: x + 1 if kind[0] == "add" else x * 2, static_argnums=(-1,))
            assert close(by_kind(x, kind=("add",)), x + 1) and close(by_kind(x, ("twice",)), x * 2)

            for donate in (0, -2, (0,)):
                for call in (lambda fast, x: fast(x, 2.0), lambda fast, x: fast(factor=2.0, x=x)):
                    fast = mw.parallelize(scaled, donate=donate, mesh="8")
                    fast(x)
                    held = jax.device_put(x, fast.plan.in_shardings[0])
                    call(fast, held)
                    assert held.is_deleted(), donate

            several = mw.parallelize(lambda *xs: sum(xs), donate=2)
            several(x, x, x)
            def refused(call):
                try:
                    call()
                except mw.OptionError as problem:
                    return str(problem)
                raise SystemExit("not refused")
            for call in (lambda: mw.parallelize(scaled, donate=7), lambda: mw.parallelize(scaled, donate=-3),
                         lambda: mw.plan(scaled, (x, 1.0), machine="cpu8", donate=2),
                         lambda: mw.parallelize(scaled, static_argnums=2), lambda: mw.parallelize(several, donate=-1)):
                assert "has no argument" in refused(call)
            assert "is static and donated" in refused(lambda: mw.parallelize(scaled, donate=(0, 1), static_argnums=1))
            said = refused(lambda: mw.parallelize(scaled, static_argnums=1)(x, [1]))
            assert "`factor`" in said and "list" in said, said
            print(json.dumps(True))
        """)

    def test_types_that_give_way_do_so_in_results_too(self):
        self.program("""
            def step(w, scale):
                return w * scale, scale * 0.5
            fast = mw.parallelize(step)
            one = many = jnp.ones((16, 8), jnp.bfloat16), 2.0
            for _ in range(3):
                one, many = jax.jit(step)(*one), fast(*many)
                assert [(x.dtype, x.weak_type) for x in one] == [(x.dtype, x.weak_type) for x in many], many
            print(json.dumps(True))
        """)

    def test_what_is_donated_is_given_once(self):
        self.program("""
            def refused(call, *words):
                try:
                    call()
                    raise SystemExit("not refused")
                except mw.OptionError as problem:
                    assert all(word in str(problem) for word in words), problem
            fast = mw.parallelize(lambda w, m, v: (w - m, m + 1, v + 1), donate=(0, 1, 2))
            w, zeros = jnp.ones((8, 8)), jnp.zeros((8, 8))
            refused(lambda: fast(w, zeros, zeros), "`m` and `v` are one array")
            state = fast(w, zeros, jnp.copy(zeros))
            state = fast(*state)
            fast(*state)
            refused(lambda: fast(*state), "`w` was donated")
            refused(lambda: mw.parallelize(step, donate="0"), "'0' is no position")
            refused(lambda: mw.parallelize(step, devices=[]), "different devices")
            print(json.dumps(True))
        """)

    def test_methods_run_and_transformations_are_told_to_stay_outside(self):
        self.program("""
            _, x = mlp()
            class Model:
                @mw.parallelize
                def whole(held, x):
                    return held["scale"] * x
                @functools.partial(mw.parallelize, static_argnums=0)
                def scaled(self, x):
                    return self.scale * x
            class Held(dict):
                whole = Model.whole
            jax.tree_util.register_pytree_node(Held, lambda one: ([one["scale"]], None), lambda _, held: Held(scale=held[0]))
            model = Model()
            model.scale = 3.0
            assert close(model.scaled(x), 3 * x) and close(Held(scale=np.float32(2.0)).whole(x), 2 * x)
            assert model.scaled.plan is Model.scaled.plan

            for is_known in (False, True):
                fast = mw.parallelize(lambda x: (x * x).sum())
                if is_known:
                    fast(x)
                for call in (jax.grad(fast), jax.vmap(fast)) + (() if is_known else (jax.jit(fast),)):
                    try:
                        call(x)
                        raise SystemExit("not refused")
                    except mw.OptionError as problem:
                        assert "inside `jax.jit`, `jax.grad`" in str(problem), problem
            print(json.dumps(True))
        """)

    def test_a_step_that_fails_is_not_run_again(self):
        self.program("""
            import dataclasses
            params, x = mlp()
            fast = mw.parallelize(step, mesh="8")
            fast(params, x)
            runs = []
            def failing(problem):
                def run(*args):
                    runs.append(problem)
                    raise problem
                return run
            kept = dict(fast._latest)
            for problem in (jax.errors.JaxRuntimeError("out of memory"), FloatingPointError("nan"), ValueError("mine")):
                for kind, entry in kept.items():
                    fast._latest[kind] = dataclasses.replace(entry, run=failing(problem))
                try:
                    fast(params, x)
                    raise SystemExit("no error")
                except type(problem) as raised:
                    assert raised is problem
            assert len(runs) == 3, runs
            # What jit refuses before it runs is done again: another kind, and arrays that lie elsewhere.
            fast._latest.update(kept)
            assert close(fast(params, x[:16]), step(params, x[:16]))
            assert close(fast(params, x), step(params, x))
            elsewhere = jax.device_put(params, jax.devices()[3])
            assert close(fast(elsewhere, x), step(params, x))
            print(json.dumps(True))
        """)

    def test_a_plan_needs_no_devices_and_jit_takes_its_shardings(self):
        found = self.program("""
            params, x = mlp(64)
            shapes = jax.eval_shape(lambda: (params, x))
            plan = mw.plan(step, shapes, machine="h100:4x8", donate=0, search="rest")
            assert plan.mesh and sum(plan.json["predicted"].values()) > 0
            try:
                plan.in_shardings
                raise SystemExit("32 devices out of 8")
            except mw.OptionError as problem:
                few = str(problem)
            jax.tree.map(lambda spec, leaf: len(spec) <= len(leaf.shape) or 1 / 0, plan.in_specs, shapes)
            plan = mw.plan(step, shapes, machine="cpu8", donate=0, mesh="data=2,model=4",
                           pins={"params['layers'][*]['w1']": (None, "model")})
            assert [one["sharding"] for one in plan.json["arguments"][::2]][:2] == [[[], ["model"]]] * 2
            jitted = jax.jit(step, in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)
            assert close(jitted(params, x), step(params, x))
            assert plan.check() and plan.check(params, x)
            # The same program as text, as bytecode, and as JAX exports it.
            exported = jax.export.export(jax.jit(step, donate_argnums=0))(params, x)
            meshes = [mw.compile(form, "cpu8").mesh for form in
                      (exported, exported.mlir_module(), exported.mlir_module_serialized)]
            assert meshes[0] == meshes[1] == meshes[2]
            print(json.dumps(few))
        """)
        self.assertIn("the plan is for 32 devices, and JAX has 8", found)

    def test_devices_at_hand_are_known_or_said_to_be_unknown(self):
        found = self.program("""
            from types import SimpleNamespace as Device
            from meshwright.machines import of_devices
            def gpus(kind, hosts, each, runtime="PJRT C API\\ncuda 12090"):
                return [Device(platform="gpu", device_kind=kind, process_index=host, memory_stats=lambda: {"bytes_limit": 7},
                               client=Device(platform_version=runtime))
                        for host in range(hosts) for _ in range(each)]
            chips = [Device(platform="tpu", device_kind="TPU v5 lite", process_index=0, coords=(x, y, 0), core_on_chip=0)
                     for x in range(4) for y in range(4)]
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                specs = [of_devices(some) for some in (jax.devices(), gpus("NVIDIA H100 80GB HBM3", 2, 8),
                                                      gpus("NVIDIA A100-SXM4-40GB", 1, 4), chips)]
                before = len(said)
                specs.append(of_devices(gpus("NVIDIA X9000", 1, 8)))
                specs.append(of_devices(gpus("AMD Instinct MI250X", 1, 8)))
                specs.append(of_devices(gpus("Graphics", 1, 4, "PJRT C API\\nrocm 60300")))
            for spec, _ in specs:
                mw.plan(step, mlp(), machine=spec)
            print(json.dumps([specs, before, [str(one.message) for one in said]]))
        """)
        specs, before, said = found
        self.assertEqual([spec for spec, _ in specs], ["cpu8:8", "h100:2x8", "a100-40:4", "tpu_v5e:4x4", "h100:8",
                                                       "mi300x:8", "mi300x:4"])
        self.assertEqual((before, len(said)), (1, 4))
        self.assertIn("has not measured this host", said[0])
        self.assertIn("does not know `NVIDIA X9000`", said[1])
        self.assertEqual(specs[-1][1], "7")

    def test_a_host_that_was_measured_is_planned_for(self):
        spec, said, planned = self.program("""
            import os, pathlib, tempfile
            from meshwright import _native, machines
            folder = pathlib.Path(tempfile.mkdtemp())
            os.environ["XDG_CACHE_HOME"] = str(folder)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                params, x = mlp()
                mw.parallelize(step)(params, x)
                command = str(said[0].message).split("`")[1]
                # What the command measures takes its time; the machine that it is to write is written by hand.
                file = pathlib.Path(command.split(" -o ")[1])
                text, _ = _native.machine("cpu8")
                file.write_text(text.replace('name = "cpu8"', 'name = "measured"'))
                fast = mw.parallelize(step)
                fast(params, x)
            print(json.dumps([command, len(said), fast.plan.json["machine"]]))
        """)
        self.assertRegex(spec, r"^meshwright calibrate --platform cpu --devices 8 -o .*/meshwright/cpu8-[0-9a-f]{8}\.toml$")
        self.assertEqual(said, 1)
        self.assertIn("measured", planned)

    def test_errors_have_the_text_of_the_command(self):
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "broken.mlir"
            file.write_text("func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {\n  return %a : tensor<3xf32>\n}\n")
            told = subprocess.run([MESHWRIGHT, "plan", file, "--machine", "cpu8"], capture_output=True, text=True)
            found = self.program(f"""
                text = open({str(file)!r}).read()
                caught = []
                for call in (lambda: mw.compile(text, "cpu8", name={str(file)!r}), lambda: mw.compile("", "h1000"),
                             lambda: mw.plan(step, mlp(), machine="cpu8", memory_limit="512B"),
                             lambda: mw.plan(step, mlp(), machine="cpu8", pins={{"nothing": ()}}),
                             lambda: mw.plan(step, mlp(), machine="cpu8", mesh="data=3"),
                             lambda: mw.parallelize(lambda x: jax.debug.print("{{}}", x))(1.0),
                             lambda: mw.torch.export(None, ()), lambda: mw.compile(b"a\\xff", "cpu8"),
                             lambda: mw.compile(8, "cpu8"), lambda: mw.compile(text, "missing.toml")):
                    try:
                        call()
                    except mw.Error as problem:
                        caught.append([type(problem).__name__, str(problem)])
                print(json.dumps(caught))
            """)
        self.assertEqual(found[0], ["ProgramError", told.stderr.strip()])
        self.assertEqual([kind for kind, _ in found], ["ProgramError", "OptionError", "DoesNotFit", "OptionError", "OptionError",
                                                       "OptionError", "Error", "ProgramError", "OptionError",
                                                       "OptionError"])
        self.assertIn("params['layers']", found[2][1])
        for _, text in found:
            self.assertRegex(text, r"error\[.*\]: .*\n(.*\n)* *= hint: ")

    def test_planning_leaves_the_interpreter_free_and_ends_on_request(self):
        ticks, whole, stopped, plan, table = self.program("""
            import os
            text = open("MODEL").read()
            ticks, done = [0], threading.Event()
            def count():
                while not done.wait(0.01):
                    ticks[0] += 1
            # CPU time, so that it does not matter what else the machine does.
            start = time.process_time()
            mw.compile(text, "cpu8")
            whole = time.process_time() - start
            # What Ctrl-C leaves that is pressed so often behind a share of the whole, and the time until it does.
            def interrupted(share, times):
                start, heard = time.process_time(), []
                def handler(*_):
                    heard.append(None)
                    raise KeyboardInterrupt
                def press():
                    while time.process_time() < start + share * whole:
                        time.sleep(0.005)
                    for number in range(times):
                        os.kill(os.getpid(), signal.SIGINT)
                        while len(heard) == number:
                            time.sleep(0.005)
                signal.signal(signal.SIGINT, handler)
                threading.Thread(target=press, daemon=True).start()
                try:
                    mw.compile(text, "cpu8")
                    raise SystemExit("nothing was interrupted")
                except KeyboardInterrupt as problem:
                    signal.signal(signal.SIGINT, signal.SIG_IGN)
                    return getattr(problem, "so_far", None), time.process_time() - start
            threading.Thread(target=count, daemon=True).start()
            # The second does not wait for the plan so far.
            nothing, stopped = interrupted(0.1, times=2)
            done.set()
            assert nothing is None
            # When there is a first plan is nobody's to say.
            left = (interrupted(share, times=1)[0] for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
            plan = next(plan for plan in left if plan is not None)
            print(json.dumps([ticks[0], whole, stopped, plan.json, str(plan)]))
        """.replace("MODEL", str(ROOT / "examples" / "gpt.mlir")))
        self.assertGreater(ticks, 3)
        self.assertLess(stopped, 0.6 * whole)
        self.assertTrue(plan["unfinished"])
        self.assertIn("the search was stopped before its end", " ".join(table.split()))

    def test_work_that_cannot_stop_does_not_hold_up_the_user(self):
        self.program("""
            import os
            # One product that takes much longer than anything else here.
            size = 5000
            plan = mw.plan(lambda a, b: a @ b, (jax.ShapeDtypeStruct((size, size), np.float32),) * 2, machine="cpu8", mesh="8")
            # CPU time, so that it does not matter what else the machine does.
            start = time.process_time()
            def interrupt():
                while time.process_time() < start + 4:
                    time.sleep(0.005)
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=interrupt, daemon=True).start()
            try:
                plan.check()
                raise SystemExit("nothing was interrupted")
            except KeyboardInterrupt:
                left = time.process_time()
            # It is still being computed; what else is asked for is answered meanwhile.
            for _ in range(3000):
                time.sleep(0.01)
                if time.process_time() > left + 0.3:
                    break
            else:
                raise SystemExit("the interrupt was answered when the product was done")
            assert "dot" in plan.program
            print(json.dumps(True), flush=True)
            os._exit(0)
        """)


class Example(unittest.TestCase):
    def losses(self, *arguments):
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "losses.json"
            done = run([environment(), EXAMPLE, "--steps", "60", "--losses", file, *arguments])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return json.loads(file.read_text()), done.stdout

    def test_a_small_gpt_trains_in_one_process_and_in_four(self):
        alone, said = self.losses()
        self.assertIn("8 devices in 1 process.", said)
        self.assertLess(alone[-1], alone[0] - 1.5)
        together, said = self.losses("--processes", "4")
        self.assertIn("8 devices in 4 processes.", said)
        for one, other in zip(alone, together, strict=True):
            self.assertAlmostEqual(one, other, delta=1e-3)

    def test_the_command_runs_the_same(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            exported = run([environment(), EXAMPLE, "--steps", "20", "--export", folder])
            self.assertEqual(exported.returncode, 0, exported.stdout + exported.stderr)
            compile_ = [MESHWRIGHT, "compile", folder / "gpt.mlir", "--machine", "cpu8", "-o", folder / "gpt"]
            subprocess.run([str(part) for part in compile_], check=True, capture_output=True, timeout=LONG)
            done = run([MESHWRIGHT, "run", folder / "gpt", "--engine", "xla", "--python", environment(), "--platform", "cpu",
                        "--inputs", folder / "inputs.npz", "--batches", folder / "batches.npz", "--steps", "20"])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
