#!/usr/bin/env python3
"""Runs the tests written in Python and reports them as `cargo test` does.

    .venv/bin/python tests/run.py --meshwright target/debug/meshwright [FILTER ...]

Input: the path of the `meshwright` binary, and optionally parts of test names. Every `test_*.py` of the folders below is
run, and those that took longest are named at the end. Exit code 0 if all tests passed, 1 otherwise; a skipped test counts
as failed, so that nothing is left out unseen.
"""
import argparse
import concurrent.futures
import multiprocessing
import os
import pathlib
import signal
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("tests/python", "tests/xla")

# The tests that are run.
at_work = []

# So many of them are named at the end for the time that they take.
SLOWEST = 20


def find_tests(suite):
    """The single tests of a suite, in its order."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from find_tests(test)
        else:
            yield test


def measures_machine(test):
    """Whether a test measures the machine, so that nothing else may run beside it."""
    return getattr(test, "measures", False)


def run(module):
    """Runs the tests at work of one module, which may share what is slow to make. What is wrong, by name, as texts, and the
    seconds that each took."""
    failures, seconds = [], {}
    for test in (test for test in at_work if type(test).__module__ == module):
        result, start = unittest.TestResult(), time.monotonic()
        test.run(result)
        seconds[test.id()] = time.monotonic() - start
        problems = [text for _, text in result.failures + result.errors + result.skipped]
        print(f"test {test.id()} ... {'FAILED' if problems else 'ok'}", flush=True)
        failures += [(test.id(), text) for text in problems]
    return failures, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meshwright", required=True, type=pathlib.Path, help="the binary to test")
    parser.add_argument("filter", nargs="*", help="run only tests whose name contains one of these")
    parser.add_argument("--jobs", type=int, default=2, help="how many modules run at a time (default: %(default)s)")
    parser.add_argument("--only", choices=("shared", "alone"), help="run only tests that other work may run beside, or only "
                        "those that need the machine for themselves since they measure it")
    options = parser.parse_args()
    binary = options.meshwright.resolve()
    if not binary.is_file():
        parser.error(f"there is no {binary}; `cargo build` makes it")
    # What is started in the background ignores Ctrl-C, and what that starts does so too; some tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Test modules find the binary, the measuring scripts and the engine through these.
    os.environ["MESHWRIGHT"] = str(binary)
    # Programs of tests run for a moment: XLA takes longer to optimize their kernels than to run them, and its emitters of fusions
    # take most of what is left.
    quick = "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {quick}".strip()
    sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "python")]

    tests = []
    for folder in FOLDERS:
        # A fresh loader for each folder: one loader refuses a second top-level folder.
        tests += find_tests(unittest.TestLoader().discover(str(ROOT / folder), top_level_dir=str(ROOT / folder)))
    chosen = [t for t in tests if not options.filter or any(part in t.id() for part in options.filter)]
    if options.only:
        chosen = [test for test in chosen if measures_machine(test) == (options.only == "alone")]
    print(f"\nrunning {len(chosen)} tests", flush=True)
    failures, seconds, start = [], {}, time.monotonic()
    # What measures the machine has it for itself; many others wait for other processes most of the time.
    global at_work
    for jobs, measures in ((options.jobs, False), (1, True)):
        at_work = [test for test in chosen if measures_machine(test) == measures]
        # Forked workers have the tests that were found here.
        fork = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=fork) as workers:
            modules = dict.fromkeys(type(test).__module__ for test in at_work)
            for wrong, took in workers.map(run, modules):
                failures += wrong
                seconds |= took
    for name, text in failures:
        print(f"\n---- {name} ----\n{text}")
    slowest = sorted(seconds, key=seconds.get, reverse=True)[:SLOWEST]
    print("\nslowest: " + ", ".join(f"{name} {seconds[name]:.0f} s" for name in slowest))
    failed = len({name for name, _ in failures})
    print(f"\ntest result: {'FAILED' if failed else 'ok'}. {len(chosen) - failed} passed; {failed} failed; 0 ignored; "
          f"0 measured; {len(tests) - len(chosen)} filtered out; finished in {time.monotonic() - start:.2f}s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
