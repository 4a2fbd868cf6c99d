"""What plans are called, on training steps of many models that JAX annotated in the well-known ways."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from training_steps import STEPS

MESHWRIGHT = os.environ["MESHWRIGHT"]


def name_of(text):
    """What the plan of an annotated program is called when nothing is searched."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "step.mlir"
        path.write_text(text)
        command = [MESHWRIGHT, "plan", str(path), "--machine", "cpu8", "--search", "none", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return ", ".join(found.get("plan", found)["strategies"])


class Names(unittest.TestCase):
    """One test per model; its styles are told apart in the messages."""


def add_test(model):
    def test(self):
        for step, (text, expected) in STEPS.items():
            if step.split("/")[0] == model:
                with self.subTest(step):
                    self.assertEqual(name_of(text()), expected)
    setattr(Names, f"test_{model}", test)


for model in dict.fromkeys(step.split("/")[0] for step in STEPS):
    add_test(model)
