#!/usr/bin/env python3
"""The best pipeline of all numbers beside the best of each combination by itself, on small problems.

    python3 bench/pipelines_exhaustive.py [MODEL.mlir ...] [--count 200] [--seed 0] [--jobs 2] [--meshwright target/release/meshwright]

A problem is a model, a machine of 4 to 8 devices, in most of them a memory limit (of the memory of the best plan without one) and, in
half of them, what is made again. It is planned with `--stages search --microbatches search --virtual-stages search`, and with each
number of stages and of microbatches and each mesh of a group by itself, for which schedules and stages of each group are searched. The
joint step may be longer than the least by what a look leaves (2 %), and is there where any combination fits; the bound may not be
above any of them. Output: a row for each problem, and a line that sums them up. Exit code 1 if an answer is wrong.

What places there are to cut, and what each stage makes again, is tried in a unit test (`docs/testing.md`).
"""
import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import math
import os
import random
import subprocess
import sys

MACHINES = ["cpu8:4", "cpu8:6", "cpu8:8", "h100:1x4", "h100:2x2", "h100:2x4", "h100:4x1", "a100:1x8", "a100:4x2"]
SEARCHED = ["--stages", "search", "--microbatches", "search", "--virtual-stages", "search"]
# Limits as multiples of the memory of the best plan without one; and of how many problems one has none.
LEAST_LIMIT, MOST_LIMIT, WITHOUT_LIMIT = 0.75, 2.5, 0.25
NEAR, ROUNDING = 0.02, 1e-9


@dataclasses.dataclass
class Problem:
    """A model on a machine, with flags of what is made again and how much memory there is."""

    meshwright: str
    model: str
    machine: str
    more: list

    def plan(self, *flags):
        """The plan as JSON; None if there is none."""
        command = [self.meshwright, "plan", self.model, "--machine", self.machine, "--json", *self.more, *flags]
        done = subprocess.run(command, capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def words(self):
        return " ".join([self.model, self.machine, *self.more])


def seconds_of(found):
    """Predicted seconds of a step, with stages or without."""
    return found["step_seconds"] if "step_seconds" in found else found["predicted"]["total_seconds"]


def memory(found):
    """Bytes of the device that needs most."""
    return max(found["memory_bytes"]) if "memory_bytes" in found else found["memory"]["peak_bytes"]


def meshes(size):
    """Meshes of a group of so many devices: those that a search looks at, and none for one device."""
    two = [f"x={one},y={size // one}" for one in range(2, size) if size % one == 0]
    return [None] if size == 1 else [f"x={size}", *two]


def combinations(machine, weighed):
    """Flags of each number of stages, and of microbatches that was weighed, with each mesh of a group."""
    size = math.prod(map(int, machine.split(":")[1].split("x")))
    groups = [count for count in range(1, size + 1) if size % count == 0]
    microbatches = sorted({own["microbatches"] for own in weighed} | {1})
    for own, count in itertools.product(groups, microbatches):
        for mesh in meshes(size // own):
            flags = ["--stages", str(own), "--microbatches", str(count), "--virtual-stages", "search"]
            yield flags + (["--mesh", mesh] if mesh else [])


def drawn(chosen, models, meshwright):
    """A problem, and what was weighed for it without a limit; None of the latter if nothing fits at all."""
    model, machine = chosen.choice(models), chosen.choice(MACHINES)
    more = ["--recompute", chosen.choice(["none", "full"])] if chosen.random() < 0.5 else []
    factor = None if chosen.random() < WITHOUT_LIMIT else chosen.uniform(LEAST_LIMIT, MOST_LIMIT)
    problem = Problem(meshwright, model, machine, more)
    free = problem.plan(*SEARCHED)
    if free is None:
        return problem, None
    if factor is not None:
        problem.more = [*more, "--memory-limit", f"{int(factor * memory(free))}B"]
    # One program for all devices, where no stages are possible, was weighed against nothing.
    return problem, free.get("weighed") or []


def compared(problem, weighed, pool):
    """What the joint answer comes to, its bound, and the least of all combinations; None for what does not fit."""
    joint = problem.plan(*SEARCHED)
    found = pool.map(lambda flags: problem.plan(*flags), combinations(problem.machine, weighed))
    least = min((seconds_of(plan) for plan in found if plan is not None), default=None)
    return joint and seconds_of(joint), joint and joint.get("bound_seconds"), least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=["examples/gpt.mlir"])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--meshwright", default="target/release/meshwright")
    asked = parser.parse_args()
    chosen = random.Random(asked.seed)
    ratios, wrong, unfitting = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for number in range(asked.count):
            problem, weighed = drawn(chosen, asked.models, asked.meshwright)
            joint, bound, least = (None, None, None) if weighed is None else compared(problem, weighed, pool)
            if least is None:
                # A search closes in on a limit in more steps than a single number.
                unfitting += 1
                what = "nothing fits" if joint is None else f"{joint:.6g} s, and no number alone fits"
            elif joint is None:
                wrong += 1
                what = f"nothing is found, and {least:.6g} s is possible WRONG"
            else:
                share = lambda seconds: seconds / least if least else 1.0
                ratios.append(share(joint))
                is_wrong = joint > least * (1 + NEAR) or (bound or 0.0) > least * (1 + ROUNDING)
                wrong += is_wrong
                below = "" if bound is None else f", bound {share(bound):.4f}"
                what = f"{joint:.6g} s, {share(joint):.4f} of the least{below}{' WRONG' if is_wrong else ''}"
            print(f"{number} {problem.words()}: {what}", flush=True)
    equal = sum(ratio <= 1 + ROUNDING for ratio in ratios)
    largest = f", at most {max(ratios):.4f} of the least" if ratios else ""
    print(f"{asked.count} problems: {len(ratios)} compared, {equal} of them no longer than the least{largest}; "
          f"{unfitting} do not fit; {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
