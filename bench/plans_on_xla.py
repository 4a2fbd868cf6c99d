#!/usr/bin/env python3
"""Plans judged by the clock: step times on XLA of the chosen plan and of common styles, side by side.

    .venv/bin/python bench/plans_on_xla.py MODEL.mlir ... --machine here.toml [--meshwright target/release/meshwright]
        [--steps 20] [--devices 8]

`--machine` is a file that `meshwright calibrate` wrote on this machine. Each program is compiled as Meshwright plans it, and
as data parallel, ZeRO-3 and Megatron (tensor parallel by itself or with data parallel, whichever is predicted to be
fastest); all four run on CPU devices of one process, interleaved. One row for each: medians of the steps' milliseconds and
what was predicted. The last lines: whether the plan was the fastest, and how many pairs of programs are predicted in the
order in which they were measured (pairs that take the same within 2 % count as either).
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

SAME = 0.02


def ways(devices):
    """The ways to compile a program: of each name those of which the best counts."""
    mixed = [f"dp={size},tp={devices // size}" for size in range(2, devices) if devices % size == 0]
    return {"plan": [None], "dp": [f"dp={devices}"], "fsdp": [f"dp={devices},zero=3"], "megatron": [f"tp={devices}", *mixed]}


def compiled(meshwright, model, machine, asked):
    """The local program and the predicted seconds of the way that is predicted to be fastest; none if none applies."""
    best = None
    for way in asked:
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "compiled"
            command = [meshwright, "compile", model, "--machine", machine, "-o", out]
            command += ["--as", way, "--search", "none"] if way else []
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                continue
            seconds = json.loads((out / "plan.json").read_text())["predicted"]["total_seconds"]
            if best is None or seconds < best[1]:
                best = ((out / "program.mlir").read_text(), seconds)
    return best


def ordered_alike(rows):
    """Pairs of programs whose predicted order is the measured one, and all pairs."""
    right = total = 0
    for (_, predicted, measured), (_, other_predicted, other_measured) in itertools.combinations(rows, 2):
        total += 1
        is_same = abs(measured - other_measured) <= SAME * max(measured, other_measured)
        right += is_same or (predicted < other_predicted) == (measured < other_measured)
    return right, total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--machine", required=True)
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--devices", type=int, default=8)
    arguments = parser.parse_args()

    import xla_engine

    xla_engine.prepare(arguments.devices)
    import collectives

    print("| program | way | predicted ms | measured ms |")
    print("| --- | --- | ---: | ---: |")
    names = ways(arguments.devices)
    fastest = right = total = 0
    for model in arguments.models:
        found = {name: compiled(arguments.meshwright, model, arguments.machine, asked) for name, asked in names.items()}
        found = {name: way for name, way in found.items() if way}
        if "plan" not in found:
            sys.exit(f"{model} has no plan on {arguments.machine}")
        steppers = []
        for text, _ in found.values():
            executable, _ = collectives.compiled(text, arguments.devices, local=True)
            steppers.append(collectives.Stepper(executable, xla_engine.hlo_text(executable), arguments.devices))
        medians = collectives.median_steps(steppers, arguments.steps)
        rows = [(name, 1e3 * way[1], median) for (name, way), median in zip(found.items(), medians)]
        for name, predicted, measured in rows:
            print(f"| `{model.stem}` | {name} | {predicted:.3g} | {measured:.3g} |", flush=True)
        others = [measured for name, _, measured in rows if name != "plan"]
        fastest += rows[0][2] <= min(others, default=float("inf")) * (1 + SAME)
        pairs = ordered_alike(rows)
        right, total = right + pairs[0], total + pairs[1]
    print(f"\nthe plan is the fastest, or as fast, in {fastest} of {len(arguments.models)} programs")
    print(f"{right} of {total} pairs are predicted in the order that was measured")


if __name__ == "__main__":
    sys.exit(main())
