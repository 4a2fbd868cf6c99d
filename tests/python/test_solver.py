"""`meshwright solve` beside HiGHS (in SciPy), on random problems of middling size.

`MESHWRIGHT_PROBLEMS=1000` tries so many instead of 300.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

MESHWRIGHT = os.environ["MESHWRIGHT"]
COUNT = int(os.environ.get("MESHWRIGHT_PROBLEMS", "100"))
IMPOSSIBLE = 10**18


def draw(generator):
    """A problem like those of programs: a long chain with branches, some hubs, and memory that is short."""
    count = int(generator.integers(6, 30))
    sizes = generator.integers(1, 6, count)
    starts = np.sort(generator.integers(0, 3 * count, count))
    intervals = [[int(start), int(start + generator.integers(0, 12))] for start in starts]
    costs = [[int(cost) for cost in generator.integers(0, 100, size)] for size in sizes]
    usages = [[int(usage) for usage in generator.integers(0, 50, size)] for size in sizes]
    ends = [[node - 1, node] for node in range(1, count)]
    for _ in range(int(generator.integers(0, count))):
        a, b = (int(node) for node in generator.integers(0, count, 2))
        if a != b:
            ends.append([a, b])
    pairs = []
    for a, b in ends:
        table = generator.integers(0, 60, sizes[a] * sizes[b]) * generator.integers(0, 2, sizes[a] * sizes[b])
        pairs.append([IMPOSSIBLE if generator.random() < 0.03 else int(cost) for cost in table])
    least = np.zeros(4 * count + 12)
    for (start, end), usage in zip(intervals, usages):
        least[start:end] += min(usage)
    limit = int(least.max() * generator.uniform(1.0, 1.6)) + 1
    return {"problem": {"name": "drawn", "nodes": {"intervals": intervals, "costs": costs, "usages": usages},
                        "edges": {"nodes": ends, "costs": pairs}, "usage_limit": limit}}


def least_cost(problem):
    """What HiGHS finds: a variable per strategy, and one per pair of strategies of each edge. `None`: no answer."""
    nodes, edges, limit = problem["nodes"], problem["edges"], problem["usage_limit"]
    costs, allowed, rows, low, high = [], [], [], [], []

    def variable(cost):
        costs.append(0 if cost >= IMPOSSIBLE else cost)
        allowed.append(cost < IMPOSSIBLE)
        return len(costs) - 1

    def constrain(terms, least, most):
        rows.append(terms)
        low.append(least)
        high.append(most)

    own = [[variable(cost) for cost in strategies] for strategies in nodes["costs"]]
    for strategies in own:
        constrain([(variable, 1) for variable in strategies], 1, 1)
    for (a, b), table in zip(edges["nodes"], edges["costs"]):
        pairs = [variable(cost) for cost in table]
        width = len(own[b])
        for s, of_a in enumerate(own[a]):
            constrain([(pairs[s * width + t], 1) for t in range(width)] + [(of_a, -1)], 0, 0)
        for t, of_b in enumerate(own[b]):
            constrain([(pairs[s * width + t], 1) for s in range(len(own[a]))] + [(of_b, -1)], 0, 0)
    for moment in sorted({start for start, _ in nodes["intervals"]}):
        alive = [node for node, (start, end) in enumerate(nodes["intervals"]) if start <= moment < end]
        constrain([(own[node][s], usage) for node in alive for s, usage in enumerate(nodes["usages"][node])], -np.inf, limit)
    entries = [(row, column, value) for row, terms in enumerate(rows) for column, value in terms]
    row, column, value = zip(*entries)
    matrix = coo_array((value, (row, column)), shape=(len(rows), len(costs))).tocsr()
    found = milp(costs, integrality=np.ones(len(costs)), bounds=Bounds(0, np.array(allowed, float)),
                 constraints=LinearConstraint(matrix, low, high), options={"mip_rel_gap": 0})
    return None if found.x is None else round(found.fun)


class Solver(unittest.TestCase):
    def test_answers_are_those_of_an_integer_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "problem.json"
            answered = 0
            for seed in range(COUNT):
                problem = draw(np.random.default_rng(seed))
                path.write_text(json.dumps(problem))
                done = subprocess.run([MESHWRIGHT, "solve", path, "--json"], capture_output=True, text=True, check=False)
                wanted = least_cost(problem["problem"])
                if wanted is None:
                    self.assertEqual(done.returncode, 3, f"seed {seed}: {done.stdout}{done.stderr}")
                    continue
                found = json.loads(done.stdout)
                self.assertEqual((found["cost"], found["reason"]), (wanted, "optimal"), f"seed {seed}")
                answered += 1
            self.assertGreater(answered, COUNT // 2)


if __name__ == "__main__":
    unittest.main()
