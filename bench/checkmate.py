#!/usr/bin/env python3
"""The largest batch that fits into 16 GB with at most one more forward pass, beside what Checkmate's authors print.

    .venv/bin/python bench/checkmate.py [--meshwright target/release/meshwright] [--memory 16000000000] [MODEL ...]

A network (loss and gradients in f32, as JAX lowers them, without an optimizer) is planned for one device: with nothing
made again, and with `--recompute search`, in one microbatch, without tiles and without the host. By bisection, a row has
the largest batch of each that fits; of the second it counts only if the plan's products are at most 4/3 of the model's,
which is one more forward pass. Printed beside: what `mlsys20_artifact.md` of parasj/checkmate says of its graph of the
same network, in which all that a layer of Keras makes is one value.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
from jax import lax

SIDE, CLASSES = 224, 1000

# One more forward pass, of which a step without any has three.
ONE_MORE = 4 / 3 + 1e-3

# Channels of the convolutions between two poolings.
VGG = {"vgg16": [[64] * 2, [128] * 2, [256] * 3, [512] * 3, [512] * 3],
       "vgg19": [[64] * 2, [128] * 2, [256] * 4, [512] * 4, [512] * 4]}

# All kept, the best of Chen's heuristics, Checkmate's own.
PRINTED = {"vgg19": (164, 260, 289)}


def vgg(blocks):
    """Shapes of parameters, and the loss."""
    shapes, channels = [], 3
    for wide in [wide for block in blocks for wide in block]:
        shapes += [(3, 3, channels, wide), (wide,)]
        channels = wide
    flat = channels * (SIDE >> len(blocks)) ** 2
    for narrow, wide in [(flat, 4096), (4096, 4096), (4096, CLASSES)]:
        shapes += [(narrow, wide), (wide,)]

    def loss(params, images, labels):
        params, x = iter(params), images
        for block in blocks:
            for _ in block:
                x = lax.conv_general_dilated(x, next(params), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
                x = jax.nn.relu(x + next(params))
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = x.reshape(x.shape[0], -1)
        for layer in range(3):
            x = x @ next(params) + next(params)
            x = jax.nn.relu(x) if layer < 2 else x
        of_label = jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], 1)
        return -of_label.mean()

    return shapes, loss


def lowered(model, batch):
    """The program of loss and gradients."""
    shapes, loss = vgg(VGG[model])
    params = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
    images = jax.ShapeDtypeStruct((batch, SIDE, SIDE, 3), jnp.float32)
    labels = jax.ShapeDtypeStruct((batch,), jnp.int32)
    return jax.jit(jax.value_and_grad(loss)).lower(params, images, labels).as_text()


def planned(arguments, step, *flags):
    """The plan, if it fits."""
    command = [arguments.meshwright, "plan", step, "--machine", arguments.machine, "--json", "--memory-limit", arguments.memory,
               "--microbatches", "1", "--tiles", "none", "--offload", "none", "--recompute", *flags]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"`meshwright plan` failed with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def more(plan):
    """Products of the step as a multiple of the model's own."""
    return plan["figures"]["executed_flops"] / plan["figures"]["model_flops"]


def largest(arguments, model, recompute, folder):
    """The largest batch that fits, with its plan."""

    def fits(batch):
        step = folder / "step.mlir"
        step.write_text(lowered(model, batch))
        plan = planned(arguments, step, recompute)
        return plan if plan and more(plan) <= ONE_MORE else None

    low, best, high = 0, None, 64
    while found := fits(high):
        low, best, high = high, found, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        found = fits(middle)
        low, best, high = (middle, found, high) if found else (low, best, middle)
    return low, best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(VGG)}; default: all that are printed")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--machine", default="h100:1x1")
    parser.add_argument("--memory", default=16_000_000_000, type=int)
    arguments = parser.parse_args()
    if unknown := [model for model in arguments.models if model not in VGG]:
        parser.error(f"no network `{unknown[0]}`; there are {', '.join(VGG)}")
    print("| network | kept | theirs | Chen, theirs | made again | theirs | products |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models or PRINTED:
            kept, _ = largest(arguments, model, "none", pathlib.Path(folder))
            again, plan = largest(arguments, model, "search", pathlib.Path(folder))
            printed = PRINTED.get(model, ("", "", ""))
            print(f"| `{model}` | {kept} | {printed[0]} | {printed[1]} | {again} | {printed[2]} | {more(plan):.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
