"""A worker process.

    python -m meshwright_xla JOB.json PROCESS

Input: the job (`worker`). Messages go to standard output (`messages`), the last one saying why the worker gives up, if
it does.
"""
import json
import os
import pathlib
import sys
import traceback

from . import messages

# Exit code of a worker that has said why it ends.
TOLD = 4


def run(job, process, line):
    """Everything that needs packages of others, so that one which is missing is said like any other failure."""
    from . import state, worker, xla_client

    xla_client.prepare(state.num_devices(job["manifest"]) // job["processes"], job.get("platform"))
    worker.run(job, process, line)
    xla_client.leave(process, job["processes"])


def why(problem):
    """What kind of failure it is, and its text."""
    name = type(problem).__name__
    text = str(problem) if str(problem).startswith(name) else f"{name}: {problem}"
    from . import xla_client

    if isinstance(problem, ImportError):
        return "environment", f"{text}; the engine needs jax, and is tested with {xla_client.TESTED}"
    from . import shards, store

    if isinstance(problem, (shards.BadInput, store.Damaged)):
        return "input", str(problem)
    if isinstance(problem, xla_client.Unsuitable):
        return "environment", str(problem)
    if isinstance(problem, MemoryError) or "RESOURCE_EXHAUSTED" in text:
        return "memory", text
    if isinstance(problem, OSError):
        return "file", text
    return "other", text


def main():
    messages.ignore_signals()
    line = messages.Line(pathlib.Path(sys.argv[1]).parent)
    try:
        job, process = json.loads(pathlib.Path(sys.argv[1]).read_text()), int(sys.argv[2])
        if job.get("scratch"):
            line.leftovers.append(job["scratch"])
        run(job, process, line)
    except Exception as problem:  # whatever it is, the supervisor is to know
        kind, text = why(problem)
        line.tell("failed", kind=kind, doing=line.doing, message=text[:4000])
        if kind == "other":
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(TOLD)
    # JAX's own end waits for processes that may have failed.
    sys.stderr.flush()
    os._exit(0)


main()
