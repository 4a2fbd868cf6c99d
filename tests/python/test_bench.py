"""The scripts of `bench/` as commands, on a program that was partitioned by hand, and the committed examples."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLES = ROOT / "examples"


def run(script, *arguments):
    command = [sys.executable, ROOT / script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=1500)


def run_on_xla(folder):
    inputs, expected = EXAMPLES / "mlp_annotated.in.npz", EXAMPLES / "mlp_annotated.out.npz"
    return run("bench/run_on_xla.py", folder, "--inputs", inputs, "--expected", expected)


class CheckMatrix(unittest.TestCase):
    def test_what_contradicts_the_table_of_passes_is_told(self):
        sys.path.insert(0, str(ROOT / "bench"))
        self.addCleanup(sys.path.remove, str(ROOT / "bench"))
        import check_matrix

        known, contradicted = check_matrix.known, check_matrix.contradicted
        names = ("gpt_megatron", "gpt_L24_megatron", "full32_scan_B16", "llama_loss", "own")
        self.assertEqual([known(pathlib.Path(f"{name}.mlir")) for name in names], ["gpt", "gpt", "full32_scan", None, None])
        reason = "2 microbatches would need {} passes over the batch"
        for name, group, answer, allowed, is_right in [
            ("gpt", "one device", ("holds", 0.0, 1), 2, True),
            ("gpt", "tiles", ("holds", 0.0, 2), 2, False),
            ("gpt", "one device", ("refused", "no batch", 3), 2, False),
            ("gpt", "tiles", ("refused", "nothing has such a dim", 0), 2, True),
            ("masked", "ZeRO", ("holds", 0.0, 2), 1, True),
            ("contrastive", "one device", ("holds", 0.0, 3), 3, True),
            ("contrastive", "one device", ("holds", 0.0, 3), 2, False),
            ("bn", "one device", ("refused", reason.format(17), 9), 2, True),
            ("bn", "one device", ("refused", reason.format(17), 0), 2, False),
            ("bn", "one device", ("refused", reason.format(9), 9), 2, False),
            ("bn", "local", ("holds", 0.0, 1), 2, True),
            (None, "one device", ("refused", "no batch", 0), 2, True),
        ]:
            with self.subTest(name=name, answer=answer):
                self.assertEqual(contradicted(name, group, answer, allowed) is None, is_right)

    def test_answers_that_are_recorded_are_not_asked_again(self):
        sys.path.insert(0, str(ROOT / "bench"))
        self.addCleanup(sys.path.remove, str(ROOT / "bench"))
        from check_matrix import Records

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows"
            answer = ("holds", 1e-16, 1)
            self.assertEqual(Records(path).of("gpt", "2", lambda: answer), answer)
            self.assertEqual(Records(path).of("gpt", "2", lambda: self.fail("it is known")), answer)


class RunOnXla(unittest.TestCase):
    def test_a_right_program_agrees(self):
        done = run_on_xla(HERE / "mlp_local")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("4 of 4 results agree", done.stdout)

    def test_a_wrong_program_differs(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            shutil.copytree(HERE / "mlp_local", folder, dirs_exist_ok=True)
            program = (folder / "program.mlir").read_text()
            # The gradients are summed over the wrong devices.
            wrong = program.replace("[[0, 4], [1, 5], [2, 6], [3, 7]]", "[[0, 5], [1, 4], [2, 6], [3, 7]]")
            self.assertNotEqual(program, wrong)
            (folder / "program.mlir").write_text(wrong)
            done = run_on_xla(folder)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertEqual(done.stdout.count("DIFFERS"), 3, done.stdout)

    def test_a_manifest_that_does_not_fit_is_the_inputs_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            shutil.copytree(HERE / "mlp_local", folder, dirs_exist_ok=True)
            manifest = json.loads((folder / "manifest.json").read_text())
            manifest["arguments"][0]["sharding"] = [["expert"]]
            (folder / "manifest.json").write_text(json.dumps(manifest))
            done = run_on_xla(folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("no axis expert", done.stderr)
            (folder / "manifest.json").unlink()
            self.assertEqual(run_on_xla(folder).returncode, 1)


class Collectives(unittest.TestCase):
    def test_xla_runs_what_the_text_says(self):
        done = run("bench/collectives.py", HERE / "loop.mlir", "--local")
        self.assertEqual(done.returncode, 0, done.stderr)
        counted = run("bench/ring_bytes.py", HERE / "loop.mlir", "--json")
        self.assertEqual(counted.returncode, 0, counted.stderr)
        report, text = json.loads(done.stdout), json.loads(counted.stdout)
        self.assertEqual(report["collectives"], text["collectives"])

    def test_partitioned_by_xla(self):
        done = run("bench/collectives.py", EXAMPLES / "mlp_annotated.mlir", "--steps", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        # Three gradients and the loss over `data`, an activation of 8x16 over `model`, as by hand.
        self.assertEqual(report["ring_bytes"], 4 * (16 + 16 * 16 + 32 * 16 + 1) + 4 * 8 * 16 * 3 // 2)
        self.assertGreater(report["step_ms"], 0)

    def test_a_missing_file(self):
        done = run("bench/collectives.py", "no-such-file.mlir")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no-such-file.mlir", done.stderr)


class Plans(unittest.TestCase):
    def test_a_row_for_each_pair(self):
        pair = f"{EXAMPLES / 'gpt.mlir'}@cpu8"
        done = run("bench/plans.py", pair, "--meshwright", os.environ["MESHWRIGHT"])
        self.assertEqual(done.returncode, 0, done.stderr)
        row = done.stdout.splitlines()[-1]
        name, machine, _, _, _, gap, *styles = (cell.strip() for cell in row.strip("|").split("|"))
        self.assertEqual((name, machine), ("`gpt`", "`cpu8`"))
        # Bounds count one overhead for all that is sent at the end, of whatever kind it is.
        self.assertLess(float(gap.rstrip("%")), 10.0, row)
        self.assertTrue(all(float(time) >= 1.0 for time in styles), row)

    def test_what_does_not_fit(self):
        pair = f"{EXAMPLES / 'mlp_annotated.mlir'}@cpu8"
        done = run("bench/plans.py", pair, "--meshwright", os.environ["MESHWRIGHT"], "--memory-limit", "1KiB")
        self.assertEqual(done.returncode, 1)
        self.assertIn("does-not-fit", done.stderr)


class RealSteps(unittest.TestCase):
    def test_a_step_of_a_library_is_lowered_and_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            done = run("bench/real_step.py", "lower", "linen", folder, "--only", "experts")
            self.assertEqual(done.returncode, 0, done.stderr)
            known = json.loads((folder / "index.json").read_text())["experts"]
            self.assertTrue(known["curve"] and known["lines"] > 100, known)
            command = [os.environ["MESHWRIGHT"], "check", folder / "experts.mlir", "--mesh", "data=2,model=4"]
            command += ["--machine", "cpu8", "--search", "rest", "--int-range", "0..2"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=1500)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_library_that_is_not_there(self):
        done = run("bench/real_steps.py", "check", "torch")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no library `torch`", done.stderr)


def rows(done):
    """The cells of the rows of the table that a script printed."""
    lines = [line for line in done.stdout.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


class PlansInUse(unittest.TestCase):
    model = EXAMPLES / "gpt.mlir"

    def test_model_flops_are_those_that_jax_counts(self):
        done = run("bench/model_flops.py", "--meshwright", os.environ["MESHWRIGHT"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("| `"), 7, done.stdout)

    def test_growth_has_a_row_for_each_machine(self):
        machines = ["h100:1x2", "h100:2x2"]
        done = run("bench/plan_growth.py", self.model, "--machines", *machines, "--meshwright", os.environ["MESHWRIGHT"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row[1] for row in rows(done)], [f"`{machine}`" for machine in machines])

    def test_times_where_planning_is_hardest(self):
        with tempfile.TemporaryDirectory() as folder:
            small = pathlib.Path(folder) / "small.mlir"
            small.write_text("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  return %a : tensor<8xf32>\n}\n")
            done = run("bench/plan_times.py", small, small, small, "--meshwright", os.environ["MESHWRIGHT"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(rows(done)), 5, done.stderr)
        self.assertTrue(all(float(row[1]) >= 0 for row in rows(done)))

    def test_times_from_configurations_end_with_1_where_a_command_fails(self):
        # What is planned takes too long here: a command that answers at once stands for it.
        plan = {"mesh": [{"size": 8}, {"size": 8}], "predicted": {"total_seconds": 2.0}, "bound_seconds": 1.5}
        grid = {"rows": [{"fits": True, "pp": 2}, {"fits": True, "pp": 1}, {"fits": False, "pp": 1}]}
        with tempfile.TemporaryDirectory() as folder:
            command = pathlib.Path(folder) / "command"
            command.write_text(f"#!{sys.executable}\nimport json, sys\n"
                               "quantized = 'quantization_config' in json.load(open(sys.argv[2]))\n"
                               f"print(json.dumps({grid} if '--grid' in sys.argv else {plan}))\n"
                               "sys.exit(3 if quantized or 'h100:2048x8' in sys.argv else 0)\n")
            command.chmod(0o755)
            done = run("bench/plan_config_times.py", "--configs", ROOT / "tests/data/models/released", "--meshwright", command)
            one = run("bench/plan_config_times.py", "deepseek-v3", "--configs", ROOT / "tests/data/models/released",
                      "--meshwright", command)
        self.assertEqual((done.returncode, one.returncode), (1, 0), done.stderr + one.stderr)
        self.assertEqual(len(rows(done)), 4, done.stderr)
        self.assertEqual([row[-1] for row in rows(done) if "405b" not in row[0]],
                         ["8x8, 2000 ms, gap 25.00%"] * 2 + ["3 combinations, 2 of them plans, 1 of these pipelines"])
        self.assertEqual([row[0].split()[1] for row in rows(one)], ["deepseek-v3"])

    def test_pipelines_beside_plans_without_stages(self):
        with tempfile.TemporaryDirectory() as folder:
            small = pathlib.Path(folder) / "small.mlir"
            small.write_text("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  return %a : tensor<8xf32>\n}\n")
            done = run("bench/pipeline_plans.py", f"{small}@cpu8:2", "--meshwright", os.environ["MESHWRIGHT"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        [row] = rows(done)
        self.assertEqual((row[0], row[1], row[6], row[7]), ("`small`", "`cpu8:2`", "1.000", "none"))
        self.assertEqual(done.stdout.splitlines()[-1], "all aims are met")
        self.assertEqual(run("bench/pipeline_plans.py", "no_such_row").returncode, 2)

    def test_predicted_memory_is_near_that_of_xla(self):
        done = run("bench/plan_memory.py", f"{self.model}@cpu8", "--meshwright", os.environ["MESHWRIGHT"])
        self.assertEqual(done.returncode, 0, done.stderr)
        [row] = rows(done)
        ratio, copies, largest = row[-3:]
        self.assertTrue(0.5 < float(ratio) < 2, row)
        self.assertRegex(copies, r"^[0-9.]+ [KG]iB$")
        self.assertRegex(largest, r"^`[a-z].*` [a-z0-9]+\[[0-9,]*\] [0-9.]+ [KG]iB$")

    def test_ways_are_run_beside_the_plan(self):
        options = ["--machine", "cpu8", "--steps", "1", "--meshwright", os.environ["MESHWRIGHT"]]
        done = run("bench/plans_on_xla.py", self.model, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row[1] for row in rows(done)], ["plan", "dp", "fsdp", "megatron"])
        self.assertIn("of 6 pairs are predicted in the order", done.stdout)


class Examples(unittest.TestCase):
    def test_the_committed_examples_are_what_their_script_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("examples/make_examples.py", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            written = sorted(pathlib.Path(folder).iterdir())
            self.assertEqual(len(written), 6)
            for path in written:
                committed = EXAMPLES / path.name
                if path.suffix == ".mlir":
                    self.assertEqual(path.read_bytes(), committed.read_bytes(), path.name)
                    continue
                new, old = np.load(path), np.load(committed)
                self.assertEqual(new.files, old.files)
                for name in new.files:
                    # Results may round differently on another processor.
                    np.testing.assert_allclose(new[name], old[name], rtol=1e-4, atol=1e-6, err_msg=name)
