"""Compiled programs on XLA: what `meshwright compile` writes must give the recorded results on eight devices.

XLA is an engine that knows nothing of how the programs came about, so this checks both the partitioned programs and
that other tools can read them.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
import ring_bytes
from meshwright_xla import xla_client

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
MESHWRIGHT = os.environ["MESHWRIGHT"]


def meshwright(*arguments):
    done = subprocess.run([MESHWRIGHT, *arguments], capture_output=True, text=True, timeout=1500)
    if done.returncode != 0:
        command = " ".join(str(argument) for argument in arguments)
        raise AssertionError(f"`meshwright {command}` failed with {done.returncode}:\n{done.stdout}{done.stderr}")


class CompiledPrograms(unittest.TestCase):
    def check(self, example, *options):
        """Compiles an example for eight devices and compares its results on XLA with the recorded ones."""
        with tempfile.TemporaryDirectory() as folder:
            compiled = pathlib.Path(folder) / "compiled"
            meshwright("compile", EXAMPLES / f"{example}.mlir", "--machine", "cpu8", *options, "-o", compiled)
            command = [
                sys.executable, ROOT / "bench/run_on_xla.py", compiled,
                "--inputs", EXAMPLES / f"{example}.in.npz", "--expected", EXAMPLES / f"{example}.out.npz",
            ]
            done = subprocess.run(command, capture_output=True, text=True, timeout=1500)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_annotated(self):
        self.check("mlp_annotated")

    def test_planned(self):
        self.check("gpt")

    def test_planned_on_one_axis(self):
        self.check("gpt", "--mesh", "x=8")

    def test_planned_on_two_axes(self):
        self.check("gpt", "--mesh", "data=2,model=4")

    def test_planned_on_three_axes(self):
        self.check("gpt", "--mesh", "a=2,b=2,c=2")

    def test_collectives_in_flight(self):
        self.check("gpt", "--mesh", "data=2,model=4", "--async")

    def test_what_several_read_is_computed_once(self):
        """Without barriers, or if XLA dropped them, the sums of all layers would be computed in one kernel after another."""
        layers = 6
        sums = "".join(
            f"  %t{n} = stablehlo.tanh %x{n} : tensor<8x16xf32>\n"
            f"  %y{n} = stablehlo.dot_general %t{n}, %w, contracting_dims = [1] x [0] "
            f": (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>\n"
            f"  %x{n + 1} = stablehlo.add %x{n}, %y{n} : tensor<8x16xf32>\n" for n in range(layers)
        )
        program = (f"func.func @main(%x0: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {{\n{sums}"
                   f"  return %x{layers} : tensor<8x16xf32>\n}}\n")
        largest = (
            "import pathlib, re, sys, xla_engine\n"
            "xla_engine.prepare(8)\n"
            "hlo = xla_engine.hlo_text(xla_engine.load_local(pathlib.Path(sys.argv[1]).read_text(), 8))\n"
            "kernels = re.findall(r'^%fused_computation.*?^}', hlo, re.M | re.S)\n"
            "print(max(kernel.count(' add(') for kernel in kernels))\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            model, compiled = pathlib.Path(folder) / "model.mlir", pathlib.Path(folder) / "compiled"
            model.write_text(program)
            meshwright("compile", model, "--machine", "cpu8", "--mesh", "x=8", "-o", compiled)
            done = subprocess.run([sys.executable, "-c", largest, compiled / "program.mlir"], capture_output=True, text=True,
                                  timeout=1500, cwd=ROOT / "bench")
            self.assertEqual((done.returncode, done.stdout), (0, "1\n"), done.stderr)


    def test_barriers_stand_in_small_loops(self):
        """XLA makes one kernel of a loop on few bytes, and knows no code for a barrier in it."""
        for size, kept in ((8, True), (4096, True), (8, False)):
            own = "    %s = stablehlo.optimization_barrier %t : KIND\n" if kept else "    %s = stablehlo.abs %t : KIND\n"
            program = (
                "func.func @main(%a: KIND {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> KIND {\n"
                "  %zero = stablehlo.constant dense<0> : tensor<i32>\n  %one = stablehlo.constant dense<1> : tensor<i32>\n"
                "  %three = stablehlo.constant dense<3> : tensor<i32>\n"
                "  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, KIND\n  cond {\n"
                "    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                "    stablehlo.return %p : tensor<i1>\n  } do {\n    %t = stablehlo.tanh %x : KIND\n" + own +
                "    %u = stablehlo.multiply %s, %t : KIND\n    %v = stablehlo.cosine %u : KIND\n"
                "    %w = stablehlo.subtract %u, %v : KIND\n    %j = stablehlo.add %i, %one : tensor<i32>\n"
                "    stablehlo.return %j, %w : tensor<i32>, KIND\n  }\n  return %r#1 : KIND\n}\n"
            ).replace("KIND", f"tensor<{size}xf32>")
            with self.subTest(size=size, kept=kept), tempfile.TemporaryDirectory() as folder:
                model, compiled = pathlib.Path(folder) / "model.mlir", pathlib.Path(folder) / "compiled"
                inputs = pathlib.Path(folder) / "in.npz"
                np.savez(inputs, arg0=np.linspace(-1, 1, size, dtype=np.float32))
                model.write_text("sdy.mesh @mesh = <[\"x\"=8]>\n" + program)
                meshwright("compile", model, "--machine", "cpu8", "-o", compiled)
                # Those of the program stay, and those of the pass, of `%t` and `%u`, are not in small loops.
                expected = int(kept) + 2 * int(size > 8)
                self.assertEqual((compiled / "program.mlir").read_text().count("optimization_barrier"), expected)
                meshwright("run", compiled, "--engine", "xla", "--python", sys.executable, "--inputs", inputs,
                           "--compare", "whole")


class StartUp(unittest.TestCase):
    def test_passes_that_the_user_turns_off_stay_off(self):
        own = "cse_barrier_expander,small-while-loop-hoisting"
        for flags, wanted in (("", own), ("--xla_disable_hlo_passes=", own),
                              ("--xla_cpu_a=1 --xla_disable_hlo_passes=algsimp,dce", f"algsimp,dce,{own}")):
            with self.subTest(flags), mock.patch.dict(os.environ, XLA_FLAGS=flags):
                self.assertEqual(xla_client.options_on_cpus()["xla_disable_hlo_passes"], wanted)

    def test_what_the_user_says_of_the_library_for_fusions_holds(self):
        name = "xla_cpu_experimental_ynn_fusion_type"
        for flags, is_ours in (("", True), (f"--{name}=", False), (f"--xla_cpu_a=1 --{name}=LIBRARY_FUSION_TYPE_DOT", False)):
            with self.subTest(flags), mock.patch.dict(os.environ, XLA_FLAGS=flags):
                self.assertEqual(name in xla_client.options_on_cpus(), is_ours)

    def test_what_an_installed_jax_lacks_is_said_at_once(self):
        xla_client.check()
        for place, name in ((xla_client.manual, "spread"), (xla_client, "_load_kernels"), (xla_client, "_coordinator"),
                            (xla_client, "load")):
            with (mock.patch.object(place, name, side_effect=AttributeError("gone")),
                  self.assertRaisesRegex(xla_client.Unsuitable, "does not fit: AttributeError: gone; install jax==")):
                xla_client.check()


class RingBytes(unittest.TestCase):
    def test_an_annotated_program_sends_no_more_than_by_hand(self):
        with tempfile.TemporaryDirectory() as folder:
            local = pathlib.Path(folder) / "local.mlir"
            meshwright("partition", EXAMPLES / "mlp_annotated.mlir", "-o", local)
            by_hand = ring_bytes.count((ROOT / "tests/python/mlp_local/program.mlir").read_text())
            self.assertLessEqual(ring_bytes.count(local.read_text())["ring_bytes"], by_hand["ring_bytes"])
