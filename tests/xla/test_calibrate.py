"""`meshwright calibrate`: a machine is measured, and plans can be made for it."""
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import tomllib
import unittest

from meshwright_xla import measure, xla_client
from meshwright_xla.state import Devices

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MESHWRIGHT = os.environ["MESHWRIGHT"]


def meshwright(*arguments):
    words = [MESHWRIGHT, *(str(argument) for argument in arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=1500)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Measured(unittest.TestCase):
    measures = True

    def test_plans_on_what_was_measured_are_calibrated(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = pathlib.Path(folder) / "here.toml"
            found = json.loads(meshwright("calibrate", "--devices", 4, "--processes", 2, "--platform", "cpu",
                                          "--longest", "0.001", "--python", sys.executable, "-o", machine, "--json"))
            kinds = {row["what"].split()[0] for row in found["measurements"]}
            self.assertLessEqual({"smallest", "product", "depthwise", "elementwise,", "all_reduce,", "collective_permute,"}, kinds)
            products = [row for row in found["measurements"] if row["what"].startswith("product")]
            self.assertGreater(len(products), 1)
            self.assertTrue(all(row["predicted"] > 0 for row in found["measurements"]))
            # Most are explained within a factor, on a busy machine too.
            factors = sorted(abs(math.log(row["predicted"] / row["seconds"])) for row in found["measurements"])
            self.assertLess(factors[len(factors) // 2], math.log(4), found["measurements"])
            text = machine.read_text()
            self.assertIn("calibrated = true", text)
            self.assertIn('platform = "cpu"', text)
            self.assertNotIn("[host]", text)
            self.assertIn('name = "across"', text)
            plan = meshwright("plan", ROOT / "examples/gpt.mlir", "--machine", machine)
            self.assertNotIn("uncalibrated", plan)


class Calibrate(unittest.TestCase):
    def test_what_cannot_be_measured_is_said_and_the_rest_goes_on(self):
        program = ("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{\n"
                   "  %b = {} %a : tensor<4xf32>\n  return %b : tensor<4xf32>\n}}\n")
        def measurement(family, op):
            return dict(family=family, counts=[1, 2], programs=[program.format(op)] * 2, arguments=[[[4], "f32"]])
        job = dict(processes=1, longest=10.0, measurements=[
            measurement("bad", "stablehlo.unheard_of"), measurement("bad", "stablehlo.negate"),
            measurement("good", "stablehlo.negate")])
        told = []
        class Line:
            def phase(self, name):
                pass
            def tell(self, event, **fields):
                told.append((event, fields))
        measure.run(job, Devices({"mesh": [dict(name="x", size=1)]}, xla_client.devices(1), 0), Line())
        self.assertEqual([(event, fields.get("index")) for event, fields in told],
                         [("device", None), ("unmeasured", 0), ("measured", 2), ("done", None)])
        self.assertIn("unheard_of", told[1][1]["why"])

    def test_without_a_number_cpu_devices_are_eight_and_ctrl_c_ends_it_without_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = pathlib.Path(folder) / "here.toml"
            run = subprocess.Popen([MESHWRIGHT, "calibrate", "--platform", "cpu", "--python", sys.executable, "-o", machine],
                                   stderr=subprocess.PIPE, text=True)
            said = run.stderr.readline()
            self.assertIn("measuring 8 devices (cpu): they share this host's cores; `--devices` takes another", said)
            run.send_signal(signal.SIGINT)
            _, said = run.communicate(timeout=1500)
            self.assertEqual(run.returncode, 130, said)
            self.assertIn("as asked: nothing was written", said)
            self.assertFalse(machine.exists())

    def test_flags_that_do_not_fit_are_refused(self):
        hosts = ("--coordinator", "127.0.0.1:1", "--hosts", "2", "--host-index", "5")
        for flags in (("--hang-timeout", "nan"), ("--longest", "nan"), ("--longest", "0"), hosts):
            done = subprocess.run([MESHWRIGHT, "calibrate", *flags], capture_output=True, text=True, timeout=1500)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(flags[-2], done.stderr)


if __name__ == "__main__":
    unittest.main()
