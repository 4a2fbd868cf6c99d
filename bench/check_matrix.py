#!/usr/bin/env python3
"""Checks steps in combinations of what cuts them over time with what shards them, and prints a table.

    .venv/bin/python bench/check_matrix.py STEP.mlir ... [--meshwright target/release/meshwright] [--every] [--passes 3] [--jobs 2]
        [--record FILE]

Each step is checked in f64 (`check --precision f64`, 1e-9), devices beside the undistributed program:
- on one device, in 2, 4 and 8 microbatches;
- on eight, `data=2,model=4`, in 2 and 4 microbatches, and in 8 where the batch gives both replicas a part of each: as it is
  found, with each stage of ZeRO, with each named recomputation, in 2 tiles, with statistics of each microbatch, and with
  ZeRO-3, full recomputation and tiles together.
With `--every`, each stage of ZeRO goes with each recomputation, with and without tiles. Annotated steps are checked on
their own mesh, where no other ZeRO is asked for.
The optimizer's state begins at zero (`--inputs`): moments then are the accumulated gradients, to a factor, and an error is
relative to their own size instead of hidden by what was there before. NaN or infinity beside a number is an error.
Of steps in `PASSES` it is known how many passes over the batch they take, by their file's name: as many have to be said, those
that take no more than are allowed have to hold in microbatches by themselves, and those that take more to be refused for it,
at a place.
With `--record FILE`, every answer is appended to a file as a line of JSON, and those that are there are not asked again.

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
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

RECOMPUTE = ["none", "selective", "full", "search"]
TILES = ["--tiles", "2"]
REFUSED = (1, 2, 3)

# Passes over the batch that steps take, the last included. What is no training step takes none.
PASSES = {
    "gpt": 1, "gpt_scan": 1, "gpt_remat": 1, "llama": 1, "llama_scan": 1, "llama_scan_remat": 1, "llama_loss": None,
    "moe": 1, "moe_scan": 1, "mamba2": 1, "mamba2_scan": 1, "tied": 1, "dropout": 1, "scan_remat": 1, "masked": 2,
    "full": 2, "full_scan": 2, "full32": 2, "full32_scan": 2, "full32_remat": 2, "aux": 2, "aux_scan": 2,
    "contrastive": 3, "bn": 17,
}
# Those of which the earlier passes depend on parameters, so that they count.
COUNTED = {"aux", "aux_scan", "contrastive", "bn"}
ALLOWED = 2
# How a step is annotated, or its size (`B16`, `L24`), behind its name.
VARIANT = re.compile(r"_(dp|fsdp|megatron|tpsp|[A-Z]\d+)$")
# Groups of combinations that cut a step and nothing else.
PLAIN = ("one device", "data=2,model=4")


def ways(is_annotated, is_every, batch):
    """Group, name and flags of each combination."""
    eight = ["--machine", "cpu8"] + ([] if is_annotated else ["--mesh", "data=2,model=4"])

    def zero(stage):
        return eight if is_annotated else ["--machine", "cpu8", "--as", f"dp=2,tp=4,zero={stage}", "--search", "none"]

    for count in () if is_annotated else (2, 4, 8):
        yield "one device", f"{count}", ["--machine", "cpu8:1", "--mesh", "data=1", "--microbatches", f"{count}"]
    for count in (2, 4, 8) if batch and batch % 16 == 0 else (2, 4):
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
    """Writes arguments as `check` would draw them, but for the optimizer's state, which is zero. Returns the plan of the step."""
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
    return found["plan"]


def checked(meshwright, step, arrays, flags):
    """What became of one combination: `holds` with its error and passes, `refused` with its reason and line, or what is wrong."""
    done = run(meshwright, step, [*flags, "--inputs", arrays])
    if done.stdout.startswith("{"):
        found = json.loads(done.stdout)
        worst = max(largest(output) for output in found["outputs"])
        passes = found["plan"].get("microbatches", {}).get("passes", 1)
        is_right = found["agrees"] and done.returncode == 0 and math.isfinite(worst)
        return ("holds" if is_right else "WRONG"), worst, passes
    said = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    errors = [one for one in said if one["severity"] == "error"]
    if done.returncode in REFUSED and len(errors) == 1:
        return "refused", errors[0]["message"], errors[0].get("line", 0)
    return "WRONG", f"exit code {done.returncode}: {done.stderr[-300:]}", 0


def largest(output):
    """The error of a result that is told from rounding, beside its size or what changes of it; JSON has no infinity."""
    if output["verdict"] == "agrees but for rounding":
        return 0.0
    errors = [output[kind] for kind in ("max_rel_error", "max_error_of_change") if kind in output]
    return max(float("inf") if error is None else error for error in errors)


def known(step):
    """The name by which `PASSES` knows a step, if it does."""
    name = step.stem
    while name not in PASSES and (variant := VARIANT.search(name)):
        name = name[:variant.start()]
    return name if PASSES.get(name) else None


def contradicted(name, group, answer, allowed):
    """What an answer contradicts of what is known of a step; statistics of each microbatch take passes of their own."""
    what, said, number = answer
    if name is None or group == "local" or what == "WRONG":
        return None
    wanted = PASSES[name]
    if name not in COUNTED or wanted <= allowed:
        if what == "holds" and number != wanted:
            return f"takes {number} passes, not {wanted}"
        return f"is refused: {said}" if what == "refused" and group in PLAIN else None
    if what == "holds":
        return f"holds, but takes {wanted} passes, of which {allowed} are allowed"
    is_said = f"would need {wanted} passes" in said and number > 0
    return None if is_said or group not in PLAIN else f"is refused otherwise than for {wanted} passes at a place: {said}"


class Records:
    """Answers by step and combination, kept in a file if there is one."""

    def __init__(self, path):
        self.path, self.known = path, {}
        for line in path.read_text().splitlines() if path and path.exists() else ():
            step, name, *answer = json.loads(line)
            self.known[step, name] = tuple(answer)

    def of(self, step, name, ask):
        if (step, name) not in self.known:
            self.known[step, name] = ask()
            if self.path:
                with self.path.open("a") as file:
                    file.write(json.dumps([step, name, *self.known[step, name]]) + "\n")
        return self.known[step, name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="+", type=pathlib.Path, metavar="STEP.mlir")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--passes", type=int, help="`--microbatch-passes` of all combinations")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    records = Records(arguments.record)
    more = ["--microbatch-passes", arguments.passes] if arguments.passes else []
    allowed = arguments.passes or ALLOWED
    reasons, wrong, total = collections.defaultdict(list), [], collections.Counter()
    groups = dict.fromkeys(group for group, _, _ in ways(False, arguments.every, None))
    print(f"| step | passes | {' | '.join(groups)} | largest error |")
    print(f"| --- | ---: | {'---: | ' * len(groups)}---: |")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for step in arguments.steps:
            arrays = pathlib.Path(folder) / "in.npz"
            plan = inputs(arguments.meshwright, step, arrays)
            batch = plan.get("microbatches", {}).get("batch")
            asked = list(ways("sdy.mesh" in step.read_text(), arguments.every, batch))

            def answer(way):
                group, name, flags = way
                name = " ".join(map(str, [group, name, *more]))
                ask = lambda: checked(arguments.meshwright, step, arrays, [*flags, *more])
                return records.of(f"{step.stem} of {batch}", name, ask)

            counts, held = collections.defaultdict(collections.Counter), []
            for (group, name, _), found in zip(asked, pool.map(answer, asked)):
                what, said, passes = found
                against = contradicted(known(step), group, found, allowed)
                if against:
                    what, said = "WRONG", against
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
