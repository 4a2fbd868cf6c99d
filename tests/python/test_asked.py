"""`--as` on training steps without annotations: the plan is what was asked for, and its degrees can be asked for again."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import jax
import training_steps
from llamas import SHAPES, SIZES, Llama

MESHWRIGHT = os.environ["MESHWRIGHT"]


def step(model):
    """The text of a step with Adam that nothing is said of."""
    loss, params, batch = model(lambda what, value: value)
    update, state_of = training_steps.adam(loss)
    return jax.jit(update, donate_argnums=0).lower(state_of(params), *batch).as_text()


MODELS = {
    "example": lambda: (ROOT / "examples" / "gpt.mlir").read_text(),
    "gpt": lambda: step(training_steps.gpt),
    "scanned": lambda: step(lambda axes: training_steps.gpt(axes, scan=True)),
    "llama": lambda: Llama(SHAPES["train_stacked_separate_heads"], SIZES["tiny"]).text(),
    "experts": lambda: step(training_steps.mixture),
}

# Ways that every model has on eight devices, and those of some; stage 1 of ZeRO is stage 2 where gradients are summed once.
# Models with small weights gather them instead of what `sp` shards, which is said.
WAYS = ["dp=8", "dp=8,zero=2", "dp=8,zero=3", "dp=4,fsdp=2", "dp=2,tp=4", "dp=2,tp=4,zero=3", "dp=4,tp=2,zero=2"]
WITH_TOKENS = ["dp=2,cp=2,tp=2,zero=3"]
WITH_SEQUENCE = ["dp=2,tp=4,sp=4", "dp=2,tp=4,sp=4,zero=3"]
WAYS_OF = {
    "example": WAYS + WITH_TOKENS + WITH_SEQUENCE,
    "gpt": WAYS + WITH_TOKENS,
    "scanned": WAYS + WITH_TOKENS,
    "llama": WAYS + WITH_TOKENS,
    "experts": WAYS[:4] + ["ep=8", "ep=2,tp=4", "dp=4,ep=2", "dp=4,ep=2,zero=2", "dp=1,ep=8,zero=3"],
}


def plan(path, machine, asked):
    command = [MESHWRIGHT, "plan", str(path), "--machine", machine, "--as", asked, "--search", "none", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{asked}: {done.stderr}"
    found = json.loads(done.stdout)
    return found.get("plan", found)


def written(degrees):
    return ", ".join(f"{name}={degree}" for name, degree in degrees.items())


class Asked(unittest.TestCase):
    """One test per model; ways and machines are told apart in the messages."""

    def test_what_differs_is_said(self):
        found = plan(ROOT / "examples" / "gpt.mlir", "cpu8", "dp=8,zero=1")
        self.assertTrue(found["asked"].startswith("zero=1, amounts to zero=2: gradients are summed"), found["asked"])


def add_test(model):
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "step.mlir"
            path.write_text(MODELS[model]())
            for machine, ways in (("cpu8", WAYS_OF[model]), ("h100:2x4", WAYS_OF[model][:3]), ("a100:1x8", WAYS_OF[model][3:5])):
                for asked in ways:
                    with self.subTest(f"{asked} on {machine}"):
                        found = plan(path, machine, asked)
                        self.assertIsNone(found.get("asked"))
                        again = plan(path, machine, written(found["degrees"]))
                        self.assertEqual(again["degrees"], found["degrees"])
    setattr(Asked, f"test_{model}", test)


for model in MODELS:
    add_test(model)
