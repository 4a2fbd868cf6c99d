#!/usr/bin/env python3
"""Solves problems of the contest on intra-operator parallelism, and prints what was found beside the best known.

    python3 bench/contest.py FOLDER [--meshwright target/release/meshwright] [--timeout SECONDS] [--threads N] [NAME ...]

FOLDER holds `asplos-2025-iopddl-X.json.gz`. Every answer is checked here once more, apart from Meshwright's own checker.
"""
import argparse
import gzip
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

# The contest's time limits in seconds and the best costs known (github.com/google/iopddl, and its discussion).
KNOWN = {"A": (60, 6_548_553_650), "G": (120, 217_039), "M": (180, 49_928_157_537), "S": (240, 1_511_377_982)}


def value(problem, solution):
    """Cost, and the most that is used over the limit."""
    nodes, edges = problem["nodes"], problem["edges"]
    cost = sum(costs[s] for costs, s in zip(nodes["costs"], solution, strict=True))
    for (a, b), costs in zip(edges["nodes"], edges["costs"], strict=True):
        cost += costs[solution[a] * len(nodes["costs"][b]) + solution[b]]
    change = [0] * (1 + max(end for _, end in nodes["intervals"]))
    for (start, end), usages, s in zip(nodes["intervals"], nodes["usages"], solution, strict=True):
        change[start] += usages[s]
        change[end] -= usages[s]
    return cost, max(itertools.accumulate(change)) - problem["usage_limit"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="letters; without any, all that are there")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--timeout", type=float, help="instead of the contest's limits")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    failed = False
    print(f"{'':3}{'cost':>16}{'best known':>16}{'bound':>16}{'gap':>10}{'seconds':>9}  why it ended")
    for path in sorted(arguments.folder.glob("asplos-2025-iopddl-*.json.gz")):
        name = path.name.removesuffix(".json.gz")[-1]
        if arguments.names and name not in arguments.names:
            continue
        limit, best = KNOWN.get(name, (60, None))
        limit = arguments.timeout or limit
        with tempfile.TemporaryDirectory() as folder:
            answer = pathlib.Path(folder) / "solution.json"
            words = [arguments.meshwright, "solve", path, "--timeout", limit, "--threads", arguments.threads, "-o", answer, "--json"]
            done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            if done.returncode:
                print(f"{name:3}failed with {done.returncode}")
                failed = True
                continue
            found, solution = json.loads(done.stdout), json.loads(answer.read_text())
        with gzip.open(path) as file:
            cost, over = value(json.load(file)["problem"], solution)
        if cost != found["cost"] or over > 0:
            print(f"{name:3}the answer costs {cost} and uses {over} too much")
            failed = True
        if found["bound"] > min(cost, best or cost):
            print(f"{name:3}the bound {found['bound']} is above an answer that is known")
            failed = True
        print(f"{name:3}{cost:16,}{best or 0:16,}{found['bound']:16,}{found['gap']:10.4%}{found['seconds']:9.1f}  {found['reason']}",
              flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
