#!/usr/bin/env python3
"""Attention kernels of the device at hand beside the programs as they are written, both against `eval` in 64 bits.

    .venv/bin/python bench/kernels_here.py tests/suite/attention/*.mlir [--machine h100:1] [--meshwright target/release/meshwright]

Each program is compiled for the machine with its kernels and without, both are run on the first device (a GPU whose kernels
the machine has), with the same random arguments, and so is `meshwright eval --precision f64`. One row each: how many calls
of kernels there are, and the largest error of all results. The exit status is 1 if the
program with kernels errs by more than the limit, and by more than three times what the one without does.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import steps_here
import xla_engine

LIMIT, WORSE = 0.02, 3


def arguments_of(manifest):
    """Random arrays, the same for the same shapes."""
    generator = np.random.default_rng(0)
    import jax.numpy as jnp

    values = []
    for argument in manifest["arguments"]:
        element = jnp.dtype(steps_here.TYPES[argument["element"]])
        if element.kind in "iub":
            values.append(generator.integers(0, 2 if element.kind == "b" else 8, argument["shape"]).astype(element))
        else:
            values.append((0.2 * generator.standard_normal(argument["shape"])).astype(element))
    return values


def in_64_bits(meshwright, whole, values):
    """The results of a program, all floats in 64 bits."""
    with tempfile.TemporaryDirectory() as folder:
        inputs, outputs = pathlib.Path(folder) / "in.npz", pathlib.Path(folder) / "out.npz"
        np.savez(inputs, **{f"arg{i}": value for i, value in enumerate(values)})
        subprocess.run([meshwright, "eval", whole, "--inputs", inputs, "--outputs", outputs, "--precision", "f64"], check=True,
                       stdout=subprocess.DEVNULL)
        with np.load(outputs) as found:
            return [wide(found[f"out{i}"]) for i in range(len(found.files))]


def wide(array):
    """The numbers of an array in 64 bits; numpy keeps bf16 as two bytes."""
    import jax.numpy as jnp

    return np.asarray(array.view(jnp.bfloat16) if array.dtype.kind == "V" else array).astype(np.float64)


def on_device(text, values):
    """The results of a local program on the first device, in 64 bits."""
    from meshwright_xla import xla_client

    on = xla_client.devices(1)
    executable = xla_client.load_local(text, on)
    results = xla_client.execute(executable, [xla_client.place([value], on) for value in values])
    return [wide(np.asarray(part[0])) for part in results]


def error(found, expected):
    """The largest error of all results, relative to the largest value of each, or to a hundredth of that of all (what should
    be zero is rounding); infinite where a number is none."""
    least = 0.01 * max(float(np.nanmax(np.abs(true), initial=0.0)) for true in expected)
    worst = 0.0
    for one, true in zip(found, expected, strict=True):
        if not one.size or (np.isnan(true) & np.isnan(one)).all():
            continue
        if (np.isnan(one) != np.isnan(true)).any():
            return float("inf")
        scale = max(float(np.nanmax(np.abs(true))), least) or 1.0
        worst = max(worst, float(np.nanmax(np.abs(one - true)) / scale))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--machine", default="h100:1")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    arguments = parser.parse_args()
    print("| program | kernels | error with | without |\n| --- | ---: | ---: | ---: |", flush=True)
    failed = False
    for model in arguments.models:
        try:
            with_them, _, manifest = steps_here.compiled(arguments.meshwright, arguments.machine, [model])
            without, *_ = steps_here.compiled(arguments.meshwright, arguments.machine, [model, "--kernels", "off"])
            values = arguments_of(manifest)
            expected = in_64_bits(arguments.meshwright, model, values)
            own, written = error(on_device(with_them, values), expected), error(on_device(without, values), expected)
        except Exception as problem:  # the other programs go on
            print(f"{model}: {type(problem).__name__}: {problem}", file=sys.stderr, flush=True)
            failed = True
            continue
        failed |= own > max(LIMIT, WORSE * written)
        print(f"| {model.stem} | {with_them.count('@__cudnn')} | {own:.2g} | {written:.2g} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
