"""`stages=` in the Python package: pipelines that are planned, checked, saved and then run as folders."""
import unittest

from package import ROOT, Program

# Four layers, so that there are four stages to be made.
STEP = """
def deep():
    random = np.random.default_rng(0)
    draw = lambda *shape: (0.3 * random.standard_normal(shape)).astype(np.float32)
    params = {"layers": [{"w1": draw(8, 16), "w2": draw(16, 8)} for _ in range(4)]}
    return params, draw(32, 8)

params, x = deep()
"""

# Two hosts with slow links between them.
HOSTS = """
name = "hosts"
description = "Two hosts"
source = "Assumed."
[device]
name = "one core"
platform = "cpu"
flops_efficiency = 0.7
memory = "2 GiB"
memory_bandwidth = "4 GB/s"
memory_efficiency = 0.8
launch_overhead = "1 us"
collective_overhead = "1 us"
[device.flops]
f64 = "20 GFLOP/s"
f32 = "40 GFLOP/s"
bf16 = "10 GFLOP/s"
[[levels]]
name = "memory"
kind = "switch"
size = 2
bandwidth = "2 GB/s"
efficiency = 0.8
latency = "1 us"
[[levels]]
name = "network"
kind = "switch"
size = 2
bandwidth = "20 MB/s"
efficiency = 0.8
latency = "5 us"
"""


