"""What plans are called, on training steps of many models that JAX annotated in the well-known ways, and their degrees."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

from training_steps import STEPS

MESHWRIGHT = os.environ["MESHWRIGHT"]


def plan_of(text):
    """The plan of an annotated program when nothing is searched."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "step.mlir"
        path.write_text(text)
        command = [MESHWRIGHT, "plan", str(path), "--machine", "cpu8", "--search", "none", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return found.get("plan", found)


class Names(unittest.TestCase):
    """One test per model; its styles are told apart in the messages."""


def add_test(model):
    def test(self):
        for step, (text, expected) in STEPS.items():
            if step.split("/")[0] == model:
                with self.subTest(step):
                    plan = plan_of(text())
                    self.assertEqual(", ".join(plan["parallelism"]), expected)
                    devices = math.prod(plan["degrees"][degree] for degree in ("dp", "tp", "cp", "ep"))
                    self.assertEqual(devices, 1 if "replicated" in expected else 8)
    setattr(Names, f"test_{model}", test)


for model in dict.fromkeys(step.split("/")[0] for step in STEPS):
    add_test(model)
