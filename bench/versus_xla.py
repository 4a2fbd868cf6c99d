#!/usr/bin/env python3
"""Compares what Meshwright's partitioned programs communicate with what XLA's own partitioner makes of the same input.

    .venv/bin/python bench/versus_xla.py --meshwright target/release/meshwright CASE.mlir ... [--devices 8] [--json]

Input: annotated global programs; output: a table with the collectives and the ring bytes per device and step of
both, and their ratio (below 1: Meshwright sends less). Both are counted by `collectives.py` in the module that XLA
finally runs. The last column is what `ring_bytes.py` counts in Meshwright's text, before XLA removes or joins
anything; it says `?` where that text cannot be counted without guessing.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import collectives
import ring_bytes
import xla_engine
from tally import describe


def partition(meshwright, path):
    """The text of the local program that Meshwright partitions a file into."""
    with tempfile.TemporaryDirectory() as folder:
        local = pathlib.Path(folder) / "local.mlir"
        done = subprocess.run([meshwright, "partition", path, "-o", local], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"`{meshwright} partition {path}` failed with {done.returncode}:\n{done.stderr}")
        return local.read_text()


def compare(meshwright, path, num_devices):
    """One row: both reports on a file."""
    local = partition(meshwright, path)
    theirs, _ = collectives.measure(path.read_text(), num_devices, local=False)
    ours, _ = collectives.measure(local, num_devices, local=True)
    try:
        text_ring_bytes = ring_bytes.count(local)["ring_bytes"]
    except ring_bytes.Unsupported:
        text_ring_bytes = None
    ratio = ours["ring_bytes"] / theirs["ring_bytes"] if theirs["ring_bytes"] else None
    return dict(case=path.stem, meshwright=ours, xla=theirs, ratio=ratio, text_ring_bytes=text_ring_bytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="+", type=pathlib.Path)
    parser.add_argument("--meshwright", required=True, type=pathlib.Path, help="the binary")
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--json", action="store_true", help="print full reports, one JSON object per case")
    options = parser.parse_args()
    xla_engine.prepare(options.devices)
    if not options.json:
        print("| case | Meshwright | XLA | ring bytes | XLA's | ratio | in the text |")
        print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for path in options.case:
        row = compare(options.meshwright, path, options.devices)
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        ours, theirs = row["meshwright"], row["xla"]
        ratio = "-" if row["ratio"] is None else f"{row['ratio']:.3f}"
        text = "?" if row["text_ring_bytes"] is None else f"{row['text_ring_bytes']:,}"
        print(f"| {row['case']} | {describe(ours)} | {describe(theirs)} | {ours['ring_bytes']:,} | "
              f"{theirs['ring_bytes']:,} | {ratio} | {text} |", flush=True)


if __name__ == "__main__":
    main()
