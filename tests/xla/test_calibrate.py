"""`meshwright calibrate`: a machine is measured, and plans can be made for it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MESHWRIGHT = os.environ["MESHWRIGHT"]


def meshwright(*arguments):
    words = [MESHWRIGHT, *(str(argument) for argument in arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Calibrate(unittest.TestCase):
    def test_plans_on_what_was_measured_are_calibrated(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = pathlib.Path(folder) / "here.toml"
            found = json.loads(meshwright("calibrate", "--devices", 4, "--processes", 2, "--platform", "cpu",
                                          "--longest", "0.001", "--python", sys.executable, "-o", machine, "--json"))
            kinds = {row["what"].split()[0] for row in found["measurements"]}
            self.assertLessEqual({"smallest", "product", "elementwise,", "all_reduce,", "collective_permute,"}, kinds)
            products = [row for row in found["measurements"] if row["what"].startswith("product")]
            self.assertGreater(len(products), 1)
            self.assertTrue(all(row["predicted"] > 0 for row in found["measurements"]))
            text = machine.read_text()
            self.assertIn("calibrated = true", text)
            self.assertIn('name = "across"', text)
            plan = meshwright("plan", ROOT / "examples/gpt.mlir", "--machine", machine)
            self.assertNotIn("uncalibrated", plan)

    def test_without_a_number_cpu_devices_are_eight(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = pathlib.Path(folder) / "here.toml"
            done = subprocess.run([MESHWRIGHT, "calibrate", "--platform", "cpu", "--longest", "1e-9", "--processes", "2",
                                   "--python", sys.executable, "-o", machine], capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("measuring 8 devices (cpu): they share this host's cores; `--devices` takes another", done.stderr)
            levels = [level["size"] for level in tomllib.loads(machine.read_text())["levels"]]
            self.assertEqual(sorted(levels), [2, 4])

    def test_flags_that_do_not_fit_are_refused(self):
        hosts = ("--coordinator", "127.0.0.1:1", "--hosts", "2", "--host-index", "5")
        for flags in (("--hang-timeout", "nan"), ("--longest", "nan"), ("--longest", "0"), hosts):
            done = subprocess.run([MESHWRIGHT, "calibrate", *flags], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(flags[-2], done.stderr)


if __name__ == "__main__":
    unittest.main()
