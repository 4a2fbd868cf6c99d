#!/usr/bin/env python3
"""The memory that plans predict beside what XLA reports for their local programs.

    .venv/bin/python bench/plan_memory.py MODEL.mlir@MACHINE ... [--meshwright target/release/meshwright] [--as DEGREES]

Each model is compiled for its machine, and the local program by XLA for as many CPU devices. One row for each: the
predicted peak of a device, and XLA's arguments and temporaries (which hold what is donated once). With `--as` not the plan
is compiled but that way to spread the model.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

GIB = 2**30


def compiled(meshwright, model, machine, asked):
    """The local program and the plan."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "compiled"
        command = [meshwright, "compile", model, "--machine", machine, "-o", out]
        command += ["--as", asked, "--search", "none"] if asked else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return (out / "program.mlir").read_text(), json.loads((out / "plan.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+", metavar="MODEL@MACHINE")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--as", dest="asked", metavar="DEGREES")
    arguments = parser.parse_args()
    found = []
    for pair in arguments.pairs:
        model, _, machine = pair.rpartition("@")
        if not model:
            parser.error(f"`{pair}` is not MODEL@MACHINE")
        found.append((pair, *compiled(arguments.meshwright, model, machine, arguments.asked)))

    import xla_engine

    devices = [math.prod(axis["size"] for axis in plan["mesh"]) for _, _, plan in found]
    xla_engine.prepare(max(devices))
    import collectives

    print("| model | predicted | XLA's arguments | XLA's temporaries | XLA over predicted |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for (pair, text, plan), count in zip(found, devices):
        executable, seconds = collectives.compiled(text, count, local=True)
        memory = collectives.report_on(executable, seconds, count)[0]["memory"]
        predicted = plan["memory"]["peak_bytes"]
        held, made = memory["arguments"], memory["temporaries"]
        name = pathlib.Path(pair).name.replace(".mlir", "")
        sizes = [f"{size / GIB:.2f} GiB" if size > GIB else f"{size / 1024:.1f} KiB" for size in (predicted, held, made)]
        print(f"| `{name}` | " + " | ".join(sizes) + f" | {(held + made) / predicted:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
