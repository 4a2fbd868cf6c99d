#!/usr/bin/env python3
"""Runs a compiled folder on XLA, one CPU device per device of the mesh, and compares with recorded results.

    .venv/bin/python bench/run_on_xla.py FOLDER --inputs X.in.npz --expected X.out.npz [--tolerance 1e-4]

Input: `FOLDER/program.mlir` (the local program) and `FOLDER/manifest.json` (mesh; shape, element and sharding of each
argument and result), the whole program's arguments `arg0..` and results `out0..`. Output: for each result the
largest absolute error, and the largest relative to the result's largest magnitude, over all devices: every copy of a
replicated result is compared. Exit code 0 if all results agree, 1 if the input is at fault, 3 if results differ.
"""
import argparse
import json
import pathlib
import sys
import zipfile

import numpy as np

import xla_engine
from xla_engine import sharding


def largest_error(actual, expected):
    """Largest absolute difference; infinite where the types differ or a value is no finite number."""
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return np.inf
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    if not (np.isfinite(actual).all() and np.isfinite(expected).all()):
        return np.inf
    return float(np.max(np.abs(actual - expected), initial=0.0))


def read(arrays, name, described):
    """The named array of an npz file, if it is what the manifest describes."""
    if name not in arrays:
        raise sharding.BadInput(f"there is no array {name}")
    return sharding.as_described(arrays[name], name, described)


def run(executable, manifest, inputs, expected, tolerance):
    """Runs a compiled local program; one row per result: name, largest absolute and relative error, whether it agrees."""
    mesh, num_devices = manifest["mesh"], manifest["num_devices"]
    if int(np.prod([axis["size"] for axis in mesh], dtype=int)) != num_devices:
        raise sharding.BadInput(f"the mesh {mesh} does not have {num_devices} devices")
    globals_ = [read(inputs, f"arg{i}", value) for i, value in enumerate(manifest["arguments"])]
    wanted = [read(expected, f"out{i}", value) for i, value in enumerate(manifest["results"])]

    def shards(array, value):
        return [sharding.device_shard(mesh, value, array, device) for device in range(num_devices)]

    def parts(array, value):
        return [array[sharding.device_slices(mesh, value, device)] for device in range(num_devices)]

    def without_padding(copy, part, value):
        copy = np.asarray(copy)
        # A shard of another shape stays as it is: it differs.
        is_local = list(copy.shape) == sharding.local_shape(mesh, value)
        return copy[tuple(slice(size) for size in part.shape)] if is_local else copy

    arguments = [xla_engine.place(shards(array, value), value.get("memory"))
                 for array, value in zip(globals_, manifest["arguments"])]
    results = xla_engine.execute(executable, arguments)
    if len(results) != len(wanted):
        raise sharding.BadInput(f"the program has {len(results)} results, the manifest {len(wanted)}")
    rows = []
    for index, (copies, array, value) in enumerate(zip(results, wanted, manifest["results"])):
        pairs = zip(copies, parts(array, value))
        absolute = max(largest_error(without_padding(copy, part, value), part) for copy, part in pairs)
        # An error is judged against the whole result, not against the shard it is in.
        scale = float(np.max(np.abs(array.astype(np.float64)), initial=0.0)) or 1.0
        # Integers have no rounding that a tolerance could be for.
        allowed = 0.0 if array.dtype.kind in "iub" else tolerance * scale
        rows.append((f"out{index}", absolute, absolute / scale, absolute <= allowed))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--inputs", type=pathlib.Path, required=True)
    parser.add_argument("--expected", type=pathlib.Path, required=True)
    parser.add_argument("--tolerance", type=float, default=1e-4, help="largest relative error (default 1e-4)")
    options = parser.parse_args()
    try:
        program = (options.folder / "program.mlir").read_text()
        manifest = json.loads((options.folder / "manifest.json").read_text())
        inputs, expected = dict(np.load(options.inputs)), dict(np.load(options.expected))
        xla_engine.prepare(manifest["num_devices"])
        executable = xla_engine.load_local(program, manifest["num_devices"])
        rows = run(executable, manifest, inputs, expected, options.tolerance)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, sharding.BadInput) as problem:
        print(f"run_on_xla: {type(problem).__name__}: {problem}", file=sys.stderr)
        return 1
    print(f"{'result':8} {'max abs error':>14} {'max rel error':>14}")
    for name, absolute, relative, agrees in rows:
        print(f"{name:8} {absolute:14.3e} {relative:14.3e}{'' if agrees else '  DIFFERS'}")
    differing = [name for name, _, _, agrees in rows if not agrees]
    print(f"{len(rows) - len(differing)} of {len(rows)} results agree within {options.tolerance:g}")
    return 3 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
