"""Fates of values, and plans for several limits on memory, in the Python package `meshwright`."""
from package import Program


class Frontier(Program):
    def test_plans_say_what_becomes_of_values_and_how_time_goes_with_memory(self):
        found = self.program("""
            params, x = mlp(64)
            def wide(params, x):
                return jax.value_and_grad(lambda params: step(params, x)[1])(params)
            plan = mw.plan(wide, (params, x), machine="cpu8:1", recompute="full")
            again = next(entry["value"] for entry in plan.json["policies"] if entry["policy"] == "recompute")
            rows = mw.frontier(wide, (params, x), machine="cpu8:2")
            two = mw.frontier(wide, (params, x), machine="cpu8:2", memory_limit="1MiB,2MiB")
            def refused(make):
                try:
                    make()
                except mw.OptionError as problem:
                    return str(problem)
            print(json.dumps([plan.explain(again), plan.explain("x"), rows, two, [
                refused(lambda: plan.explain("nothing like it")),
                refused(lambda: mw.plan(wide, (params, x), machine="cpu8:2", memory_limit="sweep")),
                refused(lambda: mw.plan("missing.mlir", machine="cpu8")),
                refused(lambda: mw.plan("missing.json", machine="cpu8")),
            ]]))
        """)
        again, given, rows, two, refused = found
        self.assertIn("made again in the backward pass", again)
        self.assertIn("an argument, there from the start", given)
        self.assertEqual(sorted(row["peak_bytes"] for row in rows), [row["peak_bytes"] for row in rows])
        self.assertTrue(all(row["fits"] and row["total_seconds"] > 0 for row in rows))
        self.assertEqual([row["limit_bytes"] for row in two], [2**20, 2**21])
        self.assertIn("names like it are", refused[0])
        self.assertIn("`meshwright.frontier` takes what `plan` takes", refused[1])
        for said in refused[2:]:
            self.assertIn("error[file]: there is no such file\n--> missing", said)
