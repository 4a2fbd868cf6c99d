#!/usr/bin/env python3
"""Runs recorded programs on the engine `xla`, from plan to results, in one process and in several.

    .venv/bin/python bench/cases_on_xla.py CASE.mlir ... [--meshwright target/release/meshwright] [--processes 1 2 4]
        [--machine cpu8] [--stages 2 [--microbatches 4] [--schedule 1f1b]]

Input: programs with recorded inputs and results beside them (`CASE.in.npz`, `CASE.out.npz`). Each is planned for eight
CPU devices (`compile --machine cpu8`), or as a pipeline over parts of them, and run for one step (`run --engine xla
--processes P`). Output: for each number of processes the largest error relative to a result's largest magnitude; of a
pipeline also the bytes that a device of each group needs at most, and those that were predicted. The exit code is 1 if an
error is above `--tolerance`.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def meshwright(*words):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"`{' '.join(words)}` failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def largest_error(found, expected):
    """Over all results; infinite where one is missing, of another type, or not finite where it should be."""
    worst = 0.0
    for name in expected.files:
        wanted = expected[name]
        if name not in found.files or found[name].dtype != wanted.dtype or found[name].shape != wanted.shape:
            return np.inf
        if wanted.dtype.kind == "V":
            import ml_dtypes

            wanted, actual = wanted.view(ml_dtypes.bfloat16), found[name].view(ml_dtypes.bfloat16)
        else:
            actual = found[name]
        wanted, actual = wanted.astype(np.float64), actual.astype(np.float64)
        scale = np.max(np.abs(wanted), initial=0.0) or 1.0
        error = np.max(np.abs(actual - wanted), initial=0.0) / scale
        worst = max(worst, error if np.isfinite(error) else np.inf)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", type=pathlib.Path)
    parser.add_argument("--meshwright", type=pathlib.Path, default=pathlib.Path("target/release/meshwright"))
    parser.add_argument("--processes", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--machine", default="cpu8")
    parser.add_argument("--stages", type=int)
    parser.add_argument("--microbatches", type=int, default=4)
    parser.add_argument("--schedule", default="1f1b")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    options = parser.parse_args()
    pipeline = () if options.stages is None else (
        "--stages", options.stages, "--microbatches", options.microbatches, "--schedule", options.schedule)
    worst = 0.0
    print(f"{'case':24}" + "".join(f"{f'{count} process':>12}" for count in options.processes))
    for case in options.cases:
        with tempfile.TemporaryDirectory() as scratch:
            folder, outputs = pathlib.Path(scratch) / "compiled", pathlib.Path(scratch) / "out.npz"
            meshwright(options.meshwright, "compile", case, "--machine", options.machine, *pipeline, "-o", folder)
            errors, groups = [], []
            for count in options.processes:
                said = meshwright(
                    options.meshwright, "run", folder, "--engine", "xla", "--processes", count, "--platform", "cpu", "--json",
                    "--python", sys.executable, "--inputs", case.with_suffix(".in.npz"), "--outputs", outputs)
                errors.append(largest_error(np.load(outputs), np.load(case.with_suffix(".out.npz"))))
                groups = json.loads(said).get("groups", [])
            worst = max([worst, *errors])
            memory = ", ".join(f"{group['peak_bytes']} of {group['predicted_bytes']}" for group in groups)
            print(f"{case.stem:24}" + "".join(f"{error:12.1e}" for error in errors) + f"  {memory}", flush=True)
    return 1 if worst > options.tolerance else 0


if __name__ == "__main__":
    sys.exit(main())
