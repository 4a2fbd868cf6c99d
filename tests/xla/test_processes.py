"""Several processes that plan together with the Python package: what differs between them is named."""
import pathlib
import re
import socket
import subprocess
import tempfile
import textwrap
import unittest

from package import LONG, environment, surroundings


class Processes(unittest.TestCase):
    def differing(self, text):
        """Runs a program in two processes with two devices each, and gives what each says. `index` is the process."""
        head = """
            import sys, time
            import jax, jax.numpy as jnp, numpy as np
            import meshwright as mw
            index, meeting = int(sys.argv[1]), sys.argv[2]
            jax.config.update("jax_platforms", "cpu")
            mw.use_cpu_devices(2)
            jax.distributed.initialize(meeting, num_processes=2, process_id=index)
            x = np.ones((4, 4), np.float32)
            def told(call):
                try:
                    call()
                    print("nothing", flush=True)
                except mw.Disagreement as problem:
                    print(problem, flush=True)
        """
        with tempfile.TemporaryDirectory() as scratch, socket.socket() as free:
            file = pathlib.Path(scratch) / "differ.py"
            file.write_text(textwrap.dedent(head) + textwrap.dedent(text))
            free.bind(("localhost", 0))
            meeting = f"localhost:{free.getsockname()[1]}"
            free.close()
            running = [subprocess.Popen([str(environment()), file, str(index), meeting], env=surroundings(), text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE) for index in (0, 1)]
            try:
                said = [process.communicate(timeout=LONG) for process in running]
            finally:
                for process in running:
                    process.kill()
        for process, (out, err) in zip(running, said):
            self.assertEqual(process.returncode, 0, out + err)
        return [out for out, _ in said]

    def test_another_program_is_named(self):
        for said in self.differing("""
            told(lambda: mw.parallelize(lambda x: jnp.sum(x * (2.0 + index)))(x))
        """):
            self.assertIn("the program of process 1 is not that of process 0", said)
            self.assertTrue(re.search(r"process 0: .*2\.0.*\n.*process 1: .*3\.0", said), said)

    def test_other_numbers_and_another_call_are_named(self):
        for said in self.differing("""
            step = mw.parallelize(lambda params, x: jnp.sum(params["w"] * x))
            told(lambda: step({"w": x}, x + index))
            told(lambda: step({"w": x}, x if index else x[:1]))
            print(float(step({"w": x}, x)), flush=True)
            # A number of Python, then what became of it.
            count, counting = 0, mw.parallelize(lambda x, count: count + 1)
            for _ in range(2):
                count = counting(x, count)
            assert int(count) == 2 and count.weak_type
            # Only those that have a device take part.
            print(float(mw.parallelize(lambda x: jnp.sum(x), devices=jax.local_devices())(x + index)), flush=True)
        """):
            self.assertIn("the data of process 1 is not that of process 0\nline 2\n  process 0: x: numbers with", said)
            self.assertIn("the call of process 1 is not that of process 0\nline 3\n  process 0: x: float32[1,4]\n", said)
            self.assertRegex(said, r"\n16\.0\n(16|32)\.0\n")

    def test_a_process_that_runs_where_another_plans_is_waited_for_in_vain(self):
        first, second = self.differing("""
            import os, signal, threading
            from meshwright import agreement
            step = mw.parallelize(lambda x: x * 2)
            step(x).block_until_ready()
            try:
                jax.jit(step)(x)
                raise SystemExit("not refused")
            except mw.OptionError as problem:
                assert "inside `jax.jit`" in str(problem), problem
            if index == 0:
                # Ctrl-C is heard meanwhile.
                threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
                start = time.monotonic()
                try:
                    step(x[:3])
                    raise SystemExit("nobody came, and nothing was said")
                except KeyboardInterrupt:
                    assert time.monotonic() - start < 30
                agreement.PATIENCE = 3
                told(lambda: step(x[:2]))
            else:
                step(x).block_until_ready()
                time.sleep(6)
        """)
        self.assertIn("process 1 did not come to plan what process 0 calls, within 3 s", first)


if __name__ == "__main__":
    unittest.main()
