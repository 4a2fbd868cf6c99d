"""Plans, grids and exports of models by their config.json, through the Python package.

They are those of the command; how such a program is run is in `package.py`.
"""
import json
import os
import pathlib
import tempfile
import unittest

from package import ROOT, Program, run

TINY = ROOT / "tests" / "data" / "models" / "tiny" / "llama.json"
MESHWRIGHT = os.environ["MESHWRIGHT"]


def said(*words):
    """What the command says as JSON."""
    done = run([MESHWRIGHT, *map(str, words), "--json"])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Configurations(Program):
    def test_a_configuration_is_planned_as_by_the_command(self):
        found = self.program(f"""
            config = {str(TINY)!r}
            plan = mw.plan(config, machine="cpu8", seq=16, global_batch="128tok", precision_recipe="f32",
                           degrees={{"dp": 2, "tp": 4}}, search="none")
            refused = []
            for wrong in ({{}}, {{"global_batch": 8, "degrees": {{"tp": 3}}}}, {{"global_batch": 8, "allow": "tp>8"}},
                          {{"global_batch": 8, "pins": {{"w": (None,)}}}}, {{"global_batch": "many"}}):
                try:
                    mw.plan(config, machine="cpu8", **wrong)
                except mw.OptionError as problem:
                    refused.append(str(problem))
            try:
                mw.plan(step, mlp(), machine="cpu8", seq=16)
            except mw.OptionError as problem:
                refused.append(str(problem))
            import os, pathlib, tempfile
            with tempfile.TemporaryDirectory() as folder:
                huge = pathlib.Path(folder) / "config.json"
                huge.touch()
                os.truncate(huge, 1 << 31)
                try:
                    mw.plan(huge, machine="cpu8", global_batch=8)
                except mw.OptionError as problem:
                    refused.append(str(problem))
            import subprocess, sys
            script = f"mw.plan({{config!r}}, machine='cpu8', seq=16, global_batch=8, degrees=dict(dp=8), search='none')"
            script = f"import sys, meshwright as mw; {{script}}; print('jax' in sys.modules)"
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
            print(json.dumps([plan.json, refused, done.stdout or done.stderr]))
        """)
        plan, refused, reads_jax = found
        self.assertEqual(reads_jax, "False\n")
        wanted = said("plan", TINY, "--machine", "cpu8", "--seq", 16, "--global-batch", "128tok", "--precision-recipe",
                      "f32", "--as", "dp=2,tp=4", "--search", "none")
        self.assertEqual(plan["model"], wanted["model"])
        self.assertEqual(plan["mesh"], wanted["mesh"])
        self.assertEqual(plan["memory"], wanted["memory"])
        for text, part in zip(refused, ("no batch", "do not divide", "`tp>8` leaves no plan", "go with a JAX function",
                                        "`many` is no batch", "goes with the path", "no config.json has more than"), strict=True):
            self.assertIn(part, text)

    def test_a_grid_has_the_rows_of_the_command(self):
        found = self.program(f"""
            rows = mw.grid({str(TINY)!r}, "cpu8:4", seq=16, global_batch=8, degrees={{"tp": [1, 2]}}, allow="cp=1")
            print(json.dumps(rows))
        """)
        wanted = said("plan", TINY, "--machine", "cpu8:4", "--seq", 16, "--global-batch", 8, "--grid", "--tp", "1,2",
                      "--allow", "cp=1")
        self.assertEqual(found, wanted["rows"])

    def test_empty_lists_are_refused(self):
        refused = self.program(f"""
            config, of_step = {str(TINY)!r}, dict(machine="cpu8", seq=16, global_batch=8)
            refused = []
            for make, empty in ((mw.plan, dict(microbatches=[])), (mw.plan, dict(recompute=())), (mw.plan, dict(offload=[])),
                                (mw.grid, dict(recompute=[])), (mw.scaling, dict(microbatch_size=[]))):
                try:
                    make(config, **of_step, **empty)
                except mw.OptionError as problem:
                    refused.append(str(problem))
            print(json.dumps(refused))
        """)
        names = ("microbatches", "recompute", "offload", "recompute", "microbatch_size")
        for text, name in zip(refused, names, strict=True):
            self.assertIn(f"`{name}` is an empty list", text)

    def test_what_was_found_before_ctrl_c_is_kept(self):
        whole, so_far = self.program(f"""
            import os
            of_step = dict(seq=16, global_batch=[8, 16, 32], microbatches=1, degrees=dict(tp=[1, 2, 4], pp=1, cp=1, zero=0))
            grid = lambda: mw.grid({str(TINY)!r}, "cpu8", **of_step)
            # CPU time, so that it does not matter what else the machine does.
            start = time.process_time()
            rows = grid()
            whole = time.process_time() - start
            start = time.process_time()
            def interrupt():
                while time.process_time() < start + 0.4 * whole:
                    time.sleep(0.005)
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=interrupt, daemon=True).start()
            try:
                grid()
                raise SystemExit("nothing was interrupted")
            except KeyboardInterrupt as stopped:
                print(json.dumps([rows, stopped.so_far]))
        """)
        # How many there are by then is nobody's to say: rows are priced side by side.
        plans = [row for row in so_far if row["fits"]]
        for row in plans:
            self.assertIn(row, whole)
        self.assertLess(len(plans), len([row for row in whole if row["fits"]]))

    def test_of_several_plans_the_best_before_ctrl_c_is_kept(self):
        plans, so_far, nothing = self.program(f"""
            from meshwright import planning
            of_step = dict(machine="cpu8", seq=16, degrees=dict(dp=8), search="none")
            plans = {{batch: mw.plan({str(TINY)!r}, global_batch=batch, **of_step) for batch in (8, 16)}}
            # Ctrl-C at the third, which leaves nothing or a plan.
            def made(batch, stopped):
                if batch not in plans:
                    raise stopped
                return plans[batch]
            def left(batches, stopped):
                try:
                    planning.fastest(batches, lambda batch: made(batch, stopped))
                except KeyboardInterrupt as problem:
                    return getattr(problem, "so_far", None)
            in_hand = KeyboardInterrupt()
            in_hand.so_far = plans[16]
            so_far = [left([8, 16, 32], KeyboardInterrupt()), left([8, 32], in_hand)]
            print(json.dumps([[plan.json for plan in plans.values()], [plan.json for plan in so_far],
                              left([32], KeyboardInterrupt())]))
        """)
        best = max(plans, key=lambda plan: plan["model"]["sequences"] / plan["predicted"]["total_seconds"])
        self.assertNotIn("unfinished", best)
        for plan in so_far:
            self.assertEqual(plan, {**best, "unfinished": True})
        self.assertIsNone(nothing)

    def test_rows_have_their_layers_and_schedules_as_the_command_has(self):
        found = self.program(f"""
            config, of_step = {str(TINY)!r}, dict(seq=16, global_batch=32, allow="cp=1", degrees={{"tp": 1, "pp": 2}})
            rows = mw.grid(config, "cpu8", microbatches=4, layers="written-out", schedule="gpipe", **of_step)
            points = mw.scaling(config, "cpu8:{{4,8}}", microbatches=4, layers="written-out", **of_step)["points"]
            refused = []
            for wrong in (dict(layers="alike"), dict(schedule="fast")):
                try:
                    mw.grid(config, "cpu8", microbatches=4, **wrong, **of_step)
                except mw.OptionError as problem:
                    refused.append(str(problem))
            in_stages = dict(seq=16, global_batch=32, degrees={{"pp": 2}}, microbatches=4)
            plan = mw.plan(config, machine="cpu8:2", stage_layers=[2, 1], **in_stages)
            for layers in ([3], "2,1", [2, 2], [1, 1, 1]):
                try:
                    mw.plan(config, machine="cpu8:2", stage_layers=layers, **in_stages)
                except mw.OptionError as problem:
                    refused.append(str(problem))
            print(json.dumps([rows, points, plan.json["predicted"]["total_seconds"], refused]))
        """)
        rows, points, seconds, refused = found
        words = ["--seq", 16, "--global-batch", 32, "--tp", 1, "--pp", 2, "--allow", "cp=1", "--microbatches", 4, "--layers",
                 "written-out"]
        of_grid = said("plan", TINY, "--machine", "cpu8", "--grid", *words, "--schedule", "gpipe")
        self.assertEqual(rows, of_grid["rows"])
        self.assertIn("gpipe", {row.get("schedule") for row in rows})
        self.assertEqual(points, said("plan", TINY, "--machine", "cpu8:{4,8}", *words)["points"])
        words = ["--seq", 16, "--global-batch", 32, "--pp", 2, "--microbatches", 4, "--stage-layers", "2,1"]
        self.assertEqual(seconds, said("plan", TINY, "--machine", "cpu8:2", *words)["step_seconds"])
        parts = ("layers are", "a schedule has a name", *2 * ["give the layers of each stage"],
                 "are not those of 3 layers", "layers of 3 stages are said")
        for text, part in zip(refused, parts, strict=True):
            self.assertIn(part, text)

    def test_a_model_and_its_step_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            loss, wanted = folder / "loss.mlir", folder / "step.mlir"
            figures = said("model", TINY, "--seq", 16, "--global-batch", 8, "--tp", 2, "--dp", 4, "-o", loss)
            words = ["--wrt", "*.weight", "--optimizer", "adamw", "--lr", "3e-4", "--clip", "1.0", "--no-decay", "*norm*"]
            self.assertEqual(run([MESHWRIGHT, "grad", str(loss), *words, "-o", str(wanted)]).returncode, 0)
            shown = (ROOT / "docs" / "python.md").read_text().split('model = mw.model("config.json"')[1].split("```")[0]
            shown = 'model = mw.model("config.json"' + shown
            found = self.program(f"""
                import os
                os.chdir({str(folder)!r})
                os.symlink({str(TINY)!r}, "config.json")
                exec({shown!r})
                refused = []
                for wrong in ({{"wrt": "nothing"}}, {{"lr": 1.0}}, {{"optimizer": "adamw", "lr": -1.0}}, {{"optimizer": "adam"}}):
                    try:
                        mw.grad(model.program, **wrong)
                    except mw.Error as problem:
                        refused.append([type(problem).__name__, str(problem)])
                for wrong in ({{"layers": "rolled"}}, {{"machine": "cpu8"}}, {{"degrees": {{"pp": 2}}}}, {{"capacity_factor": 0.0}}):
                    try:
                        mw.model("config.json", seq=16, **wrong)
                    except mw.Error as problem:
                        refused.append([type(problem).__name__, str(problem)])
                by_path = mw.grad({str(loss)!r}, wrt=["*.weight"], of=0)
                print(json.dumps([model.program, model.figures, model.table, step, slowest["block"], refused, len(by_path)]))
            """)
            program, own, table, step, slowest, refused, size = found
            self.assertEqual(program, loss.read_text())
            self.assertEqual(own, figures)
            self.assertIn("A training step with", table)
            self.assertEqual(step, wanted.read_text())
            self.assertIn(slowest, [block["block"] for block in figures["sharded"]["by_block"]])
            self.assertGreater(size, len(program))
        parts = ("nothing", "`lr` is of a training step", "learning rate", "no optimizer `adam`", "rolled", "goes with degrees",
                 "stages", "no capacity")
        for (kind, text), part in zip(refused, parts, strict=True):
            self.assertIn(part, text)
            self.assertIn(kind, ("OptionError", "ProgramError"))

    def test_plans_are_checked_as_twins_and_with_weights(self):
        found = self.program(f"""
            import numpy as np
            of_step = dict(seq=16, global_batch=8, precision_recipe="f32", degrees={{"dp": 2, "tp": 4}}, search="none")
            plan = mw.plan({str(TINY)!r}, machine="cpu8", **of_step)
            twin = plan.check(shrink=True)
            refused = []
            for wrong in ({{"shrink": True, "weights": "there"}}, {{"weights": "/there/is/none"}}):
                try:
                    plan.check(**wrong)
                except mw.Error as problem:
                    refused.append(str(problem))
            print(json.dumps([twin.agrees, twin.twin, str(twin), refused]))
        """)
        agrees, twin, text, refused = found
        self.assertTrue(agrees)
        self.assertEqual([axis["name"] for axis in twin["axes"]], [axis["name"] for axis in said(
            "check", TINY, "--machine", "cpu8", "--seq", 16, "--global-batch", 8, "--precision-recipe", "f32", "--as",
            "dp=2,tp=4", "--search", "none", "--shrink")["twin"]["axes"]])
        self.assertIn("unproven", text)
        self.assertIn("other shapes", refused[0])
        self.assertIn("no such folder", refused[1])

    def test_of_listed_microbatches_the_fastest_is_taken(self):
        found = self.program(f"""
            config = dict(seq=16, global_batch=16, degrees={{"tp": 2, "dp": 4}})
            listed = mw.plan({str(TINY)!r}, machine="cpu8", search="none", microbatches=[1, 2], recompute=["none", "full"],
                             **config)
            each = [mw.plan({str(TINY)!r}, machine="cpu8", search="none", microbatches=count, recompute=again, **config)
                    for count in (1, 2) for again in ("none", "full")]
            rows = mw.grid({str(TINY)!r}, "cpu8", microbatches=[1, 2], **config)
            seconds = [plan.json["predicted"]["total_seconds"] for plan in [listed, *each]]
            print(json.dumps([seconds, [row["asked"] for row in rows]]))
        """)
        (taken, *each), asked = found
        self.assertEqual(taken, min(each))
        self.assertEqual(set(asked), {"1 microbatch", "2 microbatches"})

    def test_steps_run_from_a_checkpoint_to_a_checkpoint(self):
        with tempfile.TemporaryDirectory() as scratch:
            found = self.program(f"""
                import os
                os.chdir({scratch!r})
                plan = mw.plan({str(TINY)!r}, machine="cpu8", seq=16, global_batch=8, precision_recipe="f32",
                               degrees={{"dp": 2, "tp": 4}}, search="none")
                random = np.random.default_rng(0)
                def drawn(argument):
                    shape = tuple(argument["shape"])
                    if argument["role"] == "parameter":
                        return (0.1 * random.standard_normal(shape)).astype(np.float32)
                    if argument["role"] == "data":
                        return random.integers(0, 64, shape).astype(np.int32)
                    return np.zeros(shape, np.int32 if argument["element"] == "i32" else np.float32)
                every = plan.json["arguments"]
                first = [drawn(argument) for argument in every]
                of = lambda role: [at for at, argument in enumerate(every) if argument["role"] == role]
                data = [first[at] for at in of("data")]
                once = plan.run(*first, save_weights="one")
                begun = list(first)
                for at in of("parameter"):
                    begun[at] = once[at]
                wanted = plan.run(*begun, steps=2)
                again = plan.run(*data, steps=2, weights="one", save_weights="two")
                refused = []
                for wrong in (lambda: plan.run(*first, save_weights="one"), lambda: plan.run(*first, steps=0),
                              lambda: plan.run(*first, weights="one"), lambda: plan.run(*data, weights="none"),
                              lambda: plan.run(*(99 + each for each in data), weights="one"),
                              lambda: plan.check(*(each - 99 * (at in of("data")) for at, each in enumerate(first)))):
                    try:
                        wrong()
                    except mw.Error as problem:
                        refused.append(str(problem))
                plan.run(*data, weights="two", save_weights="one", force=True)
                same = [bool(np.array_equal(a, b)) for a, b in zip(again, wanted, strict=True)]
                print(json.dumps([same, float(once[-1]), float(again[-1]), refused, sorted(os.listdir("two"))]))
            """)
        same, before, after, refused, files = found
        self.assertTrue(all(same))
        self.assertLess(after, before)
        self.assertEqual(files, ["model.safetensors"])
        parts = ("of this name", "none to run", "arg", "no such folder", "but the model has", "from 0 on")
        for text, part in zip(refused, parts, strict=True):
            self.assertIn(part, text)

    def test_a_curve_has_the_points_of_the_command(self):
        found = self.program(f"""
            print(json.dumps(mw.scaling({str(TINY)!r}, "h100:{{1,2}}x4", seq=16, global_batch=[32, 64],
                                        degrees={{"tp": [1, 2], "pp": 1, "zero": 1}}, allow="cp=1",
                                        microbatch_size=[4, 8])))
        """)
        words = ["--seq", 16, "--global-batch", "32,64", "--tp", "1,2", "--pp", 1, "--zero", 1, "--allow", "cp=1",
                 "--microbatch-size", "4,8"]
        wanted = said("plan", TINY, "--machine", "h100:{1,2}x4", *words)
        own = [{key: value for key, value in point.items() if key != "asked"} for point in found["points"]]
        self.assertEqual(own, [{key: value for key, value in point.items() if key != "asked"} for point in wanted["points"]])

    def test_a_curve_says_what_is_no_machine_and_refuses_budgets_without_a_price(self):
        found = self.program(f"""
            of_step = dict(seq=16, global_batch=64, degrees={{"tp": 1, "pp": 1}}, allow="cp=1")
            points = mw.scaling({str(TINY)!r}, "h100:1x{{4,16}}", **of_step)["points"]
            refused = []
            for machine, more in (("h100:1x{{12,16}}", {{}}), ("h100:{{1,2}}x8", dict(tokens=1e12, budget_dollars=1))):
                try:
                    mw.scaling({str(TINY)!r}, machine, **of_step, **more)
                except mw.OptionError as problem:
                    refused.append(str(problem))
            print(json.dumps([points, refused]))
        """)
        (point, missing), refused = found
        self.assertTrue(point["fits"])
        self.assertEqual([missing["fits"], missing["devices"]], [False, 16])
        self.assertIn("joins at most 8 units", missing["reason"])
        for text, part in zip(refused, ("joins at most 8 units, not 12", "`budget_dollars`: h100:1x8 has no price"), strict=True):
            self.assertIn(part, text)

    def test_attention_is_written_as_calls_of_a_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            wanted = pathlib.Path(folder, "model.mlir")
            words = ["--seq", "16", "--precision-recipe", "bf16", "--kernels", "on"]
            self.assertEqual(run([MESHWRIGHT, "model", str(TINY), *words, "-o", str(wanted)]).returncode, 0)
            found = self.program(f"""
                model = mw.model({str(TINY)!r}, seq=16, precision_recipe="bf16", kernels=True)
                try:
                    mw.model({str(TINY)!r}, seq=16, kernels=True, machine="cpu8")
                except mw.OptionError as problem:
                    print(json.dumps([model.program, str(problem)]))
            """)
            self.assertEqual(found[0], wanted.read_text())
            self.assertIn("no kernel for attention", found[1])

    def test_scans_are_calls_of_a_kernel_where_the_machine_has_one(self):
        config = TINY.parent / "mamba2.json"
        found = self.program(f"""
            config = {str(config)!r}
            of_step = dict(seq=24, global_batch=16)
            plans = [mw.plan(config, machine=machine, degrees={{"dp": 2}}, search="none", kernels=kernels, **of_step)
                     for machine, kernels in (("h100:1x2", True), ("h100:1x2", False), ("cpu8:2", True))]
            rows = mw.grid(config, "h100:1x2", degrees={{"dp": 2}}, **of_step)
            points = mw.scaling(config, "h100:{{1..2}}x2", **of_step)["points"]
            print(json.dumps([[plan.json["model"] for plan in plans], rows[0]["step_seconds"], len(points)]))
        """)
        models, seconds, points = found
        self.assertEqual([model.get("scan_kernel") for model in models], ["mamba-ssm", None, None])
        row = said("plan", config, "--machine", "h100:1x2", "--seq", 24, "--global-batch", 16, "--grid", "--dp", 2)
        self.assertEqual(seconds, row["rows"][0]["step_seconds"])
        self.assertEqual(points, 2)

    def test_a_job_file_says_what_keywords_say(self):
        with tempfile.TemporaryDirectory() as scratch:
            found = self.program(f"""
                config, job = {str(TINY)!r}, {scratch!r} + "/job"
                step = dict(machine="cpu8", search="none")
                plan = mw.plan(config, seq=16, global_batch=8, precision_recipe="f32", degrees={{"dp": 8, "zero": 3}},
                               microbatches=1, **step)
                mw.export(plan, "torchtitan", config=config).save(job)
                again = mw.plan(config, job=job + "/job.toml", **step)
                refused = []
                for wrong in (dict(seq=8), dict(degrees={{"tp": 8}}), dict(global_batch=16)):
                    try:
                        mw.plan(config, job=job + "/job.toml", **wrong, **step)
                    except mw.Error as problem:
                        refused.append(str(problem))
                print(json.dumps([plan.json["degrees"], again.json["degrees"], again.json["model"], refused]))
            """)
        degrees, again, model, refused = found
        self.assertEqual(again, degrees)
        self.assertEqual([model["tokens_per_sequence"], model["sequences"], model["precision_recipe"]], [16, 8, "f32"])
        self.assertEqual(len(refused), 3)
        for text in refused:
            self.assertIn("contradicts", text)

    def test_a_plan_is_exported_as_by_the_command(self):
        with tempfile.TemporaryDirectory() as scratch:
            found = self.program(f"""
                config, scratch = {str(TINY)!r}, {scratch!r}
                plan = mw.plan(config, machine="cpu8", seq=16, global_batch=8, degrees={{"dp": 8, "zero": 3}}, search="none")
                job = mw.export(plan, "torchtitan", config=config)
                job.save(scratch + "/job")
                with open(scratch + "/plan.json", "w") as file:
                    json.dump(plan.json, file)
                again = mw.export(scratch + "/plan.json", "torchtitan", config=config)
                tensor = mw.plan(config, machine="cpu8", seq=16, global_batch=8, degrees={{"dp": 4, "tp": 2}}, search="none")
                again_some = mw.plan(config, machine="cpu8", seq=16, global_batch=8, degrees={{"dp": 8, "zero": 1}}, search="none",
                                     recompute="selective")
                with open(config) as file:
                    other = json.load(file)
                other["rope_theta"] = 2.0 * other.get("rope_theta", 1e4)
                with open(scratch + "/other.json", "w") as file:
                    json.dump(other, file)
                refused = []
                for wrong in (lambda: mw.export(plan, "tensorboard"), lambda: mw.export(tensor, "torchtitan", config=config),
                              lambda: mw.export(scratch + "/missing.json", "jax"), lambda: job.save(scratch + "/job"),
                              lambda: mw.export(plan, "torchtitan", config=scratch + "/plan.json"),
                              lambda: mw.export(plan, "torchtitan", config=scratch + "/other.json")):
                    try:
                        wrong()
                    except mw.Error as problem:
                        refused.append(str(problem))
                near = mw.export(tensor, "torchtitan", config=config, nearest=True)
                with open(scratch + "/ours.toml", "w") as file:
                    file.write('base = "cpu8"\\nname = "ours"\\n')
                ours = mw.plan(config, machine=scratch + "/ours.toml", seq=16, global_batch=8, degrees={{"dp": 4, "tp": 2}},
                               search="none")
                prices = [mw.export(ours, "torchtitan", nearest=True, machine=machine).price
                          for machine in (None, scratch + "/ours.toml")]
                assert prices[0] is None and "leaves_out" in prices[1], prices
                print(json.dumps([job.files, again == job, job.degrees, refused, near.changes, mw.export_targets(), near.price,
                                  mw.export(again_some, "torchtitan", nearest=True).notes]))
            """)
            files, is_again, degrees, refused, changes, targets, price, notes = found
            self.assertIn("Selective recomputation keeps", " ".join(notes))
            said("export", f"{scratch}/plan.json", "--to", "torchtitan", "--config", TINY, "-o", f"{scratch}/wanted")
            wanted = {path.name: path.read_text() for path in pathlib.Path(scratch, "wanted").iterdir()}
            written = {path.name: path.read_text() for path in pathlib.Path(scratch, "job").iterdir()}
            self.assertEqual(files, wanted)
            self.assertEqual(written, wanted)
            self.assertTrue(is_again)
            self.assertIn("zero=3", degrees)
            self.assertIn("torchtitan", targets)
            for text, part in zip(refused, ("there is no target `tensorboard`", "cannot run the plan", "there is no such file",
                                            "of this name", "config", "is the plan of another model"), strict=True):
                self.assertIn(part, text)
            self.assertTrue(changes)
            self.assertIsInstance(price["leaves_out"], list)


if __name__ == "__main__":
    unittest.main()
