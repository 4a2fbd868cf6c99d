"""What the tests of the Python package share: an environment into which pip installed it, and programs run there.

The environment sees no Rust, and of the tests' packages what the wheel declares to need (JAX), with what that needs; a test
names others that its program uses. Every test is a program in a process of its own, as a user's would be; it prints a last
line of JSON, which the test looks at.
"""
import atexit
import contextlib
import fcntl
import functools
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import tomllib
import unittest

from pip._vendor.packaging.requirements import Requirement

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Seconds within which anything happens, on a busy machine too.
LONG = 1500

# What every program begins with.
HEAD = """
import functools, json, signal, threading, time, warnings
import jax, jax.numpy as jnp, numpy as np
import meshwright as mw
jax.config.update("jax_platforms", "cpu")
mw.use_cpu_devices(8)

def mlp(width=16):
    random = np.random.default_rng(0)
    draw = lambda *shape: (0.3 * random.standard_normal(shape)).astype(np.float32)
    params = {"layers": [{"w1": draw(8, width), "w2": draw(width, 8)} for _ in range(2)]}
    return params, draw(32, 8)

def step(params, x, rate=0.1):
    def loss(params):
        y = x
        for layer in params["layers"]:
            y = jnp.tanh(y @ layer["w1"]) @ layer["w2"]
        return jnp.mean((y - 1) ** 2)
    value, gradients = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - rate * g, params, gradients), value

def close(one, other):
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(np.allclose(np.asarray(a), np.asarray(b), rtol=1e-4, atol=1e-5) for a, b in pairs)
"""


def needed(requirements):
    """The distributions that satisfy some requirements, with those that these need."""
    found, left = {}, [Requirement(text) for text in requirements]
    while left:
        one = left.pop()
        if one.name.lower() in found or one.marker and not one.marker.evaluate({"extra": ""}):
            continue
        found[one.name.lower()] = distribution = importlib.metadata.distribution(one.name)
        left += map(Requirement, distribution.requires or [])
    return found.values()


@contextlib.contextmanager
def alone():
    """Within it this process is the only one of the tests that builds: builds of one folder disturb one another."""
    (ROOT / "target").mkdir(exist_ok=True)
    with open(ROOT / "target" / "wheel.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made(command, **options):
    """Runs a command that makes something; what it said is part of the error if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stdout}")


@functools.cache
def environment():
    """The interpreter of an environment into which pip installed this folder; what that declares to need is that of the
    tests, and pip finds nothing missing.

    `pip install .` makes a wheel and installs it. Here these are two steps, and the first uses the tests' maturin and the
    profile of the tests, as nothing is fetched and most is built already."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="meshwright-package-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder]
    builder = {"MATURIN_PEP517_ARGS": "--profile dev --auditwheel skip --compatibility linux",
               "PATH": os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])}
    with alone():
        made([*wheel, "--disable-pip-version-check", "."], cwd=ROOT, timeout=1500, env={**os.environ, **builder})
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True, timeout=LONG)
    interpreter = folder / "env" / "bin" / "python"
    [wheel] = folder.glob("*.whl")
    [packages] = (folder / "env" / "lib").glob("*/site-packages")
    for distribution in needed(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]):
        for name in {file.parts[0] for file in distribution.files if file.parts[0] not in ("..", "__pycache__")}:
            (packages / name).symlink_to(distribution.locate_file(name))
    install = [sys.executable, "-m", "pip", "--python", interpreter, "install", "--quiet", "--no-index"]
    made([*install, "--disable-pip-version-check", wheel], timeout=LONG)
    return interpreter


def surroundings(sees_all=False):
    """The variables of a process that has no Rust. `sees_all`: it finds all packages of the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CARGO", "RUST", "PYTHON"))}
    parts = [part for part in kept.get("PATH", "").split(os.pathsep) if not (pathlib.Path(part) / "cargo").exists()]
    others = {"PYTHONPATH": sysconfig.get_paths()["purelib"]} if sees_all else {}
    # What was measured of this host would be planned for.
    kept["XDG_CACHE_HOME"] = str(environment().parent.parent.parent / "caches")
    return {**kept, "PATH": os.pathsep.join(parts), "PYTHONDONTWRITEBYTECODE": "1", **others}


def run(command, sees_all=False):
    with tempfile.TemporaryDirectory() as elsewhere:
        return subprocess.run([str(part) for part in command], cwd=elsewhere, env=surroundings(sees_all),
                              capture_output=True, text=True, timeout=LONG)


class Program(unittest.TestCase):
    """Tests that are programs. `sees_all`: they use more packages than Meshwright needs."""

    sees_all = False

    def program(self, *texts):
        """Runs a program, given in parts, and gives what it printed last."""
        done = run([environment(), "-c", HEAD + "".join(textwrap.dedent(text) for text in texts)], self.sees_all)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout.splitlines()[-1])
