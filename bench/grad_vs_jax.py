#!/usr/bin/env python3
"""Compares `meshwright grad` with `jax.grad`, in f64 on one CPU device.

    python3 bench/grad_vs_jax.py [--meshwright target/debug/meshwright] [--models FILE] [--steps FILE] [--only NAMES] [--keep DIR]

Programs: those of `grad_programs.py`; the forward losses of a file of reference models (`--models`: `MODELS`, builders
of a loss, its parameters and its batch, unrolled and with `scan`); the losses inside of a file of training steps
(`--steps`: `CASES` and `make`, in which `loss` is made). All floats of these files are read as f64.

For each program JAX lowers the loss, `meshwright grad` differentiates its text, `meshwright eval` evaluates that, and the
results are compared with `jax.value_and_grad`: largest difference over the largest number of the array. Exit code 0 if
none is above 1e-6.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from grad_programs import PROGRAMS

GOAL = 1e-6


def in_f64(path):
    """A file of JAX code as a module whose floats are f64."""
    text = pathlib.Path(path).read_text()
    for name in ("jnp.float32", "jnp.bfloat16"):
        text = text.replace(name, "jnp.float64")
    # A step's loss is made inside of it, so it is handed out beside the step.
    text = text.replace("return step, (", "return (step, loss), (")
    module = {"__name__": pathlib.Path(path).stem}
    exec(compile(text, path, "exec"), module)
    return module


def small(draw):
    """Programs of this folder, with arrays."""
    for name, (function, shapes) in PROGRAMS.items():
        yield name, function, [draw.shaped(shape) for shape in shapes]


def of_models(path, draw):
    for name, build in in_f64(path)["MODELS"].items():
        for scan in (False, True):
            loss, params, batch = build(scan=scan)
            yield name + ("_scan" if scan else ""), loss, jax.tree.map(draw.like, (params,) + batch)


def of_steps(path, draw):
    module = in_f64(path)
    for name, options in module["CASES"].items():
        (_, loss), shapes = module["make"](**options)
        params, tokens, labels = jax.tree.map(draw.like, (shapes[0], shapes[5], shapes[6]))
        labels = labels * (draw.numbers.random(labels.shape) < 0.7).astype(labels.dtype)
        key = np.array([1, 2], np.uint32)

        def of_key(p, tokens, labels, key, loss=loss):
            value, extra = loss(p, tokens, labels, jax.random.wrap_key_data(key))
            return value

        yield "step_" + name, of_key, (params, tokens, labels, key)


class Draw:
    """Random arrays, the same in every run."""

    def __init__(self):
        self.numbers = np.random.default_rng(0)

    def like(self, shape):
        if jnp.issubdtype(shape.dtype, jnp.integer):
            return self.numbers.integers(0, 128, shape.shape).astype(shape.dtype)
        return self.numbers.standard_normal(shape.shape) * 0.1

    def shaped(self, shape):
        sizes = tuple(size for size in shape if isinstance(size, int))
        match [word for word in shape if isinstance(word, str)]:
            case ["index"]:
                return self.numbers.integers(0, sizes[-1], sizes[:-1]).astype(np.int32)
            case ["positive"]:
                return self.numbers.uniform(0.5, 2.0, sizes)
            case ["unit"]:
                return self.numbers.uniform(-0.9, 0.9, sizes)
            case ["apart"]:
                return self.numbers.permutation(np.arange(float(np.prod(sizes)))).reshape(sizes) / 7
        return self.numbers.standard_normal(sizes)


def gradients(loss, arrays):
    """Value and gradients by all floats, flat, as JAX computes them."""
    flat, tree = jax.tree.flatten(arrays)
    floats = [at for at, array in enumerate(flat) if np.asarray(array).dtype.kind == "f"]

    def of_floats(values):
        full = list(flat)
        for at, value in zip(floats, values):
            full[at] = value
        return loss(*jax.tree.unflatten(tree, full))

    value, found = jax.jit(jax.value_and_grad(of_floats))([flat[at] for at in floats])
    return [np.asarray(array) for array in [value, *found]]


def differentiated(command, name, loss, arrays, folder):
    """The same by `meshwright grad`. Raises a `RuntimeError` with what it says if it refuses."""
    text, made, inputs, outputs = (folder / f"{name}.{end}" for end in ("mlir", "grad.mlir", "in.npz", "out.npz"))
    text.write_text(jax.jit(loss, keep_unused=True).lower(*arrays).as_text(debug_info=True))
    np.savez(inputs, **{f"arg{at}": array for at, array in enumerate(jax.tree.leaves(arrays))})
    for words in (["grad", text, "-o", made], ["eval", made, "--inputs", inputs, "--outputs", outputs]):
        done = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
    found = np.load(outputs)
    return [found[f"out{at}"] for at in range(len(found.files))]


def difference(wanted, found):
    """Largest difference over the largest number."""
    if len(wanted) != len(found):
        return float("inf")
    largest = 0.0
    for one, other in zip(wanted, found):
        if one.shape != other.shape:
            return float("inf")
        if one.size:
            apart = np.max(np.abs(one - other)) / max(np.max(np.abs(one)), 1e-9)
            largest = max(largest, float(apart) if np.isfinite(apart) else float("inf"))
    return largest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meshwright", default="target/debug/meshwright")
    parser.add_argument("--models")
    parser.add_argument("--steps")
    parser.add_argument("--only", help="names, split by commas")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for programs and arrays")
    given = parser.parse_args()
    draw = Draw()
    cases = list(small(draw))
    cases += of_models(given.models, draw) if given.models else []
    cases += of_steps(given.steps, draw) if given.steps else []
    only = given.only.split(",") if given.only else [name for name, _, _ in cases]
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, loss, arrays in cases:
            if name not in only:
                continue
            try:
                wanted = gradients(loss, arrays)
                apart = difference(wanted, differentiated(given.meshwright, name, loss, arrays, folder))
                says = f"{apart:.1e}"
            except RuntimeError as refusal:
                apart, says = float("inf"), str(refusal)
            is_wrong = not apart <= GOAL
            failed += is_wrong
            print(f"{'WRONG' if is_wrong else 'ok':6}{name:40}{says}", flush=True)
    print(f"{len(only) - failed} of {len(only)} within {GOAL}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
