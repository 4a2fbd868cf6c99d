#!/usr/bin/env python3
"""What tiles make of a GPT with many tokens: memory and time of a step on XLA, and its numbers in f64.

    .venv/bin/python bench/blockwise.py [--meshwright target/release/meshwright] [--tokens 4096] [--layers 2] [--width 128]
        [--heads 2] [--tiles 8 ...] [--steps 5]

A training step (loss, gradients, Adam) of a GPT, as JAX lowers it, without annotations, is compiled for eight CPU devices
with an example each, plain and in each number of tiles. Both local programs are compiled by XLA: a row has the peak that
the plan predicts, XLA's own buffer assignment (arguments and temporaries of a device), and the median time of a step, the
programs by turns in one process. Below, the numbers: `meshwright check --precision f64` of a narrow one with as many
tokens (`--checked-width`), loss and all that replaces parameters and moments beside the undistributed plain step.

The exit code is 1 if a check fails.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import check_matrix

DEVICES = 8


def gpt(path, tokens, layers, width, heads, vocabulary):
    """Writes the step; in a process of its own, since the devices that JAX sees are set once."""
    program = f"""
import sys; sys.path.insert(0, {str(pathlib.Path(__file__).resolve().parent)!r})
import make_cases as cases
cases.TOKENS, cases.LAYERS, cases.WIDTH, cases.HEADS = {tokens}, {layers}, {width}, {heads}
cases.FFN, cases.VOCAB = {4 * width}, {vocabulary}
params, loss = cases.decoder()
batch = {{name: ((cases.BATCH, cases.TOKENS), cases.INT, None) for name in ("tokens", "labels")}}
open({str(path)!r}, "w").write(cases.plain(params, batch, loss))
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def compiled(meshwright, step, tiles, folder):
    """The local program, and the peak that its plan predicts."""
    command = [meshwright, "compile", step, "--machine", f"cpu{DEVICES}", "--as", f"dp={DEVICES}", "--search", "none", "--tiles",
               tiles, "--memory-limit", "1TB", "-o", folder]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    plan = json.loads((folder / "plan.json").read_text())
    return (folder / "program.mlir").read_text(), plan["memory"]["peak_bytes"], plan["predicted"]["total_seconds"]


def checked(meshwright, step, tiles):
    """How many results there are, the largest relative error, and whether all agree."""
    command = [meshwright, "check", step, "--machine", f"cpu{DEVICES}", "--as", f"dp={DEVICES}", "--search", "none", "--tiles", tiles,
               "--precision", "f64", "--json"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        raise SystemExit(f"`meshwright check` failed with {done.returncode}:\n{done.stderr}")
    found = json.loads(done.stdout)
    worst = max(check_matrix.largest(output) for output in found["outputs"])
    return len(found["outputs"]), worst, found["agrees"] and done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meshwright", default="target/release/meshwright")
    for name, default in (("tokens", 4096), ("layers", 2), ("width", 128), ("heads", 2), ("vocabulary", 256), ("steps", 5),
                          ("checked-width", 8)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--tiles", nargs="+", default=["8"], metavar="N")
    options = parser.parse_args()
    ways = ["none", *options.tiles]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        step, narrow = scratch / "gpt.mlir", scratch / "narrow.mlir"
        gpt(step, options.tokens, options.layers, options.width, options.heads, options.vocabulary)
        gpt(narrow, options.tokens, 1, options.checked_width, 1, 16)
        found = [compiled(options.meshwright, step, tiles, scratch / tiles) for tiles in ways]
        table(ways, found, options.steps)
        holds = True
        for tiles in ways[1:]:
            count, worst, is_right = checked(options.meshwright, narrow, tiles)
            holds &= is_right
            wrong = "" if is_right else ", WRONG"
            print(f"{tiles} tiles in f64: {count} results, largest relative error {worst:.1e}{wrong}", flush=True)
    return 0 if holds else 1


def table(ways, found, steps):
    """Compiles the programs, runs them by turns, and prints a row for each."""
    import xla_engine

    xla_engine.prepare(DEVICES)
    import collectives

    rows, steppers = [], []
    for tiles, (text, predicted, seconds) in zip(ways, found):
        executable, _ = collectives.compiled(text, DEVICES, local=True)
        report, hlo = collectives.report_on(executable, 0.0, DEVICES)
        steppers.append(collectives.Stepper(executable, hlo, DEVICES))
        rows.append((tiles, predicted, report["memory"]["arguments"] + report["memory"]["temporaries"], seconds))
    times = collectives.median_steps(steppers, steps) if steps else [None] * len(rows)
    print("| tiles | predicted peak | XLA's | of the plain step's | predicted time | step | of the plain step's |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for (tiles, predicted, peak, seconds), taken in zip(rows, times):
        step = f"{taken / 1e3:.2f} s | {taken / times[0]:.2f}" if taken else "- | -"
        print(f"| {tiles} | {predicted / 2**20:.1f} MiB | {peak / 2**20:.1f} MiB | {peak / rows[0][2]:.3f} "
              f"| {seconds:.2f} s | {step} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
