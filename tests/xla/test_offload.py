"""What lies in the memory of the host, on XLA's CPU devices: chosen unasked, run by every door, and where devices know no
such memory.

JAX reports kinds of memory of CPU devices, so that what is allocated is compared with the plan.
"""
import atexit
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from package import LONG, ROOT, Program

MESHWRIGHT = os.environ["MESHWRIGHT"]

MACHINE = """
base = "cpu8"
name = "host8"

[host]
memory = "1 GiB"
bandwidth = "2 GB/s"
efficiency = 0.8
"""

# Steps as JAX lowers them: one of which moments take the memory, one of which what is kept for the gradients does.
STEPS = """
import sys
import jax, jax.numpy as jnp

def shaped(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)

def wide():
    params = [{"w1": shaped(64, 256), "w2": shaped(256, 64)} for _ in range(2)]
    def loss(params, x, y):
        for layer in params:
            x = x + jnp.tanh(x @ layer["w1"]) @ layer["w2"]
        return jnp.mean((x - y) ** 2)
    def step(params, first, second, x, y):
        value, gradients = jax.value_and_grad(loss)(params, x, y)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
        second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, second, gradients)
        params = jax.tree.map(lambda p, m, v: p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), params, first, second)
        return params, first, second, value
    x = shaped(8, 64)
    return jax.jit(step, donate_argnums=(0, 1, 2)).lower(params, params, params, x, x)

def deep():
    params = [shaped(64, 64) for _ in range(16)]
    def loss(params, x, y):
        for layer in params:
            x = jnp.tanh(x @ layer)
        return jnp.sum((x - y) ** 2)
    def step(params, x, y):
        value, gradients = jax.value_and_grad(loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - 1e-3 * g, params, gradients), value
    x = shaped(8, 256, 64)
    return jax.jit(step, donate_argnums=0).lower(params, x, x)

for name in ("wide", "deep"):
    open(f"{sys.argv[1]}/{name}.mlir", "w").write(globals()[name]().as_text())
"""

# Runs a program as it would be where devices know no memory of the host.
WITHOUT_HOST = """
import runpy, sys
sys.path[:0] = [{python!r}, {bench!r}]
from meshwright_xla import memories
memories.kinds = lambda device: {{"device"}}
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


# A step with two moments, called twice, by functions whose devices have a host.
CALLED = """
import pathlib, tempfile
machine = pathlib.Path(tempfile.mkdtemp()) / "host8.toml"
machine.write_text({machine!r})
def with_moments(params, first, second, x):
    def loss(params):
        y = x
        for layer in params["layers"]:
            y = jnp.tanh(y @ layer["w1"]) @ layer["w2"]
        return jnp.mean((y - 1) ** 2)
    value, gradients = jax.value_and_grad(loss)(params)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, second, gradients)
    new = jax.tree.map(lambda p, m, v: p - 1e-3 * m / (jnp.sqrt(v) + 1e-3), params, first, second)
    return new, first, second, value
params, x = mlp(256)
zeros = jax.tree.map(np.zeros_like, params)
once = jax.jit(with_moments)(params, zeros, zeros, x)
wanted = jax.jit(with_moments)(*once[:3], x)
def called(**asked):
    function = mw.parallelize(with_moments, machine=machine, donate=(0, 1, 2), **asked)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        given = function(params, zeros, zeros, x)
    given = function(*given[:3], x)
    assert close(given, wanted)
    moments = jax.tree.leaves(given[1:3])
    kinds = {{one.sharding.memory_kind for one in moments}}
    own = sum(one.addressable_shards[0].data.nbytes for one in moments)
    return sorted(kinds), own, function.plan.json["memory"].get("host_bytes", 0), [str(one.message) for one in said]