class Stages(Program):
    def test_a_step_in_stages_computes_what_it_computed(self):
        found = self.program(STEP, """
            seen = []
            for stages, microbatches, schedule, more in [
                (2, 4, None, {}), (4, 4, "zb-h1", {}), (2, 4, "zb-v", {}), (2, 4, "search", {}),
                (2, 4, "interleaved-1f1b", {"virtual_stages": 2}), (2, 2, "1f1b", {"mesh": {"data": 2}}),
                (2, 4, "gpipe", {"recompute": "full"}),
            ]:
                plan = mw.plan(step, (params, x), machine=f"cpu8:{stages * 2 if 'mesh' in more else stages}", donate=(0,),
                               stages=stages, microbatches=microbatches, schedule=schedule, **more)
                check = plan.check(params, x)
                assert check, str(check)
                assert plan.json["parallelism"][0] == f"pipeline parallel over {stages}", plan.json["parallelism"]
                seen.append(len(plan.json["stages"]) + 1)
            print(json.dumps(seen))
        """)
        self.assertEqual(found, [2, 4, 4, 4, 4, 2, 2])

    def test_inference_becomes_a_pipeline_of_forward_passes(self):
        found = self.program(STEP, """
            def forward(params, x):
                for layer in params["layers"]:
                    x = jnp.tanh(x @ layer["w1"]) @ layer["w2"]
                return x

            plan = mw.plan(forward, (params, x), machine="cpu8:4", stages=4, microbatches=4)
            assert plan.check(params, x)
            print(json.dumps(plan.json["schedule"]))
        """)
        self.assertEqual(found[0], "0F0 0F1 0F2 0F3")

    def test_a_plan_is_simulated(self):
        found = self.program(STEP, """
            plan = mw.plan(step, (params, x), machine="cpu8:4", donate=(0,), stages=4, microbatches=8)
            own = mw.simulate(plan)
            other = mw.simulate(plan.json, schedule="zb-h1", microbatches=16, slow={1: 2.0}, link_bandwidth=0.5)
            assert abs(own.json["step_seconds"] / plan.json["predicted"]["total_seconds"] - 1) < 1e-12
            assert other.json["step_seconds"] > own.json["step_seconds"] == other.json["planned_step_seconds"]
            assert other.svg.startswith("<svg") and other.trace["traceEvents"] and "bubble" in str(other)
            try:
                mw.simulate(plan, schedule="zb-v")
            except mw.OptionError as error:
                print(json.dumps(str(error)))
        """)
        self.assertIn('plan again with `schedule="zb-v"`', found)

    def test_tables_are_made_checked_and_simulated(self):
        found = self.program("""
            import json, pathlib
            import meshwright as mw

            made = mw.schedule("zb-h1", stages=4, microbatches=8, costs=(3, 3, 2, 0.1))
            assert str(made) == made.table and made.svg.startswith("<svg") and "bubble" in made.text
            pathlib.Path("own.schedule").write_text(made.table)
            checked = mw.schedule("own.schedule")
            assert checked.table == made.table and checked.json["groups"] == 4
            own = mw.simulate("own.schedule", costs=(3, 3, 2, 0.1))
            assert own.json["step_seconds"] == made.json["step_seconds"] == mw.simulate(made, costs=(3, 3, 2, 0.1)).json["step_seconds"]
            assert mw.schedule("search", stages=4, microbatches=8).json["step_seconds"] > 0

            def refused(make):
                try:
                    make()
                except mw.OptionError as error:
                    return str(error)

            print(json.dumps([
                refused(lambda: mw.schedule("zb-h2000", stages=4, microbatches=8)),
                refused(lambda: mw.schedule("1f1b", stages=4)),
                refused(lambda: mw.schedule("interleaved-1f1b", stages=4, microbatches=6)),
                refused(lambda: mw.schedule("own.schedule", stages=4)),
                refused(lambda: mw.schedule("own.schedule", keep=2)),
                refused(lambda: mw.simulate("own.schedule", slow={9: 2.0})),
                refused(lambda: mw.simulate("own.schedule", microbatches=4)),
                refused(lambda: mw.schedule("1f1b", stages=4, microbatches=8, costs=(1, 2))),
            ]))
        """)
        for text, part in zip(found, [
            "there is no schedule `zb-h2000`", "stages=4, microbatches=8", "`microbatches=4`", "says its `stages`",
            "keeps 4 microbatches at once", "there is no group 9", "`mw.schedule` makes another one", "give seconds",
        ], strict=True):
            self.assertIn(part, text)

    def test_a_folder_runs_and_a_plan_comes_back(self):
        found = self.program(STEP, """
            import pathlib, subprocess, sys
            from jax import export

            program = export.export(jax.jit(step, donate_argnums=0))(params, x)
            table = pathlib.Path("own.schedule")
            table.write_text("0F0 0F1 0B0 0B1\\n1F0 1B0 1F1 1B1\\n")
            first = mw.compile(program, "cpu8:2", stages=2, microbatches=2, schedule=table)
            first.save("first")
            again = mw.compile(program, "cpu8:2", plan=json.dumps(first.json))
            assert again.json["stages"] == first.json["stages"] and again.json["schedule"] == first.json["schedule"]
            assert again.check(params, x)
            np.savez("in.npz", **{f"arg{at}": leaf for at, leaf in enumerate(jax.tree.leaves((params, x)))})
            done = subprocess.run([sys.executable, "-m", "meshwright", "run", "first", "--engine", "xla", "--processes", "2",
                                   "--platform", "cpu", "--inputs", "in.npz", "--outputs", "out.npz"],
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            out = np.load("out.npz")
            expected = jax.tree.leaves(jax.jit(step)(params, x))
            print(json.dumps(all(close(out[f"out{at}"], one) for at, one in enumerate(expected))))
        """)
        self.assertTrue(found)

    def test_the_best_of_several_numbers_is_taken(self):
        found = self.program(STEP, """
            def planned(**more):
                return mw.plan(step, (params, x), machine="cpu8:2", donate=(0,), **more)

            def seconds(plan):
                return plan.cost_summary()["total_seconds"]

            best = planned(stages="search", microbatches="search", schedule="search", recompute="search")
            one = planned(stages=2, microbatches=4)
            several = planned(stages=[2], microbatches="search", virtual_stages=1, schedule="gpipe")
            print(json.dumps([seconds(best), seconds(one), bool(several.check()), bool(best.check())]))
        """)
        self.assertLessEqual(found[0], found[1])
        self.assertEqual(found[2:], [True, True])

    def test_stages_are_looked_at_unasked_as_by_the_command(self):
        config = ROOT / "tests/data/models/tiny/llama.json"
        found = self.program(STEP + f"CONFIG, HOSTS = {str(config)!r}, {HOSTS!r}\n", """
            import pathlib, subprocess, sys

            config = json.loads(pathlib.Path(CONFIG).read_text())
            pathlib.Path("config.json").write_text(json.dumps({**config, "num_hidden_layers": 6}))
            machine = pathlib.Path("hosts.toml")
            machine.write_text(HOSTS)
            sizes = {"seq": 32, "global_batch": 16, "precision_recipe": "f32"}
            best = mw.plan("config.json", machine=machine, **sizes)
            whole = mw.plan("config.json", machine=machine, search="rest", **sizes)
            flags = [part for name, size in sizes.items() for part in (f"--{name.replace('_', '-')}", str(size))]
            done = subprocess.run([sys.executable, "-m", "meshwright", "plan", "config.json", "--machine", "hosts.toml", *flags,
                                   "-o", "plan.json"], capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            assert best.json == json.loads(pathlib.Path("plan.json").read_text())
            assert best.json["stages"] and best.check()
            assert best.json["predicted"]["total_seconds"] < whole.json["predicted"]["total_seconds"]
            assert "pipeline stages" in whole.json["not_searched"] and not whole.json.get("stages")
            try:
                best.in_shardings
            except mw.OptionError as error:
                several = str(error)
            # JAX calls one program.
            fast = mw.parallelize(step, machine=machine, devices=jax.devices()[:4])
            assert close(fast(params, x), step(params, x))
            assert "pipeline stages" in fast.plan.json["not_searched"]
            print(json.dumps([best.json["parallelism"][0], several]))
        """)
        self.assertEqual(found[0], "pipeline parallel over 2")
        self.assertIn('`search="rest"` plans one program', found[1])

    def test_what_pipelines_do_not_take_is_refused(self):
        found = self.program(STEP, """
            def refused(kind, **more):
                try:
                    mw.plan(step, (params, x), machine=more.pop("machine", "cpu8:2"), donate=(0,), **more)
                except kind as error:
                    return str(error)
                raise AssertionError(f"{more} is not refused")

            two = dict(stages=2, microbatches=4)
            # A table that was made is one, and needs no file.
            table = mw.schedule("gpipe", stages=2, microbatches=4)
            assert mw.plan(step, (params, x), machine="cpu8:2", donate=(0,), **two, schedule=table).json["schedule"]
            print(json.dumps([
                refused(mw.OptionError, stages=2),
                refused(mw.OptionError, stages="two", microbatches=4),
                refused(mw.OptionError, stages=2.5, microbatches=4),
                refused(mw.OptionError, schedule="1f1b"),
                refused(mw.OptionError, **two, schedule="2f2b"),
                refused(mw.OptionError, **two, schedule=__import__("pathlib").Path("nowhere.schedule")),
                refused(mw.OptionError, **two, tiles=2),
                refused(mw.OptionError, **two, microbatch_statistics="local"),
                refused(mw.OptionError, **two, simplest_within=0.1),
                refused(mw.OptionError, **two, recompute="search"),
                refused(mw.OptionError, stages=2, microbatches=5),
                refused(mw.ProgramError, stages=9, microbatches=16, machine="cpu8:9"),
                refused(mw.DoesNotFit, **two, memory_limit="1KiB"),
                refused(mw.DoesNotFit, stages="search", memory_limit="1KiB", machine="cpu8:4"),
                refused(mw.OptionError, **two, pins={"params*": ("data", None)}),
            ]))
        """)
        for text, part in zip(found, [
            "microbatches=8", "`stages`: `two` is not a number", "`stages` is 2.5", "by `stages` or by `pp`", "neither a name nor a table",
            "there is no such file",
            "`tiles` is not for pipelines", "`microbatch_statistics` is not for pipelines", "have no simplest plan",
            "is not searched", "does not divide into 5 microbatches",
            "cannot be cut into 9 stages", "more than the 1.0 KiB", "no pipeline fits", "need the mesh of each group",
        ], strict=True):
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()
