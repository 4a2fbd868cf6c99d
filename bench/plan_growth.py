#!/usr/bin/env python3
"""How long planning takes as a model gets more layers, and as a machine gets more devices.

    .venv/bin/python bench/plan_growth.py MODEL.mlir LAYERS.mlir ... [--meshwright target/release/meshwright]
        [--machine h100:1x8] [--machines h100:1x8 h100:8x8 ...]

MODEL.mlir is planned on each of `--machines`; each LAYERS.mlir (the same model with more and more layers) on `--machine`.
The time is that of the whole command, reading included.
"""
import argparse
import pathlib
import sys

import plans

MACHINES = ["h100:1x8", "h100:8x8", "h100:64x8", "h100:512x8"]


def row(meshwright, model, machine):
    """Prints a line; whether there was a plan."""
    seconds, plan = plans.plan(meshwright, model, machine, None, ["--search", "rest"])
    if plan is None:
        return False
    mesh = "x".join(str(axis["size"]) for axis in plan["mesh"])
    total = plan["predicted"]["before_passes_seconds"]
    gap = 100 * max(0, 1 - plan["bound_seconds"] / total)
    print(f"| `{pathlib.Path(model).stem}` | `{machine}` | {seconds:.2f} | {mesh} | {1e3 * total:.4g} | {gap:.2f}% |", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("layers", nargs="*")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--machine", default=MACHINES[0])
    parser.add_argument("--machines", nargs="*", default=MACHINES)
    arguments = parser.parse_args()
    print("| model | machine | s | mesh | predicted ms | gap |")
    print("| --- | --- | ---: | --- | ---: | ---: |")
    pairs = [(model, arguments.machine) for model in arguments.layers]
    pairs += [(arguments.model, machine) for machine in arguments.machines]
    done = [row(arguments.meshwright, *pair) for pair in pairs]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
