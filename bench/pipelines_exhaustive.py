#!/usr/bin/env python3
"""The best pipeline of all numbers beside the best of each combination by itself, on small problems.

    python3 bench/pipelines_exhaustive.py [MODEL.mlir ...] [--count 200] [--meshwright target/release/meshwright]

A problem is a model, a machine of 4 to 8 devices, a memory limit and, in half of them, what is made again. It is planned
with `--stages search --microbatches search --virtual-stages search`, and with each number of stages and of microbatches and
each mesh of a group by itself, for which schedules and stages of each group are searched. The joint step may be longer by what a
look leaves (2 %); the bound may not be above any of them. Exit code 1 if one is.
"""
import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys

MACHINES = ["cpu8:4", "cpu8:8", "h100:1x4", "h100:2x2", "h100:2x4", "a100:1x8", "a100:4x2"]
LIMITS = [None, 3.0, 1.5, 1.1]
NEAR = 0.02


def plan(meshwright, model, machine, *more):
    """The plan as JSON; None if there is none."""
    command = [meshwright, "plan", model, "--machine", machine, "--json", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def memory(found):
    """Bytes of a device: of the group that needs least, or of one program for all devices."""
    return min(found["memory_bytes"]) if "memory_bytes" in found else found["memory"]["peak_bytes"]


def meshes(size):
    """Meshes of a group of so many devices: those that a search looks at, and none for one device."""
    two = [f"x={one},y={size // one}" for one in range(2, size) if size % one == 0]
    return [None] if size == 1 else [f"x={size}", *two]


def problem(meshwright, model, machine, more):
    """Seconds of the joint answer, its bound, and the least of all combinations; None without any that fits."""
    searched = ["--stages", "search", "--microbatches", "search", "--virtual-stages", "search"]
    joint = plan(meshwright, model, machine, *searched, *more)
    if joint is None:
        return None
    groups = sorted({own["groups"] for own in joint["weighed"]})
    microbatches = sorted({own["microbatches"] for own in joint["weighed"]})
    devices = [int(part) for part in machine.split(":")[1].split("x")]
    size = devices[0] * (devices[1] if len(devices) > 1 else 1)
    least = None
    for own, count in itertools.product(groups, microbatches):
        for mesh in meshes(size // own):
            flags = ["--stages", str(own), "--microbatches", str(count), "--virtual-stages", "search"]
            flags += ["--mesh", mesh] if mesh else []
            found = plan(meshwright, model, machine, *flags, *more)
            if found is not None:
                least = min(least or found["step_seconds"], found["step_seconds"])
    return joint["step_seconds"], joint["bound_seconds"], least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=["examples/gpt.mlir"])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--meshwright", default=str(pathlib.Path("target/release/meshwright")))
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    chosen = random.Random(asked.seed)
    wrong = 0
    for number in range(asked.count):
        model, machine = chosen.choice(asked.models), chosen.choice(MACHINES)
        more = ["--recompute", chosen.choice(["none", "full"])] if chosen.random() < 0.5 else []
        factor = chosen.choice(LIMITS)
        if factor is not None:
            free = plan(asked.meshwright, model, machine, "--stages", "search", "--microbatches", "search", *more)
            if free is None:
                continue
            more += ["--memory-limit", f"{int(factor * memory(free))}B"]
        found = problem(asked.meshwright, model, machine, more)
        if found is None:
            print(f"{number} {model} {machine} {' '.join(more)}: nothing fits")
            continue
        joint, bound, least = found
        is_wrong = least is None or joint > least * (1 + NEAR) or bound > least * (1 + 1e-9)
        wrong += is_wrong
        ratio = joint / least if least else float("nan")
        print(f"{number} {model} {machine} {' '.join(more)}: {joint:.6g} s, {ratio:.4f} of the least{' WRONG' if is_wrong else ''}")
    print(f"{wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
