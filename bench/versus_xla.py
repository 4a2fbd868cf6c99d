#!/usr/bin/env python3
"""Compares Meshwright's partitioned programs with what XLA's own partitioner makes of the same annotated modules.

    .venv/bin/python bench/versus_xla.py --meshwright target/release/meshwright CASE.mlir ... [--devices 8] [--steps 7]

Input: annotated global programs. Output: a table with three rows per case, Meshwright's, XLA's and their ratio
(below 1: Meshwright needs less), then the geometric mean of the ratios:

- collectives and ring bytes per device and step, counted by `collectives.py` in the module that XLA finally runs;
- ring bytes in the text: what `ring_bytes.py` counts in Meshwright's text, before XLA removes or joins anything
  (`?` where that text cannot be counted without guessing);
- temporary bytes of one device, by XLA's memory analysis of Meshwright's local program and of XLA's own;
- compile time: Meshwright's partitioning and XLA's compilation of what it wrote, and XLA's of the annotated module;
- with `--steps`, the median time of a step. Both programs are compiled and run in turn in this one process.

A case that fails is reported on stderr; the others go on, and the exit status is 1. So it is if a case sends something
where XLA sends nothing, which no ratio shows.

`--bounds FILE` names JSON with a floor of ring bytes per case: what `floor.py` counts for the usual program with its
shardings, which one that shares more work may fall below.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import collectives
import ring_bytes
import xla_engine
from tally import describe

COLUMNS = ("case", "by", "collectives", "ring bytes", "floor", "in the text", "temporaries", "compile s", "step ms")


def partition(meshwright, path):
    """The text of the local program that Meshwright partitions a file into, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        local = pathlib.Path(folder) / "local.mlir"
        start = time.perf_counter()
        done = subprocess.run([meshwright, "partition", path, "-o", local], capture_output=True, text=True)
        seconds = time.perf_counter() - start
        if done.returncode != 0:
            raise RuntimeError(f"`{meshwright} partition {path}` failed with {done.returncode}:\n{done.stderr}")
        return local.read_text(), seconds


def compare(meshwright, path, num_devices, steps, compiles):
    """Both reports on a file."""
    module = path.read_text()
    times, executables = {"meshwright": [], "xla": []}, {}
    for _ in range(compiles):
        local, partition_s = partition(meshwright, path)
        executables["meshwright"], seconds = collectives.compiled(local, num_devices, local=True)
        times["meshwright"].append(partition_s + seconds)
        executables["xla"], seconds = collectives.compiled(module, num_devices, local=False)
        times["xla"].append(seconds)
    row, steppers = dict(case=path.stem), []
    for name, executable in executables.items():
        row[name], hlo = collectives.report_on(executable, statistics.median(times[name]), num_devices)
        steppers.append(collectives.Stepper(executable, hlo, num_devices) if steps else None)
    if steps:
        for name, milliseconds in zip(executables, collectives.median_steps(steppers, steps)):
            row[name]["step_ms"] = milliseconds
    row["meshwright"]["partition_s"] = round(partition_s, 3)
    try:
        row["text_ring_bytes"] = ring_bytes.count(local)["ring_bytes"]
    except ring_bytes.Unsupported:
        row["text_ring_bytes"] = None
    return row


def figures(report):
    """What is compared, by name; None where it was not measured."""
    return {
        "ring bytes": report["ring_bytes"],
        "temporaries": report["memory"]["temporaries"],
        "compile s": report["compile_s"],
        "step ms": report.get("step_ms"),
    }


def ratios(row):
    """Meshwright's figures over XLA's; None where one is missing or nothing."""
    ours, theirs = figures(row["meshwright"]), figures(row["xla"])
    return {name: ours[name] / theirs[name] if ours[name] and theirs[name] else None for name in ours}


def print_line(cells):
    def text(value):
        if value is None:
            return "-"
        return f"{value:,}" if isinstance(value, int) else f"{value:.3g}" if isinstance(value, float) else value

    print("| " + " | ".join(text(cells.get(name, "")) for name in COLUMNS) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="+", type=pathlib.Path)
    parser.add_argument("--meshwright", required=True, type=pathlib.Path, help="the binary")
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--steps", type=int, default=0, help="time this many steps on random arrays")
    parser.add_argument("--compiles", type=int, default=1, help="compile this often; the median time counts")
    parser.add_argument("--bounds", type=pathlib.Path, help="JSON: floors of ring bytes by case")
    parser.add_argument("--json", action="store_true", help="print full reports, one JSON object per case")
    options = parser.parse_args()
    bounds = json.loads(options.bounds.read_text()) if options.bounds else {}
    xla_engine.prepare(options.devices)
    if not options.json:
        print_line({name: name for name in COLUMNS})
        print("|" + " --- |" * 3 + " ---: |" * (len(COLUMNS) - 3))
    all_ratios, failed = [], []
    for path in options.case:
        # A case that fails is said, and the others go on.
        try:
            row = compare(options.meshwright, path, options.devices, options.steps, max(1, options.compiles))
        except Exception as error:
            failed.append(path)
            print(f"{path}: {error}", file=sys.stderr, flush=True)
            continue
        row["floor"] = bounds.get(path.stem)
        row["ratios"] = ratios(row)
        if figures(row["meshwright"])["ring bytes"] and not figures(row["xla"])["ring bytes"]:
            failed.append(path)
            print(f"{path}: sends something, where XLA's program sends nothing", file=sys.stderr, flush=True)
        all_ratios.append(row["ratios"])
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        text = "?" if row["text_ring_bytes"] is None else row["text_ring_bytes"]
        ours, theirs = row["meshwright"], row["xla"]
        print_line({"case": path.stem, "by": "Meshwright", "collectives": describe(ours), "floor": row["floor"],
                    "in the text": text, **figures(ours)})
        print_line({"by": "XLA", "collectives": describe(theirs), **figures(theirs)})
        print_line({"by": "ratio", **row["ratios"]})
    if all_ratios and not options.json:
        means = {}
        for name in all_ratios[0]:
            known = [math.log(one[name]) for one in all_ratios if one[name]]
            means[name] = math.exp(sum(known) / len(known)) if known else None
        print_line({"case": "geometric mean", "by": "ratio", **means})
    if failed:
        sys.exit(f"{len(failed)} of {len(options.case)} cases failed: {', '.join(str(path) for path in failed)}")


if __name__ == "__main__":
    main()
