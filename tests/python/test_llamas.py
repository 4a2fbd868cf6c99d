"""`--as` on a Llama in the shapes in which people write it: what the same shardings as pins take, and what it is called."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

from llamas import SHAPES, SIZES, Llama, predicted

MESHWRIGHT = os.environ["MESHWRIGHT"]


def plan(model, *options):
    """Seconds, bytes and degrees of a plan without a search."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "step.mlir"
        path.write_text(model.text())
        return predicted(MESHWRIGHT, path, "--search", "none", *options)


class Llamas(unittest.TestCase):
    """One test per shape for Megatron, and one for shards of the state."""

    def test_stored_in_shards(self):
        model = Llama(SHAPES["train_stacked_fused_square"], SIZES["tiny"])
        degrees = plan(model, "--as", "dp=2,fsdp=4")[2]
        self.assertEqual((degrees["fsdp"], degrees["tp"]), (4, 1))


def add_test(shape):
    def test(self):
        model = Llama(shape, SIZES["tiny"])
        seconds, peak, degrees = plan(model, "--as", "tp=8")
        pinned_seconds, pinned_peak, _ = plan(model, "--mesh", "model=8", *model.pins())
        self.assertEqual(degrees["tp"], 8)
        self.assertLessEqual(seconds, 1.02 * pinned_seconds)
        self.assertLessEqual(peak, 1.02 * pinned_peak)
    setattr(Llamas, f"test_{shape.name}", test)


for shape in SHAPES.values():
    add_test(shape)
