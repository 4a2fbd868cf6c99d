"""Whether all workers were started to do the same: those that do not would wait for each other in vain.

Input: what each was told, by name, with the step that it begins with. The first worker tells all others what it was
told, as checksums; one that was told something else says what differs.
"""
import json
import pathlib
import zlib

from . import shards, xla_client

KEY = "meshwright/job"

# What hosts may call differently, or what only one of them needs.
OWN = ("coordinator", "platform", "inputs", "batches", "resume", "programs", "scratch")
# What users call it.
CALLED = {"last": "`--steps`", "every": "`--checkpoint-every`", "keep": "`--keep`", "programs": "the program", "events": "the schedule",
          "each_step": "`--compare`", "outputs": "`--outputs`", "checkpoints": "`--checkpoint-every`",
          "processes": "`--hosts` or `--processes`"}
# Places: whether there is one must be the same.
PLACES = ("outputs", "each_step", "checkpoints")


def check(job, process, first):
    """Compares this worker's job and first step with the first worker's.

    Errors: `BadInput`, if they differ."""
    if job["processes"] == 1:
        return
    told = {name: bool(value) if name in PLACES else value for name, value in job.items() if name not in OWN}
    told["first step"] = first
    if job.get("programs"):
        told["programs"] = [pathlib.Path(program["path"]).read_text() for program in job["programs"]]
    own = {name: zlib.crc32(json.dumps(value, sort_keys=True).encode()) for name, value in told.items()}
    if process == 0:
        xla_client.tell_all(KEY, json.dumps(own))
        return
    others = json.loads(xla_client.wait_for(KEY))
    differs = sorted(name for name in own.keys() | others.keys() if own.get(name) != others.get(name))
    if differs:
        differs = sorted({CALLED.get(name, name.replace("_", " ")) for name in differs})
        raise shards.BadInput(
            f"worker {process} was started to do something else than worker 0 ({', '.join(differs)}): give all hosts the "
            "same command, and the same files"
        )
