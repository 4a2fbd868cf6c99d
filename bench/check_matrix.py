#!/usr/bin/env python3
"""Checks steps in combinations of what cuts them over time with what shards them, and prints a table.

    .venv/bin/python bench/check_matrix.py STEP.mlir ... [--meshwright target/release/meshwright] [--every] [--passes 3] [--jobs 2]

Each step is checked in f64 (`check --precision f64`, 1e-9), devices beside the undistributed program:
- on one device, in 2, 4 and 8 microbatches;
- on eight, `data=2,model=4`, in 2 and 4 microbatches: as it is found, with each stage of ZeRO, with each named
  recomputation, in 2 tiles, with statistics of each microbatch, and with ZeRO-3, full recomputation and tiles together.
With `--every`, each stage of ZeRO goes with each recomputation, with and without tiles. Annotated steps are checked on
their own mesh, where no other ZeRO is asked for.
The optimizer's state begins at zero (`--inputs`): moments then are the accumulated gradients, to a factor, and an error is
relative to their own size instead of hidden by what was there before.

A row is a step, with how many combinations of each group hold, and the largest relative error of a result: beside its own
size, and of what replaces an argument beside what the step changes of that. Below is each
reason to refuse, with the combinations. The exit code is 1 if a result is wrong, or where a command fails
otherwise than by a diagnostic.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

RECOMPUTE = ["none", "selective", "full", "search"]
TILES = ["--tiles", "2"]
REFUSED = (1, 2, 3)


def ways(is_annotated, is_every):
    """Group, name and flags of each combination."""
    eight = ["--machine", "cpu8"] + ([] if is_annotated else ["--mesh", "data=2,model=4"])

    def zero(stage):
        return eight if is_annotated else ["--machine", "cpu8", "--as", f"dp=2,tp=4,zero={stage}", "--search", "none"]

    for count in () if is_annotated else (2, 4, 8):
        yield "one device", f"{count}", ["--machine", "cpu8:1", "--mesh", "data=1", "--microbatches", f"{count}"]
    for count in (2, 4):
        cut = ["--microbatches", f"{count}"]
        yield "data=2,model=4", f"{count}", [*eight, *cut]
        for stage in () if is_annotated else (1, 2, 3):
            yield "ZeRO", f"{count} ZeRO-{stage}", [*zero(stage), *cut]
        for what in RECOMPUTE:
            yield "recompute", f"{count} {what}", [*eight, *cut, "--recompute", what]
        yield "tiles", f"{count} tiles", [*eight, *cut, *TILES]
        yield "local", f"{count} local", [*eight, *cut, "--microbatch-statistics", "local"]
        yield "together", f"{count} all", [*zero(3), *cut, "--recompute", "full", *TILES]
        for stage, what, tiles in itertools.product((1, 2, 3), RECOMPUTE, ([], TILES)) if is_every else ():
            name = f"{count} ZeRO-{stage} {what}{' tiles' if tiles else ''}"
            yield "every", name, [*zero(stage), *cut, "--recompute", what, *tiles]


def run(meshwright, step, flags):
    command = [meshwright, "check", step, "--precision", "f64", "--json", *map(str, flags)]
    return subprocess.run(command, capture_output=True, text=True)


def element(name):
    """The type of arrays that hold such elements."""
    if name == "bf16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    names = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64"}
    return np.dtype(names.get(name) or name.replace("ui", "uint").replace("i", "int", "ui" not in name))


def inputs(meshwright, step, path):
    """Writes arguments as `check` would draw them, but for the optimizer's state, which is zero."""
    is_annotated = "sdy.mesh" in step.read_text()
    done = run(meshwright, step, ["--machine", "cpu8"] if is_annotated else ["--machine", "cpu8:1", "--mesh", "data=1"])
    if done.returncode != 0:
        sys.exit(f"{step} is not checked as a whole: {done.stderr or done.stdout[-500:]}")
    found = json.loads(done.stdout)
    ranges = {one["argument"]: (one["from"], one["below"]) for one in found["drawn"]}
    random = np.random.default_rng(0)

    def array(argument):
        of = element(argument["element"])
        if of.kind in "iub":
            low, high = (0, 2) if of.kind == "b" else ranges.get(argument["index"], (0, 100))
            return random.integers(low, high, argument["shape"]).astype(of)
        if argument["role"] == "moment":
            return np.zeros(argument["shape"], of)
        return (0.02 * np.abs(random.standard_normal(argument["shape"]))).astype(of)

    np.savez(path, **{f"arg{argument['index']}": array(argument) for argument in found["plan"]["arguments"]})


def checked(meshwright, step, arrays, flags):
    """What became of one combination: `holds` with its error and passes, `refused` with its reason, or what is wrong."""
    done = run(meshwright, step, [*flags, "--inputs", arrays])
    if done.stdout.startswith("{"):
        found = json.loads(done.stdout)
        worst = max(largest(output) for output in found["outputs"])
        passes = found["plan"].get("microbatches", {}).get("passes", 1)
        return ("holds", worst, passes) if found["agrees"] and done.returncode == 0 else ("WRONG", worst, passes)
    said = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    errors = [one["message"] for one in said if one["severity"] == "error"]
    if done.returncode in REFUSED and len(errors) == 1:
        return "refused", errors[0], 0
    return "WRONG", f"exit code {done.returncode}: {done.stderr[-300:]}", 0


def largest(output):
    """The error of a result that is told from rounding, beside its size or what changes of it; JSON has no infinity."""
    if output["verdict"] == "agrees but for rounding":
        return 0.0
    errors = [output[kind] for kind in ("max_rel_error", "max_error_of_change") if kind in output]
    return max(float("inf") if error is None else error for error in errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="+", type=pathlib.Path, metavar="STEP.mlir")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--passes", help="`--microbatch-passes` of all combinations")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    reasons, wrong, total = collections.defaultdict(list), [], collections.Counter()
    groups = dict.fromkeys(group for group, _, _ in ways(False, arguments.every))
    print(f"| step | passes | {' | '.join(groups)} | largest error |")
    print(f"| --- | ---: | {'---: | ' * len(groups)}---: |")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for step in arguments.steps:
            arrays = pathlib.Path(folder) / "in.npz"
            inputs(arguments.meshwright, step, arrays)
            asked = list(ways("sdy.mesh" in step.read_text(), arguments.every))
            more = ["--microbatch-passes", arguments.passes] if arguments.passes else []
            answers = pool.map(lambda way: checked(arguments.meshwright, step, arrays, [*way[2], *more]), asked)
            counts, held = collections.defaultdict(collections.Counter), []
            for (group, name, _), (what, said, passes) in zip(asked, answers):
                counts[group][what] += 1
                total[what] += 1
                if what == "holds":
                    held.append((said, passes))
                elif what == "refused":
                    reasons[said].append(f"{step.stem} {name}")
                else:
                    wrong.append(f"{step.stem} {name}: {said}")
            cells = [f"{counts[group]['holds']} of {counts[group].total()}" if counts[group] else "" for group in groups]
            passes = " or ".join(str(count) for count in sorted({passes for _, passes in held}))
            worst = f"{max(error for error, _ in held):.1e}" if held else ""
            print(f"| {' | '.join([step.stem, passes, *cells, worst])} |", flush=True)
    for reason, which in reasons.items():
        print(f"\nrefused, {len(which)}: {reason}\n  {', '.join(which)}")
    for one in wrong:
        print(f"\nWRONG {one}")
    print(f"\n{total['holds']} hold, {total['refused']} are refused, {total['WRONG']} are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
