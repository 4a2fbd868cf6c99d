"""`meshwright run --engine xla` on folders of pipelines: groups of devices in one process, and in several.

Every test starts real workers on CPU devices. Nothing depends on how long a step takes; limits of time are far away.
"""
import atexit
import functools
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import numpy as np

from test_run import EXAMPLES, INPUTS, LONG, MESHWRIGHT, Run, alive, command, workers

PIPELINES = {
    # Four groups of one device, and gradients apart.
    "four": ("--machine", "cpu8:4", "--stages", 4, "--microbatches", 4, "--schedule", "zb-h1"),
    # Two groups of two devices.
    "pairs": ("--machine", "cpu8:4", "--stages", 2, "--microbatches", 2, "--mesh", "data=2"),
    # Two stages on each device.
    "interleaved": ("--machine", "cpu8:2", "--stages", 2, "--virtual-stages", 2, "--microbatches", 4, "--schedule",
                    "interleaved-1f1b"),
    # Two copies of the weights.
    "copies": ("--machine", "cpu8:2", "--stages", 2, "--microbatches", 4, "--schedule", "dualpipe"),
    # Groups with meshes of their own, of as many devices and of fewer.
    "unlike": ("--machine", "cpu8:4", "--stages", 2, "--microbatches", 2, "--stage-mesh", "data=2; model=2"),
    "fewer": ("--machine", "cpu8:6", "--stages", 2, "--microbatches", 2, "--stage-mesh", "data=2,model=2; data=2"),
    # No stages.
    "whole": ("--machine", "cpu8:2", "--mesh", "data=2"),
}


@functools.cache
def compiled(name):
    """The example compiled as one of the pipelines; the folder goes when the tests end."""
    scratch = tempfile.TemporaryDirectory()
    atexit.register(scratch.cleanup)
    folder = pathlib.Path(scratch.name) / "compiled"
    words = [MESHWRIGHT, "compile", EXAMPLES / "gpt.mlir", *PIPELINES[name], "-o", folder]
    subprocess.run(list(map(str, words)), check=True, capture_output=True, timeout=LONG)
    return folder


class Pipelines(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_to_end(self, *arguments, expected=0, **options):
        done = subprocess.run(command(*arguments, **options), capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done

    def losses(self, *arguments, **options):
        record = json.loads(self.run_to_end(*arguments, "--inputs", INPUTS, "--json", **options).stdout)
        return {step["step"]: list(step["values"].values()) for step in record["steps"]}

    def test_results_are_those_of_the_whole_program(self):
        expected = np.load(EXAMPLES / "gpt.out.npz")
        # Groups of one process, of two, and several in one.
        for name, each in (("four", (4,)), ("pairs", (4,)), ("interleaved", (2,)), ("copies", (1, 2)), ("unlike", (2,)),
                           ("fewer", (3,))):
            for processes in each:
                outputs = self.folder / f"{name}-{processes}.npz"
                done = self.run_to_end(compiled(name), "--processes", processes, "--inputs", INPUTS, "--outputs", outputs)
                found = np.load(outputs)
                for result in expected.files:
                    scale = np.max(np.abs(expected[result]), initial=1e-30)
                    error = np.max(np.abs(found[result] - expected[result]), initial=0.0) / scale
                    self.assertLess(error, 1e-4, (name, processes, result))
                self.assertRegex(done.stdout, r"group 1: at most .* on a device, .* predicted")

    def test_state_goes_on_in_any_other_plan(self):
        saved, passed_on = self.folder / "saved", self.folder / "passed-on"
        whole = self.losses(compiled("whole"), "--steps", 6)
        every = ("--checkpoint-every", 2)
        found = self.losses(compiled("four"), "--processes", 2, "--steps", 4, *every, saved)
        for step, values in found.items():
            np.testing.assert_allclose(values, whole[step], rtol=1e-5)
        # The same pipeline in as many processes goes on bit for bit.
        again = self.losses(compiled("four"), "--processes", 2, "--steps", 4, "--resume", saved / "step-000000002")
        self.assertEqual(again, {step: found[step] for step in (3, 4)})
        for name, options, engine in (("pairs", ("--processes", 2), "xla"), ("whole", ("--processes", 2), "xla"),
                                      ("unlike", ("--processes", 2), "xla"), ("interleaved", (*every, passed_on), "embedded")):
            found = self.losses(compiled(name), *options, "--steps", 6, "--resume", saved, engine=engine)
            self.assertEqual(sorted(found), [5, 6])
            for step, values in found.items():
                np.testing.assert_allclose(values, whole[step], rtol=1e-5)
        self.assertEqual(sorted(self.losses(compiled("copies"), "--processes", 2, "--steps", 8, "--resume", passed_on)), [7, 8])

    def test_a_killed_or_stopped_worker_is_named(self):
        for number, fault, reason in ((1, signal.SIGKILL, "it was killed"), (2, signal.SIGSTOP, "no sign of life")):
            saved = self.folder / f"saved-{number}"
            run = Run(compiled("four"), "--processes", 4, "--inputs", INPUTS, "--steps", 10**6, "--checkpoint-every", 2, saved,
                      "--hang-timeout", 8)
            run.wait_for("step 4 saved")
            found = workers(run)
            os.kill(found[number], fault)
            code, said, _ = run.end()
            self.assertEqual(code, 4, said)
            self.assertIn(f"worker {number} was lost", said)
            self.assertIn(reason, said)
            self.assertEqual(alive(found), {})
            newest = max(int(path.name.removeprefix("step-")) for path in saved.glob("step-*"))
            self.losses(compiled("four"), "--processes", 2, "--steps", newest + 1, "--resume", saved)

    def test_a_worker_that_is_stuck_is_named(self):
        hook, mark = self.folder / "hook", self.folder / "mark"
        hook.mkdir()
        (hook / "sitecustomize.py").write_text(
            "import os, sys, time\n"
            "real = time.perf_counter\n"
            "def perf_counter():\n"
            f"    while sys.orig_argv[-1] == '2' and os.path.exists({str(mark)!r}):\n"
            "        time.sleep(0.1)\n"
            "    return real()\n"
            "time.perf_counter = perf_counter\n")
        run = Run(compiled("four"), "--processes", 4, "--inputs", INPUTS, "--steps", 10**6, "--hang-timeout", 4,
                  env={**os.environ, "PYTHONPATH": str(hook)})
        run.wait_for("step 1 ")
        mark.touch()
        code, said, _ = run.end()
        self.assertEqual(code, 4, said)
        self.assertRegex(said, "worker 2 was lost in step .*(it does not go on with step|it is behind)")

    def test_splits_that_part_groups_are_refused(self):
        done = self.run_to_end(compiled("pairs"), "--processes", 3, "--inputs", INPUTS, expected=2)
        self.assertIn("does not divide the program's 4 devices", done.stderr)
        # Three groups of two devices in two processes.
        folder = self.folder / "three"
        words = [MESHWRIGHT, "compile", EXAMPLES / "gpt.mlir", "--machine", "cpu8:6", "--stages", "3", "--microbatches", "4",
                 "-o", folder]
        subprocess.run(list(map(str, words)), check=True, capture_output=True, timeout=LONG)
        done = self.run_to_end(folder, "--processes", 2, "--inputs", INPUTS, expected=2)
        self.assertIn("process 0 has parts of groups 0 and 1: a process has whole groups, or a group whole processes, as "
                      "with `--processes 1` or `--processes 3` or `--processes 6`", done.stderr)


if __name__ == "__main__":
    unittest.main()
