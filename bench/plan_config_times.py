#!/usr/bin/env python3
"""CPU seconds of plans and of a grid from configurations of released models, beside what they should take.

    python3 bench/plan_config_times.py [NAME ...] [--configs tests/data/models/released]
                                       [--meshwright target/release/meshwright]

Input: the binary, and a folder with configurations as they were released (what says that weights are quantized is left out: the
model that was quantized is planned). NAMEs choose rows; without them it is all of `ROWS`. Output: a table of the user seconds of
the whole command over all threads, reading included, the seconds by the clock, what should be enough, and what was found. A grid
should take no more than its part of 20 s for 2,000 combinations. Exit code 1 if a command fails; what takes longer is no failure,
since machines differ.
"""
import argparse
import json
import pathlib
import sys
import tempfile
import time

import plan_times

# A configuration, the flags of its plan, and the seconds that should be enough, of a grid for 2,000 rows.
ROWS = [
    ("llama-3.1-8b", ["--machine", "h100:8x8", "--seq", "8192", "--global-batch", "512"], 3),
    ("llama-3.1-405b", ["--machine", "h100:2048x8", "--seq", "8192", "--global-batch", "2048"], 30),
    ("deepseek-v3", ["--machine", "h100:256x8", "--seq", "4096", "--global-batch", "15360"], 30),
    ("llama-3.1-8b", ["--machine", "h100:32x8", "--seq", "8192", "--global-batch", "1024", "--grid", "--microbatch-size", "1",
                      "--vp", "search"], 20),
]

# Rows of a grid that its seconds are for.
COMBINATIONS = 2000


def unquantized(path, folder):
    """The path of a configuration without what quantizes its weights: its own, or that of a copy in a folder."""
    fields = json.loads(path.read_text())
    if fields.pop("quantization_config", None) is None:
        return path
    copy = pathlib.Path(folder) / path.name
    copy.write_text(json.dumps(fields))
    return copy


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--configs", type=pathlib.Path, default=pathlib.Path("tests/data/models/released"))
    parser.add_argument("--meshwright", default="target/release/meshwright")
    arguments = parser.parse_args()
    known = dict.fromkeys(name for name, _, _ in ROWS)
    if unknown := [name for name in arguments.names if name not in known]:
        parser.error(f"there is no row of {unknown[0]}; there are {', '.join(known)}")
    print("| command | user s | s | should take | found |")
    print("| --- | ---: | ---: | ---: | --- |")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, flags, enough in ROWS:
            if arguments.names and name not in arguments.names:
                continue
            config = unquantized(arguments.configs / f"{name}.json", folder)
            begun = time.monotonic()
            seconds, code, errors, plan = plan_times.run(arguments.meshwright, str(config), *flags)
            elapsed = time.monotonic() - begun
            if code != 0:
                failed = True
                print(errors, file=sys.stderr)
            if code == 0 and "--grid" in flags:
                rows = plan["rows"]
                enough *= len(rows) / COMBINATIONS
                what = (f"{len(rows)} combinations, {sum(row['fits'] for row in rows)} of them plans, "
                        f"{sum(row['fits'] and row['pp'] > 1 for row in rows)} of these pipelines")
            else:
                what = plan_times.found(code, errors, plan)
            print(f"| `plan {name} {' '.join(flags)}` | {seconds:.2f} | {elapsed:.2f} | {enough:.3g} | {what} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
