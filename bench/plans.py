#!/usr/bin/env python3
"""Plans models on machines, and prints how long that took, what was found, how good it is, and what people would try.

    python3 bench/plans.py MODEL.mlir@MACHINE ... [--meshwright target/release/meshwright] [--memory-limit SIZE]

MACHINE is what `--machine` takes, such as `h100:4x8`. One row for each; the time is that of the whole command, reading
included. "gap" is by what share of its time the plan may be slower than the best under the cost model; "dp", "fsdp" and
"megatron" are the predicted times of data parallel, ZeRO-3 and tensor parallel over the meshes on which they are best, as
multiples of the plan's; "none" where a style does not fit or does not apply. Where MODEL_dp.mlir, MODEL_fsdp.mlir or
MODEL_megatron.mlir lie beside the model, the same program with such annotations, that is what is compared with: without a
search, on every mesh with the sizes of its axes. Fails where nothing fits, and where one of them is predicted to take less
than the plan.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

STYLES = {"dp": ["data parallel"], "fsdp": ["ZeRO-3"], "megatron": ["tensor parallel", "data parallel"]}


def family(name):
    """The styles of an alternative, without numbers of devices."""
    return sorted({part.rsplit(" over ", 1)[0] for part in name.split(", ")})


def best(alternatives, styles):
    """The least time of the alternatives that fit and consist of these styles (the last ones need not occur)."""
    allowed = [sorted(styles), sorted(styles[:1])]
    times = [a["total_seconds"] for a in alternatives if a["fits"] and family(a["name"]) in allowed]
    return min(times, default=None)


def meshes(devices, most=2):
    """All ways to write a number of devices as a product of up to so many sizes above 1."""
    if most == 0 or devices == 1:
        return []
    sizes = [size for size in range(2, devices + 1) if devices % size == 0]
    return [[devices]] + [[size, *rest] for size in sizes for rest in meshes(devices // size, most - 1)]


def annotated(meshwright, model, machine, limit, devices, style):
    """The least predicted time of the model with annotations, over all meshes; false if there is no such model."""
    path = model.with_name(f"{model.stem}_{style}.mlir")
    if not path.exists():
        return False
    times = []
    for mesh in meshes(devices):
        more = ["--mesh", "x".join(map(str, mesh)), "--search", "none"]
        _, found = plan(meshwright, path, machine, limit, more, is_quiet=True)
        if found is not None:
            times.append(found["predicted"]["before_passes_seconds"])
    return min(times, default=None)


def plan(meshwright, model, machine, limit, more=(), is_quiet=False):
    """Seconds that planning took, and the plan; none if nothing fits."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "plan.json"
        command = [meshwright, "plan", model, "--machine", machine, "-o", path]
        command += ["--memory-limit", limit] if limit else []
        command += more
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - start
        if not path.exists():
            if not is_quiet:
                print(done.stderr, file=sys.stderr)
            return seconds, None
        return seconds, json.loads(path.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+", metavar="MODEL@MACHINE")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--memory-limit")
    arguments = parser.parse_args()
    print("| model | machine | s | mesh | predicted ms | gap | " + " | ".join(STYLES) + " |")
    print("| --- | --- | ---: | --- | ---: | ---: |" + " ---: |" * len(STYLES))
    failed = False
    for pair in arguments.pairs:
        model, _, machine = pair.rpartition("@")
        if not model:
            parser.error(f"{pair} is not MODEL@MACHINE")
        # Without stages, as the styles are.
        whole = ["--search", "rest"]
        seconds, found = plan(arguments.meshwright, model, machine, arguments.memory_limit, whole)
        name = pathlib.Path(model).stem
        if found is None:
            failed = True
            print(f"| `{name}` | `{machine}` | {seconds:.2f} | none | | | | | |", flush=True)
            continue
        predicted = found["predicted"]
        # What the search compares, as its bound and the alternatives are: before the passes over the local program.
        total, bound = predicted["before_passes_seconds"], found["bound_seconds"]
        mesh = "x".join(str(axis["size"]) for axis in found["mesh"])
        gap = max(0.0, 1 - bound / total)
        devices = math.prod(axis["size"] for axis in found["mesh"])
        times = []
        for style, parts in STYLES.items():
            of_file = annotated(
                arguments.meshwright, pathlib.Path(model), machine, arguments.memory_limit, devices, style
            )
            times.append(best(found["alternatives"], parts) if of_file is False else of_file)
        if any(other is not None and other < total * (1 - 1e-9) for other in times):
            failed = True
            print(f"{pair}: a common style is faster than the plan", file=sys.stderr)
        row = " | ".join("none" if other is None else f"{other / total:.2f}" for other in times)
        print(f"| `{name}` | `{machine}` | {seconds:.2f} | {mesh} | {total * 1e3:.4g} | {gap:.2%} | {row} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
