#!/usr/bin/env python3
"""Checks steps as pipelines of every schedule, and prints a table.

    .venv/bin/python bench/check_pipelines.py STEP.mlir ... [--meshwright target/release/meshwright] [--stages 2 4]
        [--microbatches 4 8] [--schedules 1f1b zb-v ...] [--inside alone data=2 model=2 recompute unlike fewer uneven] [--jobs 2]
        [--zero-moments] [--record FILE]

Each step is checked in f64 (`check --precision f64 --stages N --microbatches M --schedule S`, 1e-9), stages on embedded
devices beside the undistributed program, for every number of groups, of microbatches, every schedule that has a name and
the table that is found by search: with one device in each group, with `data=2` and `model=2` inside of groups, and with
`--recompute full`. Schedules that interleave have two stages on each group.
With `--zero-moments` the optimizer's state begins at zero (`--inputs`): moments then are the accumulated gradients, to a
factor, and an error is relative to their own size instead of hidden by what was there before.
With `--record FILE`, every answer is appended to a file as a line of JSON, and those that are there are not asked again.

A row is a step, with how many of its combinations hold, and the largest relative error of a result. Below is each reason
to refuse, with the combinations. The exit code is 1 if a result is wrong, or where a command fails otherwise than by a
diagnostic.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from check_matrix import REFUSED, Records, inputs

SCHEDULES = [
    "gpipe", "1f1b", "eager-1f1b", "interleaved-1f1b", "looped-bfs", "zb-h1", "zb-h2", "zb-v", "v-half", "v-min",
    "interleaved-zb", "dualpipe", "dualpipe-v", "chimera", "search",
]
INTERLEAVED = {"interleaved-1f1b", "looped-bfs", "interleaved-zb"}
INSIDE = {
    "alone": [], "data=2": ["--mesh", "data=2"], "model=2": ["--mesh", "model=2"], "recompute": ["--recompute", "full"],
    # Groups take turns in these meshes.
    "unlike": ("data=2,model=2", "data=4"), "fewer": ("model=2", "data=4"), "uneven": ("data=2,model=2", "model=3", "data=2"),
}
HOURS = 3600.0


def flags(stages, microbatches, schedule, inside):
    virtual = ["--virtual-stages", "2"] if schedule in INTERLEAVED else []
    more = INSIDE[inside]
    if isinstance(more, tuple):
        more = ["--stage-mesh", "; ".join(more[group % len(more)] for group in range(stages))]
    return ["--stages", stages, "--microbatches", microbatches, "--schedule", schedule, *virtual, *more]


def run(meshwright, step, words):
    command = [str(word) for word in (meshwright, "check", step, "--precision", "f64", "--json", *words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HOURS)


def checked(meshwright, step, words):
    """What became of one combination: `holds` with its error, `refused` with its reason, or what is wrong."""
    done = run(meshwright, step, words)
    if done.stdout.startswith("{"):
        found = json.loads(done.stdout)
        if "outputs" in found:
            worst = max((output["max_rel_error"] for output in found["outputs"]), default=0.0)
            return ("holds" if found["agrees"] and done.returncode == 0 else "WRONG"), worst
    said = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    errors = [one["message"] for one in said if one["severity"] == "error"]
    if done.returncode in REFUSED and len(errors) == 1:
        return "refused", errors[0]
    return "WRONG", f"exit code {done.returncode}: {done.stderr[-300:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="+", type=pathlib.Path, metavar="STEP.mlir")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--stages", nargs="+", type=int, default=[2, 4])
    parser.add_argument("--microbatches", nargs="+", type=int, default=[4, 8])
    parser.add_argument("--schedules", nargs="+", default=SCHEDULES)
    parser.add_argument("--inside", nargs="+", default=list(INSIDE), choices=list(INSIDE))
    parser.add_argument("--zero-moments", action="store_true")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    records = Records(options.record)
    reasons, wrong, total = collections.defaultdict(list), [], collections.Counter()
    print(f"| step | {' | '.join(options.inside)} | largest error |")
    print(f"| --- | {'---: | ' * len(options.inside)}---: |")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for step in options.steps:
            given = []
            if options.zero_moments:
                given = ["--inputs", pathlib.Path(folder) / f"{step.stem}.npz"]
                inputs(options.meshwright, step, given[1])

            def answer(one):
                words = [*flags(*one), *given]
                return records.of(step.stem, " ".join(map(str, one)), lambda: checked(options.meshwright, step, words))

            asked = list(itertools.product(options.stages, options.microbatches, options.schedules, options.inside))
            counts, held = collections.defaultdict(collections.Counter), []
            for one, (what, said) in zip(asked, pool.map(answer, asked)):
                counts[one[-1]][what] += 1
                total[what] += 1
                name = f"{step.stem} {' '.join(map(str, one))}"
                if what == "holds":
                    held.append(said)
                elif what == "refused":
                    # Reasons that differ in numbers and names alone are one.
                    reasons[re.sub(r"`[^`]*`|\d+(\.\d+)?", "..", said)].append((name, said))
                else:
                    wrong.append(f"{name}: {said}")
            cells = [f"{counts[inside]['holds']} of {counts[inside].total()}" for inside in options.inside]
            worst = f"{max(held):.1e}" if held else ""
            print(f"| {' | '.join([step.stem, *cells, worst])} |", flush=True)
    for which in reasons.values():
        print(f"\nrefused, {len(which)}: {which[0][1]}\n  {', '.join(name for name, _ in which)}")
    for one in wrong:
        print(f"\nWRONG {one}")
    print(f"\n{total['holds']} hold, {total['refused']} are refused, {total['WRONG']} are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
