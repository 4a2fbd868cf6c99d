#!/usr/bin/env python3
"""Random rows of a grid beside the plans of the same degrees, to the last digit, and some of them checked as twins.

    python3 bench/grid_rows.py [CONFIG] [--meshwright target/release/meshwright] [--machine h100:4x8] [--rows 100]
                               [--seq 4096] [--global-batch 256] [--microbatch-size 1] [--twins 20] [--seed 0]

Input: a config.json (by default a committed one). A grid of it is priced, with pipelines; of its rows that are plans `--rows`
are drawn, and `plan` with the same degrees, microbatches and recomputation has to give the same seconds, bytes and MFU (of
pipelines the part of the bubble), digit by digit. Of the drawn rows `--twins` without stages, and as many with stages, are
compiled as small twins and checked against the program (`check --shrink`). Output: what differs, and a summary. Exit code 1 if
anything does.
"""
import argparse
import json
import random
import subprocess
import sys
import time


def said(row):
    """The flags that say a row; what is 1 is left out."""
    flags = [f"--{part.replace('=', ' ')}" for part in row["degrees"].split(",")]
    again = ["--recompute", row["recompute"]] if row.get("recompute") not in (None, "none") else []
    return " ".join(flags).split() + ["--microbatches", str(row["microbatches"]), *again]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", nargs="?", default="tests/data/models/released/llama-3.2-1b.json")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--machine", default="h100:4x8")
    parser.add_argument("--seq", default="4096")
    parser.add_argument("--global-batch", default="256")
    parser.add_argument("--microbatch-size", default="1")
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--twins", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    step = [arguments.config, "--machine", arguments.machine, "--seq", arguments.seq, "--global-batch",
            arguments.global_batch]

    def run(verb, *more):
        return subprocess.run([arguments.meshwright, verb, *step, *more], capture_output=True, text=True)

    begun = time.monotonic()
    done = run("plan", "--grid", "--microbatch-size", arguments.microbatch_size, "--json")
    if done.returncode:
        sys.exit(done.stderr)
    rows = json.loads(done.stdout)["rows"]
    seconds = time.monotonic() - begun
    plans = [row for row in rows if row["fits"]]
    print(f"{len(rows)} rows in {seconds:.1f} s, {1e3 * seconds / len(rows):.1f} ms each; {len(plans)} are plans, "
          f"{sum(row['pp'] > 1 for row in plans)} of them pipelines")
    drawn = random.Random(arguments.seed).sample(plans, min(arguments.rows, len(plans)))
    wrong = 0
    for row in drawn:
        done = run("plan", "--json", "--search", "none", *said(row))
        if done.returncode:
            wrong += 1
            print(f"{row['degrees']}: {done.stderr.strip().splitlines()[0]}")
            continue
        plan = json.loads(done.stdout)
        if row["pp"] > 1:
            own = {"step_seconds": plan["step_seconds"], "peak_bytes": max(plan["memory_bytes"]),
                   "bubble_share": plan["bubble_share"]}
        else:
            own = {"step_seconds": plan["predicted"]["total_seconds"], "peak_bytes": plan["memory"]["peak_bytes"],
                   "mfu": plan["figures"]["mfu"]}
        differing = [f"{name} {row[name]} in the grid, {value}" for name, value in own.items() if row[name] != value]
        wrong += bool(differing)
        if differing:
            print(f"{row['degrees']}: {'; '.join(differing)}")
    print(f"{len(drawn) - wrong} of {len(drawn)} rows equal their plans ({sum(row['pp'] > 1 for row in drawn)} pipelines)")
    has_stages = lambda row: row["pp"] > 1
    twins = [row for row in drawn if not has_stages(row)][:arguments.twins] + list(filter(has_stages, drawn))[:arguments.twins]
    failed = 0
    for row in twins:
        done = run("check", "--shrink", "--search", "none", *said(row))
        if done.returncode:
            failed += 1
            print(f"{row['degrees']}: {(done.stderr or done.stdout).strip().splitlines()[0]}")
    print(f"{len(twins) - failed} of {len(twins)} twins agree with the program ({sum(map(has_stages, twins))} pipelines)")
    sys.exit(1 if wrong or failed else 0)


if __name__ == "__main__":
    main()
