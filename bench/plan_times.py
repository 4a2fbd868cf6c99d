#!/usr/bin/env python3
"""CPU seconds of planning where it is hardest: thousands of devices, what hardly fits, little memory, and a small model.

    python3 bench/plan_times.py LARGE.mlir HUGE.mlir [SMALL.mlir] [--meshwright target/release/meshwright]

LARGE.mlir is planned for thousands of devices (`llama_L32` in the docs), HUGE.mlir for devices in which it fits only in
many microbatches or stages (`llama405b`), and SMALL.mlir (by default `examples/gpt.mlir`) for eight devices, also with less
and less memory. The time is user time of the whole command over all threads, reading included, so that a busy machine
changes it little.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys


def run(meshwright, model, *more):
    """User seconds of planning, the exit code, what was printed to stderr, and the plan as JSON, if there is one."""
    is_one = "sweep" not in more
    command = [meshwright, "plan", model, *more, *(["--json"] if is_one else [])]
    before = os.times().children_user
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = os.times().children_user - before
    plan = json.loads(done.stdout) if is_one and done.returncode == 0 else None
    return seconds, done.returncode, done.stderr, plan


def found(code, errors, plan):
    """What came of it, in short."""
    if plan is None and code == 0:
        return "a table"
    if plan is None:
        last = errors.rstrip().rpartition("\n")[2]
        return json.loads(last)["message"] if last.startswith("{") else last
    if "groups" in plan:
        total = plan["step_seconds"]
        words = f"{plan['groups']} groups of {plan['mesh']}, {plan['microbatches']} microbatches, {plan['schedule']}"
    else:
        total = plan["predicted"]["total_seconds"]
        words = "x".join(str(axis["size"]) for axis in plan["mesh"])
    gap = max(0.0, 1 - plan["bound_seconds"] / total) if total else 0.0
    return f"{words}, {1e3 * total:.4g} ms, gap {gap:.2%}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("large")
    parser.add_argument("huge")
    parser.add_argument("small", nargs="?", default="examples/gpt.mlir")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    arguments = parser.parse_args()
    rows = [
        (arguments.large, ["--machine", "h100:512x8"], 0),
        (arguments.large, ["--machine", "gb200:8x72"], 0),
        (arguments.huge, ["--machine", "h100:64x8"], 0),
        (arguments.small, ["--machine", "cpu8"], 0),
        (arguments.small, ["--machine", "cpu8", "--memory-limit", "sweep"], 0),
    ]
    print("| command | user s | found |")
    print("| --- | ---: | --- |")
    failed, one = False, None
    for model, more, expected in rows:
        seconds, code, errors, plan = run(arguments.meshwright, model, *more)
        what = found(code, errors, plan)
        if "sweep" in more and one:
            what += f", {seconds / one:.1f} times the time of one plan"
        one = seconds
        if code != expected:
            failed = True
            print(errors, file=sys.stderr)
        name = pathlib.Path(model).stem
        print(f"| `plan {name} {' '.join(more)}` | {seconds:.2f} | {what} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
