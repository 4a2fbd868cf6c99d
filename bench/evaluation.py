#!/usr/bin/env python3
"""Measures `meshwright eval` side by side with XLA on one CPU device.

    .venv/bin/python bench/evaluation.py CASE.mlir ... [--meshwright target/release/meshwright] [--runs 7]

Input: programs without shardings, each with its arrays beside it (`CASE.in.npz`), as `make_cases.py --values` writes
them. Output: a table of milliseconds per case, the least of all runs, which alternate:

- Meshwright's `eval` from start to end: the process, reading the program and the arrays, evaluating, the summary;
- XLA's step, compiled before and with its arguments in place;
- their ratio.

Both use all cores. The exit code is 1 if a ratio is above `--at-most`.
"""
import argparse
import pathlib
import subprocess
import sys
import time

import xla_engine

xla_engine.prepare(1)


def meshwright_ms(meshwright, path):
    """One evaluation from start to end."""
    start = time.perf_counter()
    arrays = path.with_suffix(".in.npz")
    done = subprocess.run([meshwright, "eval", path, "--inputs", arrays], capture_output=True, text=True)
    milliseconds = 1e3 * (time.perf_counter() - start)
    if done.returncode != 0:
        sys.exit(f"`{meshwright} eval {path}` failed with {done.returncode}:\n{done.stderr}")
    return milliseconds


class Step:
    """A program compiled by XLA, with its arguments."""

    def __init__(self, path):
        import jax
        import numpy as np

        self.executable = xla_engine.load_local(path.read_text(), 1)
        arrays = np.load(path.with_suffix(".in.npz"))
        self.arrays = [arrays[f"arg{index}"] for index in range(len(arrays.files))]
        self.device = jax.devices()[0]

    def ms(self):
        """One step; arguments are placed anew, as the program may give their memory to its results."""
        import jax

        arguments = [jax.device_put(array, self.device) for array in self.arrays]
        jax.block_until_ready(arguments)
        start = time.perf_counter()
        xla_engine.execute(self.executable, arguments)
        return 1e3 * (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", type=pathlib.Path, metavar="CASE.mlir")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--at-most", type=float, default=float("inf"), help="the ratio that is still accepted")
    options = parser.parse_args()
    print(f"{'case':24} {'meshwright ms':>14} {'XLA ms':>10} {'ratio':>7}")
    accepted = True
    for path in options.cases:
        step = Step(path)
        pairs = [(meshwright_ms(options.meshwright, path), step.ms()) for _ in range(max(1, options.runs))]
        ours, theirs = (min(times) for times in zip(*pairs))
        print(f"{path.stem:24} {ours:14.1f} {theirs:10.1f} {ours / theirs:7.2f}")
        accepted &= ours / theirs <= options.at_most
    return 0 if accepted else 1


if __name__ == "__main__":
    sys.exit(main())
