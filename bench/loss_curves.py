#!/usr/bin/env python3
"""Trains the example for some steps on every engine, and prints the losses side by side.

    .venv/bin/python bench/loss_curves.py [--meshwright target/release/meshwright] [--steps 200] [--every 20] [--stages 2]

The columns: one device; eight embedded devices; eight devices of XLA in one process and in four; XLA stopped in the
middle and resumed on another mesh. With `--stages`: pipelines of eight devices, embedded, on XLA in two processes and in
four, and stopped in the middle and resumed without stages. Tokens are new in every step, and the same for all: each follows from the one before
but for a little noise, so that there is something to learn.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


def split_inputs(manifest, steps, folder):
    """Writes the state that the steps begin with, and tokens for every step."""
    generator = np.random.default_rng(0)
    inputs = dict(np.load(EXAMPLES / "gpt.in.npz"))
    new = [f"arg{index}" for index, described in enumerate(manifest["arguments"]) if described.get("next") is None]
    tokens = {}
    for name in new:
        example = inputs.pop(name)
        batch, length = example.shape
        vocabulary = int(example.max()) + 1
        made = np.empty((steps, batch, length), example.dtype)
        made[..., 0] = generator.integers(vocabulary, size=(steps, batch))
        for place in range(1, length):
            noise = generator.integers(vocabulary, size=(steps, batch))
            follows = (5 * made[..., place - 1] + 3) % vocabulary
            made[..., place] = np.where(generator.random((steps, batch)) < 0.05, noise, follows)
        tokens[name] = made
    np.savez(folder / "state.npz", **inputs)
    np.savez(folder / "tokens.npz", **tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--stages", type=int)
    arguments = parser.parse_args()
    scratch = tempfile.TemporaryDirectory()
    folder = pathlib.Path(scratch.name)

    def meshwright(*words):
        words = [str(word) for word in (arguments.meshwright, *words)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(words)} failed with {done.returncode}:\n{done.stderr}")
        return done.stdout

    for name, machine, mesh in (("one", "cpu8:1", "data=1"), ("spread", "cpu8", "data=2,model=4"), ("other", "cpu8", "data=8")):
        meshwright("compile", EXAMPLES / "gpt.mlir", "--machine", machine, "--mesh", mesh, "-o", folder / name)
    if arguments.stages:
        meshwright("compile", EXAMPLES / "gpt.mlir", "--machine", "cpu8", "--stages", arguments.stages, "--microbatches", 4,
                   "-o", folder / "pipeline")
    manifest = json.loads((folder / "spread" / "manifest.json").read_text())
    split_inputs(manifest, arguments.steps, folder)
    loss = next(i for i, d in enumerate(manifest["results"]) if not d["shape"] and d["element"].startswith("f"))
    xla = ("--engine", "xla", "--python", sys.executable, "--platform", "cpu")
    given = ("--inputs", folder / "state.npz", "--batches", folder / "tokens.npz", "--json")

    def losses(name, *options, steps=arguments.steps):
        record = json.loads(meshwright("run", folder / name, *given, "--steps", steps, *options))
        return {step["step"]: step["values"][f"out{loss}"] for step in record["steps"]}

    half = arguments.steps // 2
    saved = folder / "saved"
    first = "pipeline" if arguments.stages else "spread"
    xla_runs = (1, 4) if arguments.stages is None else (2, 4)
    columns = {"one device": losses("one"), "embedded": losses(first)}
    for count in xla_runs:
        columns[f"xla, {count} processes" if count > 1 else "xla"] = losses(first, *xla, "--processes", count)
    columns["resumed"] = losses(first, *xla, "--checkpoint-every", half, saved, steps=half)
    columns["resumed"] |= losses("other", *xla, "--processes", 2, "--resume", saved)
    print("| step | " + " | ".join(columns) + " |\n| ---: |" + " ---: |" * len(columns))
    for step in range(1, arguments.steps + 1):
        if step == 1 or step % arguments.every == 0:
            print(f"| {step} | " + " | ".join(f"{column[step]:.6f}" for column in columns.values()) + " |")
    reference = columns["one device"]
    for name, column in columns.items():
        error = max(abs(column[step] - loss) / abs(loss) for step, loss in reference.items())
        print(f"{name}: {len(column)} steps, largest relative difference to one device {error:.1e}")


if __name__ == "__main__":
    main()
