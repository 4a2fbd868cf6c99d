#!/usr/bin/env python3
"""The memory that plans predict beside what XLA reports for their local programs.

    .venv/bin/python bench/plan_memory.py MODEL.mlir@MACHINE ... [--meshwright target/release/meshwright] [--as DEGREES]
        [--memory-limit SIZE] [--microbatches 1 4 16] [--recompute none full] [--tiles none 8]

Each model is compiled for its machine, and the local program by XLA for as many CPU devices. One row for each: the
predicted peak of a device, and XLA's arguments and temporaries (which hold what is donated once). Why they differ is read
from what XLA says is alive at its own peak: the bytes of copies in other layouts, and the largest value that it made.
With `--as` not the plan is compiled but that way to shard the model. Of several numbers of microbatches, ways to recompute
and numbers of tiles, each combination has a row.
"""
import argparse
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GIB = 2**30


def compiled(meshwright, model, machine, asked, limit, more):
    """The local program and the plan."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "compiled"
        command = [meshwright, "compile", model, "--machine", machine, "-o", out]
        command += ["--as", asked, "--search", "none"] if asked else []
        command += ["--memory-limit", limit] if limit else []
        command += more
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return (out / "program.mlir").read_text(), json.loads((out / "plan.json").read_text())


def alive_at_peak(folder):
    """Name and bytes of what XLA has alive when it has most, arguments left out; and the shapes of its values. Of the last module."""
    text = max(folder.glob("*after_optimizations-live-range.txt")).read_text()
    listed = text.split("Live ranges at", 1)[1].split("Stack trace", 1)[0]
    alive = [(name, int(size)) for name, size in re.findall(r"^ +([\w.-]+)\{[^:]*: (\d+) bytes", listed, re.MULTILINE)]
    module = max(folder.glob("*cpu_after_optimizations.txt")).read_text()
    shapes = dict(re.findall(r"^ +(?:ROOT )?%?([\w.-]+) = (\w+\[[\d,]*\])", module, re.MULTILINE))
    return [(name, size) for name, size in alive if not name.startswith("Arg_")], shapes


def in_words(size):
    return f"{size / GIB:.2f} GiB" if size > GIB else f"{size / 1024:.1f} KiB"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+", metavar="MODEL@MACHINE")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--as", dest="asked", metavar="DEGREES")
    parser.add_argument("--memory-limit")
    parser.add_argument("--microbatches", nargs="+", metavar="N")
    parser.add_argument("--recompute", nargs="+", metavar="WHAT")
    parser.add_argument("--tiles", nargs="+", metavar="N")
    arguments = parser.parse_args()
    found = []
    for pair in arguments.pairs:
        model, _, machine = pair.rpartition("@")
        if not model:
            parser.error(f"`{pair}` is not MODEL@MACHINE")
        for flags in combinations(arguments):
            name = " ".join([pathlib.Path(pair).name.replace(".mlir", ""), *flags])
            text, plan = compiled(arguments.meshwright, model, machine, arguments.asked, arguments.memory_limit, flags)
            found.append((name, text, plan))

    with tempfile.TemporaryDirectory() as dumps:
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_dump_to={dumps} --xla_dump_hlo_as_text"
        table(found, pathlib.Path(dumps))
    return 0


def combinations(arguments):
    """Flags of each combination of what is decided beside the shardings."""
    asked = {name: getattr(arguments, name) for name in ("microbatches", "recompute", "tiles")}
    choices = [[[f"--{name}", choice] for choice in given] for name, given in asked.items() if given]
    return [list(itertools.chain(*chosen)) for chosen in itertools.product(*choices)]


def table(found, dumps):
    """Compiles the programs, and prints a row for each."""
    import xla_engine

    devices = [math.prod(axis["size"] for axis in plan["mesh"]) for _, _, plan in found]
    xla_engine.prepare(max(devices))
    import collectives

    print("| model | predicted | XLA's arguments | XLA's temporaries | XLA over predicted | copies | the largest |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for (name, text, plan), count in zip(found, devices):
        executable, seconds = collectives.compiled(text, count, local=True)
        memory = collectives.report_on(executable, seconds, count)[0]["memory"]
        predicted = plan["memory"]["peak_bytes"]
        held, made = memory["arguments"], memory["temporaries"]
        alive, shapes = alive_at_peak(dumps)
        copies = sum(size for name, size in alive if "copy" in name)
        largest, size = max(alive, key=lambda entry: entry[1], default=("nothing", 0))
        sizes = [in_words(size) for size in (predicted, held, made)]
        largest = f"`{re.sub(r'[.]?[0-9]*$', '', largest)}` {shapes.get(largest, '')} {in_words(size)}"
        row = [f"`{name}`", *sizes, f"{(held + made) / predicted:.2f}", in_words(copies), largest]
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
