"""`meshwright launch`: the shell reads the batch script, a YAML parser the manifest, and both run what they should."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MESHWRIGHT = os.environ["MESHWRIGHT"]

# What stands in for the cluster: two hosts, of which the second runs its part; what that is given is written down.
STAND_INS = {
    "scontrol": 'printf "first\\nsecond\\n"',
    "srun": 'shift; SLURM_PROCID=1 exec "$@"',
    "meshwright": 'printf "%s\\n" "$@" > "$TOLD"',
}


class Launch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="meshwright launch ")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def compiled(self, machine):
        """A folder whose plan is for a machine of two hosts with eight devices each."""
        folder = self.folder / machine.split(":")[0]
        self.meshwright("compile", ROOT / "examples/mlp_annotated.mlir", "--machine", "cpu8", "-o", folder)
        manifest, plan = (json.loads((folder / name).read_text()) for name in ("manifest.json", "plan.json"))
        manifest["num_devices"], plan["machine"] = 16, machine
        (folder / "manifest.json").write_text(json.dumps(manifest))
        (folder / "plan.json").write_text(json.dumps(plan))
        return folder

    def meshwright(self, *arguments, expected=0):
        done = subprocess.run([MESHWRIGHT, *map(str, arguments)], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done.stdout if expected == 0 else done.stderr

    def manifest(self, *arguments):
        """The container that a JobSet manifest runs, after what is around it was looked at."""
        manifest = yaml.safe_load(self.meshwright("launch", "--k8s", *arguments))
        [workers] = manifest["spec"]["replicatedJobs"]
        job = workers["template"]["spec"]
        self.assertEqual([manifest["kind"], job["completions"], job["parallelism"]], ["JobSet", 2, 2])
        [container] = job["template"]["spec"]["containers"]
        return container

    def test_the_shell_runs_the_batch_script(self):
        folder = self.compiled("h100:2x8")
        given = ["--inputs", "it's state.npz", "--steps", "1000"]
        script = self.meshwright("launch", folder, "--slurm", "--name", "job", "--", *given)
        for line in ("--nodes=2", "--gres=gpu:8", "--job-name=job"):
            self.assertIn(f"#SBATCH {line}\n", script)
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
        for name, text in STAND_INS.items():
            (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.folder / name).chmod(0o755)
        told = self.folder / "told"
        surroundings = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "SLURM_JOB_NODELIST": "two",
                        "TOLD": str(told)}
        subprocess.run(["bash"], input=script, text=True, check=True, env=surroundings, timeout=600)
        wanted = ["--engine", "xla", "--coordinator", "first:8476", "--hosts", "2", "--host-index", "1", *given]
        self.assertEqual(told.read_text().splitlines(), ["run", str(folder), *wanted])

    def test_what_run_would_refuse_is_refused_at_once(self):
        folder = self.compiled("h100:2x8")
        for given in (("--stepz", 5), ("--steps", "many"), ("another folder",)):
            self.assertIn("behind `--`", self.meshwright("launch", folder, "--slurm", "--", *given, expected=2))

    def test_a_name_is_one_that_the_scheduler_takes(self):
        folder = self.compiled("h100:2x8")
        for scheduler, name in (("--k8s", "Big_Job"), ("--k8s", "job-"), ("--slurm", "a b;rm"), ("--slurm", "")):
            self.assertIn("should be", self.meshwright("launch", folder, scheduler, "--name", name, expected=2))

    def test_devices_are_asked_for_as_the_machine_says(self):
        limits = {}
        for machine in ("h100:2x8", "mi300x:2x8", "tpu_v5e:4x4", "trainium2", "cpu8:16"):
            hosts = ("--hosts", 2) if machine.startswith(("cpu", "tpu", "trainium")) else ()
            folder = self.compiled(machine)
            container = self.manifest(folder, *hosts, "--image", "site/image:1", "--", "--inputs", "a b.npz")
            self.assertEqual(container["args"][:2] + container["args"][-4:],
                             ["run", str(folder), "--host-index", "$(JOB_COMPLETION_INDEX)", "--inputs", "a b.npz"])
            self.assertEqual(container["image"], "site/image:1")
            limits[machine.split(":")[0]] = container.get("resources", {}).get("limits")
        self.assertEqual(limits, {"h100": {"nvidia.com/gpu": 8}, "mi300x": {"amd.com/gpu": 8},
                                  "tpu_v5e": {"google.com/tpu": 8}, "trainium2": {"aws.amazon.com/neuron": 8}, "cpu8": None})
        self.assertNotIn("gres", self.meshwright("launch", self.folder / "cpu8", "--slurm", "--hosts", 2))

    def test_a_machine_that_is_not_known_needs_the_flag(self):
        folder = self.compiled("ours:2x8")
        flags = ("launch", folder, "--hosts", 2)
        self.assertIn("--hosts", self.meshwright("launch", folder, "--slurm", expected=2))
        for scheduler in ("--slurm", "--k8s"):
            self.assertIn("--resource", self.meshwright(*flags, scheduler, expected=2))
        self.assertIn("#SBATCH --gres=gpu:a100:8\n", self.meshwright(*flags, "--slurm", "--resource", "gpu:a100"))
        self.assertNotIn("gres", self.meshwright(*flags, "--slurm", "--resource", "none"))
        container = self.manifest(folder, "--hosts", 2, "--resource", "example.com/chip")
        self.assertEqual(container["resources"]["limits"], {"example.com/chip": 8})


if __name__ == "__main__":
    unittest.main()