"""


class OfPython(Program):
    """What `parallelize` makes."""

    def test_moments_come_back_on_the_host(self):
        found = self.program(CALLED.format(machine=MACHINE), """
            asked, unasked = called(offload="moments"), called(memory_limit="24KiB")
            # Unasked, as many are there as memory lacks.
            assert asked[0] == ["pinned_host"] and "pinned_host" in unasked[0] and not asked[3], (asked, unasked)
            assert called(offload="activations")[0] == ["device"]
            print(json.dumps(asked[1:3]))
        """)
        self.assertEqual(found[0], found[1])

    def test_devices_that_know_no_such_memory_are_named(self):
        self.program(CALLED.format(machine=MACHINE), """
            from meshwright_xla import memories
            memories.kinds = lambda device: {"device"}
            kinds, _, _, said = called(offload="moments")
            assert kinds == ["device"] and len(said) == 1 and "cpu devices run no programs" in said[0], (kinds, said)
            print(json.dumps(True))
        """)


@functools.cache
def steps():
    """A folder with the steps and the machine, and with what is made of them; it goes when the tests end."""
    scratch = tempfile.TemporaryDirectory()
    atexit.register(scratch.cleanup)
    folder = pathlib.Path(scratch.name)
    (folder / "host8.toml").write_text(MACHINE)
    subprocess.run([sys.executable, "-c", STEPS, folder], check=True, timeout=LONG, env=os.environ | {"JAX_PLATFORMS": "cpu"})
    return folder


class Offload(unittest.TestCase):
    def setUp(self):
        self.folder = steps()

    def meshwright(self, *arguments, expected=0):
        done = subprocess.run(list(map(str, [MESHWRIGHT, *arguments])), capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done

    def planned(self, name):
        """Flags of a step and a limit under which something has to go to the host."""
        flags = {"wide": ["--memory-limit", "110KiB"], "deep": ["--memory-limit", "1100KiB", "--microbatches", "1"]}[name]
        return [self.folder / f"{name}.mlir", "--machine", self.folder / "host8.toml", *flags]

    def compiled(self, name):
        """The folder of a step, with its plan."""
        folder = self.folder / name
        if not folder.exists():
            self.meshwright("compile", *self.planned(name), "-o", folder)
        return folder, json.loads((folder / "plan.json").read_text())

    def arrays(self, name):
        """A file of arguments, and one of what XLA makes of them on one device."""
        folder, _ = self.compiled(name)
        manifest = json.loads((folder / "manifest.json").read_text())
        generator = np.random.default_rng(0)
        values = {f"arg{i}": np.abs(0.1 * generator.standard_normal(one["shape"])).astype(np.float32)
                  for i, one in enumerate(manifest["arguments"])}
        inputs, expected = self.folder / f"{name}.in.npz", self.folder / f"{name}.out.npz"
        np.savez(inputs, **values)
        self.meshwright("eval", folder / "whole.mlir", "--inputs", inputs, "--outputs", expected)
        return inputs, expected

    def test_what_does_not_fit_lies_on_the_host_unasked(self):
        for name, kind in (("wide", "moments"), ("deep", "activations")):
            _, plan = self.compiled(name)
            self.assertIn(kind, [part["what"] for part in plan["memory"]["host"]["parts"]], name)
            self.assertLessEqual(plan["memory"]["peak_bytes"], plan["memory"]["limit_bytes"])
            done = self.meshwright("check", *self.planned(name), "--precision", "f64", "--json")
            self.assertTrue(json.loads(done.stdout)["agrees"], name)
            self.meshwright("plan", *self.planned(name), "--offload", "none", "--tiles", "none", expected=3)

    def test_activations_go_there_beside_what_is_made_again_where_that_saves_microbatches(self):
        step, machine, limit = self.folder / "deep.mlir", self.folder / "host8.toml", "900KiB"
        done = self.meshwright("plan", step, "--machine", machine, "--memory-limit", limit, "--json")
        plan = json.loads(done.stdout)
        self.assertEqual([part["what"] for part in plan["memory"]["host"]["parts"]], ["activations"])
        self.assertEqual(plan["microbatches"]["count"], 1)

    def test_both_engines_run_it_and_say_what_lies_where(self):
        for name in ("wide", "deep"):
            folder, plan = self.compiled(name)
            inputs, _ = self.arrays(name)
            xla = ("--engine", "xla", "--platform", "cpu", "--python", sys.executable)
            done = self.meshwright("run", folder, "--inputs", inputs, "--steps", 3, "--compare", "whole", "--json", *xla)
            memory = json.loads(done.stdout)["memory"]
            parts = {part["what"]: part["bytes_per_device"] for part in plan["memory"]["host"]["parts"]}
            # What is kept from the forward pass to the backward pass XLA has in one memory on CPUs.
            arguments = parts.get("moments", 0) + parts.get("parameters", 0)
            self.assertEqual(memory["host"]["arguments_bytes"], arguments, name)
            self.assertEqual(memory["host"]["predicted_bytes"], plan["memory"]["host_bytes"])
            said = self.meshwright("run", folder, "--inputs", inputs, *xla)
            self.assertIn("on the host for each device:", said.stdout)
            self.meshwright("run", folder, "--inputs", inputs, "--steps", 2)

    def test_the_script_runs_it_where_devices_know_no_such_memory_too(self):
        script = self.folder / "without_host.py"
        script.write_text(WITHOUT_HOST.format(python=str(ROOT / "python"), bench=str(ROOT / "bench")))
        for name in ("wide", "deep"):
            folder, _ = self.compiled(name)
            inputs, expected = self.arrays(name)
            for before in ([], [script]):
                command = [sys.executable, *before, ROOT / "bench/run_on_xla.py", folder, "--inputs", inputs,
                           "--expected", expected]
                done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LONG)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_run_says_that_devices_know_no_such_memory(self):
        folder, _ = self.compiled("wide")
        inputs, _ = self.arrays("wide")
        # A Python whose devices know one kind of memory.
        site = self.folder / "site"
        site.mkdir()
        (site / "sitecustomize.py").write_text(
            "from jaxlib import _jax\n_jax.Device.addressable_memories = lambda device: [device.default_memory()]\n")
        command = [MESHWRIGHT, "run", folder, "--inputs", inputs, "--engine", "xla", "--platform", "cpu",
                   "--python", sys.executable, "--compare", "whole"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LONG,
                              env=os.environ | {"PYTHONPATH": str(site)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("cpu devices run no programs that keep values in the memory of the host", done.stderr)
        self.assertIn("on the host for each device: 0 B of arguments", done.stdout)


if __name__ == "__main__":
    unittest.main()
